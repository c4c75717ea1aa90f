#include "games/uttt/solve/shapes.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <numeric>

#include "base/bits.h"

namespace kibitz::uttt {
namespace {

SetFamily moved(const SetFamily& sets, const std::array<std::uint8_t, 9>& place) {
  SetFamily out;
  for (const Mask set : sets) {
    Mask at = 0;
    for (std::uint32_t left = set; left != 0; left &= left - 1)
      at |= static_cast<Mask>(1u << place[static_cast<std::size_t>(std::countr_zero(left))]);
    out.push_back(at);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// What of a cell no exchange of cells can change: marked or not, and the sizes of its threat sets.
std::uint64_t look_of(int cell, Mask labelled, const std::array<SetFamily, 2>& sets) {
  std::uint64_t look = labelled >> cell & 1 ? 0 : 1;
  for (const SetFamily& family : sets) {
    std::array<unsigned, 4> sizes{};
    for (const Mask set : family)
      if (set >> cell & 1) ++sizes[static_cast<std::size_t>(std::popcount(set))];
    look = look << 12 | sizes[1] << 8 | sizes[2] << 4 | sizes[3];
  }
  return look;
}

}  // namespace

const Shapes& Shapes::get() {
  static const Shapes shapes;
  return shapes;
}

Shapes::Shapes() {
  const auto& classes = ThreatClasses::get();
  base_.resize(classes.size());
  // First every class as it is, so that a shape's example drops nothing where that can be had.
  for (std::size_t id = 0; id < classes.size(); ++id)
    base_[id].fill(list(static_cast<ClassId>(id), false, false));
  natural_ = shapes_.size();
  for (std::size_t id = 0; id < classes.size(); ++id) {
    const ThreatClass& c = classes[static_cast<ClassId>(id)];
    const bool full[2] = {c.sets[0] == SetFamily{c.empty}, c.sets[1] == SetFamily{c.empty}};
    for (unsigned stance = 0; stance < 3; ++stance) {
      const bool drop_mover = full[0] && !(stance & 1), drop_opponent = full[1] && !(stance & 2);
      if (drop_mover || drop_opponent)
        base_[id][stance] = list(static_cast<ClassId>(id), drop_mover, drop_opponent);
    }
  }
}

/// Appends a class with every choice of marked cells; the place of the first.
std::uint32_t Shapes::list(ClassId id, bool drop_mover, bool drop_opponent) {
  const auto first = static_cast<std::uint32_t>(matches_.size());
  const Mask empty = ThreatClasses::get().empty(id);
  Mask labelled = 0;
  do {
    matches_.push_back(std::popcount(labelled) > kMaxOpen
                           ? Match{}
                           : make(id, labelled, drop_mover, drop_opponent));
    labelled =
        static_cast<Mask>((labelled - empty) & empty);  // the next subset, as `packed` counts
  } while (labelled != 0);
  return first;
}

const Shapes::Match& Shapes::find(ClassId id, Mask labelled, Stance stance) const {
  const std::uint32_t base = base_[id][stance & kCounted ? 3 : stance];
  return matches_[base + packed_bits(labelled, ThreatClasses::get().empty(id))];
}

Shapes::Match Shapes::make(ClassId id, Mask labelled, bool drop_mover, bool drop_opponent) {
  const ThreatClass& c = ThreatClasses::get()[id];
  std::array<SetFamily, 2> sets = c.sets;
  if (drop_mover) sets[0].clear();
  if (drop_opponent) sets[1].clear();

  std::vector<std::pair<std::uint64_t, std::uint8_t>> cells;  // look and cell, marked ones first
  for (int cell = 0; cell < 9; ++cell)
    if (c.empty >> cell & 1)
      cells.emplace_back(look_of(cell, labelled, sets), static_cast<std::uint8_t>(cell));
  std::sort(cells.begin(), cells.end());
  const std::size_t n = cells.size();
  const auto marked = static_cast<std::size_t>(std::popcount(labelled));

  // Cells that look alike are tried in every order; the least pair of families is the shape.
  std::vector<std::uint8_t> order(n), best_order;
  std::transform(cells.begin(), cells.end(), order.begin(),
                 [](const auto& c2) { return c2.second; });
  std::vector<Mask> best;
  std::vector<std::vector<std::uint8_t>> ties;
  const auto try_order = [&] {
    std::array<std::uint8_t, 9> place{};
    for (std::size_t i = 0; i < n; ++i) place[order[i]] = static_cast<std::uint8_t>(i);
    std::vector<Mask> key{static_cast<Mask>(n), static_cast<Mask>(marked)};
    for (const SetFamily& family : sets) {
      key.push_back(static_cast<Mask>(family.size()));
      const SetFamily at = moved(family, place);
      key.insert(key.end(), at.begin(), at.end());
    }
    if (best.empty() || key < best) {
      best = std::move(key);
      ties.clear();
      best_order = order;
    } else if (key != best) {
      return;
    }
    ties.push_back(order);
  };
  const auto permute = [&](auto&& self, std::size_t start) -> void {
    if (start == n) return try_order();
    std::size_t end = start + 1;
    while (end < n && cells[end].first == cells[start].first) ++end;
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(start),
              order.begin() + static_cast<std::ptrdiff_t>(end));
    do {
      self(self, end);
    } while (std::next_permutation(order.begin() + static_cast<std::ptrdiff_t>(start),
                                   order.begin() + static_cast<std::ptrdiff_t>(end)));
  };
  permute(permute, 0);

  const auto [at, fresh] = ids_.try_emplace(best, static_cast<std::uint32_t>(shapes_.size()));
  if (fresh) {
    Shape shape;
    shape.example = id;
    shape.labelled = static_cast<std::uint8_t>(marked);
    shape.size = static_cast<std::uint8_t>(n);
    std::copy(best_order.begin(), best_order.end(), shape.cells.begin());
    for (std::size_t player = 0; player < 2; ++player) {
      shape.threatened[player] = !sets[player].empty();
      shape.only_full[player] = sets[player] == SetFamily{c.empty};
    }
    for (const auto& tie : ties) {
      std::array<std::uint8_t, 9> how{};
      for (std::size_t i = 0; i < marked; ++i)
        how[i] = static_cast<std::uint8_t>(std::find(best_order.begin(), best_order.end(), tie[i]) -
                                           best_order.begin());
      shape.symmetries.push_back(how);
    }
    std::sort(shape.symmetries.begin(), shape.symmetries.end());
    shape.symmetries.erase(std::unique(shape.symmetries.begin(), shape.symmetries.end()),
                           shape.symmetries.end());
    shapes_.push_back(std::move(shape));
  }
  Match match{at->second, 0};
  for (std::size_t i = 0; i < marked; ++i) match.order |= std::uint32_t{best_order[i]} << 4 * i;
  return match;
}

const BoardOptions& BoardOptions::of(int k, int size) {
  static std::array<std::array<std::unique_ptr<const BoardOptions>, 10>, kMaxOpen + 1> made;
  static std::array<std::array<std::once_flag, 10>, kMaxOpen + 1> once;
  const auto row = static_cast<std::size_t>(k), column = static_cast<std::size_t>(size);
  std::call_once(once[row][column], [&] { made[row][column].reset(new BoardOptions(k, size)); });
  return *made[row][column];
}

BoardOptions::BoardOptions(int k, int size) {
  list_options(k, size);
  if (k == 2) group_by_place(size);
}

void BoardOptions::list_options(int k, int size) {
  const auto& shapes = Shapes::get();
  starts_.assign(shapes.size(), 0);
  const auto base = static_cast<std::uint32_t>(k);
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    const Shape& shape = shapes[id];
    // The other cells lead to closed sub-boards, of which there are nine less the open ones.
    if (shape.size != size || shape.labelled > k || size - shape.labelled > 9 - k) continue;
    const auto start = static_cast<std::uint32_t>(numbers_[0].size());
    starts_[id] = start;
    std::uint32_t codes = 1;
    for (unsigned i = 0; i < shape.labelled; ++i) codes *= base;
    for (auto& numbers : numbers_) numbers.resize(start + codes, -1);
    for (std::uint32_t code = 0; code < codes; ++code) {
      std::array<std::uint8_t, 9> labels{};
      std::uint32_t rest = code, used = 0;
      bool possible = true;
      for (unsigned i = 0; i < shape.labelled; ++i, rest /= base) {
        labels[i] = static_cast<std::uint8_t>(rest % base);
        possible &= !(used >> labels[i] & 1);
        used |= 1u << labels[i];
      }
      // The last cell closes its sub-board, so a label that leads back to it is as good as none.
      if (!possible || (size == 1 && (used & 1))) continue;
      std::uint32_t least = code;
      for (const auto& how : shape.symmetries) {
        std::uint32_t other = 0;
        for (unsigned i = shape.labelled; i-- > 0;) other = other * base + labels[how[i]];
        least = std::min(least, other);
      }
      for (Stance stance = 0; stance < kStances; ++stance) {
        bool fits = true;
        if (stance & kCounted) fits = shapes.is_natural(id);
        for (unsigned player = 0; player < 2; ++player)
          fits &= stance >> player & 1 ? shape.threatened[player]
                                       : (stance & kCounted) || !shape.only_full[player];
        if (!fits) continue;
        auto& numbers = numbers_[stance];
        if (least == code) {
          numbers[start + code] = static_cast<std::int32_t>(options_[stance].size());
          options_[stance].push_back({id, code});
        } else {
          numbers[start + code] = numbers[start + least];
        }
      }
    }
  }
}

namespace {

/// Pairs of different places (own, other) up to the symmetries of the square: twelve kinds.
struct Places {
  std::array<std::array<std::uint8_t, 9>, 9> kind{};
  std::array<std::uint8_t, 12> reversed{};

  Places() {
    std::uint8_t kinds = 0;
    std::array<std::array<bool, 9>, 9> seen{};
    for (std::size_t own = 0; own < 9; ++own) {
      for (std::size_t other = 0; other < 9; ++other) {
        if (own == other || seen[own][other]) continue;
        for (const auto& to : kSymmetries) {
          seen[to[own]][to[other]] = true;
          kind[to[own]][to[other]] = kinds;
        }
        ++kinds;
      }
    }
    for (std::size_t own = 0; own < 9; ++own)
      for (std::size_t other = 0; other < 9; ++other)
        if (own != other) reversed[kind[own][other]] = kind[other][own];
  }
  static const Places& get() {
    static const Places places;
    return places;
  }
};

}  // namespace

bool BoardOptions::fit(const Group& a, const Group& b) {
  const auto& reversed = Places::get().reversed;
  for (unsigned kind = 0; kind < reversed.size(); ++kind)
    if ((a.places >> kind & 1) && (b.places >> reversed[kind] & 1)) return true;
  return false;
}

void BoardOptions::group_by_place(int size) {
  const auto& classes = ThreatClasses::get();
  const auto& places = Places::get();
  for (Stance stance = 0; stance < kStances; ++stance) {
    std::vector<std::uint16_t> seen(count(stance), 0);
    for (std::size_t id = 0; id < classes.size(); ++id) {
      const auto c = static_cast<ClassId>(id);
      const Mask empty = classes.empty(c);
      if (std::popcount(empty) != size) continue;
      for (std::size_t own = 0; own < 9; ++own) {
        for (std::size_t other = 0; other < 9; ++other) {
          if (own == other) continue;
          auto labelled = static_cast<Mask>((1u << own | 1u << other) & empty);
          if (size == 1) labelled &= static_cast<Mask>(~(1u << own));
          const auto& match = Shapes::get().find(c, labelled, stance);
          std::uint32_t code = 0;
          for (int i = std::popcount(labelled); i-- > 0;)
            code = 2 * code + ((match.order >> 4 * i & 15) == other ? 1 : 0);
          const std::int32_t at = number(stance, match.shape, code);
          if (at >= 0)
            seen[static_cast<std::size_t>(at)] |=
                static_cast<std::uint16_t>(1u << places.kind[own][other]);
        }
      }
    }
    std::vector<std::size_t> order(count(stance));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return seen[a] < seen[b]; });
    std::vector<Option> sorted;
    std::vector<std::int32_t> renumbered(count(stance), -1);
    for (const std::size_t old : order) {
      if (seen[old] == 0) continue;  // labels that no two places give
      auto& groups = groups_[stance];
      if (groups.empty() || groups.back().places != seen[old])
        groups.push_back({seen[old], static_cast<std::uint32_t>(sorted.size()), 0});
      ++groups.back().count;
      renumbered[old] = static_cast<std::int32_t>(sorted.size());
      group_of_[stance].push_back(static_cast<std::uint16_t>(groups.size() - 1));
      sorted.push_back(options_[stance][old]);
    }
    options_[stance] = std::move(sorted);
    for (std::int32_t& at : numbers_[stance])
      if (at >= 0) at = renumbered[static_cast<std::size_t>(at)];
  }
}

}  // namespace kibitz::uttt
