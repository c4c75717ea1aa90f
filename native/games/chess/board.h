// The board: pieces, whose turn, castling, en passant, clocks; making moves. No history, so that it
// is small and quick to copy; the game around it is games/chess/game.h.
#pragma once

#include <array>
#include <cstdint>

#include "base/rng.h"
#include "games/chess/attacks.h"
#include "games/game.h"

namespace kibitz::chess {

inline constexpr int kWhite = 0;
inline constexpr int kBlack = 1;
inline constexpr int kNoSquare = 64;

/// A move: from, to, and what a pawn becomes. Castling is "king takes own rook", which says which
/// rook in Chess960 too.
inline constexpr Move make_move(int from, int to, Piece promotion = kPawn) {
  return static_cast<Move>(from | to << 6 | promotion << 12);
}
inline constexpr int from_square(Move move) { return move & 63; }
inline constexpr int to_square(Move move) { return move >> 6 & 63; }
/// kPawn when it is no promotion.
inline constexpr Piece promotion_of(Move move) { return static_cast<Piece>(move >> 12 & 7); }

struct Zobrist {
  std::array<std::array<std::array<std::uint64_t, 64>, 6>, 2> piece{};
  std::array<std::uint64_t, 64> castling{};
  std::array<std::uint64_t, 8> en_passant{};
  std::uint64_t black = 0;
  constexpr Zobrist() {
    std::uint64_t n = 0x6b69626974ULL;
    for (auto& side : piece)
      for (auto& kind : side)
        for (auto& key : kind) key = mix64(++n);
    for (auto& key : castling) key = mix64(++n);
    for (auto& key : en_passant) key = mix64(++n);
    black = mix64(++n);
  }
};
inline constexpr Zobrist kZobrist;

struct Board {
  Bits pieces[6] = {};
  Bits sides[2] = {};
  Bits castling = 0;  // the rooks that may still castle
  std::uint64_t key = 0;
  std::uint8_t side = kWhite;
  std::uint8_t en_passant = kNoSquare;  // only where a capture is legal
  std::uint16_t clock = 0;              // plies since a capture or a pawn's move
  std::uint16_t number = 1;             // of the move, as in a score sheet
  bool chess960 = false;                // how castling is written

  bool operator==(const Board&) const = default;

  static Board start();

  Bits occupied() const { return sides[0] | sides[1]; }
  Bits of(int who, Piece piece) const { return sides[who] & pieces[piece]; }
  int king(int who) const { return lowest_bit(of(who, kKing)); }

  Piece piece_at(int square) const {
    const Bits at = bit(square);
    if (!(occupied() & at)) return kNoPiece;
    int kind = kPawn;
    while (!(pieces[kind] & at)) ++kind;
    return static_cast<Piece>(kind);
  }
  int side_at(int square) const { return sides[kBlack] >> square & 1 ? kBlack : kWhite; }

  /// Pieces of both sides that attack a square, sliders looking through nothing of `occupation`.
  Bits attackers(int square, Bits occupation) const {
    return (pawn_attacks(kBlack, square) & of(kWhite, kPawn)) |
           (pawn_attacks(kWhite, square) & of(kBlack, kPawn)) |
           (knight_attacks(square) & pieces[kKnight]) | (king_attacks(square) & pieces[kKing]) |
           (rook_attacks(square, occupation) & (pieces[kRook] | pieces[kQueen])) |
           (bishop_attacks(square, occupation) & (pieces[kBishop] | pieces[kQueen]));
  }
  bool is_attacked(int square, int by) const {
    return (attackers(square, occupied()) & sides[by]) != 0;
  }
  bool in_check() const { return is_attacked(king(side), 1 - side); }

  bool is_castling(Move move) const {
    return (of(side, kRook) >> to_square(move) & 1) != 0 &&
           (pieces[kKing] >> from_square(move) & 1);
  }
  bool is_en_passant(Move move) const {
    return to_square(move) == en_passant && (pieces[kPawn] >> from_square(move) & 1) != 0;
  }
  bool is_capture(Move move) const {
    return (sides[1 - side] >> to_square(move) & 1) != 0 || is_en_passant(move);
  }

  /// Plays a legal move. True when it cannot be taken back by later moves: a capture or a pawn's.
  bool play(Move move);

  /// Leaves the move to the other side, which is no move of chess: searches ask what it would cost.
  /// Nothing before it can be repeated.
  void pass() {
    if (en_passant != kNoSquare) key ^= kZobrist.en_passant[en_passant & 7u];
    en_passant = kNoSquare;
    key ^= kZobrist.black;
    side ^= 1;
    clock = 0;
  }

  /// Neither side could mate with any help: bare kings, one minor piece, or bishops of one colour.
  bool insufficient_material() const;

  void put(int who, Piece piece, int square) {
    pieces[piece] |= bit(square);
    sides[who] |= bit(square);
    key ^= kZobrist.piece[static_cast<std::size_t>(who)][piece][static_cast<std::size_t>(square)];
  }
  void take(int who, Piece piece, int square) {
    pieces[piece] &= ~bit(square);
    sides[who] &= ~bit(square);
    key ^= kZobrist.piece[static_cast<std::size_t>(who)][piece][static_cast<std::size_t>(square)];
  }
  void drop_castling(Bits rooks) {
    for (Bits gone = castling & rooks; gone;)
      key ^= kZobrist.castling[static_cast<std::size_t>(pop_lowest(gone))];
    castling &= ~rooks;
  }
  /// Notes that the pawn before `square` has just made a double step, if taking it is legal.
  void offer_en_passant(int square);
};

/// Where king and rook end up.
inline int castled_king(int king, int rook) { return (king & 56) + (rook > king ? 6 : 2); }
inline int castled_rook(int king, int rook) { return (king & 56) + (rook > king ? 5 : 3); }

/// May the pawn on `from` take en passant on `to`, leaving its king safe?
bool en_passant_is_safe(const Board& board, int from, int to);

}  // namespace kibitz::chess
