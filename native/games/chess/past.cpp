#include "games/chess/past.h"

#include <algorithm>

namespace kibitz::chess {

void KeyHistory::push(std::uint64_t key) {
  repetitions_ = 0;
  cycle_ = 0;
  for (int i = used_ - 4; i >= 0; i -= 2) {
    if (keys_[static_cast<std::size_t>(i)] != key) continue;
    if (++repetitions_ == 1) cycle_ = static_cast<std::uint16_t>(used_ - i);
  }
  if (used_ == kMostKeys) {  // players went on past the fifty moves
    std::copy(keys_.begin() + 1, keys_.end(), keys_.begin());
    --used_;
  }
  keys_[used_++] = key;
}

void ShownBoards::push(const Board& board, bool repeated) {
  const auto castling =
      static_cast<std::uint16_t>((board.castling & 0xff) | (board.castling >> 56) << 8);
  bool replace = false;
  if (shows_repeated_only(format_) && known_ > 0) {
    // What nobody can come back to is forgotten, and what was not repeated gives way.
    const Snapshot& before = boards_[newest_];
    if (board.clock == 0 || before.castling != castling) known_ = 0, complete_ = true;
    replace = known_ > 0 && !before.repeated;
  }
  if (!replace) {
    newest_ = static_cast<std::uint8_t>((newest_ + 1) & (kMost - 1));
    if (known_ < kMost)
      ++known_;
    else
      complete_ = false;
  }
  Snapshot& now = boards_[newest_];
  std::copy(std::begin(board.pieces), std::end(board.pieces), std::begin(now.pieces));
  now.white = board.sides[kWhite];
  now.repeated = repeated;
  now.fresh = board.clock == 0;
  now.passed = board.en_passant != kNoSquare;
  now.castling = castling;
}

}  // namespace kibitz::chess
