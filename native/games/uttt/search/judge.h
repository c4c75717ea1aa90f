// Ultimate tic-tac-toe for the alpha-beta family: the pattern evaluation, without cuts and solver.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "games/uttt/evaluate/patterns.h"
#include "search/alpha_beta.h"

namespace kibitz {

/// Scores are logits of the expected result.
struct UtttJudge {
  using Game = Uttt;
  class Board {
   public:
    explicit Board(const Uttt& game) : game_(game) {}
    const Uttt& game() const { return game_; }
    void play(Move move) { game_.play(move); }

   private:
    Uttt game_;
  };
  static constexpr int kMostScore = uttt::PatternNetwork::kLogitMost;

  explicit UtttJudge(const uttt::Patterns& from) : patterns(&from) {}

  Board board(const Uttt& game) const { return Board(game); }
  static std::uint64_t key(const Board& board) { return board.game().hash(); }
  static int mover(const Board& board) { return board.game().to_move(); }
  static void moves(const Board& board, MoveList<Uttt>& list) {
    if (!board.game().is_over()) board.game().legal_moves(list);
  }
  static int remaining(const Board& board) {
    return board.game().is_over() ? 0 : board.game().empties();
  }
  static int plies(Move) { return 1; }
  static int freedom(const Board&) { return 0; }
  int evaluate(const Board& board) const {
    const Uttt& game = board.game();
    return game.is_over() ? result(board) : patterns->of(game).logit(game);
  }
  /// Of each move, for the side that plays it: most of the work is the same for all of them.
  void evaluate_moves(const Board& board, std::span<const Move> moves,
                      std::span<int> scores) const {
    patterns->of(board.game()).logits_after(board.game(), moves, scores);
  }
  int result(const Board& board) const {
    const Uttt& game = board.game();
    const float first = game.result(), mover = game.side == 0 ? first : 1.0f - first;
    return mover == 0.5f ? 0 : mover > 0.5f ? kMostScore : -kMostScore;
  }
  const ProbCut* cut(int, int) const { return nullptr; }
  std::optional<int> finish(const Board&, int, int) const { return std::nullopt; }

  const uttt::Patterns* patterns;
};

static_assert(Judge<UtttJudge>);

}  // namespace kibitz
