// How the canonical input formats turn a board: so that the mover's king stands in the smallest
// part of the board that the position's symmetries allow. Facts: lc0 src/neural/encoder.cc.
#pragma once

#include "games/chess/board.h"

namespace kibitz::chess {

/// A way to turn the board, done in this order: files, ranks, then the diagonal from a8 to h1.
struct Turning {
  bool files = false, ranks = false, diagonal = false;

  bool any() const { return files || ranks || diagonal; }
  int square(int square) const;
  Bits squares(Bits set) const;
};

/// What a position looks like from the mover's side.
struct SeenBoard {
  Bits ours, theirs;
  Bits pieces[6];  // of both sides
  bool castling;   // may anybody castle?
};

Turning canonical_turning(const SeenBoard& board);

}  // namespace kibitz::chess
