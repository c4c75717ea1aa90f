// Numbers for reduced positions: a table is an array of worths, and the number is the key. Nothing
// is hashed, so no two different positions can ever share an entry.
//
// The positions with N empty cells in k open sub-boards are numbered by, in this order:
//   the class of the two players' needs (and the lead, if sub-boards count),
//   how the N cells are shared out over the slots,
//   the constraint,
//   the options of slot 0, slot 1, ... (uttt_shapes.h); with two slots by groups that fit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "games/uttt/solve/reduced.h"

namespace kibitz::uttt {

/// Changes whenever a number may come to mean another position; part of every file.
inline constexpr std::uint32_t kReductionVersion = 1;

inline constexpr int kMaxEmpties = 18;

/// Where a reduced position is found.
struct Place {
  int empties = 0, open = 0;
  std::uint64_t index = 0;
};

class LevelIndex {
 public:
  /// The numbering of a level; made at its first use and kept. Precondition: `exists`.
  static const LevelIndex& of(Ending ending, int empties, int open);
  static bool exists(int empties, int open) {
    return open >= 1 && open <= kMaxOpen && empties >= open && empties <= 9 * open &&
           empties <= kMaxEmpties;
  }

  int empties() const { return empties_; }
  int open() const { return open_; }
  std::uint64_t size() const { return size_; }

  std::uint64_t index(const Reduced& position) const;
  Reduced position(std::uint64_t index) const;

  /// A part of a level with two open sub-boards in which only the options differ: with it a number
  /// is put together from options alone.
  class Pairs {
   public:
    std::uint64_t index(std::uint32_t a, std::uint32_t b) const {
      const std::size_t group_a = a_->group_of(stance_a_, a), group_b = b_->group_of(stance_b_, b);
      const auto& right = (*groups_b_)[group_b];
      return first_ +
             static_cast<std::uint64_t>((*starts_)[group_a * groups_b_->size() + group_b]) +
             std::uint64_t{a - (*groups_a_)[group_a].first} * right.count + (b - right.first);
    }

   private:
    friend class LevelIndex;
    std::uint64_t first_ = 0;
    const BoardOptions *a_ = nullptr, *b_ = nullptr;
    Stance stance_a_ = 0, stance_b_ = 0;
    const std::vector<BoardOptions::Group>*groups_a_ = nullptr, *groups_b_ = nullptr;
    const std::vector<std::int64_t>* starts_ = nullptr;
  };
  /// Precondition: two open sub-boards; `need` as `Families::find` names it.
  Pairs pairs(std::uint32_t need, int lead, int size_a, int size_b, int constraint) const;

  /// One run of positions with two open sub-boards in which only the second option differs.
  struct Row {
    const Need* need = nullptr;
    int lead = 0, constraint = 0;
    std::array<std::uint8_t, 2> sizes{};
    std::array<Stance, 2> stances{};
    std::uint32_t a = 0, first_b = 0, count = 0;  // options
    std::size_t slab = 0;                         // rows with the same one differ in options only
  };
  /// The row from `index` on.
  Row row(std::uint64_t index) const;

 private:
  using Shares = std::array<std::uint8_t, kMaxOpen>;
  /// All positions that differ in their options only.
  struct Slab {
    std::uint64_t first = 0;
    std::uint32_t need = 0;
    std::int8_t lead = 0;
    std::uint8_t constraint = 0;
    std::uint16_t shares = 0;
  };
  /// The pairs of groups that fit, for two slots with given sizes and stances.
  struct PairLayout {
    std::uint64_t size = 0;
    std::vector<std::int64_t> first;     // of each pair of groups; -1 if it does not fit
    std::vector<std::uint32_t> fitting;  // pairs of groups, in order
  };

  LevelIndex(Ending ending, int empties, int open);
  void list_shares();
  void list_slabs();
  Stance stance(const Need& need, std::size_t slot) const {
    return static_cast<Stance>(need.wanted[slot] | (counted_ ? kCounted : 0));
  }
  std::size_t slab_number(std::uint32_t need, int lead, std::size_t shares, int constraint) const {
    const auto leads = static_cast<std::size_t>(counted_ ? 2 * open_ + 3 : 1);
    const auto lead_at = static_cast<std::size_t>(counted_ ? lead + open_ + 1 : 0);
    return ((need * leads + lead_at) * shares_.size() + shares) * constraints_ +
           static_cast<std::size_t>(open_ == 1 ? 0 : constraint);
  }
  const PairLayout& layout(const Need& need, const Shares& shares) const {
    return *layouts_[layout_key(need, shares)];
  }
  std::size_t layout_key(const Need& need, const Shares& shares) const {
    return (std::size_t{stance(need, 0)} * kStances + stance(need, 1)) * 10 + shares[0];
  }
  std::uint64_t options_of(const Slab& slab) const;
  void place_option(Reduced& out, std::size_t slot, Stance stance, int size,
                    std::size_t number) const;

  bool counted_;
  Ending ending_;
  int empties_, open_;
  std::size_t constraints_;
  const Families& families_;
  std::uint64_t size_ = 0;
  std::vector<Shares> shares_;
  std::vector<std::uint16_t> shares_at_;  // by the sizes as digits in base ten
  std::vector<Slab> slabs_;
  std::vector<std::unique_ptr<PairLayout>> layouts_;
};

/// The number of a reduced position, in the level it belongs to.
Place place_of(const Reduced& position);

}  // namespace kibitz::uttt
