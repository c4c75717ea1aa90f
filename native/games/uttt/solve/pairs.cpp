#include "games/uttt/solve/pairs.h"

#include <array>
#include <bit>
#include <memory>
#include <mutex>

namespace kibitz::uttt {
namespace {

/// The number of a class whose cell `own` leads back to it and whose cell `other` to the other
/// sub-board; 9 where no cell does.
std::uint32_t number_of(ClassId id, unsigned own, unsigned other, Stance stance) {
  const Mask empty = ThreatClasses::get().empty(id);
  const int size = std::popcount(empty);
  Mask labelled = 0;
  if (own < 9 && size > 1) labelled |= static_cast<Mask>(1u << own);
  if (other < 9) labelled |= static_cast<Mask>(1u << other);
  labelled &= empty;
  const auto& match = Shapes::get().find(id, labelled, stance);
  std::uint32_t code = 0;
  for (int i = std::popcount(labelled); i-- > 0;)
    code = 2 * code + ((match.order >> 4 * i & 15) == other ? 1 : 0);
  return static_cast<std::uint32_t>(BoardOptions::of(2, size).number(stance, match.shape, code));
}

}  // namespace

const PairMoves& PairMoves::of(int size, Stance before, Stance after) {
  constexpr std::size_t kCount = std::size_t{10} * kStances * kStances;
  static std::array<std::unique_ptr<const PairMoves>, kCount> made;
  static std::array<std::once_flag, kCount> once;
  const auto at = (static_cast<std::size_t>(size) * kStances + before) * kStances + after;
  std::call_once(once[at], [&] { made[at].reset(new PairMoves(size, before, after)); });
  return *made[at];
}

PairMoves::PairMoves(int size, Stance before, Stance after)
    : size_(static_cast<std::size_t>(size)) {
  const auto& classes = ThreatClasses::get();
  const auto& options = BoardOptions::of(2, size);
  for (std::size_t number = 0; number < options.count(before); ++number) {
    const auto& option = options.option(before, number);
    const Shape& shape = Shapes::get()[option.shape];
    const ClassId id = shape.example;
    unsigned own = 9, other = 9;
    for (unsigned i = 0; i < shape.labelled; ++i)
      (option.code >> i & 1 ? other : own) = shape.cells[i];
    unmoved_.push_back(number_of(classes.swapped(id), own, other, after));
    for (std::uint32_t left = classes.empty(id); left != 0; left &= left - 1) {
      PairMove move;
      const auto cell = static_cast<unsigned>(std::countr_zero(left));
      move.cell = static_cast<std::uint8_t>(cell);
      move.target = cell == own ? 0 : cell == other ? 1 : 2;
      const ClassId next = classes.after(id, 0, static_cast<int>(cell));
      if (next >= kClosedFull) {
        move.kind = PairMove::Kind::kCloses;
      } else {
        if ((before & 2) && !classes.winnable(next, 1)) move.kind = PairMove::Kind::kSpoils;
        move.next = number_of(classes.swapped(next), own, other, after);
      }
      moves_.push_back(move);
    }
  }
}

}  // namespace kibitz::uttt
