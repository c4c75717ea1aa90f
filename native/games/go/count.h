// The score that the players of a finished game agree on: dead stones are taken off the board, and
// what is left is counted by area or by territory.
//
// This is how people end a game: two passes, then agreement about the dead stones. A search does
// not use it; it scores the board as it stands (scoring.h), after the encore of territory rules.
#pragma once

#include <array>
#include <cstdint>

#include "games/go/area.h"
#include "games/go/state.h"

namespace kibitz::go {

/// What one side's points are made of. Area rules count stones and territory, territory rules
/// territory and prisoners; the others are counted all the same.
struct CountedSide {
  int stones = 0;     // living ones on the board
  int territory = 0;  // empty points, dead stones of the other side taken off
  int prisoners = 0;  // the other side's stones that were captured or are dead
  int tax = 0;        // points off, two for each living group, under a group tax
};

struct Count {
  Owners owners;
  std::array<CountedSide, 2> sides;  // black, white
  float white_extra = 0.0f;          // komi, handicap and button
  float white_score = 0.0f;          // white minus black
};

/// The stones of every chain that has one of these cells.
CellSet whole_chains(const Board& board, const CellSet& cells);

/// Counts with the stones of `dead` taken off; `dead` holds whole chains.
Count count(const State& s, const CellSet& dead);

/// Did two passes end play, so that the players are to agree on the score?
bool is_counting(const State& s);

/// Ends the game with the score that the players agreed on.
void settle(State& s, const CellSet& dead);

/// Plays on after two passes: the players do not agree. Two more passes end play again.
void resume_play(State& s);

/// Who owns each point after random games from here, begun by either side in turn: 1 black, -1
/// white. For boards without a network.
void playout_owners(const State& s, int games, std::uint64_t seed, float* out);

}  // namespace kibitz::go
