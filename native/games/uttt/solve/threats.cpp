#include "games/uttt/solve/threats.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kibitz::uttt {
namespace {

SetFamily threats(Mask mine, Mask theirs) {
  SetFamily sets;
  for (const Mask line : kLines)
    if ((line & theirs) == 0) sets.push_back(static_cast<Mask>(line & ~mine));
  return smallest_sets(std::move(sets));
}

}  // namespace

SetFamily smallest_sets(SetFamily sets) {
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  SetFamily kept;
  for (const Mask set : sets) {
    const bool held = std::any_of(sets.begin(), sets.end(), [set](Mask other) {
      return other != set && (other & set) == other;
    });
    if (!held) kept.push_back(set);
  }
  return kept;
}

const ThreatClasses& ThreatClasses::get() {
  static const ThreatClasses classes;
  return classes;
}

ThreatClasses::ThreatClasses() {
  for (unsigned mask = 0; mask < 512; ++mask) {
    unsigned power = 1;
    for (unsigned cell = 0; cell < 9; ++cell, power *= 3)
      if (mask >> cell & 1) ternary_[mask] = static_cast<std::uint16_t>(ternary_[mask] + power);
  }
  of_.assign(19683, kClosedFull);
  std::map<std::tuple<Mask, SetFamily, SetFamily>, ClassId> ids;
  std::vector<std::pair<Mask, Mask>> examples;
  for (Mask x = 0; x < 512; ++x) {
    for (Mask o = 0; o < 512; ++o) {
      if ((x & o) || (x | o) == kFull || has_line(x) || has_line(o)) continue;
      const auto empty = static_cast<Mask>(kFull & ~(x | o));
      auto key = std::make_tuple(empty, threats(x, o), threats(o, x));
      const auto [at, fresh] = ids.try_emplace(key, static_cast<ClassId>(ids.size()));
      of_[ternary_[x] + 2u * ternary_[o]] = at->second;
      if (!fresh) continue;
      classes_.push_back({empty, {std::get<1>(key), std::get<2>(key)}, 0});
      examples.emplace_back(x, o);
    }
  }
  after_.resize(size());
  for (std::size_t id = 0; id < size(); ++id) {
    ThreatClass& c = classes_[id];
    const auto [x, o] = examples[id];
    c.swapped = of(o, x);
    winnable_.push_back(
        static_cast<std::uint8_t>((c.sets[0].empty() ? 0 : 1) | (c.sets[1].empty() ? 0 : 2)));
    swapped_.push_back(c.swapped);
    empty_.push_back(c.empty);
    for (std::size_t cell = 0; cell < 9; ++cell) {
      after_[id][0][cell] = after_[id][1][cell] = kClosedFull;
      if (!(c.empty >> cell & 1)) continue;
      for (std::size_t player = 0; player < 2; ++player) {
        const auto bit = static_cast<Mask>(1u << cell);
        const Mask nx = player == 0 ? x | bit : x, no = player == 1 ? o | bit : o;
        if (has_line(player == 0 ? nx : no))
          after_[id][player][cell] = kClosedWon;
        else if ((nx | no) != kFull)
          after_[id][player][cell] = of(nx, no);
      }
    }
  }
}

}  // namespace kibitz::uttt
