// Parity: whoever moves first in a quarter of the board with an odd number of empty squares tends
// to move there last, so those squares are tried first.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "games/othello/bitboard.h"

namespace kibitz::othello {

/// The 4x4 quarter of the board that a square is in, as a set of one quarter.
constexpr unsigned quarter_bit(int square) { return 1U << ((square >> 4 & 2) | (square >> 2 & 1)); }

namespace detail {

constexpr std::array<Bits, 16> make_quarter_masks() {
  std::array<Bits, 16> masks{};
  for (std::size_t set = 0; set < 16; ++set) {
    for (int square = 0; square < 64; ++square) {
      if (set & quarter_bit(square)) masks[set] |= bit(square);
    }
  }
  return masks;
}

}  // namespace detail

/// The squares of each set of quarters.
inline constexpr std::array<Bits, 16> kQuarterMasks = detail::make_quarter_masks();

/// The set of quarters with an odd number of empty squares.
inline unsigned odd_quarters_of(Bits empty) {
  unsigned odd = 0;
  for (unsigned i = 0; i < 4; ++i) {
    odd |= (static_cast<unsigned>(std::popcount(empty & kQuarterMasks[1U << i])) & 1U) << i;
  }
  return odd;
}

/// Takes the next move to try out of `moves`: one of `odd`, a part of them, while there is one.
inline int pop_by_parity(Bits& moves, Bits& odd) {
  const int square = std::countr_zero(odd != 0 ? odd : moves);
  odd &= odd - 1;
  moves &= ~bit(square);
  return square;
}

}  // namespace kibitz::othello
