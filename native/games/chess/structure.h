// Pawn structure and fianchettoes: what the measures of style, the style's bonus of a move, the
// style planes of a network and the scores of positions are made of, so that they cannot mean
// different things.
#pragma once

#include <array>

#include "games/chess/board.h"

namespace kibitz::chess {

/// A bishop's square on the long diagonal and the squares of the pawn that made room for it.
struct Fianchetto {
  int side, bishop;
  Bits pawn;
  int home;  // where the bishop comes from
  int step;  // where the pawn's step leads that makes room for it, from the bishop's square to be
};
inline constexpr std::array<Fianchetto, 4> kFianchettoes{{
    {kWhite, 9, bit(17) | bit(25), 2, 17},    // b2, pawn b3 or b4
    {kWhite, 14, bit(22) | bit(30), 5, 22},   // g2, pawn g3 or g4
    {kBlack, 49, bit(41) | bit(33), 58, 41},  // b7, pawn b6 or b5
    {kBlack, 54, bit(46) | bit(38), 61, 46},  // g7, pawn g6 or g5
}};

inline bool stands(const Fianchetto& corner, const Board& board) {
  return (board.of(corner.side, kBishop) & bit(corner.bishop)) != 0 &&
         (board.of(corner.side, kPawn) & corner.pawn) != 0;
}

/// Could it still be made: the bishop is at home, and the pawn has made room for it or can?
inline bool may_stand(const Fianchetto& corner, const Board& board) {
  if (!(board.of(corner.side, kBishop) & bit(corner.home))) return false;
  const Bits pawns = board.of(corner.side, kPawn);
  if (pawns & bit(corner.bishop)) return !(board.occupied() & bit(corner.step));
  return (pawns & corner.pawn) != 0 && !(board.occupied() & bit(corner.bishop));
}

inline Bits files_beside(int file) {
  return (file > 0 ? file_bits(file - 1) : 0) | (file < 7 ? file_bits(file + 1) : 0);
}

/// All squares on the ranks in front of a square, as a side sees it.
inline Bits ranks_ahead(int side, int square) {
  const int rank = rank_of(square);
  return side == kWhite ? (rank == 7 ? 0 : ~Bits{0} << (8 * (rank + 1)))
                        : (Bits{1} << (8 * rank)) - 1;
}

/// A side's pawns that stand head to head with a pawn of the other side.
inline Bits locked_pawns(const Board& board, int side) {
  const Bits white = board.of(kWhite, kPawn), black = board.of(kBlack, kPawn);
  return side == kWhite ? white & black >> 8 : black & white << 8;
}

/// A side's pawns that a pawn of the other side attacks, and that attack it in turn.
inline Bits tense_pawns(const Board& board, int side) {
  return board.of(side, kPawn) & pawns_attack(1 - side, board.of(1 - side, kPawn));
}

}  // namespace kibitz::chess
