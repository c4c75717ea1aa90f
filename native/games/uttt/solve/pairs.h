// What a move does to one of two open sub-boards, as a table over its options. Most of a tablebase
// are positions with two open sub-boards; with these tables a child's number is a few additions.
#pragma once

#include <cstdint>
#include <vector>

#include "games/uttt/solve/shapes.h"

namespace kibitz::uttt {

struct PairMove {
  enum class Kind : std::uint8_t {
    kStays,   // the sub-board stays open
    kSpoils,  // it stays open, but the opponent can no longer win what it wanted
    kCloses,
  };
  std::uint8_t cell = 0;
  std::uint8_t target = 0;  // 0 its own sub-board, 1 the other, 2 free
  Kind kind = Kind::kStays;
  std::uint32_t next = 0;  // the option afterwards, the other side to move; void when it closes
};

/// For sub-boards of one size and stance, when they come to another stance after the move (as the
/// other side sees it). A stance depends on what the players need, not on the option.
class PairMoves {
 public:
  static const PairMoves& of(int size, Stance before, Stance after);

  /// The moves of an option, `size` of them.
  const PairMove* moves(std::size_t option) const { return &moves_[option * size_]; }
  /// The option of a sub-board that was not played in, the other side to move.
  std::uint32_t unmoved(std::size_t option) const { return unmoved_[option]; }

 private:
  PairMoves(int size, Stance before, Stance after);
  std::size_t size_;
  std::vector<PairMove> moves_;
  std::vector<std::uint32_t> unmoved_;
};

}  // namespace kibitz::uttt
