// Counts lines of play, as the known numbers of this game do.
#pragma once

#include "games/perft.h"
#include "games/uttt/board.h"

namespace kibitz::uttt {

/// Lines of `depth` plies; a game that ends earlier is no line of that length.
inline std::uint64_t perft(const Uttt& position, int depth, PerftStop stop = nullptr) {
  return count_lines(position, depth, 0, stop);
}

}  // namespace kibitz::uttt
