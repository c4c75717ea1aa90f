// What races for flags mean for the root moves of a Junqi search: in every sampled world, which
// moves let a flag of ours fall by force and which make one of theirs fall.
//
// Threads: one thread.
#pragma once

#include <vector>

#include "games/junqi/evaluate/scoring.h"
#include "games/junqi/search/flags.h"
#include "games/junqi/search/world.h"

namespace kibitz::junqi {

class RootRaces {
 public:
  /// `worlds` must outlive the races.
  RootRaces(const View& view, const std::vector<Junqi>& worlds, const Scorer& scorer,
            const JunqiOptions& options)
      : view_(view), worlds_(worlds), scorer_(scorer), options_(options) {}

  /// Looks at the races of every move in every world, until `deadline` has passed.
  void run(const std::vector<Move>& moves, const Deadline& deadline);
  /// Looks at the same moves' races in the worlds that were added since, a dozen at most each time.
  void run_added(const Deadline& deadline);
  /// Does a race depend on the move in some world?
  bool decides(Move move) const;
  /// `value` of a move in a world, `base` being what it is worth at once, corrected by what its
  /// races lose and win.
  double corrected(std::size_t world, Move move, double base, double value) const;
  /// The mean over the worlds of the correction of `base` alone.
  double outlook(Move move) const;
  std::int64_t nodes() const { return nodes_; }

 private:
  struct Race {
    double loss = 0, gain = 0;  // in points, for the mover's side
    double taken = 0;           // of the army that leaves with a flag that the move takes
    double sure = 1;            // of the loss: whether the enemies know where the flag is
  };
  const Race* find(std::size_t world, Move move) const;
  void judge(std::size_t world, FlagSolver& solver);
  double stake(const Junqi& world, int victim, int plies) const;

  const View& view_;
  const std::vector<Junqi>& worlds_;
  const Scorer& scorer_;
  const JunqiOptions& options_;
  std::vector<Move> moves_;
  std::vector<std::vector<Race>> races_;  // by world and move; short where time ran out
  std::vector<bool> decides_;
  std::int64_t nodes_ = 0;
};

}  // namespace kibitz::junqi
