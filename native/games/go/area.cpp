#include "games/go/area.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/index.h"

namespace kibitz::go {
namespace {

/// A maximal set of connected points that hold none of one side's stones.
struct Region {
  std::span<const Cell> cells;
  std::array<Cell, 4> vital_to;  // heads of chains that touch every point they need to
  int vital = 0;                 // how many those are
  int inner = 0;                 // points that touch none of the side's stones
  bool holds_opponent = false;
  bool touches_dead = false;  // a chain that is not pass-alive

  std::span<const Cell> vital_chains() const {
    return {vital_to.data(), static_cast<std::size_t>(vital)};
  }
};

/// Benson's algorithm for one side (https://senseis.xmp.net/?BensonsAlgorithm).
class Benson {
 public:
  Benson(const Board& board, Stone side, bool suicide)
      : board_(board), side_(side), suicide_(suicide) {
    region_of_.fill(-1);
    for (int p = 0; p < board.points(); ++p) {
      const Cell cell = board.cell(p);
      if (board.at(cell) == side && board.head(cell) == cell) heads_[heads_used_++] = cell;
      if (board.at(cell) == kEmpty && region_of_[as_index(cell)] < 0) trace(cell);
    }
    drop_dead_chains();
  }

  void mark(Owners& owners, const AreaOptions& options) const {
    for (const Cell head : heads()) {
      if (dead_.has(head)) continue;
      Cell stone = head;
      do {
        owners[as_index(stone)] = side_;
        stone = board_.next(stone);
      } while (stone != head);
    }
    if (heads_used_ == 0) return;
    for (const Region& region : regions_) {
      // One inner point cannot hold two eyes, so the opponent cannot live inside.
      const bool enclosed =
          !region.touches_dead &&
          (region.inner <= 1 || (options.safe_territory && !region.holds_opponent));
      const bool claimed = !enclosed && options.unsafe_territory && !region.holds_opponent;
      for (const Cell cell : region.cells)
        // What is merely claimed must not overwrite the other side's certain territory.
        if (enclosed || (claimed && owners[as_index(cell)] == kEmpty))
          owners[as_index(cell)] = side_;
    }
  }

 private:
  void trace(Cell start) {
    const auto number = static_cast<std::int16_t>(regions_.size());
    Region& region = regions_.emplace_back();
    for (const Cell near : board_.around(start))
      if (board_.at(near) == side_ && !contains(region.vital_chains(), board_.head(near)))
        region.vital_to[static_cast<std::size_t>(region.vital++)] = board_.head(near);
    const std::size_t first = cells_used_;
    cells_[cells_used_++] = start;
    region_of_[as_index(start)] = number;
    for (std::size_t i = first; i < cells_used_; ++i) {
      const Cell cell = cells_[i];
      const auto around = board_.around(cell);
      // Where suicide is forbidden a chain needs to touch the empty points only: the opponent's
      // stones cannot fill the last of them.
      if (region.vital > 0 && (suicide_ || board_.at(cell) == kEmpty)) drop_aloof(region, around);
      region.holds_opponent |= board_.at(cell) != kEmpty;
      bool beside = false;
      for (const Cell near : around) {
        const Stone stone = board_.at(near);
        beside |= stone == side_;
        if (stone == side_ || stone == kWall || region_of_[as_index(near)] >= 0) continue;
        region_of_[as_index(near)] = number;
        cells_[cells_used_++] = near;
      }
      region.inner += !beside;
    }
    region.cells = {cells_.data() + first, cells_used_ - first};
  }

  /// Takes chains off that are not among the neighbours of a point.
  void drop_aloof(Region& region, const std::array<Cell, 4>& around) const {
    const auto end = region.vital_to.begin() + region.vital;
    const auto kept = std::remove_if(region.vital_to.begin(), end, [&](Cell head) {
      return std::none_of(around.begin(), around.end(), [&](Cell near) {
        return board_.at(near) == side_ && board_.head(near) == head;
      });
    });
    region.vital = static_cast<int>(kept - region.vital_to.begin());
  }

  void drop_dead_chains() {
    std::array<std::int16_t, kMostCells> eyes;
    for (const Cell head : heads()) eyes[as_index(head)] = 0;
    for (const Region& region : regions_)
      for (const Cell head : region.vital_chains()) ++eyes[as_index(head)];
    for (bool changed = true; changed;) {
      changed = false;
      for (const Cell head : heads()) {
        if (dead_.has(head) || eyes[as_index(head)] >= 2) continue;
        dead_.add(head);
        changed = true;
        Cell stone = head;
        do {
          for (const Cell near : board_.around(stone)) {
            if (region_of_[as_index(near)] < 0) continue;
            Region& region = regions_[static_cast<std::size_t>(region_of_[as_index(near)])];
            if (std::exchange(region.touches_dead, true)) continue;
            for (const Cell other : region.vital_chains()) --eyes[as_index(other)];
          }
          stone = board_.next(stone);
        } while (stone != head);
      }
    }
  }

  static bool contains(std::span<const Cell> cells, Cell cell) {
    for (const Cell other : cells)
      if (other == cell) return true;
    return false;
  }

  const Board& board_;
  Stone side_;
  bool suicide_;
  std::span<const Cell> heads() const { return {heads_.data(), heads_used_}; }
  /// The regions of the last board are of no use, but their memory is: a search counts the area of
  /// every leaf.
  static std::vector<Region>& cleared_regions() {
    thread_local std::vector<Region> regions;
    regions.clear();
    return regions;
  }

  std::array<Cell, kMostPoints> heads_, cells_;  // cells_: of all regions, one after another
  std::size_t heads_used_ = 0, cells_used_ = 0;
  std::vector<Region>& regions_ = cleared_regions();
  std::array<std::int16_t, kMostCells> region_of_;
  CellSet dead_;
};

/// Visits every cell of `owner` connected to `start` that `enter` accepts (it marks them too).
template <class Enter>
void spread(const Board& board, const Owners& owners, Cell start, const Enter& enter) {
  std::vector<Cell> todo{start};
  const Stone owner = owners[as_index(start)];
  while (!todo.empty()) {
    const Cell cell = todo.back();
    todo.pop_back();
    for (const Cell near : board.around(cell))
      if (board.at(near) != kWall && owners[as_index(near)] == owner && enter(near))
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
      if (owners[as_index(board.cell(p))] == kEmpty)
        owners[as_index(board.cell(p))] = board.at(board.cell(p));
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
    const Stone owner = owned[as_index(cell)];
    if (owner == kEmpty || seki.has(cell)) continue;
    bool doubtful = board.at(cell) == owner && board.liberties(cell) == 1;
    for (const Cell near : board.around(cell))
      doubtful |= board.at(near) == kEmpty && owned[as_index(near)] == kEmpty;
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
    const Stone owner = owned[as_index(cell)];
    if (owner == kEmpty || seki.has(cell) || life.owners[as_index(cell)] == owner) continue;
    life.regions += owner == kWhite ? 1 : -1;
    life.owners[as_index(cell)] = owner;
    spread(board, owned, cell,
           [&](Cell near) { return std::exchange(life.owners[as_index(near)], owner) != owner; });
  }
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    const Stone owner = owned[as_index(cell)];
    if (owner == kEmpty) continue;
    if (board.at(cell) == owner ? keep_stones : keep_territory) life.owners[as_index(cell)] = owner;
  }
  return life;
}

int balance(const Board& board, const Owners& owners) {
  int count = 0;
  for (int p = 0; p < board.points(); ++p) {
    const Stone owner = owners[as_index(board.cell(p))];
    count += (owner == kWhite) - (owner == kBlack);
  }
  return count;
}

}  // namespace kibitz::go
