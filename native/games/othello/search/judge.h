// Othello for the alpha-beta family: pattern evaluation, fitted cuts, exact endings.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "games/othello/evaluate/evaluation.h"
#include "games/othello/solve/search.h"
#include "search/alpha_beta_root.h"

namespace kibitz {

struct OthelloJudge {
  using Game = Othello;
  using Board = othello::PatternBoard;
  static constexpr int kMostScore = 64 * othello::kDiscUnit;
  static constexpr int kScoreUnit = othello::kDiscUnit;
  static constexpr int kWindow = 3 * othello::kDiscUnit;
  /// Endings of so many empty squares are solved, not searched.
  static constexpr int kFinishEmpties = 10;

  explicit OthelloJudge(std::shared_ptr<const OthelloEvaluation> from)
      : evaluation(std::move(from)) {}

  Board board(const Othello& game) const { return Board(game); }
  static std::uint64_t key(const Board& board) { return board.game().hash(); }
  static int mover(const Board& board) { return board.game().to_move(); }
  static void moves(const Board& board, MoveList<Othello>& list) { board.game().legal_moves(list); }
  static int remaining(const Board& board) { return board.empties(); }
  static int plies(Move move) { return move == Othello::kPass ? 0 : 1; }
  static int freedom(const Board& board) {
    const othello::Bits moves = board.game().mobility();
    return std::popcount(moves) + std::popcount(moves & othello::kCorners);
  }
  /// In quarters of a disc: finer scores tell moves apart by noise, and cost 7% more nodes.
  int evaluate(const Board& board) const {
    constexpr int kStep = kScoreUnit / 4;
    const int rounded = (board.evaluate(evaluation->weights) + kStep / 2) & -kStep;
    return std::clamp(rounded, -kMostScore + kStep, kMostScore - kStep);
  }
  int result(const Board& board) const {
    return othello::final_margin(board.game().player, board.game().opponent) * othello::kDiscUnit;
  }
  const ProbCut* cut(int remaining, int depth) const {
    const ProbCut* cut = nullptr;
    if (depth >= remaining)
      cut = &evaluation->end_cuts[static_cast<std::size_t>(std::min(remaining, 60))];
    else if (depth <= OthelloEvaluation::kMostCutDepth)
      cut = &evaluation->cuts[static_cast<std::size_t>(othello::stage_of(remaining))]
                             [static_cast<std::size_t>(depth)];
    return cut && cut->depth > 0 ? cut : nullptr;
  }
  std::optional<int> finish(const Board& board, int alpha, int beta) {
    if (board.empties() > kFinishEmpties) return std::nullopt;
    const auto floor_discs = [](int score) {
      return score >= 0 ? score / othello::kDiscUnit
                        : -((-score + othello::kDiscUnit - 1) / othello::kDiscUnit);
    };
    const int low = std::max(floor_discs(alpha), -64);
    const int high = std::min(-floor_discs(-beta), 64);
    return exact(board.game(), std::min(low, 63), std::max(high, low + 1)) * othello::kDiscUnit;
  }
  /// The exact score in discs if it lies inside the window, else a bound.
  int exact(const Othello& game, int alpha, int beta) {
    auto& solver = solvers->leaves;
    if (!solver) {
      solver.emplace(std::size_t{4} << 20);
      solver->begin({});
    }
    return solver->search(game.player, game.opponent, alpha, beta);
  }

  /// With the whole position as its key, so that what it says is a proof. Searches a small window
  /// around the guess first.
  std::optional<int> prove(const Board& board, int alpha, int beta, int guess,
                           ProofLimits& limits) {
    const auto to_discs = [](int score) { return std::clamp(score / kScoreUnit, -64, 64); };
    auto& prover = solvers->proofs;
    if (!prover) prover.emplace(std::size_t{64} << 20, evaluation);
    prover->begin({limits.seconds, limits.nodes, limits.stop});
    const Othello& game = board.game();
    const int least = to_discs(alpha), most = to_discs(beta);
    int width = 2;
    int low = std::clamp(to_discs(guess) - width, least, most - 1);
    int high = std::clamp(to_discs(guess) + width, low + 1, most);
    for (;;) {
      const int score = prover->search(game.player, game.opponent, low, high);
      limits.used = prover->nodes();
      if (prover->aborted()) return std::nullopt;
      width *= 3;
      if (score <= low && low > least) {
        high = score + 1;
        low = std::max(least, score - width);
      } else if (score >= high && high < most) {
        low = score - 1;
        high = std::min(most, score + width);
      } else {
        return score * kScoreUnit;
      }
    }
  }
  double chance(const Board& board, int score) const {
    return evaluation->chance(score, board.empties());
  }

  std::shared_ptr<const OthelloEvaluation> evaluation;

 private:
  /// Made when they are needed, and kept with their tables from search to search: copies of a
  /// judge, which are for the same thread, share them.
  struct Solvers {
    std::optional<othello::EndgameSearch> leaves, proofs;
  };
  std::shared_ptr<Solvers> solvers = std::make_shared<Solvers>();
};

static_assert(RootJudge<OthelloJudge>);

}  // namespace kibitz
