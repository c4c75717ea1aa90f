// Exact Othello endgames: the score of a position, its best line, and every move's score.
//
//     EndgameSolver solver(64 << 20);
//     SolveResult result = solver.solve(game, {.seconds = 10});
//     if (result.solved) ... result.score, result.best, result.line
//
// Everything is exact: with `solved` set the score is proven, otherwise nothing is claimed. Scores
// are disc differences for the side to move, empty squares to the winner. A solver belongs to one
// thread; only `SolveLimits::stop` may be touched from another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "games/othello/board.h"
#include "games/othello/solve/search.h"

namespace kibitz::othello {

struct SolveResult {
  bool solved = false;
  int score = 0;        // of solve_wld: 1 win, 0 draw, -1 loss
  Move best = kNoMove;  // none when the game is over or nothing was solved
  std::vector<Move>
      line;  // best play from here, passes included; may stop short when limits ran out
  std::uint64_t nodes = 0;
  double seconds = 0;
};

/// What is proven about a root move, for the side that plays it: lower <= score <= upper.
struct MoveScore {
  Move move = kNoMove;
  int lower = -64;
  int upper = 64;
  bool exact() const { return lower == upper; }
};

struct MoveScores {
  bool solved = false;  // all that was asked for is proven
  std::vector<MoveScore> moves;
  std::uint64_t nodes = 0;
  double seconds = 0;
};

class EndgameSolver {
 public:
  /// With an evaluation the moves are ordered by it, which is faster; the answers are the same.
  explicit EndgameSolver(std::size_t table_bytes = std::size_t{64} << 20,
                         std::shared_ptr<const OthelloEvaluation> evaluation = nullptr)
      : search_(table_bytes, std::move(evaluation)) {}

  /// The exact score, a best move and the line that goes with it.
  SolveResult solve(const Othello& game, const SolveLimits& limits = {});

  /// Only who wins, which is proven sooner. The line keeps the result, not the margin.
  SolveResult solve_wld(const Othello& game, const SolveLimits& limits = {});

  /// Every legal move's score, best first. With `all_exact` false only the best is exact and the
  /// others get an upper bound below or equal to it.
  MoveScores score_moves(const Othello& game, const SolveLimits& limits = {},
                         bool all_exact = true);

  /// Forgets all it has learned; only memory and speed depend on it.
  void clear() { search_.clear(); }

 private:
  int warmed_up_guess(const Othello& game);
  int exact_score(const Othello& game, int guess);
  SolveResult unsolved() const;
  SolveResult finished(const Othello& game, int alpha, int beta, int score, bool exact);

  EndgameSearch search_;
};

/// The same search in a small fixed table, for a tree search that asks about many small endgames.
/// No allocation in a call; one instance a thread.
class LeafSolver {
 public:
  explicit LeafSolver(std::size_t table_bytes = std::size_t{1} << 20) : search_(table_bytes) {}

  /// 1 if the side to move wins, 0 for a draw, -1 if it loses. Meant for about 12 empty squares or
  /// fewer.
  int wld(const Othello& game);

  /// The exact score for the side to move.
  int score(const Othello& game);

 private:
  EndgameSearch search_;
};

}  // namespace kibitz::othello
