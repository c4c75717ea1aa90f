// What everybody saw a piece do and leave undone, as far as that speaks for what it is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/junqi/history.h"
#include "games/junqi/placement.h"

namespace kibitz::junqi {

/// Counts of one piece. A taker is a piece that has taken another.
struct Conduct {
  std::uint8_t attacks = 0, attacks_on_takers = 0;
  std::uint8_t quiet_moves = 0;
  std::uint8_t approaches = 0, approaches_to_takers = 0;  // quiet moves to where it could attack
  std::uint8_t flights = 0;                               // quiet moves out of the reach of takers
  std::uint8_t stays = 0;      // turns of its seat that it spent within reach of a taker
  std::uint8_t abstained = 0;  // turns of its seat in which it could attack and did not

  bool operator==(const Conduct&) const = default;
};

/// Counts a move that the seat to move is about to make. `history` is that before it.
void observe_conduct(const Placement& before, const HistoryRecorder& history, Move move,
                     std::array<Conduct, kPieces>& conduct);

/// A row for every sign, such as "attacked twice": by kind, the logarithm of how much it speaks for
/// that kind.
using ConductTable = std::vector<std::array<float, kKinds>>;

/// Fitted to games in the way of tools/junqi_conduct.py (docs/strength.md tells which).
const ConductTable& learned_conduct();

/// The rows that hold for a piece.
std::vector<int> conduct_rows(const Placement& placement, const Conduct& conduct, int piece);

}  // namespace kibitz::junqi
