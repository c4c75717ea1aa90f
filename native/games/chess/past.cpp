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
  newest_ = static_cast<std::uint8_t>((newest_ + 1) & (kMost - 1));
  if (known_ < kMost)
    ++known_;
  else
    complete_ = false;
  Snapshot& now = boards_[newest_];
  std::copy(std::begin(board.pieces), std::end(board.pieces), std::begin(now.pieces));
  now.white = board.sides[kWhite];
  now.repeated = repeated;
}

}  // namespace kibitz::chess
