// Counting lines of play, to check the rules against known numbers.
#pragma once

#include <cstdint>

#include "games/go/position.h"

namespace kibitz::go {

/// Lines of `depth` moves, passes included; a game that ends earlier is one line.
inline std::uint64_t perft(const Go& position, int depth) {
  if (depth == 0 || position.is_over()) return 1;
  MoveList<Go> moves;
  position.legal_moves(moves);
  if (depth == 1) return static_cast<std::uint64_t>(moves.size());
  std::uint64_t lines = 0;
  for (const Move move : moves) {
    Go next = position;
    next.play(move);
    lines += perft(next, depth - 1);
  }
  return lines;
}

}  // namespace kibitz::go
