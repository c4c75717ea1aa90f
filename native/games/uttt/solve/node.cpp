#include "games/uttt/solve/node.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kibitz::uttt {

const SearchTables& SearchTables::get() {
  static const SearchTables tables;
  return tables;
}

SearchTables::SearchTables() {
  for (unsigned mask = 0; mask < 512; ++mask)
    for (unsigned cell = 0, power = 1; cell < 9; ++cell, power *= 3)
      if (mask >> cell & 1) ternary_[mask] = static_cast<std::uint16_t>(ternary_[mask] + power);

  std::map<SetFamily, std::uint16_t> needs;
  need_.assign(19683, 0);
  for (Mask won = 0; won < 512; ++won) {
    const auto rest = static_cast<Mask>(kFull & ~won);
    for (Mask winnable = rest;; winnable = static_cast<Mask>((winnable - 1) & rest)) {
      SetFamily sets;
      for (const Mask line : kLines)
        if ((line & ~(won | winnable)) == 0) sets.push_back(static_cast<Mask>(line & ~won));
      sets = smallest_sets(std::move(sets));
      const auto [at, fresh] = needs.try_emplace(sets, static_cast<std::uint16_t>(needs.size()));
      if (fresh) {
        Mask wanted = 0;
        for (const Mask set : sets) wanted |= set;
        wanted_.push_back(wanted);
      }
      need_[ternary_[winnable] + 2u * ternary_[won]] = at->second;
      if (winnable == 0) break;
    }
  }

  const auto& classes = ThreatClasses::get();
  std::map<std::tuple<Mask, SetFamily, SetFamily>, std::uint16_t> names;
  for (std::size_t id = 0; id < classes.size(); ++id) {
    const ThreatClass& c = classes[static_cast<ClassId>(id)];
    names_.emplace_back();
    for (unsigned wanting = 0; wanting < 4; ++wanting) {
      auto sets = c.sets;
      for (std::size_t player = 0; player < 2; ++player)
        if (!(wanting >> player & 1) && sets[player] == SetFamily{c.empty}) sets[player].clear();
      names_.back()[wanting] = names
                                   .try_emplace({c.empty, sets[0], sets[1]},
                                                static_cast<std::uint16_t>(names.size() + 1))
                                   .first->second;
    }
    for (std::size_t player = 0; player < 2; ++player) {
      int least = 30;
      Mask winning = 0;
      for (const Mask set : c.sets[player]) {
        least = std::min(least, std::popcount(set));
        if (std::has_single_bit(set)) winning |= set;
      }
      to_win_[player].push_back(static_cast<std::uint8_t>(least));
      winning_[player].push_back(winning);
    }
  }
}

SearchKey SearchNode::key() const {
  const auto& tables = SearchTables::get();
  const std::uint16_t x = tables.need(won[0], winnable[0]), o = tables.need(won[1], winnable[1]);
  // Where every sub-board counts, everybody wants all of them.
  const unsigned wanted_x = counted ? kFull : tables.wanted(x);
  const unsigned wanted_o = counted ? kFull : tables.wanted(o);
  std::array<std::uint64_t, 9> names{};
  for (std::size_t b = 0; b < 9; ++b)
    if (open >> b & 1)
      names[b] = tables.name(boards[b], (wanted_x >> b & 1) | (wanted_o >> b & 1) << 1);
  SearchKey key;
  key.words[0] = names[0] | names[1] << 16 | names[2] << 32 | names[3] << 48;
  key.words[1] = names[4] | names[5] << 16 | names[6] << 32 | names[7] << 48;
  const int lead = counted ? std::popcount(won[0]) - std::popcount(won[1]) + 16 : 0;
  key.words[2] = names[8] | std::uint64_t{x} << 16 | std::uint64_t{o} << 32 |
                 std::uint64_t{constraint} << 48 | std::uint64_t{side} << 52 |
                 static_cast<std::uint64_t>(lead) << 53;
  return key;
}

}  // namespace kibitz::uttt
