// The squares from which each kind of piece would give check to the side that is not on move.
#pragma once

#include "games/chess/board.h"

namespace kibitz::chess {

struct CheckSquares {
  Bits from[6];
  explicit CheckSquares(const Board& board) {
    const int king = board.king(1 - board.side);
    from[kPawn] = pawn_attacks(1 - board.side, king);
    from[kKnight] = knight_attacks(king);
    from[kBishop] = bishop_attacks(king, board.occupied());
    from[kRook] = rook_attacks(king, board.occupied());
    from[kQueen] = from[kBishop] | from[kRook];
    from[kKing] = 0;
  }
};

}  // namespace kibitz::chess
