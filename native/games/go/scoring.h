// Points: who owns what, bonuses, komi, the score of a position and of a finished game.
#pragma once

#include "games/go/area.h"
#include "games/go/state.h"

namespace kibitz::go {

/// Who owns what if the game were scored as it stands.
Owners owners_now(const State& s);
/// The same as numbers: 1 black, -1 white, 0 nobody.
void write_owners(const State& s, float* out);
/// White's points minus black's, komi and bonuses counted, if the game were scored as it stands.
float white_points_now(const State& s);
/// The komi as the side to move sees it, bonuses counted.
float own_komi(const State& s);
void set_komi(State& s, float komi);
/// Ends the game with the score it has.
void finish(State& s);
/// What white has for the stones of the start position.
float bonus_of_stones(const State& s);
float handicap_bonus(const State& s, int stones);

}  // namespace kibitz::go
