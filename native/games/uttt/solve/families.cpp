#include "games/uttt/solve/families.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "base/bits.h"

namespace kibitz::uttt {
namespace {

/// Takes one slot out of a set and closes the gap.
Mask without_slot(Mask set, int slot) {
  const auto low = static_cast<Mask>((1u << slot) - 1);
  return static_cast<Mask>((set & low) | ((set >> 1) & ~low));
}

/// The families one player can have over the open boards, one for each set of boards it can win.
std::set<SetFamily> families_over(Mask open, Mask won) {
  std::set<SetFamily> families;
  for (Mask winnable = open;; winnable = static_cast<Mask>((winnable - 1) & open)) {
    SetFamily sets;
    for (const Mask line : kLines)
      if ((line & ~(won | winnable)) == 0)
        sets.push_back(static_cast<Mask>(packed_bits(line & ~won, open)));
    families.insert(smallest_sets(std::move(sets)));
    if (winnable == 0) return families;
  }
}

}  // namespace

template <int k>
const Families& Families::with() {
  // Only as many as are asked for: five slots take longer than all others together.
  const Families* fewer = nullptr;
  if constexpr (k > 1) fewer = &with<k - 1>();
  static const Families families(k, fewer);
  return families;
}

const Families& Families::of(int k) {
  static_assert(kMaxOpen == 5);
  switch (k) {
    case 1:
      return with<1>();
    case 2:
      return with<2>();
    case 3:
      return with<3>();
    case 4:
      return with<4>();
    default:
      return with<5>();
  }
}

Families::Families(int k, const Families* fewer) : k_(k) {
  Renumbering identity;
  std::iota(identity.to.begin(), identity.to.begin() + k, std::uint8_t{0});
  do {
    renumberings_.push_back(identity);
  } while (std::next_permutation(identity.to.begin(), identity.to.begin() + k));

  std::vector<std::pair<SetFamily, SetFamily>> pairs;
  collect_sets(pairs);
  link(fewer);
  classify(pairs);
}

SetFamily Families::renumbered(const SetFamily& sets, const Renumbering& how) const {
  SetFamily out;
  for (const Mask set : sets) {
    Mask moved = 0;
    for (unsigned slot = 0; slot < static_cast<unsigned>(k_); ++slot)
      moved |= static_cast<Mask>((set >> slot & 1) << how.to[slot]);
    out.push_back(moved);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Every pair of families some board has, whichever way its closed sub-boards were decided.
void Families::collect_sets(std::vector<std::pair<SetFamily, SetFamily>>& pairs) {
  std::set<std::pair<SetFamily, SetFamily>> distinct;
  std::map<std::pair<Mask, Mask>, std::set<SetFamily>> cache;
  const auto families = [&cache](Mask open, Mask won) -> const std::set<SetFamily>& {
    auto [at, fresh] = cache.try_emplace({open, won});
    if (fresh) at->second = families_over(open, won);
    return at->second;
  };
  for (Mask open = 0; open < 512; ++open) {
    if (std::popcount(open) != k_) continue;
    const auto shut = static_cast<Mask>(kFull & ~open);
    for (Mask x = shut;; x = static_cast<Mask>((x - 1) & shut)) {
      const auto rest = static_cast<Mask>(shut & ~x);
      for (Mask o = rest; !has_line(x); o = static_cast<Mask>((o - 1) & rest)) {
        if (!has_line(o))
          for (const auto& mine : families(open, x))
            for (const auto& theirs : families(open, o)) distinct.emplace(mine, theirs);
        if (o == 0) break;
      }
      if (x == 0) break;
    }
  }
  pairs.assign(distinct.begin(), distinct.end());
  // Closed under renumbering, so that a class's first member always has a number.
  std::set<SetFamily> all{SetFamily{}};
  for (const auto& [mine, theirs] : pairs)
    if (!all.count(mine))
      for (const auto& how : renumberings_) all.insert(renumbered(mine, how));
  for (unsigned set = 1; set < 32; ++set)
    for (unsigned larger = set + 1; larger < 32; ++larger)
      if ((set & larger) == set) holding_[set] |= 1u << larger;
  hashed_.resize(kHashed);
  for (const auto& sets : all) {
    const auto number = static_cast<FamilyId>(sets_.size());
    ids_[sets] = number;
    sets_.push_back(sets);
    std::uint32_t bits = 0;
    for (const Mask set : sets) bits |= 1u << set;
    std::size_t at = spread(bits);
    while (hashed_[at].bits != 1) at = (at + 1) % kHashed;
    hashed_[at] = {bits, number};
  }
}

void Families::link(const Families* fewer) {
  for (const SetFamily& sets : sets_) {
    Mask support = 0;
    for (const Mask set : sets) support |= set;
    support_.push_back(support);
    without_.emplace_back();
    closed_.emplace_back();
    for (int slot = 0; slot < k_; ++slot) {
      SetFamily kept, won;
      bool line = false;
      for (const Mask set : sets) {
        const bool has = (set >> slot & 1) != 0;
        if (!has) kept.push_back(set);
        won.push_back(without_slot(set, slot));
        line |= has && std::has_single_bit(set);
      }
      const auto at = static_cast<std::size_t>(slot);
      without_.back()[at] = id(kept);
      auto& closed = closed_.back()[at];
      if (k_ == 1) {
        closed = {0, line ? kLine : FamilyId{0}};
        continue;
      }
      for (Mask& set : kept) set = without_slot(set, slot);
      closed = {fewer->id(smallest_sets(kept)), line ? kLine : fewer->id(smallest_sets(won))};
    }
  }
}

void Families::classify(const std::vector<std::pair<SetFamily, SetFamily>>& pairs) {
  std::vector<std::vector<FamilyId>> moved;
  for (const auto& how : renumberings_) {
    moved.emplace_back();
    for (const SetFamily& sets : sets_) moved.back().push_back(id(renumbered(sets, how)));
  }
  const auto first_member = [&](FamilyId mine, FamilyId theirs) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < renumberings_.size(); ++i)
      if (std::pair(moved[i][mine], moved[i][theirs]) <
          std::pair(moved[best][mine], moved[best][theirs]))
        best = i;
    return best;
  };
  std::set<std::pair<FamilyId, FamilyId>> firsts;
  for (const auto& [mine, theirs] : pairs) {
    const FamilyId a = id(mine), b = id(theirs);
    const std::size_t how = first_member(a, b);
    firsts.emplace(moved[how][a], moved[how][b]);
  }
  matches_.assign(size() * size(), Match{});
  for (const auto& [a, b] : firsts) {
    Need need{a, b, {}};
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(k_); ++slot)
      need.wanted[slot] =
          static_cast<std::uint8_t>((support_[a] >> slot & 1) | (support_[b] >> slot & 1) << 1);
    const auto number = static_cast<std::uint16_t>(needs_.size());
    needs_.push_back(need);
    // The inverse of each renumbering leads from the member back to the first.
    for (std::size_t i = 0; i < renumberings_.size(); ++i) {
      Match& match = matches_[std::size_t{moved[i][a]} * size() + moved[i][b]];
      if (match.need != Match::kNone) continue;
      Renumbering inverse;
      for (std::size_t slot = 0; slot < static_cast<std::size_t>(k_); ++slot)
        inverse.to[renumberings_[i].to[slot]] = static_cast<std::uint8_t>(slot);
      const auto at = std::find_if(renumberings_.begin(), renumberings_.end(),
                                   [&](const Renumbering& r) { return r.to == inverse.to; });
      match = {number, static_cast<std::uint16_t>(at - renumberings_.begin())};
    }
  }
}

}  // namespace kibitz::uttt
