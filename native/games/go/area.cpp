#include "games/go/area.h"

#include <utility>
#include <vector>

namespace kibitz::go {
namespace {

std::size_t at_index(Cell cell) { return static_cast<std::size_t>(cell); }

/// A maximal set of connected points that hold none of one side's stones.
struct Region {
  std::vector<Cell> cells;
  std::vector<Cell> vital_to;  // heads of chains that touch every point they need to
  int inner = 0;               // points that touch none of the side's stones
  bool holds_opponent = false;
  bool touches_dead = false;  // a chain that is not pass-alive
};

/// Benson's algorithm for one side (https://senseis.xmp.net/?BensonsAlgorithm).
class Benson {
 public:
  Benson(const Board& board, Stone side, bool suicide)
      : board_(board), side_(side), suicide_(suicide) {
    region_of_.fill(-1);
    for (int p = 0; p < board.points(); ++p) {
      const Cell cell = board.cell(p);
      if (board.at(cell) == side && board.head(cell) == cell) heads_.push_back(cell);
      if (board.at(cell) == kEmpty && region_of_[at_index(cell)] < 0) trace(cell);
    }
    drop_dead_chains();
  }

  void mark(Owners& owners, const AreaOptions& options) const {
    for (const Cell head : heads_) {
      if (dead_.has(head)) continue;
      Cell stone = head;
      do {
        owners[at_index(stone)] = side_;
        stone = board_.next(stone);
      } while (stone != head);
    }
    if (heads_.empty()) return;
    for (const Region& region : regions_) {
      // One inner point cannot hold two eyes, so the opponent cannot live inside.
      const bool enclosed =
          !region.touches_dead &&
          (region.inner <= 1 || (options.safe_territory && !region.holds_opponent));
      const bool claimed = !enclosed && options.unsafe_territory && !region.holds_opponent;
      for (const Cell cell : region.cells)
        // What is merely claimed must not overwrite the other side's certain territory.
        if (enclosed || (claimed && owners[at_index(cell)] == kEmpty))
          owners[at_index(cell)] = side_;
    }
  }

 private:
  void trace(Cell start) {
    const auto number = static_cast<int>(regions_.size());
    Region& region = regions_.emplace_back();
    for (const Cell near : board_.around(start))
      if (board_.at(near) == side_ && !contains(region.vital_to, board_.head(near)))
        region.vital_to.push_back(board_.head(near));
    region.cells.push_back(start);
    region_of_[at_index(start)] = number;
    for (std::size_t i = 0; i < region.cells.size(); ++i) {
      const Cell cell = region.cells[i];
      // Where suicide is forbidden a chain needs to touch the empty points only: the opponent's
      // stones cannot fill the last of them.
      if (suicide_ || board_.at(cell) == kEmpty)
        std::erase_if(region.vital_to, [&](Cell head) { return !touches(cell, head); });
      region.inner += !board_.touches(cell, side_);
      region.holds_opponent |= board_.at(cell) == opponent(side_);
      for (const Cell near : board_.around(cell)) {
        const Stone stone = board_.at(near);
        if ((stone != kEmpty && stone != opponent(side_)) || region_of_[at_index(near)] >= 0)
          continue;
        region_of_[at_index(near)] = number;
        region.cells.push_back(near);
      }
    }
  }

  void drop_dead_chains() {
    std::array<int, kMostCells> eyes{};
    for (const Region& region : regions_)
      for (const Cell head : region.vital_to) ++eyes[at_index(head)];
    for (bool changed = true; changed;) {
      changed = false;
      for (const Cell head : heads_) {
        if (dead_.has(head) || eyes[at_index(head)] >= 2) continue;
        dead_.add(head);
        changed = true;
        Cell stone = head;
        do {
          for (const Cell near : board_.around(stone)) {
            if (region_of_[at_index(near)] < 0) continue;
            Region& region = regions_[static_cast<std::size_t>(region_of_[at_index(near)])];
            if (std::exchange(region.touches_dead, true)) continue;
            for (const Cell other : region.vital_to) --eyes[at_index(other)];
          }
          stone = board_.next(stone);
        } while (stone != head);
      }
    }
  }

  bool touches(Cell cell, Cell head) const {
    for (const Cell near : board_.around(cell))
      if (board_.at(near) == side_ && board_.head(near) == head) return true;
    return false;
  }
  static bool contains(const std::vector<Cell>& cells, Cell cell) {
    for (const Cell other : cells)
      if (other == cell) return true;
    return false;
  }

  const Board& board_;
  Stone side_;
  bool suicide_;
  std::vector<Cell> heads_;
  std::vector<Region> regions_;
  std::array<int, kMostCells> region_of_;
  CellSet dead_;
};

/// Visits every cell of `owner` connected to `start` that `enter` accepts (it marks them too).
template <class Enter>
void spread(const Board& board, const Owners& owners, Cell start, const Enter& enter) {
  std::vector<Cell> todo{start};
  const Stone owner = owners[at_index(start)];
  while (!todo.empty()) {
    const Cell cell = todo.back();
    todo.pop_back();
    for (const Cell near : board.around(cell))
      if (board.at(near) != kWall && owners[at_index(near)] == owner && enter(near))
        todo.push_back(near);
  }
}

}  // namespace

Owners area(const Board& board, const AreaOptions& options) {
  Owners owners;
  owners.fill(kEmpty);
  // Black first, then white: where both merely claim an empty region there is none to claim twice.
  Benson(board, kBlack, options.suicide).mark(owners, options);
  Benson(board, kWhite, options.suicide).mark(owners, options);
  if (options.other_stones)
    for (int p = 0; p < board.points(); ++p)
      if (owners[at_index(board.cell(p))] == kEmpty)
        owners[at_index(board.cell(p))] = board.at(board.cell(p));
  return owners;
}

IndependentLife independent_life(const Board& board, bool keep_territory, bool keep_stones,
                                 bool suicide) {
  const Owners owned = full_area(board, suicide);
  IndependentLife life;
  life.owners.fill(kEmpty);

  CellSet seki;
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    const Stone owner = owned[at_index(cell)];
    if (owner == kEmpty || seki.has(cell)) continue;
    bool doubtful = board.at(cell) == owner && board.liberties(cell) == 1;
    for (const Cell near : board.around(cell))
      doubtful |= board.at(near) == kEmpty && owned[at_index(near)] == kEmpty;
    if (!doubtful) continue;
    seki.add(cell);
    spread(board, owned, cell, [&](Cell near) {
      if (seki.has(near)) return false;
      seki.add(near);
      return true;
    });
  }
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    const Stone owner = owned[at_index(cell)];
    if (owner == kEmpty || seki.has(cell) || life.owners[at_index(cell)] == owner) continue;
    life.regions += owner == kWhite ? 1 : -1;
    life.owners[at_index(cell)] = owner;
    spread(board, owned, cell,
           [&](Cell near) { return std::exchange(life.owners[at_index(near)], owner) != owner; });
  }
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    const Stone owner = owned[at_index(cell)];
    if (owner == kEmpty) continue;
    if (board.at(cell) == owner ? keep_stones : keep_territory) life.owners[at_index(cell)] = owner;
  }
  return life;
}

int balance(const Board& board, const Owners& owners) {
  int count = 0;
  for (int p = 0; p < board.points(); ++p) {
    const Stone owner = owners[at_index(board.cell(p))];
    count += (owner == kWhite) - (owner == kBlack);
  }
  return count;
}

}  // namespace kibitz::go
