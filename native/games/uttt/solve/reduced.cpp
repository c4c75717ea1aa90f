#include "games/uttt/solve/reduced.h"

#include <algorithm>
#include <bit>

namespace kibitz::uttt {
namespace {

FamilyId family_of(Mask open, Mask won, Mask winnable, int k) {
  std::array<std::uint8_t, 9> slot{};
  for (unsigned board = 0, next = 0; board < 9; ++board)
    if (open >> board & 1) slot[board] = static_cast<std::uint8_t>(next++);
  std::array<Mask, 8> sets;
  std::size_t count = 0;
  for (const Mask line : kLines) {
    if (line & ~(won | winnable)) continue;
    Mask set = 0;
    for (std::uint32_t left = line & open; left != 0; left &= left - 1)
      set |= static_cast<Mask>(1u << slot[static_cast<std::size_t>(std::countr_zero(left))]);
    sets[count++] = set;
  }
  return Families::of(k).of_sets({sets.data(), count});
}

/// Labels after a slot was closed: those that led there are free, later slots move up.
Labels relabelled(Labels labels, std::uint8_t closed) {
  Labels out = 0;
  for (int cell = 0; cell < 9; ++cell) {
    std::uint8_t label = label_of(labels, cell);
    if (label == closed)
      label = kFree;
    else if (label > closed && label != kFree)
      --label;
    out |= Labels{label} << 4 * cell;
  }
  return out;
}

Step::Kind by_count(Ending ending, int lead) {
  if (ending == Ending::kStandard || lead == 0) return Step::Kind::kDrawn;
  return lead > 0 ? Step::Kind::kMoverWins : Step::Kind::kMoverLoses;
}

/// Beyond one more than the open sub-boards a lead is as good as any.
int capped(int lead, int k) { return std::clamp(lead, -(k + 1), k + 1); }

}  // namespace

int Reduced::empties() const {
  int sum = 0;
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(k); ++slot)
    sum += std::popcount(ThreatClasses::get().empty(boards[slot]));
  return sum;
}

Step reduce(const Uttt& game) {
  const auto& classes = ThreatClasses::get();
  Step step;
  Reduced& out = step.next;
  out.ending = game.ending;
  const auto open = static_cast<Mask>(kFull & ~game.closed);
  out.k = std::popcount(open);
  const std::size_t mine = game.side, theirs = game.side ^ 1u;
  std::array<Mask, 2> winnable{};
  Labels labels = 0;
  for (std::size_t board = 0, slot = 0; board < 9; ++board) {
    if (!(open >> board & 1)) {
      labels |= Labels{kFree} << 4 * board;
      continue;
    }
    labels |= Labels{slot} << 4 * board;
    const ClassId id = classes.of(game.cells[mine][board], game.cells[theirs][board]);
    for (int player = 0; player < 2; ++player)
      if (classes.winnable(id, player))
        winnable[static_cast<std::size_t>(player)] |= static_cast<Mask>(1u << board);
    out.boards[slot++] = id;
  }
  std::fill_n(out.labels.begin(), out.k, labels);
  out.constraint = out.k;
  if (game.constraint != Uttt::kAnywhere) out.constraint = label_of(labels, game.constraint);
  out.mover = family_of(open, game.won[mine], winnable[0], out.k);
  out.opponent = family_of(open, game.won[theirs], winnable[1], out.k);
  if (game.ending == Ending::kMostSubBoards)
    out.lead = capped(std::popcount(game.won[mine]) - std::popcount(game.won[theirs]), out.k);
  else if (out.mover == 0 && out.opponent == 0)
    step.kind = Step::Kind::kDrawn;
  return step;
}

Step play(const Reduced& before, int slot, int cell) {
  const auto& classes = ThreatClasses::get();
  const Families& families = Families::of(before.k);
  const auto at = static_cast<std::size_t>(slot);
  const ClassId after = classes.after(before.boards[at], 0, cell);
  const std::uint8_t target = label_of(before.labels[at], cell);
  Step step;
  Reduced& out = step.next;
  out.ending = before.ending;
  FamilyId mover = before.mover, opponent = before.opponent;
  int lead = before.lead;
  if (after == kClosedWon || after == kClosedFull) {
    const bool won = after == kClosedWon;
    mover = families.closed(mover, slot, won);
    opponent = families.closed(opponent, slot, false);
    if (before.ending == Ending::kMostSubBoards) lead += won;
    if (mover == kLine) {
      step.kind = Step::Kind::kMoverWins;
      return step;
    }
    out.k = before.k - 1;
    if (out.k == 0) {
      step.kind = by_count(before.ending, lead);
      return step;
    }
    for (std::size_t from = 0, to = 0; from < static_cast<std::size_t>(before.k); ++from) {
      if (from == at) continue;
      out.boards[to] = classes.swapped(before.boards[from]);
      out.labels[to++] = relabelled(before.labels[from], static_cast<std::uint8_t>(slot));
    }
    out.constraint = target == kFree || target == slot ? out.k : target - (target > slot);
  } else {
    out.k = before.k;
    if (!classes.winnable(after, 1)) opponent = families.without(opponent, slot);
    for (std::size_t i = 0; i < static_cast<std::size_t>(before.k); ++i)
      out.boards[i] = classes.swapped(i == at ? after : before.boards[i]);
    out.labels = before.labels;
    out.constraint = target == kFree ? out.k : target;
  }
  out.mover = opponent;
  out.opponent = mover;
  out.lead = capped(-lead, out.k);
  if (before.ending == Ending::kStandard && mover == 0 && opponent == 0)
    step.kind = Step::Kind::kDrawn;
  return step;
}

}  // namespace kibitz::uttt
