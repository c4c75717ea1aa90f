// How a game of Go goes: which moves there are, what they do, when a phase and the game end.
#pragma once

#include "games/go/ko.h"
#include "games/go/state.h"

namespace kibitz::go {

/// An empty board.
State empty_board(int columns, int rows, const Rules& rules, float komi);
/// Puts a stone on the start position; false when the point is taken or a chain has no liberty.
inline bool set_up(State& s, int point, Stone stone) {
  return s.board.set_up(s.board.cell(point), stone);
}
/// Call once after the last stone: counts what depends on the stones there are.
void start(State& s, int side);

/// An unmarked move that the rules allow.
bool is_legal(const State& s, Move move);
/// Legal, or marked as out of turn or tolerated and possible as such.
bool may_play(const State& s, Move move);
void play(State& s, Move move);
/// An eye of the side to move, as playouts see one.
bool is_eye(const State& s, Cell cell);

bool pass_ends_phase(const State& s);
/// Does a search not accept that a pass ends the game here?
bool ends_quietly_ignored(const State& s);
/// Takes back that the game is over, for those who want to look at it all the same.
void resume(State& s);

}  // namespace kibitz::go
