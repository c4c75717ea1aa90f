#include "games/junqi/layout.h"

#include <algorithm>
#include <stdexcept>

namespace kibitz::junqi {
namespace {

Sentence at_place(const char* code, int place) {
  const int local = kPlaces[static_cast<std::size_t>(place)];
  return {code,
          {{"row", std::to_string(row_of(local))}, {"column", std::to_string(column_of(local))}}};
}

}  // namespace

std::vector<Sentence> layout_faults(const Layout& layout) {
  std::vector<Sentence> faults;
  std::array<int, kKinds> counts{};
  for (int place = 0; place < kArmy; ++place) {
    const Kind kind = layout[static_cast<std::size_t>(place)];
    if (kind == Kind::kUnknown) {
      faults.push_back(at_place("junqi.emptyPlace", place));
      continue;
    }
    ++counts[static_cast<std::size_t>(kind)];
    if (set_of(kind) & kinds_allowed(place)) continue;
    if (kind == Kind::kFlag) faults.push_back(at_place("junqi.flagMisplaced", place));
    if (kind == Kind::kMine) faults.push_back(at_place("junqi.mineMisplaced", place));
    if (kind == Kind::kBomb) faults.push_back(at_place("junqi.bombMisplaced", place));
  }
  for (int k = 0; k < kKinds; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (counts[i] != kInventory[i])
      faults.push_back({"junqi.wrongCount",
                        {{"count", std::to_string(counts[i])},
                         {"kind", std::string(kind_name(static_cast<Kind>(k)))},
                         {"expected", std::to_string(kInventory[i])}}});
  }
  return faults;
}

std::string fault_text(const std::vector<Sentence>& faults) {
  std::string out = "not a legal layout";
  for (const auto& [name, value] : faults.front().values) out += " " + name + "=" + value;
  return out;
}

std::string layout_text(const Layout& layout) {
  std::string out;
  int place = 0;
  for (int local = 0; local < kArmNodes; ++local) {
    if (local && local % 5 == 0) out += '/';
    out += is_camp(local) ? '-' : kind_letter(layout[static_cast<std::size_t>(place++)]);
  }
  return out;
}

Layout parse_layout(std::string_view text) {
  Layout layout;
  std::size_t place = 0;
  for (const char letter : text) {
    if (letter == '/' || letter == '-' || letter == ' ' || letter == '\n' || letter == '\r')
      continue;
    const auto kind = kind_of_letter(letter);
    if (!kind)
      throw std::invalid_argument("a layout has no " + quoted({&letter, 1}) +
                                  ", expected F M B and 9 (commander) to 1 (engineer)");
    if (place == kArmy) throw std::invalid_argument("a layout has 25 pieces, this one has more");
    layout[place++] = *kind;
  }
  if (place != kArmy)
    throw std::invalid_argument("a layout has 25 pieces, this one has " + std::to_string(place));
  return layout;
}

Layout mirrored(const Layout& layout) {
  std::array<Kind, kArmNodes> grid;
  grid.fill(Kind::kUnknown);
  for (std::size_t place = 0; place < kArmy; ++place) grid[kPlaces[place]] = layout[place];
  Layout out;
  for (std::size_t place = 0; place < kArmy; ++place) {
    const int local = kPlaces[place];
    out[place] = grid[static_cast<std::size_t>(local / 5 * 5 + 4 - local % 5)];
  }
  return out;
}

Layout random_layout(Rng& rng) {
  Layout layout;
  layout.fill(Kind::kUnknown);
  // The kinds with the fewest places first; after them anything fits anywhere.
  for (const Kind kind : {Kind::kFlag, Kind::kMine, Kind::kBomb}) {
    for (int n = kInventory[static_cast<std::size_t>(kind)]; n > 0; --n) {
      std::array<int, kArmy> open;
      int count = 0;
      for (int place = 0; place < kArmy; ++place)
        if (layout[static_cast<std::size_t>(place)] == Kind::kUnknown &&
            (kinds_allowed(place) & set_of(kind)))
          open[static_cast<std::size_t>(count++)] = place;
      const auto pick = rng.below(static_cast<std::uint32_t>(count));
      layout[static_cast<std::size_t>(open[pick])] = kind;
    }
  }
  std::vector<Kind> rest;
  for (int k = static_cast<int>(Kind::kCommander); k < kKinds; ++k)
    rest.insert(rest.end(), static_cast<std::size_t>(kInventory[static_cast<std::size_t>(k)]),
                static_cast<Kind>(k));
  for (std::size_t i = rest.size(); i > 1; --i)
    std::swap(rest[i - 1], rest[rng.below(static_cast<std::uint32_t>(i))]);
  for (auto& kind : layout)
    if (kind == Kind::kUnknown) {
      kind = rest.back();
      rest.pop_back();
    }
  return layout;
}

const std::vector<std::pair<std::string, Layout>>& named_layouts() {
  static const auto layouts = [] {
    // Front row first. The names say what the set-up is for.
    const std::pair<const char*, const char*> texts[] = {
        {"spear-left", "91576/3-1-2/8B-B5/4-3-1/M7224/MFM36"},
        {"spear-right", "61519/7-1-2/3B-B8/2-4-3/6M745/3M2FM"},
        {"twin-towers", "71217/8-1-9/B5-B6/4-3-5/6M423/MFM32"},
        {"fortress", "51316/7-1-7/4B-B5/6-2-9/8MM23/4F2M3"},
        {"gate", "61317/9-1-5/B4-B7/8-2-6/5M3M4/MF322"},
        {"lance", "91248/7-1-5/6B-B3/7-1-6/5M2M4/MF332"},
        {"anvil", "73157/6-1-6/9B-B8/4-1-5/2M2M4/MF332"},
        {"decoy", "71518/6-1-7/9B-B6/3-4-5/2M224/M3MF3"},
        {"hornets", "51415/6-1-7/8B-B9/7-2-6/3M2M4/MF332"},
        {"tide", "87697/5-1-5/6B-B4/1-1-2/4M2M3/MF332"},
        {"crossfire", "61716/5-1-5/B9-8B/7-2-4/3M3M4/MF322"},
        {"lantern", "91615/7-1-7/3B-B8/5-2-6/4M3M4/3FM22"},
    };
    std::vector<std::pair<std::string, Layout>> out;
    for (const auto& [name, text] : texts) out.emplace_back(name, parse_layout(text));
    return out;
  }();
  return layouts;
}

}  // namespace kibitz::junqi
