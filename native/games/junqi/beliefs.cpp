#include "games/junqi/beliefs.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

/// partners[outcome][kind]: defenders an attacker of this kind can have met; and the reverse.
struct Partners {
  std::array<std::array<KindSet, kKinds>, 4> defenders{}, attackers{};
  Partners() {
    for (int a = 0; a < kKinds; ++a)
      for (int d = 0; d < kKinds; ++d) {
        if (!is_mobile(static_cast<Kind>(a))) continue;
        const auto outcome =
            static_cast<std::size_t>(battle(static_cast<Kind>(a), static_cast<Kind>(d)));
        defenders[outcome][as_index(a)] |= set_of(static_cast<Kind>(d));
        attackers[outcome][as_index(d)] |= set_of(static_cast<Kind>(a));
      }
  }
};
const Partners kPartners;

KindSet supported(KindSet kinds, KindSet others, const std::array<KindSet, kKinds>& partners) {
  KindSet out = 0;
  for (KindSet rest = kinds; rest; rest &= static_cast<KindSet>(rest - 1)) {
    const int k = std::countr_zero(rest);
    if (partners[as_index(k)] & others) out |= static_cast<KindSet>(1u << k);
  }
  return out;
}

/// Assigns the units of a group to the kinds of its inventory by augmenting paths.
struct Matching {
  const std::vector<int>& units;
  const std::vector<KindSet>& domains;
  const Inventory& inventory;
  std::vector<int> kind_of;
  std::array<int, kKinds> used{};
  KindSet visited = 0;

  bool place(int i) {
    for (KindSet rest = domains[as_index(units[as_index(i)])] & static_cast<KindSet>(~visited);
         rest; rest = domains[as_index(units[as_index(i)])] & static_cast<KindSet>(~visited)) {
      const int k = std::countr_zero(rest);
      visited |= static_cast<KindSet>(1u << k);
      if (used[as_index(k)] < inventory[as_index(k)]) {
        ++used[as_index(k)];
        kind_of[as_index(i)] = k;
        return true;
      }
      for (std::size_t other = 0; other < units.size(); ++other)
        if (kind_of[other] == k && place(static_cast<int>(other))) {
          kind_of[as_index(i)] = k;
          return true;
        }
    }
    return false;
  }
};

}  // namespace

Beliefs::Beliefs(std::vector<Unit> units, std::vector<Inventory> inventories,
                 std::vector<Clash> clashes)
    : units_(std::move(units)),
      inventories_(std::move(inventories)),
      clashes_(std::move(clashes)),
      members_(inventories_.size()),
      fought_(units_.size()),
      open_(inventories_.size()) {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    members_[as_index(units_[i].group)].push_back(static_cast<int>(i));
    domains_.push_back(units_[i].possible);
  }
  for (std::size_t c = 0; c < clashes_.size(); ++c) {
    fought_[as_index(clashes_[c].attacker)].push_back(static_cast<int>(c));
    fought_[as_index(clashes_[c].defender)].push_back(static_cast<int>(c));
  }
}

bool Beliefs::narrow_group(Domains& domains, int group, bool& changed) const {
  const auto& units = members_[as_index(group)];
  Matching matching{units, domains, inventories_[as_index(group)],
                    std::vector<int>(units.size(), -1)};
  for (std::size_t i = 0; i < units.size(); ++i) {
    matching.visited = 0;
    if (!matching.place(static_cast<int>(i))) return false;
  }
  // Every kind is used up, so a unit can be of kind k exactly when the unit that has k now can give
  // it away along a circle of exchanges: k leads to the kind this unit holds.
  std::array<KindSet, kKinds> leads{};
  for (std::size_t i = 0; i < units.size(); ++i)
    leads[as_index(matching.kind_of[i])] |= domains[as_index(units[i])];
  for (int via = 0; via < kKinds; ++via)
    for (int k = 0; k < kKinds; ++k)
      if (leads[as_index(k)] >> via & 1) leads[as_index(k)] |= leads[as_index(via)];
  for (std::size_t i = 0; i < units.size(); ++i) {
    KindSet& domain = domains[as_index(units[i])];
    const int own = matching.kind_of[i];
    KindSet left = static_cast<KindSet>(1u << own);
    for (int k = 0; k < kKinds; ++k)
      if ((domain >> k & 1) && (leads[as_index(k)] >> own & 1))
        left |= static_cast<KindSet>(1u << k);
    if (left != domain) {
      domain = left;
      changed = true;
    }
  }
  return true;
}

bool Beliefs::narrow(Domains& domains, std::uint32_t groups) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Clash& clash : clashes_) {
      KindSet& a = domains[as_index(clash.attacker)];
      KindSet& d = domains[as_index(clash.defender)];
      const auto which = static_cast<std::size_t>(clash.outcome);
      const KindSet new_a = supported(a, d, kPartners.defenders[which]);
      const KindSet new_d = supported(d, new_a, kPartners.attackers[which]);
      if (!new_a || !new_d) return false;
      if (new_a != a) groups |= 1u << units_[as_index(clash.attacker)].group;
      if (new_d != d) groups |= 1u << units_[as_index(clash.defender)].group;
      changed = changed || new_a != a || new_d != d;
      a = new_a;
      d = new_d;
    }
    for (std::uint32_t rest = groups; rest; rest &= rest - 1)
      if (!narrow_group(domains, std::countr_zero(rest), changed)) return false;
    groups = 0;  // one that its matching narrowed has nothing more to give by itself
  }
  return true;
}

bool Beliefs::propagate() {
  if (!narrow(domains_, (1u << members_.size()) - 1)) return false;
  open_groups_.clear();
  open_clashes_.clear();
  for (std::size_t group = 0; group < members_.size(); ++group) {
    open_[group].clear();
    for (const int unit : members_[group])
      if (!std::has_single_bit(domains_[as_index(unit)])) open_[group].push_back(unit);
    if (!open_[group].empty()) open_groups_.push_back(static_cast<int>(group));
  }
  for (std::size_t c = 0; c < clashes_.size(); ++c)
    if (!std::has_single_bit(domains_[as_index(clashes_[c].attacker)]) &&
        !std::has_single_bit(domains_[as_index(clashes_[c].defender)]))
      open_clashes_.push_back(static_cast<int>(c));
  return true;
}

bool Beliefs::agrees(int unit, const Assignment& kinds) const {
  for (const int c : fought_[as_index(unit)]) {
    const Clash& clash = clashes_[as_index(c)];
    const Kind a = kinds[as_index(clash.attacker)], d = kinds[as_index(clash.defender)];
    if (a == Kind::kUnknown || d == Kind::kUnknown) continue;
    if (!is_mobile(a) || battle(a, d) != clash.outcome) return false;
  }
  return true;
}

bool Beliefs::fits(const Assignment& kinds) const {
  auto left = inventories_;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (kinds[i] == Kind::kUnknown || !(units_[i].possible & set_of(kinds[i]))) return false;
    --left[as_index(units_[i].group)][static_cast<std::size_t>(kinds[i])];
    if (!agrees(static_cast<int>(i), kinds)) return false;
  }
  return std::all_of(left.begin(), left.end(), [](const Inventory& inventory) {
    return std::all_of(inventory.begin(), inventory.end(), [](int n) { return n == 0; });
  });
}

bool Beliefs::exact(Marginals& out, long most) {
  Assignment kinds(units_.size(), Kind::kUnknown);
  auto left = inventories_;
  out.assign(units_.size(), {});
  double total = 0;
  long steps = 0;
  const auto list = [&](auto&& self, std::size_t i, double weight) -> bool {
    if (++steps > most) return false;
    if (i == units_.size()) {
      total += weight;
      for (std::size_t j = 0; j < units_.size(); ++j)
        out[j][static_cast<std::size_t>(kinds[j])] += weight;
      return true;
    }
    for (KindSet rest = domains_[i]; rest; rest &= static_cast<KindSet>(rest - 1)) {
      const int k = std::countr_zero(rest);
      int& stock = left[as_index(units_[i].group)][as_index(k)];
      if (stock == 0) continue;
      kinds[i] = static_cast<Kind>(k);
      if (agrees(static_cast<int>(i), kinds)) {
        --stock;
        const bool finished = self(self, i + 1, weight * units_[i].weight[as_index(k)]);
        ++stock;
        if (!finished) return false;
      }
    }
    kinds[i] = Kind::kUnknown;
    return true;
  };
  if (!list(list, 0, 1.0) || total <= 0) return false;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    KindSet seen = 0;
    for (int k = 0; k < kKinds; ++k) {
      if (out[i][as_index(k)] > 0) seen |= static_cast<KindSet>(1u << k);
      out[i][as_index(k)] /= total;
    }
    domains_[i] = seen;
  }
  return true;
}

}  // namespace kibitz::junqi
