// What chess remembers of a game: keys of positions, for repetition; boards, for networks.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

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
  /// The keys, oldest first; the newest position's is the last.
  std::span<const std::uint64_t> all() const { return {keys_.data(), used_}; }
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

/// How a position is written for a network: Lc0's input formats, by their names in
/// `kibitz.nets.lc0_format`. `castling_plane` shows the rooks that may castle. The canonical ones
/// also turn the board so that equal positions look equal (games/chess/encode_canonical.h), show
/// history only as far as it can be repeated, and have the en passant square; v2 shows of it only
/// what was repeated. Hectoplies (v2 too) count the fifty moves in hundreds, armageddon tells the
/// colour.
enum class InputFormat : std::uint8_t {
  classical,
  castling_plane,
  canonical,
  canonical_hectoplies,
  canonical_hectoplies_armageddon,
  canonical_v2,
  canonical_v2_armageddon
};

constexpr bool is_canonical(InputFormat format) { return format >= InputFormat::canonical; }
constexpr bool has_hectoplies(InputFormat format) {
  return format >= InputFormat::canonical_hectoplies;
}
constexpr bool is_armageddon(InputFormat format) {
  return format == InputFormat::canonical_hectoplies_armageddon ||
         format == InputFormat::canonical_v2_armageddon;
}
constexpr bool shows_repeated_only(InputFormat format) {
  return format >= InputFormat::canonical_v2;
}

/// The last eight boards, as a network sees them; in the v2 formats the newest and those of its
/// past that were repeated.
class ShownBoards {
 public:
  static constexpr int kMost = 8;
  struct Snapshot {
    Bits pieces[6];
    Bits white;
    bool repeated;
    /// What ends the history of the canonical formats: the board follows a capture or a pawn's
    /// move, has an en passant square, or other castling rights than the newest one.
    bool fresh;
    bool passed;
    std::uint16_t castling;  // rooks that may castle: the first rank, then the last
  };

  InputFormat format() const { return format_; }
  /// For a position nothing was played from: older boards stay as they were kept.
  void set_format(InputFormat format) { format_ = format; }
  /// Planes about style that are written behind the format's own (games/chess/style_planes.h).
  std::uint8_t style_planes() const { return style_planes_; }
  void set_style_planes(std::uint8_t set) { style_planes_ = set; }

  /// Plies since a d or e pawn stepped forward, or since the first known board.
  int centre_clock() const { return centre_clock_; }
  void count_ply(bool centre_advance) {
    centre_clock_ =
        centre_advance ? 0 : static_cast<std::uint8_t>(centre_clock_ + (centre_clock_ < 255));
  }

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
  InputFormat format_ = InputFormat::classical;
  std::uint8_t passed_at_start_ = kNoSquare;
  std::uint8_t style_planes_ = 0, centre_clock_ = 0;
  std::array<Snapshot, kMost> boards_;
};

/// Takes a board into the past.
inline void remember(const Board& board, KeyHistory& keys, ShownBoards& shown) {
  keys.push(board.key);
  shown.push(board, keys.repetitions() > 0);
}

}  // namespace kibitz::chess
