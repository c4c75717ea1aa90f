// Planes about style that a network of our own may see beside Lc0's 112, each switchable alone
// (docs/style.md defines them; docs/network-format.md says how a file declares them).
#pragma once

#include <array>
#include <cstdint>

#include "games/chess/board.h"
#include "games/chess/encode_canonical.h"

namespace kibitz::chess {

/// A set of style planes: bit i is plane i of the table below.
using StylePlanes = std::uint8_t;

/// Their names, in the order they are written in. "Own" is the mover's.
inline constexpr std::array<const char*, 8> kStylePlaneNames{
    "locked_own",     "locked_theirs",  "tension",           "control_own",
    "control_theirs", "fianchetto_own", "fianchetto_theirs", "centre_clock"};

/// Squares whose attacks are counted: c3 to f6. An attack count is clipped, and 1 is the most.
inline constexpr Bits kWideCentre = 0x00003c3c3c3c0000ULL;
inline constexpr int kMostAttacks = 4;
/// The plies since a d or e pawn stepped forward, in this unit; 1 is the most.
inline constexpr int kCentreClockUnit = 24;

/// Writes the planes of the set, one after the other, from the mover's side and turned as the input
/// format wants it; they come in as zeros. `centre_clock` is the number of plies since a d or e
/// pawn stepped forward.
void write_style_planes(const Board& board, StylePlanes set, int centre_clock,
                        const Turning& turning, float* planes);

/// Does the move bring a d or e pawn forward, without taking?
inline bool advances_centre(const Board& board, Move move) {
  constexpr Bits kCentreFiles = file_bits(3) | file_bits(4);
  const int from = from_square(move), to = to_square(move);
  return (board.of(board.side, kPawn) & kCentreFiles & bit(from)) != 0 &&
         file_of(from) == file_of(to);
}

}  // namespace kibitz::chess
