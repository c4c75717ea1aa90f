#include "games/chess/board.h"

#include <bit>

namespace kibitz::chess {

Board Board::start() {
  Board board;
  constexpr Piece kBack[] = {kRook, kKnight, kBishop, kQueen, kKing, kBishop, kKnight, kRook};
  for (int file = 0; file < 8; ++file) {
    board.put(kWhite, kBack[file], file);
    board.put(kWhite, kPawn, file + 8);
    board.put(kBlack, kPawn, file + 48);
    board.put(kBlack, kBack[file], file + 56);
  }
  board.castling = bit(0) | bit(7) | bit(56) | bit(63);
  for (const std::size_t rook : {0, 7, 56, 63}) board.key ^= kZobrist.castling[rook];
  return board;
}

bool Board::play(Move move) {
  const int us = side, them = 1 - us;
  const int from = from_square(move), to = to_square(move);
  const Piece piece = piece_at(from);
  if (en_passant != kNoSquare) key ^= kZobrist.en_passant[en_passant & 7u];
  const int passing = en_passant;
  en_passant = kNoSquare;
  side = static_cast<std::uint8_t>(them);
  key ^= kZobrist.black;
  number = static_cast<std::uint16_t>(number + us);
  ++clock;

  if (piece == kKing) {
    const Bits home = rank_bits(us == kWhite ? 0 : 7);
    if (of(us, kRook) & bit(to)) {
      drop_castling(home);
      take(us, kKing, from);
      take(us, kRook, to);
      put(us, kKing, castled_king(from, to));
      put(us, kRook, castled_rook(from, to));
      return false;
    }
    if (castling & home) drop_castling(home);
  }
  bool final = piece == kPawn;
  if (sides[them] & bit(to)) {
    take(them, piece_at(to), to);
    final = true;
  } else if (piece == kPawn && to == passing) {
    take(them, kPawn, to ^ 8);
  }
  if (castling & (bit(from) | bit(to))) drop_castling(bit(from) | bit(to));
  take(us, piece, from);
  const Piece promoted = promotion_of(move);
  put(us, promoted == kPawn ? piece : promoted, to);
  if (piece == kPawn && (from ^ to) == 16) offer_en_passant((from + to) / 2);
  if (final) clock = 0;
  return final;
}

void Board::offer_en_passant(int square) {
  for (Bits takers = pawn_attacks(1 - side, square) & of(side, kPawn); takers;) {
    if (!en_passant_is_safe(*this, pop_lowest(takers), square)) continue;
    en_passant = static_cast<std::uint8_t>(square);
    key ^= kZobrist.en_passant[square & 7u];
    return;
  }
}

bool en_passant_is_safe(const Board& board, int from, int to) {
  const int us = board.side;
  const Bits taken = bit(to ^ 8);
  const Bits after = (board.occupied() & ~bit(from) & ~taken) | bit(to);
  return (board.attackers(board.king(us), after) & board.sides[1 - us] & ~taken) == 0;
}

bool Board::insufficient_material() const {
  if (pieces[kPawn] | pieces[kRook] | pieces[kQueen]) return false;
  const Bits minor = pieces[kKnight] | pieces[kBishop];
  if (std::popcount(minor) <= 1) return true;
  return !pieces[kKnight] &&
         (!(pieces[kBishop] & kDarkSquares) || !(pieces[kBishop] & ~kDarkSquares));
}

}  // namespace kibitz::chess
