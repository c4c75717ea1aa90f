// The terms of a learned score of chess positions: what stands where, as each side sees it, and
// what pieces reach, attack, guard and threaten. A term counts for White and against Black. Its two
// weights, for the middlegame and for the ending, are learned (docs/nets.md) and come with a
// network; the same listing serves the search, which adds weights up, and training, which collects
// the terms' numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "base/index.h"
#include "games/chess/board.h"
#include "games/chess/evaluate/sum_vectors.h"
#include "games/chess/structure.h"

namespace kibitz::chess {

/// Where the terms of a kind begin.
struct Terms {
  static constexpr int kSquares = 0;  // own and other pieces, from a side's own end
  static constexpr int kMobility = kSquares + 12 * 64;  // knight, bishop, rook, queen: squares
  static constexpr int kPassed = kMobility + 4 * 28;    // by rank: free, blocked, guarded
  static constexpr int kOwnKing = kPassed + 3 * 8;      // distance to the square before a passer
  static constexpr int kOtherKing = kOwnKing + 8;
  static constexpr int kGuarded = kOtherKing + 8;  // pawns guarded by a pawn, by rank
  static constexpr int kBeside = kGuarded + 8;     // pawns beside each other, by rank
  static constexpr int kIsolated = kBeside + 8;    // isolated; on a half-open file
  static constexpr int kBackward = kIsolated + 2;  // backward; on a half-open file
  static constexpr int kDoubled = kBackward + 2;
  static constexpr int kRookFile = kDoubled + 1;  // open, half open
  static constexpr int kRookBehind = kRookFile + 2;
  static constexpr int kBishopPair = kRookBehind + 1;
  static constexpr int kBishopPawns = kBishopPair + 1;  // own pawns on the bishop's colour
  static constexpr int kOutpost = kBishopPawns + 9;     // knight, bishop
  static constexpr int kShelter = kOutpost + 2;         // king's file or beside, own pawn's rank
  static constexpr int kStorm = kShelter + 16;          // the same of the other side's pawn
  static constexpr int kPressure = kStorm + 16;         // on the other king: with and without queen
  static constexpr int kPawnHits = kPressure + 64;      // a pawn attacks, by piece
  static constexpr int kMinorHits = kPawnHits + 6;
  static constexpr int kRookHits = kMinorHits + 6;
  static constexpr int kKingHits = kRookHits + 6;
  static constexpr int kLoose = kKingHits + 6;  // attacked and not guarded, by piece
  static constexpr int kMove = kLoose + 6;      // to be on move
  static constexpr int kCount = kMove + 1;
};

inline constexpr int kPieceBuckets = 8;
/// Positions by the number of pieces.
inline int bucket_of(const Board& board) {
  return std::min(kPieceBuckets - 1, (std::popcount(board.occupied()) - 1) / 4);
}

/// The weights of the terms; immutable, shared by all threads.
class TermWeights {
 public:
  static constexpr int kWidth = kShorts;
  /// A hidden layer, for what terms are worth beside each other; it may be empty. Each side adds up
  /// a row of every term of its own and another of every term of the other side.
  struct Layer {
    std::span<const float> rows;    // 2 x terms x width: own terms, then the other side's
    std::span<const float> bias;    // width
    std::span<const float> output;  // width x buckets
  };
  /// Two a term, middlegame and ending, in logits of the expected result.
  explicit TermWeights(std::span<const float> logits, const Layer& layer = {});
  /// Centipawns for the side to move, as the pieces stand.
  int score(const Board& board) const;

 private:
  static constexpr std::size_t kPlaces = 12 * 64;
  /// Rows of both colours' sums.
  struct Rows {
    std::array<Shorts, 2> of;
  };
  struct Sum;
  struct LayerSum;
  void set_layer(const Layer& layer);
  /// White's sum of both weights, the hidden layer's in centipawns beside it.
  std::pair<std::int64_t, int> sum(const Board& board) const;

  std::array<std::int64_t, Terms::kCount> packed_;
  /// The terms of a piece on a square as both sides see it, for White: by the halves the kings are
  /// on, side, piece and square.
  std::array<std::array<std::int64_t, kPlaces>, 4> placed_;
  std::vector<Rows> rows_;    // of a term: what its own side adds, what the other adds
  std::vector<Rows> places_;  // of a piece on a square as `placed_` has them: White's, Black's
  Shorts bias_{};
  std::array<std::array<float, kWidth>, kPieceBuckets> output_{};  // in centipawns
};

/// How a side sees squares: from its own end, turned so that its king is on the right half.
inline int turn_of(const Board& board, int viewer) {
  return (viewer == kWhite ? 0 : 56) ^ (file_of(board.king(viewer)) < 4 ? 7 : 0);
}

namespace detail {

inline int own_rank(int side, int square) {
  return side == kWhite ? rank_of(square) : 7 - rank_of(square);
}
inline int distance(int a, int b) {
  return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

/// Squares that each side attacks.
struct Reach {
  std::array<std::array<Bits, 6>, 2> by{};
  std::array<Bits, 2> all{};
};

template <class Sink>
class TermList {
 public:
  TermList(const Board& board, Sink& sink) : board_(board), sink_(sink) {}

  void run() {
    for (int side = 0; side < 2; ++side) {
      reach_.by[as_index(side)][kPawn] = pawns_attack(side, board_.of(side, kPawn));
      reach_.by[as_index(side)][kKing] = king_attacks(board_.king(side));
      reach_.all[as_index(side)] =
          reach_.by[as_index(side)][kPawn] | reach_.by[as_index(side)][kKing];
    }
    for (int side = 0; side < 2; ++side) pieces(side);
    for (int side = 0; side < 2; ++side) {
      pressure(side);
      if constexpr (!kKnowsSquares) squares(side);
      pawns(side);
      king(side);
      threats(side);
    }
    if constexpr (kKnowsSquares) sink_.squares(board_);
    sink_.add(board_.side, Terms::kMove);
  }

 private:
  /// A sink may have its own way with the terms of squares, the most of all.
  static constexpr bool kKnowsSquares = requires(Sink& sink, const Board& at) { sink.squares(at); };

  void squares(int viewer) {
    const int turn = turn_of(board_, viewer);
    for (int who = 0; who < 2; ++who)
      for (int piece = kPawn; piece <= kKing; ++piece) {
        const int first = Terms::kSquares + 64 * ((who == viewer ? 0 : 6) + piece);
        for (Bits set = board_.of(who, static_cast<Piece>(piece)); set;)
          sink_.add(viewer, first + (pop_lowest(set) ^ turn));
      }
  }

  /// Mobility, files, outposts; fills the squares reached and the attackers of the other king.
  void pieces(int side) {
    const int other = 1 - side;
    const Bits occupied = board_.occupied();
    const Bits pawns = board_.of(side, kPawn), their_pawns = board_.of(other, kPawn);
    const Bits allowed = ~(pawns | board_.of(side, kKing)) & ~reach_.by[as_index(other)][kPawn];
    const int their_king = board_.king(other);
    const Bits zone = king_attacks(their_king) | bit(their_king);
    constexpr std::array<int, 6> kUnits{0, 2, 2, 3, 4, 0};
    for (const Piece piece : {kKnight, kBishop, kRook, kQueen}) {
      for (Bits set = board_.of(side, piece); set;) {
        const int square = pop_lowest(set);
        const Bits reach = piece_attacks(piece, square, occupied);
        reach_.by[as_index(side)][piece] |= reach;
        sink_.add(side, Terms::kMobility + 28 * (piece - kKnight) + std::popcount(reach & allowed));
        if (const Bits near = reach & zone) {
          ++attackers_[as_index(side)];
          units_[as_index(side)] += kUnits[piece] + std::popcount(near);
        }
        if (piece == kRook) rook(side, square, pawns, their_pawns);
        if (piece == kBishop) {
          const Bits colour = bit(square) & kDarkSquares ? kDarkSquares : ~kDarkSquares;
          sink_.add(side, Terms::kBishopPawns + std::popcount(pawns & colour));
        }
        if (piece <= kBishop && (reach_.by[as_index(side)][kPawn] & bit(square)) &&
            own_rank(side, square) >= 3 &&
            !(their_pawns & ranks_ahead(side, square) & files_beside(file_of(square))))
          sink_.add(side, Terms::kOutpost + (piece == kBishop));
      }
      reach_.all[as_index(side)] |= reach_.by[as_index(side)][piece];
    }
    if (std::popcount(board_.of(side, kBishop)) >= 2) sink_.add(side, Terms::kBishopPair);
  }

  /// Attacks on the squares around the other king, and checks where it does not guard.
  void pressure(int side) {
    const int attackers = attackers_[as_index(side)], king = board_.king(1 - side);
    if (attackers == 0) return;
    int units = units_[as_index(side)] + 2 * (attackers - 1);
    const Bits occupied = board_.occupied();
    const Bits open = ~board_.sides[side] & ~reach_.all[as_index(1 - side)];
    const auto& mine = reach_.by[as_index(side)];
    const Bits slanted = bishop_attacks(king, occupied) & open;
    const Bits straight = rook_attacks(king, occupied) & open;
    units += 3 * ((knight_attacks(king) & mine[kKnight] & open) != 0) +
             2 * ((slanted & mine[kBishop]) != 0) + 3 * ((straight & mine[kRook]) != 0) +
             3 * (((slanted | straight) & mine[kQueen]) != 0);
    sink_.add(side, Terms::kPressure + (mine[kQueen] ? 0 : 32) + std::min(31, units));
  }

  void rook(int side, int square, Bits pawns, Bits their_pawns) {
    const Bits file = file_bits(file_of(square));
    if (!(pawns & file)) sink_.add(side, Terms::kRookFile + ((their_pawns & file) != 0));
    if (pawns & file & ranks_ahead(side, square) & kFarHalf[as_index(side)])
      sink_.add(side, Terms::kRookBehind);
  }

  void pawns(int side) {
    const Bits own = board_.of(side, kPawn), foe = board_.of(1 - side, kPawn);
    const Bits guarded = reach_.by[as_index(side)][kPawn],
               attacked = reach_.by[as_index(1 - side)][kPawn];
    const int step = side == kWhite ? 8 : -8;
    for (Bits set = own; set;) {
      const int square = pop_lowest(set);
      const int file = file_of(square), rank = own_rank(side, square);
      const Bits ahead = ranks_ahead(side, square), on_file = file_bits(file);
      const Bits beside = files_beside(file);
      const bool half_open = !(foe & on_file);
      if (own & ahead & on_file) sink_.add(side, Terms::kDoubled);
      if (guarded & bit(square)) sink_.add(side, Terms::kGuarded + rank);
      if (own & beside & rank_bits(rank_of(square))) sink_.add(side, Terms::kBeside + rank);
      if (!(own & beside))
        sink_.add(side, Terms::kIsolated + half_open);
      else if (!(own & beside & ~ahead) && (attacked & bit(square + step)))
        sink_.add(side, Terms::kBackward + half_open);
      if (foe & ahead & (beside | on_file)) continue;
      if (own & ahead & on_file) continue;
      const int before = square + step;
      const bool blocked = board_.occupied() & bit(before);
      sink_.add(side, Terms::kPassed + (blocked ? 8 : 0) + rank);
      if (guarded & bit(square)) sink_.add(side, Terms::kPassed + 16 + rank);
      if (rank < 3) continue;
      sink_.add(side, Terms::kOwnKing + distance(board_.king(side), before));
      sink_.add(side, Terms::kOtherKing + distance(board_.king(1 - side), before));
    }
  }

  /// The nearest pawns of both sides on the files around a king.
  void king(int side) {
    const int king = board_.king(side);
    const Bits front = ranks_ahead(side, king) | rank_bits(rank_of(king));
    for (int file = std::max(0, file_of(king) - 1); file <= std::min(7, file_of(king) + 1);
         ++file) {
      const int row = file == file_of(king) ? 8 : 0;
      for (int who = 0; who < 2; ++who) {
        const Bits set = board_.of(who, kPawn) & file_bits(file) & front;
        const int nearest = !set             ? 0
                            : side == kWhite ? rank_of(std::countr_zero(set))
                                             : 7 - rank_of(63 - std::countl_zero(set));
        sink_.add(side, (who == side ? Terms::kShelter : Terms::kStorm) + row + nearest);
      }
    }
  }

  void threats(int side) {
    const auto& mine = reach_.by[as_index(side)];
    const Bits guarded = reach_.all[as_index(1 - side)];
    const Bits minors = mine[kKnight] | mine[kBishop];
    for (int piece = kPawn; piece <= kQueen; ++piece) {
      const Bits foe = board_.of(1 - side, static_cast<Piece>(piece));
      if (!foe) continue;
      count(side, Terms::kPawnHits + piece, foe & mine[kPawn]);
      count(side, Terms::kMinorHits + piece, foe & minors);
      count(side, Terms::kRookHits + piece, foe & mine[kRook]);
      count(side, Terms::kKingHits + piece, foe & mine[kKing] & ~guarded);
      count(side, Terms::kLoose + piece, foe & reach_.all[as_index(side)] & ~guarded);
    }
  }
  void count(int side, int term, Bits set) {
    for (int n = std::popcount(set); n > 0; --n) sink_.add(side, term);
  }

  static constexpr std::array<Bits, 2> kFarHalf{~Bits{0} << 32, ~Bits{0} >> 32};

  const Board& board_;
  Sink& sink_;
  Reach reach_;
  std::array<int, 2> units_{}, attackers_{};  // of a side against the other king
};

}  // namespace detail

/// Calls sink.add(side, term) for every term that a board has.
template <class Sink>
void list_terms(const Board& board, Sink& sink) {
  detail::TermList<Sink>(board, sink).run();
}

}  // namespace kibitz::chess
