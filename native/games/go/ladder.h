// Ladders: can a chain with one or two liberties be captured by ataris alone?
//
// The answers are those that KataGo's networks were trained with: kos count for the defender, and a
// search that grows too large is a ladder that does not work.
#pragma once

#include <array>
#include <vector>

#include "games/go/board.h"

namespace kibitz::go {

struct Ladders {
  CellSet captured;       // stones of chains that can be captured
  CellSet working_moves;  // where `side` starts such a capture of the opponent's chains
};

/// All ladders on the board; working moves are those of `side`.
Ladders find_ladders(const Board& board, Stone side);

/// Is the chain with a stone on `cell` captured when it moves first?
bool is_captured_moving_first(const Board& board, Cell cell);

/// The attacker's moves that capture a chain with two liberties.
std::vector<Cell> capturing_moves(const Board& board, Cell cell);

}  // namespace kibitz::go
