// What a little knowledge of squares is worth: which moves a careful playout prefers, and priors.
#pragma once

#include "games/othello/board.h"

namespace kibitz::othello {

/// How a playout picks among the legal moves.
enum class PlayoutPolicy {
  kUniform,  // every legal move equally likely
  kCareful,  // corners first; X- and C-squares beside an empty corner last; else equally likely
};

namespace detail {

// The corner blocks (corner, two C-squares, X-square) whose corner is among `corners`. Works on one
// board and on a vector of boards alike.
template <class Boards>
inline Boards corner_blocks(Boards corners) {
  const Boards row =
      corners | ((corners & 0x0100000000000001ULL) << 1) | ((corners & 0x8000000000000080ULL) >> 1);
  return row | (row << 8) | (row >> 8);
}

}  // namespace detail

/// The moves a careful player chooses from: the first non-empty of the corners, the quiet squares,
/// the C-squares, the X-squares. A square counts as C or X only while the corner beside it is
/// empty.
inline Bits careful_moves(Bits moves, Bits empty) {
  if (const Bits corners = moves & kCorners; corners != 0) return corners;
  const Bits blocks = detail::corner_blocks(empty & kCorners);
  if (const Bits quiet = moves & ~blocks; quiet != 0) return quiet;
  if (const Bits edge = moves & kCSquares; edge != 0) return edge;
  return moves;
}

/// Heuristic probability of each move of `moves`, in their order, summing to 1: corners high, then
/// edges, the rest by square, X- and C-squares beside an empty corner low.
void square_priors(const Othello& game, const MoveList<Othello>& moves, float* prior);

}  // namespace kibitz::othello
