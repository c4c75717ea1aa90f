#include "games/othello/evaluate/patterns.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace kibitz::othello {

namespace {

constexpr std::array<std::uint32_t, 11> kPowers = {1,   3,    9,    27,    81,   243,
                                                   729, 2187, 6561, 19683, 59049};

std::uint32_t configurations_of(const PatternFamily& family) {
  return kPowers[static_cast<std::size_t>(family.size)];
}

/// Where the configurations of each instance's family begin: known to the compiler, so that an
/// evaluation is a sum of loads at fixed distances.
constexpr std::array<std::uint32_t, kInstances> make_offsets() {
  std::array<std::uint32_t, kInstances> offsets{};
  std::size_t instance = 0;
  std::uint32_t offset = 0;
  for (std::size_t f = 0; f < kFamilies.size(); ++f) {
    for (int i = 0; i < kFamilyInstances[f]; ++i) offsets[instance++] = offset;
    offset += kPowers[static_cast<std::size_t>(kFamilies[f].size)];
  }
  return offsets;
}

constexpr std::array<std::uint32_t, kInstances> kOffsets = make_offsets();

constexpr std::uint32_t make_configurations() {
  std::uint32_t count = 0;
  for (const PatternFamily& family : kFamilies)
    count += kPowers[static_cast<std::size_t>(family.size)];
  return count;
}

/// Where the tables of the counts begin.
constexpr std::uint32_t kOwnMoves = make_configurations();
constexpr std::uint32_t kOtherMoves = kOwnMoves + kMoveCounts;
constexpr std::uint32_t kEmpties = kOtherMoves + kMoveCounts;
constexpr std::uint32_t kConfigurations = kEmpties + kStagePlies;

std::array<std::uint32_t, kCounts> count_indices(const Othello& game, int empties) {
  const auto count = [](Bits moves) { return static_cast<std::uint32_t>(std::popcount(moves)); };
  return {kOwnMoves + count(mobility(game.player, game.opponent)),
          kOtherMoves + count(mobility(game.opponent, game.player)),
          kEmpties + static_cast<std::uint32_t>(empties % kStagePlies)};
}

template <std::size_t... I>
int sum_of(const std::int16_t* table, const std::array<std::uint16_t, kPatternLanes>& index,
           std::index_sequence<I...>) {
  return (... + table[kOffsets[I] + index[I]]);
}

using Squares = std::array<std::uint8_t, 10>;

std::uint64_t set_of(const Squares& squares, int size) {
  std::uint64_t set = 0;
  for (int i = 0; i < size; ++i) set |= bit(squares[static_cast<std::size_t>(i)]);
  return set;
}

/// The configuration with its digits rearranged: digit i of the result is digit from[i].
std::uint32_t rearranged(std::uint32_t configuration, const Squares& from, int size) {
  std::array<std::uint32_t, 10> digits{};
  for (int i = 0; i < size; ++i, configuration /= 3)
    digits[static_cast<std::size_t>(i)] = configuration % 3;
  std::uint32_t out = 0;
  for (int i = 0; i < size; ++i)
    out += digits[from[static_cast<std::size_t>(i)]] * kPowers[static_cast<std::size_t>(i)];
  return out;
}

std::uint32_t exchanged(std::uint32_t configuration) {
  std::uint32_t out = 0;
  for (std::uint32_t power = 1; configuration; configuration /= 3, power *= 3)
    out += (3 - configuration % 3) % 3 * power;
  return out;
}

PatternLayout make_layout() {
  PatternLayout layout;
  std::size_t instance = 0;
  for (std::size_t f = 0; f < kFamilies.size(); ++f) {
    const PatternFamily& family = kFamilies[f];
    const std::uint32_t offset = layout.configurations, count = configurations_of(family);
    layout.configurations += count;
    std::vector<std::uint64_t> sets;
    Squares mirror{};  // the symmetry that maps the first instance to itself, as positions in it
    bool folds = false;
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      Squares squares{};
      for (int i = 0; i < family.size; ++i)
        squares[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
            transformed_square(family.squares[static_cast<std::size_t>(i)], symmetry));
      const std::uint64_t set = set_of(squares, family.size);
      const auto known = std::find(sets.begin(), sets.end(), set);
      if (known == sets.end()) {
        sets.push_back(set);
        layout.squares[instance] = squares;
        layout.family[instance] = static_cast<std::uint8_t>(f);
        layout.offset[instance] = offset;
        ++instance;
      } else if (known == sets.begin() && symmetry != 0) {
        // Of these patterns none has more than one symmetry that moves its squares.
        Squares moved{};
        for (int i = 0; i < family.size; ++i)
          moved[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
              std::find(family.squares.begin(), family.squares.begin() + family.size,
                        squares[static_cast<std::size_t>(i)]) -
              family.squares.begin());
        if (squares != family.squares) mirror = moved, folds = true;
      }
    }
    for (std::uint32_t c = 0; c < count; ++c) {
      const std::uint32_t image = folds ? rearranged(c, mirror, family.size) : c;
      layout.slot.push_back(image < c ? layout.slot[offset + image] : layout.slots++);
      layout.swapped.push_back(offset + exchanged(c));
    }
  }
  // The counts are the mover's whatever its colour.
  for (; layout.configurations < kConfigurations; ++layout.configurations) {
    layout.slot.push_back(layout.slots++);
    layout.swapped.push_back(layout.configurations);
  }
  if (instance != kInstances || layout.offset != kOffsets)
    throw std::logic_error("patterns: wrong number of instances");
  for (std::size_t i = 0; i < kInstances; ++i)
    for (int k = 0; k < kFamilies[layout.family[i]].size; ++k)
      layout.step[layout.squares[i][static_cast<std::size_t>(k)]][i] =
          static_cast<std::uint16_t>(kPowers[static_cast<std::size_t>(k)]);
  return layout;
}

}  // namespace

const PatternLayout& PatternLayout::get() {
  static const PatternLayout layout = make_layout();
  return layout;
}

std::array<std::uint32_t, kFeatures> PatternLayout::slots_of(const Othello& game) const {
  const PatternBoard board(game);
  std::array<std::uint32_t, kFeatures> out{};
  for (std::size_t i = 0; i < kInstances; ++i) {
    const std::uint32_t configuration = offset[i] + board.indices()[i];
    out[i] = slot[game.side == 0 ? configuration : swapped[configuration]];
  }
  const auto counts = count_indices(game, board.empties());
  for (std::size_t i = 0; i < kCounts; ++i) out[kInstances + i] = slot[counts[i]];
  return out;
}

PatternWeights::PatternWeights(std::span<const std::int16_t> slots)
    : stride_(PatternLayout::get().configurations) {
  const PatternLayout& layout = PatternLayout::get();
  if (slots.size() != std::size_t{kStages} * layout.slots)
    throw std::invalid_argument("an evaluation has " +
                                std::to_string(std::size_t{kStages} * layout.slots) +
                                " weights, got " + std::to_string(slots.size()));
  tables_.resize(2 * std::size_t{kStages} * stride_);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    const auto weights = slots.subspan(stage * layout.slots, layout.slots);
    std::int16_t* black = tables_.data() + stage * stride_;
    std::int16_t* white = black + kStages * stride_;
    for (std::size_t c = 0; c < stride_; ++c) {
      black[c] = weights[layout.slot[c]];
      white[c] = weights[layout.slot[layout.swapped[c]]];
    }
  }
}

PatternBoard::PatternBoard(const Othello& game) : game_(game), empties_(game.empties()) {
  const PatternLayout& layout = PatternLayout::get();
  const auto add = [&](Bits discs, std::uint16_t times) {
    while (discs) {
      const auto& step = layout.step[static_cast<std::size_t>(pop_lowest(discs))];
      for (std::size_t i = 0; i < kPatternLanes; ++i)
        index_[i] = static_cast<std::uint16_t>(index_[i] + times * step[i]);
    }
  };
  add(game.black(), 1);
  add(game.white(), 2);
}

void PatternBoard::place(int square, Bits turned) {
  static const auto& steps = PatternLayout::get().step;
  const Bits mine = game_.player | turned | bit(square);
  const auto& own = steps[static_cast<std::size_t>(square)];
  // Locals, so that the compiler need not fear that the tables change under its hands.
  std::array<std::uint16_t, kPatternLanes> index = index_;
  if (game_.side == 0) {
    for (std::size_t i = 0; i < kPatternLanes; ++i)
      index[i] = static_cast<std::uint16_t>(index[i] + own[i]);
    for (Bits set = turned; set;) {
      const auto& step = steps[static_cast<std::size_t>(pop_lowest(set))];
      for (std::size_t i = 0; i < kPatternLanes; ++i)
        index[i] = static_cast<std::uint16_t>(index[i] - step[i]);
    }
  } else {
    for (std::size_t i = 0; i < kPatternLanes; ++i)
      index[i] = static_cast<std::uint16_t>(index[i] + 2 * own[i]);
    for (Bits set = turned; set;) {
      const auto& step = steps[static_cast<std::size_t>(pop_lowest(set))];
      for (std::size_t i = 0; i < kPatternLanes; ++i)
        index[i] = static_cast<std::uint16_t>(index[i] + step[i]);
    }
  }
  index_ = index;
  game_.player = game_.opponent & ~turned;
  game_.opponent = mine;
  game_.side ^= 1;
  --empties_;
}

int PatternBoard::evaluate(const PatternWeights& weights) const {
  const std::int16_t* table = weights.table(game_.side, stage_of(empties_));
  int sum = sum_of(table, index_, std::make_index_sequence<kInstances>());
  for (const std::uint32_t index : count_indices(game_, empties_)) sum += table[index];
  return sum;
}

}  // namespace kibitz::othello
