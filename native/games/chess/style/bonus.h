// What a hypermodern player likes in a move: the bonus B(m) by which a search's root priors change,
// p' ~ p * exp(beta * B(m)). See docs/style.md.
#pragma once

#include "games/chess/board.h"

namespace kibitz::style {

/// A move is early before this ply.
inline constexpr int kContactPly = 8;

struct BonusWeights {
  double fianchetto = 1.0;   // a bishop to b2, g2, b7 or g7 behind its pawn
  double prepare = 1.0;      // the step of the pawn that makes room for it
  double quiet = 0.5;        // early, no new contact by a c, d or e pawn
  double control = 0.3;      // more control of the centre from afar
  double flank = 0.1;        // an a or h pawn's step
  double chain = 0.8;        // locks a pair of pawns; less, as much, when it opens one
  double occupation = -1.0;  // a pawn to the centre
  double attack = 0.0;       // more attacks at the enemy king; less, as much, for fewer
  double trade = 0.0;        // takes a piece, or attacks one of the same kind
};

/// B(m) in [-1, 1] of a legal move.
double bonus(const chess::Board& board, Move move, const BonusWeights& weights);

/// The number of the ply that is played next: 1 for White's first move.
inline int next_ply(const chess::Board& board) { return 2 * (board.number - 1) + board.side + 1; }

}  // namespace kibitz::style
