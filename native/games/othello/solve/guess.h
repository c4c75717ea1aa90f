// A hand-made estimate of a late position, only ever used to decide what to search first.
#pragma once

#include <bit>

#include "games/othello/policy.h"
#include "games/othello/solve/stability.h"

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
  const Bits risky = detail::corner_blocks(empty & kCorners);
  // The weights are a least-squares fit to the exact scores of 90,000 positions with 10 to 14
  // empties from games of this program with itself; rounded.
  int score = 40 * difference(mine, theirs);
  score += 80 * std::popcount(mine & kCorners) - 40 * std::popcount(theirs & kCorners);
  score += 62 * difference(player & kCorners, opponent & kCorners);
  score -= 20 * difference(player & kXSquares & risky, opponent & kXSquares & risky);
  score -= 38 * difference(player & kCSquares & risky, opponent & kCSquares & risky);
  score += 15 * difference(stable_discs(player, opponent), stable_discs(opponent, player));
  return score;
}

}  // namespace kibitz::othello
