// What an alpha-beta search of chess learns about moves while it runs: which moves refuted
// positions, quiet ones on their own and as answers to the moves before them, captures by what they
// took; and how far evaluations were from what a search made of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "games/chess/board.h"

namespace kibitz {

class ChessHistory {
 public:
  /// A piece and where it goes; the last one stands for no move.
  using Arrival = std::uint16_t;
  static constexpr Arrival kNone = 2 * 6 * 64;
  static constexpr int kMost = 16384;

  ChessHistory()
      : answers_(static_cast<std::size_t>(kNone + 1) * kNone),
        captures_(static_cast<std::size_t>(kNone) * 6),
        corrections_(2 << 14) {}

  static Arrival arrival(const chess::Board& board, Move move) {
    const int piece = board.piece_at(chess::from_square(move));
    return static_cast<Arrival>((board.side * 6 + piece) * 64 + chess::to_square(move));
  }

  /// The moves one, two and four plies before.
  using Before = std::array<Arrival, 3>;

  /// A quiet move on its own counts twice.
  int of(const chess::Board& board, Move move, const Before& before) const {
    return 2 * moves_[place(board.side, move)] + as_answer(arrival(board, move), before);
  }
  int as_answer(Arrival now, const Before& before) const {
    int sum = 0;
    for (const Arrival then : before) sum += answers_[row(then) + now];
    return sum;
  }
  void change(const chess::Board& board, Move move, const Before& before, int by) {
    learn(moves_[place(board.side, move)], 2 * by);
    change_answer(arrival(board, move), before, by);
  }
  void change_answer(Arrival now, const Before& before, int by) {
    for (const Arrival then : before)
      if (then != kNone) learn(answers_[row(then) + now], by);
  }

  /// A capture or a promotion, by what it takes.
  int of_capture(const chess::Board& board, Move move) const {
    return captures_[capture(board, move)];
  }
  void change_capture(const chess::Board& board, Move move, int by) {
    learn(captures_[capture(board, move)], by);
  }

  /// What searches add to the evaluation of a board, in centipawns.
  int correction(const chess::Board& board) const {
    return corrections_[structure(board)] / kCorrectionSteps;
  }
  void correct(const chess::Board& board, int depth, int error) {
    std::int16_t& known = corrections_[structure(board)];
    const int weight = std::min(depth + 1, 16);
    const int target = std::clamp(error, -kMostCorrection, kMostCorrection) * kCorrectionSteps;
    known = static_cast<std::int16_t>(known + (target - known) * weight / 256);
  }

 private:
  static constexpr int kCorrectionSteps = 256, kMostCorrection = 100;

  static void learn(std::int16_t& known, int by) {
    by = std::clamp(by, -kMost, kMost);
    known = static_cast<std::int16_t>(known + by - known * std::abs(by) / kMost);
  }
  static std::size_t place(int side, Move move) {
    return static_cast<std::size_t>(side << 12 | (move & 0xfff));
  }
  static std::size_t row(Arrival before) { return static_cast<std::size_t>(before) * kNone; }
  static std::size_t capture(const chess::Board& board, Move move) {
    const int taken = board.piece_at(chess::to_square(move));
    // En passant takes a pawn; a promotion that takes nothing is filed beside it.
    return static_cast<std::size_t>(arrival(board, move)) * 6 +
           static_cast<std::size_t>(taken == chess::kNoPiece ? chess::kPawn : taken);
  }
  static std::size_t structure(const chess::Board& board) {
    const std::uint64_t white = board.of(chess::kWhite, chess::kPawn);
    const std::uint64_t black = board.of(chess::kBlack, chess::kPawn);
    const std::uint64_t mixed = (white * 0x9E3779B97F4A7C15ULL) ^ (black * 0xC2B2AE3D27D4EB4FULL);
    return static_cast<std::size_t>(board.side) << 14 |
           static_cast<std::size_t>((mixed ^ mixed >> 29) * 0x165667B19E3779F9ULL >> 50);
  }

  std::array<std::int16_t, 2 * 4096> moves_{};
  std::vector<std::int16_t> answers_;  // by the move before and the move; the last row stays zero
  std::vector<std::int16_t> captures_;
  std::vector<std::int16_t> corrections_;
};

}  // namespace kibitz
