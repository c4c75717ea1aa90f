// What the style of chess is measured by: pawns and squares of the centre, contact, chains,
// fianchettoes. Metrics and search bonus are both made of these, so that they cannot mean different
// things.
#pragma once

#include <array>
#include <bit>

#include "games/chess/board.h"
#include "games/chess/structure.h"

namespace kibitz::style {

using chess::bit;
using chess::Bits;
using chess::Board;
using chess::Fianchetto;
using chess::kFianchettoes;
using chess::stands;

inline constexpr Bits kCentre = bit(27) | bit(28) | bit(35) | bit(36);  // d4 e4 d5 e5
/// Where a side's pawns hold the centre: d4 and e4, or d5 and e5.
inline constexpr std::array<Bits, 2> kOwnCentre{bit(27) | bit(28), bit(35) | bit(36)};
inline constexpr Bits kBreakFiles =
    chess::file_bits(2) | chess::file_bits(3) | chess::file_bits(4);  // c, d and e
inline constexpr Bits kEdgeFiles = chess::kFileA | chess::kFileH;
/// The other side's half of the board.
inline constexpr std::array<Bits, 2> kBeyond{0xffffffff00000000ULL, 0x00000000ffffffffULL};

/// A piece's attack on a central square counts one over its value (3, 3, 5, 9), here in 45ths.
inline constexpr std::array<int, 6> kControl{0, 15, 15, 9, 5, 0};
inline constexpr int kControlUnit = 45;

/// Pawns that hold the centre: White's on d4 and e4 and Black's on d5 and e5.
inline int central_pawns(const Board& board) {
  return std::popcount((board.of(chess::kWhite, chess::kPawn) & kOwnCentre[chess::kWhite]) |
                       (board.of(chess::kBlack, chess::kPawn) & kOwnCentre[chess::kBlack]));
}

/// Pairs of pawns that stand head to head.
inline int locked_pairs(const Board& board) {
  return std::popcount(chess::locked_pawns(board, chess::kBlack));
}

/// One side's control of the centre from afar, in 45ths: knights, bishops, rooks and queens that
/// stand outside the four squares, each attack weighed by the piece's value.
inline int distant_control(const Board& board, int side) {
  const Bits occupied = board.occupied();
  int total = 0;
  for (const chess::Piece piece : {chess::kKnight, chess::kBishop, chess::kRook, chess::kQueen})
    for (Bits set = board.of(side, piece) & ~kCentre; set;)
      total += kControl[piece] *
               std::popcount(chess::piece_attacks(piece, pop_lowest(set), occupied) & kCentre);
  return total;
}

/// Squares of the other side's half that a side attacks.
inline int space(const Board& board, int side) {
  const Bits occupied = board.occupied();
  Bits seen = chess::pawns_attack(side, board.of(side, chess::kPawn)) |
              chess::king_attacks(board.king(side));
  for (const chess::Piece piece : {chess::kKnight, chess::kBishop, chess::kRook, chess::kQueen})
    for (Bits set = board.of(side, piece); set;)
      seen |= chess::piece_attacks(piece, pop_lowest(set), occupied);
  return std::popcount(seen & kBeyond[static_cast<std::size_t>(side)]);
}

/// Attacks of a side's pieces and pawns, the king apart, on the other king's square and those next
/// to it: a square that two of them attack counts twice.
inline int king_attack(const Board& board, int side) {
  const Bits occupied = board.occupied();
  const int king = board.king(1 - side);
  const Bits zone = chess::king_attacks(king) | bit(king);
  int total = 0;
  for (Bits set = board.of(side, chess::kPawn); set;)
    total += std::popcount(chess::pawn_attacks(side, pop_lowest(set)) & zone);
  for (const chess::Piece piece : {chess::kKnight, chess::kBishop, chess::kRook, chess::kQueen})
    for (Bits set = board.of(side, piece); set;)
      total += std::popcount(chess::piece_attacks(piece, pop_lowest(set), occupied) & zone);
  return total;
}

/// Knights, bishops, rooks and queens of both sides, by the values 3, 3, 5, 9.
inline int piece_value(const Board& board) {
  return 3 * std::popcount(board.pieces[chess::kKnight] | board.pieces[chess::kBishop]) +
         5 * std::popcount(board.pieces[chess::kRook]) +
         9 * std::popcount(board.pieces[chess::kQueen]);
}

/// Does the move take a knight, bishop, rook or queen, or bring one to where it and a piece of its
/// kind attack each other?
inline bool trades(const Board& board, Move move, const Board& after) {
  const int us = board.side, from = chess::from_square(move), to = chess::to_square(move);
  for (const chess::Piece piece : {chess::kKnight, chess::kBishop, chess::kRook, chess::kQueen}) {
    const Bits enemies = board.of(1 - us, piece);
    if (enemies & bit(to)) return true;
    if ((board.of(us, piece) & bit(from)) &&
        (chess::piece_attacks(piece, to, after.occupied()) & enemies))
      return true;
  }
  return false;
}

/// Does the move bring a c, d or e pawn forward, without taking, to where it and another side's
/// pawn attack each other?
inline bool makes_contact(const Board& board, Move move) {
  const int from = chess::from_square(move), to = chess::to_square(move);
  if (!(board.of(board.side, chess::kPawn) & kBreakFiles & bit(from))) return false;
  if (chess::file_of(from) != chess::file_of(to)) return false;
  return (chess::pawn_attacks(board.side, to) & board.of(1 - board.side, chess::kPawn)) != 0;
}

}  // namespace kibitz::style
