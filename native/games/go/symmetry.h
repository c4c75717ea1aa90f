// The board's symmetries: bit 0 mirrors top and bottom, bit 1 left and right, bit 2 swaps both
// axes.
#pragma once

#include <vector>

#include "games/go/state.h"

namespace kibitz::go {

/// How many symmetries the board has, the one that changes nothing included.
inline int symmetry_count(const State& s) { return s.board.columns() == s.board.rows() ? 8 : 4; }
/// A move seen through one of the board's symmetries.
Move transformed(const State& s, Move move, int symmetry);
/// The symmetries that change nothing about the position; always has 0.
std::vector<int> symmetries(const State& s);
/// The first of the moves that a symmetry of the position makes equal to this one.
Move twin(const State& s, Move move);
/// The same for positions that a symmetry of the board turns into each other.
std::uint64_t symmetric_hash(const State& s);

}  // namespace kibitz::go
