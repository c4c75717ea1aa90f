// The measures of the styles aggressive and solid (docs/style.md): attack on the kings, exchanges.
#pragma once

#include <span>

#include "games/chess/board.h"

namespace kibitz::style {

/// How far into the game they look, in plies from the record's first move.
inline constexpr int kCharacterPlies = 40;

struct Character {
  double ka = 0;  // king attack: mean of both sides' attacks on squares at the other king
  double ex = 0;  // exchanges: mean share of the first position's piece value that is gone
};

Character measure_character(const chess::Board& start, std::span<const Move> moves,
                            int plies = kCharacterPlies);

}  // namespace kibitz::style
