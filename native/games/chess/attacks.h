// Squares, sets of squares, and what each piece attacks. A1 is bit 0, h1 bit 7, h8 bit 63.
//
// Sliders: with BMI2 one table look-up by PEXT; elsewhere by subtraction ("o^(o-2r)"), which needs
// no table of magic numbers.
#pragma once

#include <cstdint>

#include "base/bits.h"

namespace kibitz::chess {

using Bits = std::uint64_t;

enum Piece : std::uint8_t { kPawn, kKnight, kBishop, kRook, kQueen, kKing, kNoPiece };

inline constexpr Bits bit(int square) { return Bits{1} << square; }
inline constexpr int file_of(int square) { return square & 7; }
inline constexpr int rank_of(int square) { return square >> 3; }
inline constexpr int square_at(int file, int rank) { return rank * 8 + file; }

inline constexpr Bits kFileA = 0x0101010101010101ULL;
inline constexpr Bits kFileH = 0x8080808080808080ULL;
inline constexpr Bits kRank1 = 0xffULL;
inline constexpr Bits kRank8 = 0xffULL << 56;
inline constexpr Bits kDarkSquares = 0xaa55aa55aa55aa55ULL;
inline constexpr Bits rank_bits(int rank) { return kRank1 << (8 * rank); }
inline constexpr Bits file_bits(int file) { return kFileA << file; }

/// The board upside down: rank 1 becomes rank 8.
inline Bits flipped(Bits set) { return __builtin_bswap64(set); }

struct AttackTables {
  Bits knight[64];
  Bits king[64];
  Bits pawn[2][64];
  /// Squares strictly between two squares on a line; empty when they share none.
  Bits between[64][64];
  /// The whole line through two squares, edge to edge, both included; empty when they share none.
  Bits line[64][64];
  Bits file[64], diagonal[64], antidiagonal[64];  // without the square itself
  std::uint8_t first_rank[8][64];                 // by file and the six inner squares' occupation
#if defined(__BMI2__)
  struct Slider {
    Bits mask;
    const Bits* attacks;
  };
  Slider rook[64], bishop[64];
  Bits slides[107648];  // 102,400 of rooks and 5,248 of bishops
#endif
  AttackTables();
};

extern const AttackTables kAttacks;

namespace portable {

inline Bits line_attacks(Bits occupied, Bits line, int square) {
  const Bits piece = bit(square);
  Bits forward = occupied & line;
  Bits backward = flipped(forward);
  forward -= piece;
  backward -= flipped(piece);
  return (forward ^ flipped(backward)) & line;
}

inline Bits rank_attacks(const AttackTables& tables, Bits occupied, int square) {
  const int shift = square & 56;
  const auto inner = static_cast<unsigned>(occupied >> (shift + 1)) & 63u;
  return Bits{tables.first_rank[square & 7][inner]} << shift;
}

inline Bits bishop_attacks(const AttackTables& tables, int square, Bits occupied) {
  return line_attacks(occupied, tables.diagonal[square], square) |
         line_attacks(occupied, tables.antidiagonal[square], square);
}

inline Bits rook_attacks(const AttackTables& tables, int square, Bits occupied) {
  return line_attacks(occupied, tables.file[square], square) |
         rank_attacks(tables, occupied, square);
}

}  // namespace portable

inline Bits knight_attacks(int square) { return kAttacks.knight[square]; }
inline Bits king_attacks(int square) { return kAttacks.king[square]; }
inline Bits pawn_attacks(int side, int square) { return kAttacks.pawn[side][square]; }

inline Bits bishop_attacks(int square, Bits occupied) {
#if defined(__BMI2__)
  const auto& slider = kAttacks.bishop[square];
  return slider.attacks[_pext_u64(occupied, slider.mask)];
#else
  return portable::bishop_attacks(kAttacks, square, occupied);
#endif
}

inline Bits rook_attacks(int square, Bits occupied) {
#if defined(__BMI2__)
  const auto& slider = kAttacks.rook[square];
  return slider.attacks[_pext_u64(occupied, slider.mask)];
#else
  return portable::rook_attacks(kAttacks, square, occupied);
#endif
}

inline Bits queen_attacks(int square, Bits occupied) {
  return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
}

/// What a piece other than a pawn attacks.
inline Bits piece_attacks(Piece piece, int square, Bits occupied) {
  switch (piece) {
    case kKnight:
      return knight_attacks(square);
    case kBishop:
      return bishop_attacks(square, occupied);
    case kRook:
      return rook_attacks(square, occupied);
    case kQueen:
      return queen_attacks(square, occupied);
    case kKing:
      return king_attacks(square);
    default:
      return 0;
  }
}

/// What all pawns of a side attack at once.
inline Bits pawns_attack(int side, Bits pawns) {
  return side == 0 ? ((pawns & ~kFileA) << 7) | ((pawns & ~kFileH) << 9)
                   : ((pawns & ~kFileA) >> 9) | ((pawns & ~kFileH) >> 7);
}

inline Bits between(int a, int b) { return kAttacks.between[a][b]; }
inline Bits line_through(int a, int b) { return kAttacks.line[a][b]; }

}  // namespace kibitz::chess
