// Races for a flag in one sampled world of Junqi: does it fall by force? Both sides play only the
// moves that matter for it (approaches to the flag, hits on what stands near it, steps into the
// way) or do something else, so that a few thousand positions tell what a beam of the best looking
// moves does not see: with four seats a piece two steps away needs five plies.
//
// Threads: a solver belongs to one thread.
#pragma once

#include <cstdint>

#include "games/junqi/board.h"

namespace kibitz::junqi {

/// How far from a flag a piece stands that takes part in a race.
inline constexpr int kRaceSteps = 3;

class FlagSolver {
 public:
  /// Gives up a race after `most_nodes` positions: the flag then counts as safe.
  explicit FlagSolver(std::int64_t most_nodes) : most_nodes_(most_nodes) {}

  /// The plies after which the flag of `victim` falls by force, the best defence lasting longest; 0
  /// when it does not within `most_plies`.
  int falls_in(const Junqi& board, int victim, int most_plies);
  std::int64_t nodes() const { return nodes_; }

 private:
  bool falls(const Junqi& board, int left);
  bool falls_to(const Junqi& board, int left);
  bool cannot_be_held(const Junqi& board, int left);
  /// Enemies of the victim that could still take the flag with the turns they have left.
  bool within_reach(const Junqi& board, int left) const;

  std::int64_t most_nodes_, nodes_ = 0, limit_ = 0;
  int victim_ = 0, flag_ = 0;
};

/// A move that may decide such a race for the side that makes it: it takes what stands near one of
/// its flags, comes nearer to an enemy's flag or fights its way there.
bool races(const Junqi& board, Move move);

}  // namespace kibitz::junqi
