// An army's set-up: what is allowed, what is wrong with one that is not, random and named ones.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/sentence.h"
#include "games/junqi/kinds.h"
#include "games/junqi/nodes.h"

namespace kibitz::junqi {

/// The 25 set-up places of an arm in row order, camps left out: a piece's place is its identity.
inline constexpr std::array<std::uint8_t, kArmy> kPlaces = [] {
  std::array<std::uint8_t, kArmy> places{};
  std::size_t count = 0;
  for (int local = 0; local < kArmNodes; ++local)
    if (!is_camp(local)) places[count++] = static_cast<std::uint8_t>(local);
  return places;
}();

/// The kinds the set-up rules allow at a place (0 to 24).
constexpr KindSet kinds_allowed(int place) {
  const int local = kPlaces[static_cast<std::size_t>(place)];
  KindSet kinds = kAllKinds;
  if (!is_headquarters(local)) kinds &= static_cast<KindSet>(~set_of(Kind::kFlag));
  if (row_of(local) < 5) kinds &= static_cast<KindSet>(~set_of(Kind::kMine));
  if (row_of(local) == 1) kinds &= static_cast<KindSet>(~set_of(Kind::kBomb));
  return kinds;
}

using Layout = std::array<Kind, kArmy>;

/// Everything that is wrong with a layout; empty when it is legal.
std::vector<Sentence> layout_faults(const Layout& layout);

/// The first fault, for the message of an exception.
std::string fault_text(const std::vector<Sentence>& faults);

/// Six rows from the front, left to right, camps `-`: `91534/6-2-B/...`. `parse_layout` reads it
/// back (also without slashes or camps) and throws std::invalid_argument; it does not check the
/// rules.
std::string layout_text(const Layout& layout);
Layout parse_layout(std::string_view text);

/// The same set-up seen in a mirror: columns 1 and 5, 2 and 4 change places.
Layout mirrored(const Layout& layout);

/// A legal layout, every kind placed at random within the rules.
Layout random_layout(Rng& rng);

/// A dozen layouts of our own, by name.
const std::vector<std::pair<std::string, Layout>>& named_layouts();

}  // namespace kibitz::junqi
