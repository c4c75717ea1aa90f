// Chess for the alpha-beta family: the network of sums, or the hand-written score without one.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "games/chess/evaluate/accumulators.h"
#include "games/chess/evaluate/eval.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/game.h"

namespace kibitz {

/// Scores are centipawns.
struct ChessJudge {
  using Game = Chess;
  struct Board {
    chess::Board now;
    void play(Move move) { now.play(move); }
  };
  static constexpr int kMostScore = 32000;
  static constexpr int kScoreUnit = 100;
  static constexpr int kWindow = 30;
  static constexpr int kMostDepth = 120;
  /// A mate on the board; one that is n plies away is n less. Evaluations stay below kLeastMate.
  static constexpr int kMate = kMostScore, kLeastMate = kMate - 1000;

  /// Without a network (null) the hand-written score judges.
  explicit ChessJudge(std::shared_ptr<const chess::Accumulators> from) : network(std::move(from)) {}

  Board board(const Chess& game) const { return {game.board()}; }
  static std::uint64_t key(const Board& board) { return board.now.key; }
  static int mover(const Board& board) { return board.now.side; }
  static void moves(const Board& board, MoveList<Chess>& list) {
    chess::list_moves(board.now, list);
  }
  /// There is no end in sight.
  static int remaining(const Board&) { return kMostDepth; }
  static int plies(Move) { return 1; }
  static bool decides(int score) { return std::abs(score) >= kLeastMate; }
  int evaluate(const chess::Board& board) const {
    return network ? network->score(board) : chess::static_score(board);
  }
  Outcome outcome(const Board& board, int score) const {
    const int clock = board.now.clock;
    return network ? chess::expected_outcome(score, clock) : chess::outcome_of(score, clock);
  }
  double chance(const Board& board, int score) const { return outcome(board, score).value; }
  double draw(const Board& board, int score) const { return outcome(board, score).draw; }

  std::shared_ptr<const chess::Accumulators> network;
};

}  // namespace kibitz
