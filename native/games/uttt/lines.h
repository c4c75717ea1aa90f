// The eight lines of a 3 x 3 board, as 9-bit masks and as tables over masks. Sub-boards and the
// board of sub-boards share them.
#pragma once

#include <array>
#include <cstdint>

namespace kibitz::uttt {

/// A set of the nine cells of a 3 x 3 board; bit 0 is the top left, bit 8 the bottom right.
using Mask = std::uint16_t;

inline constexpr Mask kFull = 0x1ff;

inline constexpr std::array<Mask, 8> kLines = {
    0b000'000'111, 0b000'111'000, 0b111'000'000,  // rows
    0b001'001'001, 0b010'010'010, 0b100'100'100,  // columns
    0b100'010'001, 0b001'010'100,                 // diagonals
};

constexpr bool has_line_slow(unsigned mask) {
  for (const Mask line : kLines)
    if ((mask & line) == line) return true;
  return false;
}

/// One bit a mask: does it hold a line? 64 bytes, so that a playout keeps it in one cache line.
inline constexpr std::array<std::uint64_t, 8> kHasLine = [] {
  std::array<std::uint64_t, 8> table{};
  for (unsigned mask = 0; mask < 512; ++mask)
    if (has_line_slow(mask)) table[mask / 64] |= std::uint64_t{1} << (mask % 64);
  return table;
}();

inline bool has_line(unsigned mask) { return (kHasLine[mask >> 6] >> (mask & 63) & 1) != 0; }

/// The point of the 9x9 board, row by row, that a cell of a sub-board is, and the way back.
constexpr int point_of(int board, int cell) {
  return 9 * (3 * (board / 3) + cell / 3) + 3 * (board % 3) + cell % 3;
}
struct Cell {
  int board, cell;
};
constexpr Cell cell_of(int point) {
  const int row = point / 9, column = point % 9;
  return {3 * (row / 3) + column / 3, 3 * (row % 3) + column % 3};
}

/// Where each of the eight symmetries of the square takes a cell; 0 changes nothing.
inline constexpr std::array<std::array<std::uint8_t, 9>, 8> kSymmetries = [] {
  std::array<std::array<std::uint8_t, 9>, 8> table{};
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    for (int cell = 0; cell < 9; ++cell) {
      int row = cell / 3, column = cell % 3;
      if (symmetry & 1) column = 2 - column;
      if (symmetry & 2) row = 2 - row;
      if (symmetry & 4) {
        const int swap = row;
        row = column;
        column = swap;
      }
      table[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(cell)] =
          static_cast<std::uint8_t>(3 * row + column);
    }
  }
  return table;
}();

}  // namespace kibitz::uttt
