// Counts lines of play: the check that the rules are right.
#pragma once

#include <cstdint>

#include "games/game.h"

namespace kibitz {

/// Lines of `depth` plies; a game that ends earlier counts as `ended` lines. Published numbers of a
/// game take 0 or 1 there, so each game has a perft of its own that says which.
template <Game G>
std::uint64_t count_lines(const G& position, int depth, std::uint64_t ended) {
  if (depth == 0) return 1;
  MoveList<G> moves;
  position.legal_moves(moves);
  if (moves.empty()) return ended;
  if (depth == 1) return static_cast<std::uint64_t>(moves.size());
  std::uint64_t lines = 0;
  for (const Move move : moves) {
    G next = position;
    next.play(move);
    lines += count_lines(next, depth - 1, ended);
  }
  return lines;
}

}  // namespace kibitz
