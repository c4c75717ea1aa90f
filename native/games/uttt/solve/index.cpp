#include "games/uttt/solve/index.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace kibitz::uttt {

const LevelIndex& LevelIndex::of(Ending ending, int empties, int open) {
  static std::array<
      std::array<std::array<std::unique_ptr<const LevelIndex>, kMaxOpen + 1>, kMaxEmpties + 1>, 2>
      made;
  static std::array<std::array<std::array<std::once_flag, kMaxOpen + 1>, kMaxEmpties + 1>, 2> once;
  const auto a = static_cast<std::size_t>(ending), b = static_cast<std::size_t>(empties),
             c = static_cast<std::size_t>(open);
  std::call_once(once[a][b][c],
                 [&] { made[a][b][c].reset(new LevelIndex(ending, empties, open)); });
  return *made[a][b][c];
}

LevelIndex::LevelIndex(Ending ending, int empties, int open)
    : counted_(ending == Ending::kMostSubBoards),
      ending_(ending),
      empties_(empties),
      open_(open),
      constraints_(open == 1 ? 1 : static_cast<std::size_t>(open + 1)),
      families_(Families::of(open)) {
  list_shares();
  list_slabs();
}

void LevelIndex::list_shares() {
  std::size_t codes = 1;
  for (int i = 0; i < open_; ++i) codes *= 10;
  shares_at_.assign(codes, 0xffff);
  for (std::size_t code = 0; code < codes; ++code) {
    Shares shares{};
    std::size_t rest = code;
    int sum = 0;
    bool each = true;
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(open_); ++slot, rest /= 10) {
      shares[slot] = static_cast<std::uint8_t>(rest % 10);
      each &= shares[slot] > 0;
      sum += shares[slot];
    }
    if (!each || sum != empties_) continue;
    shares_at_[code] = static_cast<std::uint16_t>(shares_.size());
    shares_.push_back(shares);
  }
}

void LevelIndex::list_slabs() {
  const int most = counted_ ? open_ + 1 : 0;
  layouts_.resize(static_cast<std::size_t>(kStances * kStances * 10));
  for (std::uint32_t need = 0; need < families_.needs().size(); ++need) {
    const Need& about = families_.needs()[need];
    // Nobody can win any more: a draw that needs no table.
    const bool dead = !counted_ && about.mover == 0 && about.opponent == 0;
    for (int lead = -most; lead <= most; ++lead) {
      for (std::size_t shares = 0; shares < shares_.size(); ++shares) {
        if (open_ == 2) {
          auto& made = layouts_[layout_key(about, shares_[shares])];
          if (!made) {
            made = std::make_unique<PairLayout>();
            const auto& a = BoardOptions::of(2, shares_[shares][0]).groups(stance(about, 0));
            const auto& b = BoardOptions::of(2, shares_[shares][1]).groups(stance(about, 1));
            for (const auto& left : a) {
              for (const auto& right : b) {
                const bool fits = BoardOptions::fit(left, right);
                if (fits) made->fitting.push_back(static_cast<std::uint32_t>(made->first.size()));
                made->first.push_back(fits ? static_cast<std::int64_t>(made->size) : -1);
                if (fits) made->size += std::uint64_t{left.count} * right.count;
              }
            }
          }
        }
        for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
          Slab slab{size_, need, static_cast<std::int8_t>(lead),
                    static_cast<std::uint8_t>(open_ == 1 ? 1 : constraint),
                    static_cast<std::uint16_t>(shares)};
          slabs_.push_back(slab);
          if (!dead) size_ += options_of(slab);
        }
      }
    }
  }
}

std::uint64_t LevelIndex::options_of(const Slab& slab) const {
  const Need& need = families_.needs()[slab.need];
  const Shares& shares = shares_[slab.shares];
  if (open_ == 2) return layout(need, shares).size;
  std::uint64_t product = 1;
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(open_); ++slot)
    product *= BoardOptions::of(open_, shares[slot]).count(stance(need, slot));
  return product;
}

std::uint64_t LevelIndex::index(const Reduced& position) const {
  const auto& classes = ThreatClasses::get();
  const auto& shapes = Shapes::get();
  const auto k = static_cast<std::size_t>(open_);
  const auto match = families_.find(position.mover, position.opponent);
  const Need& need = families_.needs()[match.need];
  const auto& to = families_.renumbering(match.renumbering).to;

  Shares sizes{};
  std::array<std::uint32_t, kMaxOpen> numbers{};
  for (std::size_t slot = 0; slot < k; ++slot) {
    const ClassId board = position.boards[slot];
    const Mask empty = classes.empty(board);
    const int size = std::popcount(empty);
    Mask labelled = 0;
    for (std::uint32_t left = empty; left != 0; left &= left - 1) {
      const std::uint8_t label = label_of(position.labels[slot], std::countr_zero(left));
      if (label != kFree && !(size == 1 && label == slot))
        labelled |= static_cast<Mask>(left & (~left + 1));
    }
    const std::size_t own = to[slot];
    const Stance how = stance(need, own);
    const auto& shape = shapes.find(board, labelled, how);
    std::uint32_t code = 0;
    for (int i = std::popcount(labelled); i-- > 0;) {
      const std::size_t label =
          to[label_of(position.labels[slot], static_cast<int>(shape.order >> 4 * i & 15))];
      const std::size_t relative = label == own ? 0 : label < own ? label + 1 : label;
      code = code * static_cast<std::uint32_t>(k) + static_cast<std::uint32_t>(relative);
    }
    sizes[own] = static_cast<std::uint8_t>(size);
    numbers[own] =
        static_cast<std::uint32_t>(BoardOptions::of(open_, size).number(how, shape.shape, code));
  }
  std::size_t shares_code = 0;
  for (std::size_t slot = k; slot-- > 0;) shares_code = 10 * shares_code + sizes[slot];
  const int constraint =
      position.constraint == open_ ? open_ : to[static_cast<std::size_t>(position.constraint)];
  const Slab& slab =
      slabs_[slab_number(match.need, position.lead, shares_at_[shares_code], constraint)];
  if (open_ == 2) {
    const auto& a = BoardOptions::of(2, sizes[0]);
    const auto& b = BoardOptions::of(2, sizes[1]);
    const Stance stance_a = stance(need, 0), stance_b = stance(need, 1);
    const std::size_t group_a = a.group_of(stance_a, numbers[0]),
                      group_b = b.group_of(stance_b, numbers[1]);
    const auto& groups_b = b.groups(stance_b);
    const auto first = layout(need, sizes).first[group_a * groups_b.size() + group_b];
    return slab.first + static_cast<std::uint64_t>(first) +
           std::uint64_t{numbers[0] - a.groups(stance_a)[group_a].first} * groups_b[group_b].count +
           (numbers[1] - groups_b[group_b].first);
  }
  std::uint64_t rank = 0;
  for (std::size_t slot = 0; slot < k; ++slot)
    rank = rank * BoardOptions::of(open_, sizes[slot]).count(stance(need, slot)) + numbers[slot];
  return slab.first + rank;
}

void LevelIndex::place_option(Reduced& out, std::size_t slot, Stance how, int size,
                              std::size_t number) const {
  const auto& option = BoardOptions::of(open_, size).option(how, number);
  const Shape& shape = Shapes::get()[option.shape];
  out.boards[slot] = shape.example;
  Labels labels = 0xfffffffffULL;  // all free
  std::uint32_t rest = option.code;
  for (std::size_t i = 0; i < shape.labelled; ++i, rest /= static_cast<std::uint32_t>(open_)) {
    const std::size_t relative = rest % static_cast<std::uint32_t>(open_);
    const std::size_t label = relative == 0 ? slot : relative <= slot ? relative - 1 : relative;
    labels ^= (Labels{kFree} ^ label) << 4 * shape.cells[i];
  }
  out.labels[slot] = labels;
}

Reduced LevelIndex::position(std::uint64_t index) const {
  const auto after = std::upper_bound(slabs_.begin(), slabs_.end(), index,
                                      [](std::uint64_t i, const Slab& s) { return i < s.first; });
  const Slab& slab = *(after - 1);
  const Need& need = families_.needs()[slab.need];
  const Shares& shares = shares_[slab.shares];
  Reduced out;
  out.ending = ending_;
  out.k = open_;
  out.mover = need.mover;
  out.opponent = need.opponent;
  out.lead = slab.lead;
  out.constraint = slab.constraint;
  std::uint64_t rank = index - slab.first;
  if (open_ == 2) {
    const PairLayout& pairs = layout(need, shares);
    const auto& groups_a = BoardOptions::of(2, shares[0]).groups(stance(need, 0));
    const auto& groups_b = BoardOptions::of(2, shares[1]).groups(stance(need, 1));
    const auto pair = *(std::upper_bound(pairs.fitting.begin(), pairs.fitting.end(), rank,
                                         [&pairs](std::uint64_t r, std::uint32_t p) {
                                           return static_cast<std::int64_t>(r) < pairs.first[p];
                                         }) -
                        1);
    const auto& a = groups_a[pair / groups_b.size()];
    const auto& b = groups_b[pair % groups_b.size()];
    rank -= static_cast<std::uint64_t>(pairs.first[pair]);
    place_option(out, 0, stance(need, 0), shares[0], a.first + rank / b.count);
    place_option(out, 1, stance(need, 1), shares[1], b.first + rank % b.count);
    return out;
  }
  for (std::size_t slot = static_cast<std::size_t>(open_); slot-- > 0;) {
    const Stance how = stance(need, slot);
    const std::uint64_t count = BoardOptions::of(open_, shares[slot]).count(how);
    place_option(out, slot, how, shares[slot], rank % count);
    rank /= count;
  }
  return out;
}

LevelIndex::Pairs LevelIndex::pairs(std::uint32_t need, int lead, int size_a, int size_b,
                                    int constraint) const {
  const Need& about = families_.needs()[need];
  Pairs out;
  const Shares sizes{static_cast<std::uint8_t>(size_a), static_cast<std::uint8_t>(size_b)};
  out.first_ =
      slabs_[slab_number(need, lead, shares_at_[static_cast<std::size_t>(10 * size_b + size_a)],
                         constraint)]
          .first;
  out.a_ = &BoardOptions::of(2, size_a);
  out.b_ = &BoardOptions::of(2, size_b);
  out.stance_a_ = stance(about, 0);
  out.stance_b_ = stance(about, 1);
  out.groups_a_ = &out.a_->groups(out.stance_a_);
  out.groups_b_ = &out.b_->groups(out.stance_b_);
  out.starts_ = &layout(about, sizes).first;
  return out;
}

LevelIndex::Row LevelIndex::row(std::uint64_t index) const {
  const auto after = std::upper_bound(slabs_.begin(), slabs_.end(), index,
                                      [](std::uint64_t i, const Slab& s) { return i < s.first; });
  const Slab& slab = *(after - 1);
  const Shares& shares = shares_[slab.shares];
  Row out;
  out.need = &families_.needs()[slab.need];
  out.lead = slab.lead;
  out.constraint = slab.constraint;
  out.slab = static_cast<std::size_t>(after - slabs_.begin()) - 1;
  for (std::size_t slot = 0; slot < 2; ++slot) {
    out.sizes[slot] = shares[slot];
    out.stances[slot] = stance(*out.need, slot);
  }
  const PairLayout& layouts = layout(*out.need, shares);
  std::uint64_t rank = index - slab.first;
  const auto pair = *(std::upper_bound(layouts.fitting.begin(), layouts.fitting.end(), rank,
                                       [&layouts](std::uint64_t r, std::uint32_t p) {
                                         return static_cast<std::int64_t>(r) < layouts.first[p];
                                       }) -
                      1);
  const auto& groups_b = BoardOptions::of(2, shares[1]).groups(out.stances[1]);
  const auto& a = BoardOptions::of(2, shares[0]).groups(out.stances[0])[pair / groups_b.size()];
  const auto& b = groups_b[pair % groups_b.size()];
  rank -= static_cast<std::uint64_t>(layouts.first[pair]);
  out.a = a.first + static_cast<std::uint32_t>(rank / b.count);
  out.first_b = b.first + static_cast<std::uint32_t>(rank % b.count);
  out.count = b.count - static_cast<std::uint32_t>(rank % b.count);
  return out;
}

Place place_of(const Reduced& position) {
  const int empties = position.empties();
  return {empties, position.k,
          LevelIndex::of(position.ending, empties, position.k).index(position)};
}

}  // namespace kibitz::uttt
