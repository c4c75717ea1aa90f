// Legal moves, made legal from the start: pins and checks are masks, so nothing is tried and taken
// back. Each group of moves goes to a sink, which lists them or only counts them.
#pragma once

#include <bit>

#include "games/chess/board.h"
#include "games/perft.h"

namespace kibitz::chess {

/// Counts: with it perft never makes the last ply's moves.
struct CountSink {
  int moves = 0;
  void piece(int, Bits targets) { moves += std::popcount(targets); }
  void pawns(Bits targets, int) { moves += std::popcount(targets); }
  void promotions(Bits targets, int) { moves += 4 * std::popcount(targets); }
  void single(int, int) { ++moves; }
};

/// Writes the moves into a list.
template <class List>
struct ListSink {
  List& list;
  void piece(int from, Bits targets) {
    while (targets) list.push(make_move(from, pop_lowest(targets)));
  }
  void pawns(Bits targets, int step) {
    while (targets) {
      const int to = pop_lowest(targets);
      list.push(make_move(to - step, to));
    }
  }
  void promotions(Bits targets, int step) {
    while (targets) {
      const int to = pop_lowest(targets);
      for (const Piece piece : {kQueen, kRook, kBishop, kKnight})
        list.push(make_move(to - step, to, piece));
    }
  }
  void single(int from, int to) { list.push(make_move(from, to)); }
};

namespace detail {

template <int kUs>
constexpr Bits shifted(Bits set, int step) {
  return kUs == kWhite ? set << step : set >> step;
}

template <int kUs, class Sink>
void generate_pawns(const Board& board, Bits pawns, Bits target, Sink& sink) {
  constexpr int kUp = kUs == kWhite ? 8 : -8;
  constexpr int kLeft = kUs == kWhite ? 7 : -9;  // towards the a-file
  constexpr int kRight = kUs == kWhite ? 9 : -7;
  constexpr Bits kLast = kUs == kWhite ? kRank8 : kRank1;
  constexpr Bits kThird = rank_bits(kUs == kWhite ? 2 : 5);
  const Bits empty = ~board.occupied();
  const Bits foe = board.sides[1 - kUs] & target;
  const Bits once = shifted<kUs>(pawns, 8) & empty;
  const Bits twice = shifted<kUs>(once & kThird, 8) & empty & target;
  const Bits ahead = once & target;
  const Bits left = (kUs == kWhite ? (pawns & ~kFileA) << 7 : (pawns & ~kFileA) >> 9) & foe;
  const Bits right = (kUs == kWhite ? (pawns & ~kFileH) << 9 : (pawns & ~kFileH) >> 7) & foe;
  sink.pawns(ahead & ~kLast, kUp);
  sink.pawns(twice, 2 * kUp);
  sink.pawns(left & ~kLast, kLeft);
  sink.pawns(right & ~kLast, kRight);
  if ((ahead | left | right) & kLast) {
    sink.promotions(ahead & kLast, kUp);
    sink.promotions(left & kLast, kLeft);
    sink.promotions(right & kLast, kRight);
  }
}

template <class Sink>
void generate_castling(const Board& board, int king, Bits danger, Sink& sink) {
  const Bits occupied = board.occupied();
  const Bits foe = board.sides[1 - board.side];
  const Bits home = rank_bits(board.side == kWhite ? 0 : 7);
  for (Bits rooks = board.castling & home; rooks;) {
    const int rook = pop_lowest(rooks);
    const int king_to = castled_king(king, rook), rook_to = castled_rook(king, rook);
    const Bits king_path = between(king, king_to) | bit(king_to);
    const Bits path = king_path | between(rook, rook_to) | bit(rook_to) | between(king, rook);
    const Bits others = occupied & ~bit(king) & ~bit(rook);
    if ((path & others) || (king_path & danger)) continue;
    // In Chess960 the rook itself may have been the shelter.
    const Bits after = others | bit(rook_to);
    if (rook_attacks(king_to, after) & foe & (board.pieces[kRook] | board.pieces[kQueen])) continue;
    sink.single(king, rook);
  }
}

template <int kUs, class Sink>
void generate(const Board& board, Sink& sink) {
  constexpr int kThem = 1 - kUs;
  const Bits own = board.sides[kUs], foe = board.sides[kThem], occupied = own | foe;
  const int king = board.king(kUs);
  const Bits straight = foe & (board.pieces[kRook] | board.pieces[kQueen]);
  const Bits slanted = foe & (board.pieces[kBishop] | board.pieces[kQueen]);

  // What the other side attacks, looking through our king: it cannot flee along a check's line.
  const Bits seen = occupied & ~bit(king);
  Bits danger = pawns_attack(kThem, foe & board.pieces[kPawn]);
  for (Bits set = foe & board.pieces[kKnight]; set;) danger |= knight_attacks(pop_lowest(set));
  for (Bits set = slanted; set;) danger |= bishop_attacks(pop_lowest(set), seen);
  for (Bits set = straight; set;) danger |= rook_attacks(pop_lowest(set), seen);
  danger |= king_attacks(lowest_bit(foe & board.pieces[kKing]));
  sink.piece(king, king_attacks(king) & ~own & ~danger);

  Bits target = ~own;
  if (danger & bit(king)) {
    const Bits checkers = board.attackers(king, occupied) & foe;
    if (checkers & (checkers - 1)) return;
    target = checkers | between(king, lowest_bit(checkers));
  }

  Bits pinned = 0;
  Bits snipers = (rook_attacks(king, foe) & straight) | (bishop_attacks(king, foe) & slanted);
  while (snipers) {
    const Bits shield = between(king, pop_lowest(snipers)) & own;
    if (shield && !(shield & (shield - 1))) pinned |= shield;
  }

  for (Bits set = own & board.pieces[kKnight] & ~pinned; set;) {
    const int from = pop_lowest(set);
    sink.piece(from, knight_attacks(from) & target);
  }
  for (Bits set = own & (board.pieces[kBishop] | board.pieces[kQueen]); set;) {
    const int from = pop_lowest(set);
    Bits moves = bishop_attacks(from, occupied) & target;
    if (pinned & bit(from)) moves &= line_through(king, from);
    sink.piece(from, moves);
  }
  for (Bits set = own & (board.pieces[kRook] | board.pieces[kQueen]); set;) {
    const int from = pop_lowest(set);
    Bits moves = rook_attacks(from, occupied) & target;
    if (pinned & bit(from)) moves &= line_through(king, from);
    sink.piece(from, moves);
  }
  const Bits pawns = own & board.pieces[kPawn];
  generate_pawns<kUs>(board, pawns & ~pinned, target, sink);
  for (Bits set = pawns & pinned; set;) {
    const int from = pop_lowest(set);
    generate_pawns<kUs>(board, bit(from), target & line_through(king, from), sink);
  }
  if (board.en_passant != kNoSquare) {
    for (Bits set = pawn_attacks(kThem, board.en_passant) & pawns; set;) {
      const int from = pop_lowest(set);
      if (en_passant_is_safe(board, from, board.en_passant)) sink.single(from, board.en_passant);
    }
  }
  if (board.castling && !(danger & bit(king))) generate_castling(board, king, danger, sink);
}

}  // namespace detail

template <class Sink>
void generate(const Board& board, Sink& sink) {
  if (board.side == kWhite)
    detail::generate<kWhite>(board, sink);
  else
    detail::generate<kBlack>(board, sink);
}

inline int count_moves(const Board& board) {
  CountSink sink;
  generate(board, sink);
  return sink.moves;
}

inline bool is_checkmate(const Board& board) { return board.in_check() && count_moves(board) == 0; }

template <class List>
void list_moves(const Board& board, List& list) {
  list.clear();
  ListSink<List> sink{list};
  generate(board, sink);
}

/// Is `move` among the legal ones? Cheaper than listing them all only in code, not in time.
bool is_legal(const Board& board, Move move);

/// Lines of play of `depth` plies.
std::uint64_t perft(const Board& board, int depth, PerftStop stop = nullptr);

}  // namespace kibitz::chess
