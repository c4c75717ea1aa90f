// What a game of self-play is decided by, and what is known of it when it is over.
#pragma once

#include <cstdint>
#include <vector>

#include "search/options.h"
#include "search/search_budget.h"

namespace kibitz {

/// Everything that decides a game, beside its number's seed, its start and the network.
struct SelfplayRules {
  Options options;
  Budget budget;
  /// Playout cap randomization: where this is above 0, a share `full_share` of the moves is
  /// searched with the whole budget and noise and teaches a policy; the others get so many visits
  /// and no noise.
  std::int64_t fast_visits = 0;
  double full_share = 0.25;
  /// Moves are drawn by visits ^ (1 / temperature) up to that ply (0: to the end), then the best is
  /// played. With rule=gumbel, the temperature is a factor of the Gumbel noise.
  double temperature = 1.0;
  int temperature_plies = 0;
  /// Plies after which a game is broken off; 0 plays to the end.
  int plies = 0;
  /// A side whose root value was at most `resign` at its last `resign_plies` moves resigns; 0
  /// never. In a share `play_out` of the games it plays on, which shows how often it is wrong.
  double resign = 0.0;
  int resign_plies = 3;
  double play_out = 0.1;
};

/// A move that a search knew at the root.
struct RootEntry {
  Move move = kNoMove;
  std::uint32_t visits = 0;
  float value = 0.5f;   // for the side to move
  float policy = 0.0f;  // its share of the policy that the search teaches
};

/// A move of a game, and what the search said before it. A move that the opening gave has no
/// entries.
struct SearchedPly {
  Move move = kNoMove;
  bool full = false;   // searched with the whole budget
  float value = 0.5f;  // of the root, for the side to move
  std::vector<RootEntry> entries;
};

template <class G>
struct SelfplayRecord {
  std::int64_t id = 0;
  G start, last;
  std::vector<SearchedPly> plies;
  int resigned = -1;        // the side that gave up, or would have
  int resigned_ply = -1;    // and when
  bool played_out = false;  // it was not allowed to

  bool gave_up() const { return resigned >= 0 && !played_out; }
  /// The first side's result; below 0 when the game was broken off.
  float result() const {
    if (gave_up()) return resigned == 0 ? 0.0f : 1.0f;
    return last.is_over() ? last.result() : -1.0f;
  }
};

}  // namespace kibitz
