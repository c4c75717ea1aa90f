// The order in which an alpha-beta search of chess tries moves: the table's move, captures that
// lose nothing, killers, quiet moves by what was learned about them and by what they attack or
// leave, and captures that lose something.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "games/chess/check_squares.h"
#include "games/chess/evaluate/score.h"

namespace kibitz {

struct ChessCandidate {
  Move move;
  bool quiet;
  bool checks;  // directly
  int order;
};

/// Candidates, of which the best is picked at a time.
struct ChessCandidates {
  /// Orders begin here; captures that lose something are as far below zero.
  static constexpr int kFirst = 1 << 28, kCapture = 1 << 24, kKiller = 1 << 20;

  ChessCandidate* list;
  std::size_t count;

  /// Moves the best one from place i on to place i.
  void pick(std::size_t i) const {
    std::size_t best = i;
    for (std::size_t k = i + 1; k < count; ++k)
      if (list[k].order > list[best].order) best = k;
    std::swap(list[i], list[best]);
  }
  /// The same; captures that lose something go behind all others once they are picked.
  void pick(const chess::Board& board, std::size_t i) const {
    for (;;) {
      pick(i);
      ChessCandidate& best = list[i];
      if (best.order < kCapture) return;
      const int worth = best.order - kCapture;
      if (chess::exchange_reaches(board, best.move, -worth / 64)) return;
      best.order = worth - kCapture;
    }
  }
  /// Drops quiet moves from place i on, checks aside.
  void drop_quiet(std::size_t i) {
    const auto dropped = [](const ChessCandidate& move) { return move.quiet && !move.checks; };
    count = static_cast<std::size_t>(std::remove_if(list + i, list + count, dropped) - list);
  }
};

/// Neither a capture nor a promotion to a queen.
inline bool is_quiet(const chess::Board& board, Move move) {
  return !board.is_capture(move) && chess::promotion_of(move) != chess::kQueen;
}

/// What a capture or promotion wins if nothing is taken back.
inline int won(const chess::Board& board, Move move) {
  const auto taken = board.piece_at(chess::to_square(move));
  int value = board.is_en_passant(move)  ? chess::exchange_value(chess::kPawn)
              : taken == chess::kNoPiece ? 0
                                         : chess::exchange_value(taken);
  if (chess::promotion_of(move) != chess::kPawn)
    value += chess::exchange_value(chess::promotion_of(move)) - chess::exchange_value(chess::kPawn);
  return value;
}

/// What tells quiet moves apart before anything was learned: checks, pieces that are attacked by
/// lesser ones, squares where they would be.
class ChessThreats {
 public:
  explicit ChessThreats(const chess::Board& board) : checks_(board) {
    const int foe = 1 - board.side;
    const chess::Bits occupied = board.occupied();
    lesser_[chess::kKnight] = lesser_[chess::kBishop] =
        chess::pawns_attack(foe, board.of(foe, chess::kPawn));
    chess::Bits minor = lesser_[chess::kKnight];
    for (chess::Bits set = board.of(foe, chess::kKnight); set;)
      minor |= chess::knight_attacks(pop_lowest(set));
    for (chess::Bits set = board.of(foe, chess::kBishop); set;)
      minor |= chess::bishop_attacks(pop_lowest(set), occupied);
    chess::Bits rook = minor;
    for (chess::Bits set = board.of(foe, chess::kRook); set;)
      rook |= chess::rook_attacks(pop_lowest(set), occupied);
    lesser_[chess::kRook] = minor;
    lesser_[chess::kQueen] = rook;
  }
  bool checks(chess::Piece piece, int to) const { return checks_.from[piece] >> to & 1; }
  int order(chess::Piece piece, Move move) const {
    constexpr std::array<int, 6> kStake{0, 8000, 8000, 12000, 20000, 0};
    const int from = chess::from_square(move), to = chess::to_square(move);
    int order = 0;
    if (lesser_[piece] >> from & 1) order += kStake[piece];
    if (lesser_[piece] >> to & 1) order -= kStake[piece];
    if (checks(piece, to)) order += 10000;
    return order;
  }

 private:
  chess::CheckSquares checks_;
  std::array<chess::Bits, 6> lesser_{};
};

}  // namespace kibitz
