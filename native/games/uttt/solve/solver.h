// Exact answers for ultimate tic-tac-toe: the worth of a position, its best move and line, and
// every move's worth.
//
//     Solver solver(64 << 20);
//     Solution solution = solver.solve(game, {.seconds = 10});
//     if (solution.solved) ... solution.worth, solution.best, solution.line
//
// Everything is exact: with `solved` set the worth is proven, otherwise nothing is claimed. A
// solver belongs to one thread; only `SolveLimits::stop` may be touched from another. Tables, if
// given, answer what they hold.
#pragma once

#include <memory>
#include <vector>

#include "games/uttt/solve/search.h"
#include "games/uttt/solve/tables.h"

namespace kibitz::uttt {

struct Solution {
  bool solved = false;
  Worth worth = kUnknown;
  Move best = kNoMove;
  std::vector<Move> line;  // best play from here; may stop short when limits ran out
  std::uint64_t nodes = 0;
  double seconds = 0;
};

struct MoveWorths {
  bool solved = false;  // every move's worth is known
  std::vector<RatedMove> moves;
  std::uint64_t nodes = 0;
  double seconds = 0;
};

class Solver {
 public:
  explicit Solver(std::size_t table_bytes = std::size_t{64} << 20,
                  std::shared_ptr<const Tables> tables = nullptr)
      : search_(table_bytes), tables_(std::move(tables)) {}

  /// Precondition: the game is not over.
  Solution solve(const Uttt& game, const SolveLimits& limits = {});
  /// Every legal move, best first; those not solved in time are unknown and last.
  MoveWorths rate_moves(const Uttt& game, const SolveLimits& limits = {});
  /// 1, 0 or -1 for the side to move, or 2 when a limit ended it.
  int sign(const Uttt& game, const SolveLimits& limits);
  /// Nodes of the last call.
  std::uint64_t nodes() const { return search_.nodes(); }

 private:
  Worth worth_of(const Uttt& game);
  /// The move's worth for the side that plays it.
  Worth worth_after(const Uttt& game, Move move);
  Move move_worth(const Uttt& game, Worth worth);

  ExactSearch search_;
  std::shared_ptr<const Tables> tables_;
};

}  // namespace kibitz::uttt
