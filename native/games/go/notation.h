// Go positions and moves as text.
//
//     X.../..../.O../.... w rules=japanese komi=6.5 ko=B2 passes=1
//
// Rows from the top, the side to move, then what differs from a fresh position.
#pragma once

#include <string>
#include <string_view>

#include "games/go/state.h"

namespace kibitz::go {

std::string to_text(const State& s);
State from_text(std::string_view text);
std::string move_text(const State& s, Move move);
Move parse_move(const State& s, std::string_view text);

}  // namespace kibitz::go
