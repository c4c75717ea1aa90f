// Numbers from Python are checked here, before the core takes them as indices.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "games/game.h"

namespace kibitz::bind {

inline int in_range(const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return static_cast<int>(value);
  throw nanobind::value_error((std::string(what) + " must be from " + std::to_string(least) +
                               " to " + std::to_string(most) + ", got " + std::to_string(value))
                                  .c_str());
}

/// The plies of a perft.
inline int checked_depth(int depth) { return in_range("a depth", depth, 0, 100); }

/// The size of a solver's table, in bytes.
inline std::size_t checked_table(std::int64_t megabytes) {
  return static_cast<std::size_t>(in_range("table_mb", megabytes, 1, 1 << 20)) << 20;
}

/// Seconds to wait or to work: not a number is refused, and more than a few years are for ever.
inline double checked_seconds(double seconds) {
  if (std::isnan(seconds)) throw nanobind::value_error("seconds must be a number");
  return std::clamp(seconds, 0.0, 1e8);
}

/// Whether a number means a move in a game's notation, legal or not. Specialized beside the
/// bindings of games whose notation does not cover all numbers.
template <class G>
struct MoveNumbers {
  static bool has(const G&, Move) { return true; }
};

template <class G>
Move checked_move(const G& game, Move move) {
  if (!MoveNumbers<G>::has(game, move)) throw nanobind::value_error("no such move");
  return move;
}

}  // namespace kibitz::bind
