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

#include "solve/uttt_reduced.h"

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
