// Counts lines of play: the check that the rules are right.
#pragma once

#include <cstdint>

#include "games/uttt/board.h"

namespace kibitz::uttt {

/// Lines of `depth` plies; a game that ends earlier is no line of that length.
inline std::uint64_t perft(const Uttt& position, int depth) {
  if (depth == 0) return 1;
  MoveList<Uttt> moves;
  position.legal_moves(moves);
  if (depth == 1) return static_cast<std::uint64_t>(moves.size());
  std::uint64_t lines = 0;
  for (const Move move : moves) {
    Uttt next = position;
    next.play(move);
    lines += perft(next, depth - 1);
  }
  return lines;
}

}  // namespace kibitz::uttt
