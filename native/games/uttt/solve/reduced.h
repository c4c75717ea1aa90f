// A position with everything left out that cannot change its result or its distance to the end.
//
// What stays: for each open sub-board (a "slot", in no particular order) its threat class and which
// slot each of its cells leads to; what each player still needs; who must play where. The side to
// move is always the first of the two players. Where a slot lies on the board is forgotten.
#pragma once

#include <array>
#include <cstdint>

#include "games/uttt/board.h"
#include "games/uttt/solve/families.h"
#include "games/uttt/solve/shapes.h"

namespace kibitz::uttt {

using Ending = Uttt::Ending;

/// A position's worth for its side to move, in one byte: 0 a draw, n a win in n plies, 128 + n a
/// loss in n plies. Where sub-boards count a side may lose by its own move, so parity does not
/// tell.
using Worth = std::uint8_t;
inline constexpr Worth kDraw = 0;
inline constexpr Worth kLoss = 128;
inline constexpr Worth kUnknown = 255;

/// Orders worths: fast wins, slow wins, draws, slow losses, fast losses.
inline int score_of(Worth worth) {
  if (worth == kDraw) return 0;
  return worth < kLoss ? 1000 - worth : (worth - kLoss) - 1000;
}
/// A child's worth as the side sees it that moved there.
inline Worth seen_from_before(Worth child) {
  if (child == kDraw) return kDraw;
  return static_cast<Worth>(child < kLoss ? kLoss + child + 1 : child - kLoss + 1);
}

/// The labels of nine cells, four bits each: a slot, or kFree.
using Labels = std::uint64_t;
inline std::uint8_t label_of(Labels labels, int cell) {
  return static_cast<std::uint8_t>(labels >> 4 * cell & 15);
}

struct Reduced {
  Ending ending = Ending::kStandard;
  int k = 0;
  FamilyId mover = 0, opponent = 0;  // over k slots
  int lead = 0;        // sub-boards of the mover more than the opponent's, if they count
  int constraint = 0;  // a slot, or k for any
  std::array<ClassId, kMaxOpen> boards{};
  std::array<Labels, kMaxOpen> labels{};

  int empties() const;
};

/// What a position or a move comes to: an end, or a position that goes on.
struct Step {
  enum class Kind { kGoesOn, kMoverWins, kDrawn, kMoverLoses } kind = Kind::kGoesOn;
  Reduced next;

  /// The worth of a move that ended the game, for the side that played it.
  Worth end_worth() const {
    return kind == Kind::kMoverWins ? Worth{1} : kind == Kind::kDrawn ? kDraw : Worth{kLoss + 1};
  }
};

/// Reduces a game that is not over and has at most kMaxOpen open sub-boards. A position that nobody
/// can win any more comes back as drawn.
Step reduce(const Uttt& game);

/// The mover plays `cell` of `slot`. In the position that goes on the other side is to move; an end
/// is named from the side of the player who moved.
Step play(const Reduced& position, int slot, int cell);

/// Calls `visit(slot, cell)` for every legal move.
template <class Visit>
void for_each_move(const Reduced& position, Visit&& visit) {
  const auto& classes = ThreatClasses::get();
  const bool anywhere = position.constraint == position.k;
  for (int slot = anywhere ? 0 : position.constraint;
       slot <= (anywhere ? position.k - 1 : position.constraint); ++slot)
    for (std::uint32_t left = classes.empty(position.boards[static_cast<std::size_t>(slot)]); left;
         left &= left - 1)
      visit(slot, std::countr_zero(left));
}

}  // namespace kibitz::uttt
