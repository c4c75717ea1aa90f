// A hand-made estimate of a late position, only ever used to decide what to search first.
#pragma once

#include <bit>

#include "games/othello/board.h"

namespace kibitz::othello {

inline constexpr int kGuessUnit = 16;  // a guess counts in sixteenths of a disc

/// Squares next to a disc of `discs`, that disc's own square among them.
inline Bits around(Bits discs) {
  const Bits row =
      discs | ((discs << 1) & ~0x0101010101010101ULL) | ((discs >> 1) & ~0x8080808080808080ULL);
  return row | (row << 8) | (row >> 8);
}

inline int guess(Bits player, Bits opponent) {
  const Bits empty = ~(player | opponent);
  const Bits mine = mobility(player, opponent);
  const Bits theirs = mobility(opponent, player);
  if (mine == 0 && theirs == 0) return final_margin(player, opponent) * kGuessUnit;
  const auto difference = [](Bits a, Bits b) { return std::popcount(a) - std::popcount(b); };
  const Bits open_blocks = [&] {
    const Bits corners = empty & kCorners;
    const Bits row = corners | ((corners & 0x0100000000000001ULL) << 1) |
                     ((corners & 0x8000000000000080ULL) >> 1);
    return row | (row << 8) | (row >> 8);
  }();
  int score = 0;
  score += 18 * difference(mine, theirs);
  score += 8 * difference(around(opponent) & empty, around(player) & empty);
  score += 100 * difference(player & kCorners, opponent & kCorners);
  score += 60 * difference(mine & kCorners, theirs & kCorners);
  score -= 60 * difference(player & kXSquares & open_blocks, opponent & kXSquares & open_blocks);
  score -= 20 * difference(player & kCSquares & open_blocks, opponent & kCSquares & open_blocks);
  return score;
}

}  // namespace kibitz::othello
