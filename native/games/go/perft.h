// Counts lines of play, as the known numbers of this game do.
#pragma once

#include "games/go/position.h"
#include "games/perft.h"

namespace kibitz::go {

/// Lines of `depth` moves, passes included; a game that ends earlier is one line.
inline std::uint64_t perft(const Go& position, int depth, PerftStop stop = nullptr) {
  return count_lines(position, depth, 1, stop);
}

}  // namespace kibitz::go
