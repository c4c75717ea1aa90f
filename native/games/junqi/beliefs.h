// What hidden pieces can be: sets of kinds narrowed to a fixed point, marginals, and samples of
// complete assignments that contradict nothing.
//
// The problem is plain numbers, so that small ones can be checked against brute force: units
// (pieces) in groups (armies), what each may be with a weight for each kind, an inventory for each
// group, and battles between units. An assignment's weight is the product of its units' weights.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "games/junqi/kinds.h"

namespace kibitz::junqi {

struct Unit {
  int group = 0;
  KindSet possible = kAllKinds;
  std::array<double, kKinds> weight{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
};

struct Clash {
  int attacker, defender;  // units
  Outcome outcome;
};

using Inventory = std::array<int, kKinds>;
using Assignment = std::vector<Kind>;
using Marginals = std::vector<std::array<double, kKinds>>;

struct Sample {
  Assignment kinds;
  double log_weight = 0;  // of the product of weights
};

class Beliefs {
 public:
  Beliefs(std::vector<Unit> units, std::vector<Inventory> inventories, std::vector<Clash> clashes);

  /// Narrows every unit's kinds until nothing changes: battles pair by pair, inventories by
  /// matching. False when nothing fits any more.
  bool propagate();
  int size() const { return static_cast<int>(units_.size()); }
  KindSet possible(int unit) const { return domains_[static_cast<std::size_t>(unit)]; }
  const std::vector<Unit>& units() const { return units_; }

  /// Marginals by listing every assignment, if that takes at most `most` steps; narrows the sets to
  /// what really occurs. False when there are too many (or none).
  bool exact(Marginals& out, long most);

  /// `count` assignments from a random walk over all that fit, `stride` steps apart, started anew
  /// `restarts` times. They are distributed by weight, so a plain mean over them is the
  /// expectation. Empty when nothing fits.
  std::vector<Sample> sample(Rng& rng, int count, int stride, int restarts) const;

  /// Does a complete assignment obey everything?
  bool fits(const Assignment& kinds) const;

 private:
  using Domains = std::vector<KindSet>;
  /// From domains that only the `groups` (one bit each) were changed in since they were narrow.
  bool narrow(Domains& domains, std::uint32_t groups) const;
  bool narrow_group(Domains& domains, int group, bool& changed) const;
  bool first(Rng& rng, Assignment& out) const;
  bool first_from(Rng& rng, const Domains& domains, long& steps, Assignment& out) const;
  bool agrees(int unit, const Assignment& kinds) const;
  /// A step of the walk: the two exchange their kinds if that fits, by the chance of their weights.
  void exchange_two(Rng& rng, Assignment& kinds, int a, int b) const;
  void walk(Rng& rng, Assignment& kinds, int steps) const;

  std::vector<Unit> units_;
  std::vector<Inventory> inventories_;
  std::vector<Clash> clashes_;
  Domains domains_;
  std::vector<std::vector<int>> members_;  // units of a group
  std::vector<std::vector<int>> fought_;   // clashes of a unit
  std::vector<std::vector<int>> open_;     // units of a group with a choice left
  std::vector<int> open_groups_, open_clashes_;
};

Marginals marginals_of(const std::vector<Sample>& samples);

}  // namespace kibitz::junqi
