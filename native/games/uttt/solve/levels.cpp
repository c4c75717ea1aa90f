// How a level of the tables is solved from those below it.
#include <array>

#include "games/uttt/solve/pairs.h"
#include "games/uttt/solve/tables.h"

namespace kibitz::uttt {
namespace {

/// The best of some moves; unknown if one of them is, unless a win in one ply is among them, which
/// nothing can better.
class Best {
 public:
  void add(Worth worth) {
    if (worth == kUnknown) {
      all_known_ = false;
      return;
    }
    const int score = score_of(worth);
    if (score > score_) {
      score_ = score;
      worth_ = worth;
    }
  }
  Worth worth() const { return all_known_ || worth_ == 1 ? worth_ : kUnknown; }

 private:
  bool all_known_ = true;
  int score_ = -100000;
  Worth worth_ = kUnknown;
};

Worth seen(Worth child) { return child == kUnknown ? kUnknown : seen_from_before(child); }

}  // namespace

void Tables::solve(Ending ending, int empties, int open, std::uint64_t first, std::uint64_t count,
                   Worth* out, const std::atomic<bool>* stop) const {
  const LevelIndex& level = LevelIndex::of(ending, empties, open);
  if (open == 2 && empties > 2) return solve_pairs(level, ending, first, count, out, stop);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (stop && (i & 1023) == 0 && stop->load(std::memory_order_relaxed)) return;
    out[i] = solve_one(level.position(first + i));
  }
}

Worth Tables::solve_one(const Reduced& position) const {
  Best best;
  for_each_move(position, [&](int slot, int cell) {
    const Step step = play(position, slot, cell);
    best.add(step.kind == Step::Kind::kGoesOn ? seen(probe(step.next).value_or(kUnknown))
                                              : step.end_worth());
  });
  return best.worth();
}

/// Two open sub-boards: moves that close neither lead to a level of the same kind, where the
/// child's number follows from the options by tables; only the others are played out.
void Tables::solve_pairs(const LevelIndex& level, Ending ending, std::uint64_t first,
                         std::uint64_t count, Worth* out, const std::atomic<bool>* stop) const {
  const Families& families = Families::of(2);
  const TableFile* below = file(ending, level.empties() - 1, 2);
  const LevelIndex& below_index = LevelIndex::of(ending, level.empties() - 1, 2);

  // Where a move in a slot leads, by what it does to the opponent's need and where it sends.
  struct Way {
    bool drawn = false;  // nobody can win any more
    bool exchanged = false;
    const PairMoves *moved = nullptr, *other = nullptr;
    std::array<LevelIndex::Pairs, 3> to;  // sent to its own sub-board, the other, anywhere
  };
  std::array<std::array<Way, 2>, 2> ways;   // slot; stays or spoils
  std::array<const PairMoves*, 2> kinds{};  // asked for the moves and what they do
  std::size_t slab = ~std::size_t{0};

  const auto prepare = [&](const LevelIndex::Row& row) {
    for (std::size_t slot = 0; slot < 2; ++slot) {
      kinds[slot] = &PairMoves::of(row.sizes[slot], row.stances[slot], row.stances[slot]);
      if (row.sizes[slot] == 1) continue;  // its one move closes it
      for (std::size_t spoils = 0; spoils < 2; ++spoils) {
        Way& way = ways[slot][spoils];
        const FamilyId mover = spoils ? families.without(row.need->opponent, static_cast<int>(slot))
                                      : row.need->opponent;
        const FamilyId opponent = row.need->mover;
        way.drawn = ending == Ending::kStandard && mover == 0 && opponent == 0;
        if (way.drawn) continue;
        const auto match = families.find(mover, opponent);
        const Need& need = families.needs()[match.need];
        const auto& to = families.renumbering(match.renumbering).to;
        const auto counted = static_cast<Stance>(row.stances[0] & kCounted);
        const auto after = [&](std::size_t s) {
          return static_cast<Stance>(need.wanted[to[s]] | counted);
        };
        way.exchanged = to[0] != 0;
        way.moved = &PairMoves::of(row.sizes[slot], row.stances[slot], after(slot));
        way.other = &PairMoves::of(row.sizes[slot ^ 1], row.stances[slot ^ 1], after(slot ^ 1));
        std::array<int, 2> sizes{};
        sizes[to[slot]] = row.sizes[slot] - 1;
        sizes[to[slot ^ 1]] = row.sizes[slot ^ 1];
        for (std::size_t target = 0; target < 3; ++target) {
          const int constraint = target == 0 ? to[slot] : target == 1 ? to[slot ^ 1] : 2;
          way.to[target] = below_index.pairs(match.need, -row.lead, sizes[0], sizes[1], constraint);
        }
      }
    }
  };

  for (std::uint64_t done = 0; done < count;) {
    if (stop && stop->load(std::memory_order_relaxed)) return;
    const LevelIndex::Row row = level.row(first + done);
    if (row.slab != slab) {
      slab = row.slab;
      prepare(row);
    }
    for (std::uint32_t i = 0; i < row.count && done < count; ++i, ++done) {
      const std::array<std::uint32_t, 2> options = {row.a, row.first_b + i};
      Best best;
      Reduced whole;  // put together only if a move closes a sub-board
      for (std::size_t slot = 0; slot < 2; ++slot) {
        if (row.constraint != 2 && row.constraint != static_cast<int>(slot)) continue;
        const PairMove* moves = kinds[slot]->moves(options[slot]);
        for (std::size_t at = 0; at < row.sizes[slot]; ++at) {
          if (moves[at].kind == PairMove::Kind::kCloses) {
            if (whole.k == 0) whole = level.position(first + done);
            const Step step = play(whole, static_cast<int>(slot), moves[at].cell);
            best.add(step.kind == Step::Kind::kGoesOn ? seen(probe(step.next).value_or(kUnknown))
                                                      : step.end_worth());
            continue;
          }
          const Way& way = ways[slot][moves[at].kind == PairMove::Kind::kSpoils ? 1 : 0];
          if (way.drawn) {
            best.add(kDraw);
            continue;
          }
          const std::uint32_t moved = way.moved->moves(options[slot])[at].next;
          const std::uint32_t other = way.other->unmoved(options[slot ^ 1]);
          // Slot 0 of the child is this slot's board or the other one's.
          const bool moved_first = (slot == 0) != way.exchanged;
          const auto index = moved_first ? way.to[moves[at].target].index(moved, other)
                                         : way.to[moves[at].target].index(other, moved);
          best.add(below ? seen(below->worth(index)) : kUnknown);
        }
      }
      out[done] = best.worth();
    }
  }
}

}  // namespace kibitz::uttt
