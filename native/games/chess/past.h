// What chess remembers of a game: keys of positions, for repetition; boards, for networks.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "games/chess/board.h"

namespace kibitz::chess {

/// The keys of the positions since the last capture or pawn's move, and how often the newest stood
/// before.
class KeyHistory {
 public:
  KeyHistory() = default;
  KeyHistory(const KeyHistory& other) { *this = other; }
  KeyHistory& operator=(const KeyHistory& other) {
    // Only the used part: copying is what a search does most.
    repetitions_ = other.repetitions_;
    used_ = other.used_;
    cycle_ = other.cycle_;
    std::memcpy(keys_.data(), other.keys_.data(), sizeof(keys_[0]) * used_);
    return *this;
  }

  void clear() { used_ = 0; }
  /// Takes a position in, and looks whether it was there before.
  void push(std::uint64_t key);
  /// How often the newest position stood before.
  int repetitions() const { return repetitions_; }
  bool repeats_within(int plies) const { return repetitions_ > 0 && cycle_ <= plies; }

 private:
  static constexpr int kMostKeys = 128;
  std::uint8_t repetitions_ = 0;
  std::uint16_t used_ = 0;
  std::uint16_t cycle_ = 0;  // plies since the position stood last, if it is repeated
  std::array<std::uint64_t, kMostKeys> keys_;
};

/// A draw by repetition, by fifty moves, or because nobody can mate.
inline bool is_drawn_by_rule(const Board& board, const KeyHistory& keys) {
  return keys.repetitions() >= 2 || board.clock >= 100 || board.insufficient_material();
}

/// The last eight boards, as a network sees them.
class ShownBoards {
 public:
  static constexpr int kMost = 8;
  struct Snapshot {
    Bits pieces[6];
    Bits white;
    bool repeated;
  };

  /// Tells of the first board, once it is in, whether nothing came before it and which square a
  /// pawn has just passed there.
  void start(bool complete, int passed) {
    complete_ = complete;
    passed_at_start_ = static_cast<std::uint8_t>(passed);
  }
  void push(const Board& board, bool repeated);
  const Snapshot& ago(int plies) const {
    return boards_[static_cast<std::size_t>((newest_ - plies) & (kMost - 1))];
  }
  int known() const { return known_; }
  /// Is nothing shown before the first known board, as before a game begins?
  bool complete() const { return complete_; }
  void set_complete(bool complete) { complete_ = complete; }
  /// En passant square of the first board; kNoSquare for none.
  int passed_at_start() const { return passed_at_start_; }

 private:
  std::uint8_t newest_ = kMost - 1, known_ = 0;
  bool complete_ = false;
  std::uint8_t passed_at_start_ = kNoSquare;
  std::array<Snapshot, kMost> boards_;
};

}  // namespace kibitz::chess
