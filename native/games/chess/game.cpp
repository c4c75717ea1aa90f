#include "games/chess/game.h"

#include <algorithm>

namespace kibitz {

using namespace chess;

Chess::Chess(const Board& board) : board_(board) {
  static const Board kStart = Board::start();
  remember();
  complete_ = board_.key == kStart.key;
  passed_at_start_ = board_.en_passant;
}

void Chess::play(Move move) {
  if (board_.play(move)) keys_used_ = 0;
  remember();
}

/// Takes the board into the past, and looks whether it was there before.
void Chess::remember() {
  repetitions_ = 0;
  cycle_ = 0;
  for (int i = keys_used_ - 4; i >= 0; i -= 2) {
    if (keys_[static_cast<std::size_t>(i)] != board_.key) continue;
    if (++repetitions_ == 1) cycle_ = static_cast<std::uint16_t>(keys_used_ - i);
  }
  if (keys_used_ == kMostKeys) {  // players went on past the fifty moves
    std::copy(keys_.begin() + 1, keys_.end(), keys_.begin());
    --keys_used_;
  }
  keys_[keys_used_++] = board_.key;

  newest_ = static_cast<std::uint8_t>((newest_ + 1) & (kPast - 1));
  if (seen_ < kPast)
    ++seen_;
  else
    complete_ = false;
  Snapshot& now = past_[newest_];
  std::copy(std::begin(board_.pieces), std::end(board_.pieces), std::begin(now.pieces));
  now.white = board_.sides[kWhite];
  now.repeated = repetitions_ > 0;
}

float Chess::result() const {
  if (is_checkmate()) return board_.side == kWhite ? 0.0f : 1.0f;
  return 0.5f;
}

const char* Chess::ending() const {
  if (count_moves(board_) == 0) return in_check() ? "checkmate" : "stalemate";
  if (repetitions_ >= 2) return "threefold repetition";
  if (board_.clock >= 100) return "fifty moves";
  if (board_.insufficient_material()) return "insufficient material";
  return "";
}

Chess Chess::filled(bool fill) const {
  Chess game = *this;
  game.complete_ = !fill;
  return game;
}

Chess Chess::forgotten() const {
  Chess game = *this;
  game.board_.clock = 0;
  game.repetitions_ = 0;
  game.cycle_ = 0;
  game.keys_used_ = 1;
  game.keys_[0] = board_.key;
  return game;
}

std::uint64_t Chess::cache_key(int history) const {
  if (history < kPast - 1) {
    // Another order of moves leaves another clock; only the threat of a draw is worth telling
    // apart.
    std::uint64_t near = board_.key ^ mix64(static_cast<unsigned>(board_.clock) >> 5);
    near = mix64(near ^ (repetitions_ > 0 ? 1u : 0u));
    for (int i = 1; i <= std::min<int>(history, seen_ - 1); ++i)
      for (const Bits set : past(i).pieces) near = mix64(near ^ set ^ past(i).white);
    return near;
  }
  std::uint64_t hash = board_.key ^ mix64(board_.clock + (complete_ ? 1000u : 0u) +
                                          (seen_ < kPast ? 2000u * passed_at_start_ : 0u));
  for (int i = 0; i < seen_; ++i) {
    const Snapshot& board = past(i);
    hash = mix64(hash ^ board.white ^ (board.repeated ? 1u : 0u));
    for (const Bits set : board.pieces) hash = mix64(hash ^ set);
  }
  return hash;
}

}  // namespace kibitz
