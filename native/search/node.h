// One node of the tree: 32 bytes, so that the children a selection looks at lie in few cache lines.
//
// Threads: every field that changes during a search is atomic and used with relaxed order, except
// `family`, whose publication orders what lies behind it. Sums are fixed-point integers: adding is
// one instruction, and the total does not depend on the order in which threads arrive.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "evaluate/evaluator.h"
#include "games/game.h"
#include "search/value_bias.h"

namespace kibitz {

/// Adds to a counter. `exclusive` says that one thread owns the tree, where a plain add will do.
template <class T>
inline void bump(std::atomic<T>& counter, T amount, bool exclusive) {
  if (exclusive) {
    counter.store(static_cast<T>(counter.load(std::memory_order_relaxed) + amount),
                  std::memory_order_relaxed);
  } else {
    counter.fetch_add(amount, std::memory_order_relaxed);
  }
}

/// Fixed-point scale of sums of values: 2^-30 a step leaves room for 2^33 visits.
inline constexpr double kFixedOne = 1073741824.0;
inline std::int64_t to_fixed(double x) { return static_cast<std::int64_t>(x * kFixedOne); }
inline double from_fixed(std::int64_t x) { return static_cast<double>(x) * (1.0 / kFixedOne); }

/// Margins and their squares are large, so sums beyond the value have coarser steps.
inline constexpr double kExtrasOne = 1048576.0;

/// What is proven of a node: the FIRST side's result lies in [low, high], counted in half points
/// (0 loss, 1 draw, 2 win). Equal ends mean the result is known.
struct Bounds {
  std::uint8_t low = 0;
  std::uint8_t high = 2;

  bool settled() const { return low == high; }
  bool known() const { return low != 0 || high != 2; }
  double value() const { return 0.5 * low; }
  double clamp(double value) const {
    const double lo = 0.5 * low, hi = 0.5 * high;
    return value < lo ? lo : value > hi ? hi : value;
  }
  /// From the side to move's own point of view.
  Bounds of(int side) const {
    return side == 0
               ? *this
               : Bounds{static_cast<std::uint8_t>(2 - high), static_cast<std::uint8_t>(2 - low)};
  }
  bool operator==(const Bounds&) const = default;

  std::uint8_t pack() const { return static_cast<std::uint8_t>(low | high << 2); }
  static Bounds unpack(std::uint8_t packed) {
    return {static_cast<std::uint8_t>(packed & 3), static_cast<std::uint8_t>(packed >> 2)};
  }
};

/// What is averaged beside the value, for the first side. `value` is what the search maximizes,
/// which may count points too; `win` is the expected result alone.
enum Quantity : std::size_t {
  kWin,
  kDraw,
  kScore,
  kScoreSquare,
  kLead,
  kValueSquare,
  kStyle,  // of the game, as an evaluator with a style head predicts it
  kQuantities
};
using Quantities = std::array<double, kQuantities>;

inline Quantities quantities_of(const Outcome& outcome, double value) {
  const double score = outcome.score, stdev = outcome.score_stdev;
  return {outcome.value, outcome.draw,  score,        score * score + stdev * stdev,
          outcome.lead,  value * value, outcome.style};
}

/// Sums beyond the value, and the node's own evaluation; made at a node's first visit, and only
/// where the evaluator gives more than a value.
struct Extras {
  std::array<std::atomic<std::int64_t>, kQuantities> sums{};
  std::array<std::atomic<float>, kQuantities> own{};
  std::atomic<float> own_value{0.5f};
  /// What the node's own evaluation weighs; 1 unless the evaluator tells how sure it is.
  std::atomic<float> own_weight{1.0f};
  /// What the visits weigh, and the sum of the squares: less than their number where
  /// backup=weighted found some not worth counting.
  std::atomic<double> weight{0.0}, weight_square{0.0};
  /// What is known of the evaluator's error here, and what this node has contributed to it.
  std::atomic<ValueBias*> bias{nullptr};
  double told_difference = 0.0, told_weight = 0.0;
  /// Who owns what by the node's own evaluation; null unless somebody asked.
  std::atomic<float*> ownership{nullptr};

  double mean(Quantity what, double visits) const {
    return static_cast<double>(sums[what].load(std::memory_order_relaxed)) / (kExtrasOne * visits);
  }
  void add(const Quantities& amounts, bool exclusive) {
    for (std::size_t i = 0; i < kQuantities; ++i)
      bump(sums[i], static_cast<std::int64_t>(amounts[i] * kExtrasOne), exclusive);
  }
  void set_means(const Quantities& means, double visits) {
    for (std::size_t i = 0; i < kQuantities; ++i)
      sums[i].store(static_cast<std::int64_t>(means[i] * visits * kExtrasOne),
                    std::memory_order_relaxed);
  }
  void set_own(const Quantities& amounts, double value, double weighs) {
    own_weight.store(static_cast<float>(weighs), std::memory_order_relaxed);
    for (std::size_t i = 0; i < kQuantities; ++i)
      own[i].store(static_cast<float>(amounts[i]), std::memory_order_relaxed);
    own_value.store(static_cast<float>(value), std::memory_order_relaxed);
  }
  void set_weight(double sum, double squares) {
    weight.store(sum, std::memory_order_relaxed);
    weight_square.store(squares, std::memory_order_relaxed);
  }
  /// Everything but the ownership and the bias, which belong to an arena and to a table.
  void take(const Extras& other) {
    set_weight(other.weight.load(std::memory_order_relaxed),
               other.weight_square.load(std::memory_order_relaxed));
    told_difference = other.told_difference;
    told_weight = other.told_weight;
    for (std::size_t i = 0; i < kQuantities; ++i) {
      sums[i].store(other.sums[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
      own[i].store(other.own[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    own_value.store(other.own_value.load(std::memory_order_relaxed), std::memory_order_relaxed);
    own_weight.store(other.own_weight.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
};

/// What is kept of a child in searches that explore with the human model's policy
/// (search/human_explore.h).
struct HumanEdge {
  float prior = -1.0f;  // how likely a person plays the move; below 0 where nobody asked
  /// Of the child's visits, those that its parent does not count.
  std::atomic<std::uint32_t> weightless{0};
};

struct Node;
/// The edges of children that lie side by side; only in trees that keep them.
inline HumanEdge* human_edges_before(const Node* first, std::size_t count) {
  const void* at = first;
  return static_cast<HumanEdge*>(const_cast<void*>(at)) - count;  // NOLINT: one block of memory
}

struct Node {
  /// Finished visits in the low half, visits under way (virtual losses) in the high half.
  std::atomic<std::uint64_t> counts{0};
  /// Sum of the first side's values over finished visits, in fixed point.
  std::atomic<std::int64_t> value_sum{0};
  /// Address of the first child in the low 48 bits, number of children above: one atomic word, so
  /// that a reader sees both or neither. Zero until the node is expanded.
  std::atomic<std::uint64_t> family{0};
  float prior = 0.0f;
  Move move = kNoMove;
  /// True while one thread is making the children.
  std::atomic<bool> claimed{false};
  std::atomic<std::uint8_t> bounds_bits{Bounds{}.pack()};

  static constexpr std::uint64_t kPendingOne = std::uint64_t{1} << 32;

  std::uint32_t visits() const {
    return static_cast<std::uint32_t>(counts.load(std::memory_order_relaxed));
  }
  std::uint32_t pending() const {
    return static_cast<std::uint32_t>(counts.load(std::memory_order_relaxed) >> 32);
  }
  /// Mean value for the first side over finished visits; only with visits.
  double mean() const {
    return from_fixed(value_sum.load(std::memory_order_relaxed)) / static_cast<double>(visits());
  }
  Bounds bounds() const { return Bounds::unpack(bounds_bits.load(std::memory_order_relaxed)); }
  void set_bounds(Bounds b) { bounds_bits.store(b.pack(), std::memory_order_relaxed); }

  bool expanded() const { return family.load(std::memory_order_acquire) != 0; }
  std::span<Node> children() const {
    const std::uint64_t word = family.load(std::memory_order_acquire);
    return {reinterpret_cast<Node*>(word & 0xffffffffffffULL),  // NOLINT: packed on purpose
            static_cast<std::size_t>(word >> 48)};
  }
  /// Where the children's extras are kept, right behind the children; only in trees that keep them.
  /// Most children are never visited, so a slot is all they get until they are.
  std::atomic<Extras*>* extras_of_children() const {
    const auto kids = children();
    return reinterpret_cast<std::atomic<Extras*>*>(kids.data() + kids.size());
  }
  /// What is kept of the children right before them; only in trees that keep it.
  HumanEdge* human_edges() const {
    const auto kids = children();
    return human_edges_before(kids.data(), kids.size());
  }
  void publish_children(Node* first, std::size_t count) {
    family.store(reinterpret_cast<std::uint64_t>(first) | static_cast<std::uint64_t>(count) << 48,
                 std::memory_order_release);
  }
  void take_numbers(const Node& other) {
    counts.store(other.counts.load(std::memory_order_relaxed) & 0xffffffffULL,
                 std::memory_order_relaxed);
    value_sum.store(other.value_sum.load(std::memory_order_relaxed), std::memory_order_relaxed);
    prior = other.prior;
    move = other.move;
    set_bounds(other.bounds());
  }
};
static_assert(sizeof(Node) == 32);
static_assert(alignof(Node) == alignof(std::uint64_t) && sizeof(HumanEdge) == alignof(Node));

/// Of a child's visits, those that its parent does not count; `edges` is null where none are kept.
inline std::uint32_t weightless_visits(const HumanEdge* edges, std::size_t index) {
  return edges ? edges[index].weightless.load(std::memory_order_relaxed) : 0;
}
/// The others of so many. A thread may see the one number before the other.
inline std::uint32_t counted_visits(std::uint32_t visits, std::uint32_t weightless) {
  return visits > weightless ? visits - weightless : 0;
}

/// A node's mean within what is proven of it, for the side `mover`; only with visits.
inline float mover_value(const Node& node, int mover) {
  const Bounds bounds = node.bounds();
  const double mean = bounds.known() ? bounds.clamp(node.mean()) : node.mean();
  return static_cast<float>(mover == 0 ? mean : 1.0 - mean);
}

/// What a child's visits weigh, less those set aside: their number unless backup=weighted.
inline double mass_of(const Node& kid, const Extras* extras, std::int64_t aside) {
  const double visits = kid.visits();
  if (!extras || visits == 0) return visits - static_cast<double>(aside);
  const double weight = extras->weight.load(std::memory_order_relaxed);
  return aside == 0 ? weight : weight * std::max(0.0, visits - static_cast<double>(aside)) / visits;
}

}  // namespace kibitz
