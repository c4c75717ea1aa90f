#include "games/chess/encode_canonical.h"

#include <bit>

namespace kibitz::chess {
namespace {

Bits turned_files(Bits set) {
  set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
  set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
  return (set >> 4 & 0x0f0f0f0f0f0f0f0f) | (set & 0x0f0f0f0f0f0f0f0f) << 4;
}

int turned_diagonally(int square) { return 8 * (7 - file_of(square)) + 7 - rank_of(square); }

Bits turned_diagonally(Bits set) {
  Bits out = 0;
  while (set) out |= bit(turned_diagonally(pop_lowest(set)));
  return out;
}

}  // namespace

int Turning::square(int square) const {
  if (files) square ^= 7;
  if (ranks) square ^= 56;
  return diagonal ? turned_diagonally(square) : square;
}

Bits Turning::squares(Bits set) const {
  if (files) set = turned_files(set);
  if (ranks) set = flipped(set);
  return diagonal ? turned_diagonally(set) : set;
}

Turning canonical_turning(const SeenBoard& board) {
  constexpr Bits kLeft = 0x0f0f0f0f0f0f0f0f, kFar = 0xffffffff00000000;
  Turning turning;
  // Castling to either side is not the same, and pawns know where ahead is.
  if (board.castling) return turning;
  const Bits king = board.pieces[kKing] & board.ours;
  turning.files = (king & kLeft) != 0;
  if (board.pieces[kPawn]) return turning;
  turning.ranks = (king & kFar) != 0;
  const int stands = turning.square(std::countr_zero(king));
  const int beyond = rank_of(stands) - (7 - file_of(stands));
  if (beyond != 0) {
    turning.diagonal = beyond > 0;
    return turning;
  }
  // On the diagonal itself: the way that gives the smaller number, of the first set that differs.
  for (const Bits set :
       {board.ours | board.theirs, board.ours, board.pieces[kKing], board.pieces[kQueen],
        board.pieces[kRook], board.pieces[kKnight], board.pieces[kBishop]}) {
    const Bits plain = turning.squares(set), other = turned_diagonally(plain);
    if (plain == other) continue;
    turning.diagonal = other < plain;
    break;
  }
  return turning;
}

}  // namespace kibitz::chess
