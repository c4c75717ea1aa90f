// The measures of one side's style, of which the score S2 is made (docs/style.md).
#pragma once

#include <array>
#include <span>

#include "games/chess/board.h"
#include "games/chess/style/metrics.h"

namespace kibitz::style {

struct SideMetrics {
  double co = 0;       // mean of own pawns on d4, e4 (White) or d5, e5 (Black)
  double dcc = 0;      // mean of own attacks on the centre from afar, over piece values
  int fch = 0;         // own fianchettoes
  double tension = 0;  // mean of enemy pawns that own c, d and e pawns attack
  double cl = 0;       // mean of locked pairs that close the position; the same for both sides
};

/// Of White and of Black.
std::array<SideMetrics, 2> measure_sides(const chess::Board& start, std::span<const Move> moves,
                                         const Window& window = {});

}  // namespace kibitz::style
