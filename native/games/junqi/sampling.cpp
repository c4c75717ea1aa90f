// Sampling complete assignments: one that fits is found by search with propagation, then a random
// walk exchanges kinds inside armies.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/index.h"
#include "games/junqi/beliefs.h"

namespace kibitz::junqi {
namespace {}  // namespace

bool Beliefs::first_from(Rng& rng, const Domains& domains, long& steps, Assignment& out) const {
  // The unit with the fewest kinds, at random among equals, so that starts differ.
  int chosen = -1, fewest = 99, ties = 0;
  for (const int group : open_groups_)
    for (const int unit : open_[as_index(group)]) {
      const int size = std::popcount(domains[as_index(unit)]);
      if (size == 1 || size > fewest) continue;
      ties = size < fewest ? 1 : ties + 1;
      fewest = size;
      if (rng.below(static_cast<std::uint32_t>(ties)) == 0) chosen = unit;
    }
  if (chosen < 0) {
    for (std::size_t i = 0; i < domains.size(); ++i)
      out[i] = static_cast<Kind>(std::countr_zero(domains[i]));
    return true;
  }
  KindSet left = domains[as_index(chosen)];
  while (left) {
    if (--steps < 0) return false;
    double total = 0;
    for (int k = 0; k < kKinds; ++k)
      if (left >> k & 1) total += units_[as_index(chosen)].weight[as_index(k)];
    double ticket = rng.unit() * total;
    int pick = std::countr_zero(left);
    for (int k = 0; k < kKinds; ++k) {
      if (!(left >> k & 1)) continue;
      pick = k;
      ticket -= units_[as_index(chosen)].weight[as_index(k)];
      if (ticket < 0) break;
    }
    left &= static_cast<KindSet>(~(1u << pick));
    Domains next = domains;
    next[as_index(chosen)] = static_cast<KindSet>(1u << pick);
    if (narrow(next, 1u << units_[as_index(chosen)].group) && first_from(rng, next, steps, out))
      return true;
  }
  return false;
}

bool Beliefs::first(Rng& rng, Assignment& out) const {
  out.assign(units_.size(), Kind::kUnknown);
  // A start that gets lost is given up for another; what is possible at all is found sooner or
  // later.
  for (int attempt = 0; attempt < 40; ++attempt) {
    long steps = 200L << std::min(attempt, 8);
    if (first_from(rng, domains_, steps, out)) return true;
  }
  return false;
}

void Beliefs::exchange_two(Rng& rng, Assignment& kinds, int a, int b) const {
  const Kind of_a = kinds[as_index(a)], of_b = kinds[as_index(b)];
  if (of_a == of_b || !(domains_[as_index(a)] & set_of(of_b)) ||
      !(domains_[as_index(b)] & set_of(of_a)))
    return;
  const auto i = static_cast<std::size_t>(of_a), j = static_cast<std::size_t>(of_b);
  const auto &in_a = units_[as_index(a)].weight, &in_b = units_[as_index(b)].weight;
  const double before = in_a[i] * in_b[j], after = in_a[j] * in_b[i];
  if (after < before && rng.unit() * before >= after) return;
  std::swap(kinds[as_index(a)], kinds[as_index(b)]);
  if (!agrees(a, kinds) || !agrees(b, kinds)) std::swap(kinds[as_index(a)], kinds[as_index(b)]);
}

void Beliefs::walk(Rng& rng, Assignment& kinds, int steps) const {
  const auto random_unit = [&](int group) {
    const auto& units = open_[as_index(group)];
    return units[rng.below(static_cast<std::uint32_t>(units.size()))];
  };
  for (int step = 0; step < steps; ++step) {
    // A proposal is one or two exchanges; each is as likely as its reverse.
    std::array<int, 6> touched{};
    int count = 0;
    double ratio = 1.0;
    const auto exchange = [&](int a, int b) {
      std::swap(kinds[as_index(a)], kinds[as_index(b)]);
      touched[as_index(count++)] = a;
      touched[as_index(count++)] = b;
    };
    const auto before = [&](int unit) {
      ratio /= units_[as_index(unit)].weight[static_cast<std::size_t>(kinds[as_index(unit)])];
    };
    const std::uint32_t type = rng.below(8);
    int a, b, c = -1, d = -1;
    if (type == 0 && !open_clashes_.empty()) {
      // Both sides of a battle change at once: alone, neither may be able to.
      const Clash& clash = clashes_[as_index(
          open_clashes_[rng.below(static_cast<std::uint32_t>(open_clashes_.size()))])];
      a = clash.attacker;
      c = clash.defender;
      b = random_unit(units_[as_index(a)].group);
      d = random_unit(units_[as_index(c)].group);
    } else {
      const int group = open_groups_[rng.below(static_cast<std::uint32_t>(open_groups_.size()))];
      a = random_unit(group);
      b = random_unit(group);
      if (type != 1) {  // most proposals: two pieces, and most of these are refused
        exchange_two(rng, kinds, a, b);
        continue;
      }
      c = b;  // three pieces in a circle
      d = random_unit(group);
      if (d == a) continue;
    }
    if (a == b || (c >= 0 && c == d)) continue;
    const int involved[4] = {a, b, c, d};
    for (int i = 0; i < 4; ++i) {
      const int unit = involved[i];
      if (unit < 0) continue;
      if (i >= 2 && (unit == a || unit == b)) continue;
      before(unit);
    }
    exchange(a, b);
    if (c >= 0) exchange(c, d);
    bool fine = true;
    for (int i = 0; i < 4 && fine; ++i) {
      const int unit = involved[i];
      if (unit < 0 || (i >= 2 && (unit == a || unit == b))) continue;
      const Kind kind = kinds[as_index(unit)];
      fine = (domains_[as_index(unit)] & set_of(kind)) != 0;
      ratio *= units_[as_index(unit)].weight[static_cast<std::size_t>(kind)];
    }
    for (int i = 0; i < 4 && fine; ++i)
      if (involved[i] >= 0) fine = agrees(involved[i], kinds);
    if (fine && (ratio >= 1.0 || rng.unit() < ratio)) continue;
    for (int i = count - 2; i >= 0; i -= 2)
      std::swap(kinds[as_index(touched[as_index(i)])], kinds[as_index(touched[as_index(i + 1)])]);
  }
}

std::vector<Sample> Beliefs::sample(Rng& rng, int count, int stride, int restarts) const {
  std::vector<Sample> out;
  Assignment kinds;
  const int each = std::max(1, (count + restarts - 1) / restarts);
  while (static_cast<int>(out.size()) < count) {
    if (static_cast<int>(out.size()) % each == 0) {
      if (!first(rng, kinds)) return {};
      if (!open_groups_.empty()) walk(rng, kinds, 4 * stride);
    } else if (!open_groups_.empty()) {
      walk(rng, kinds, stride);
    }
    Sample sample{kinds, 0};
    for (const int group : open_groups_)
      for (const int unit : open_[as_index(group)])
        sample.log_weight += std::log(
            units_[as_index(unit)].weight[static_cast<std::size_t>(kinds[as_index(unit)])]);
    out.push_back(std::move(sample));
  }
  return out;
}

Marginals marginals_of(const std::vector<Sample>& samples) {
  Marginals out(samples.empty() ? 0 : samples[0].kinds.size());
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, samples.size()));
  for (const Sample& sample : samples)
    for (std::size_t i = 0; i < sample.kinds.size(); ++i)
      out[i][static_cast<std::size_t>(sample.kinds[i])] += share;
  return out;
}

}  // namespace kibitz::junqi
