// One node of the tree: 32 bytes, so that the children a selection looks at lie in few cache lines.
//
// Threads: every field that changes during a search is atomic and used with relaxed order, except
// `family`, whose publication orders what lies behind it. Sums are fixed-point integers: adding is
// one instruction, and the total does not depend on the order in which threads arrive.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "games/game.h"

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

/// Sums beyond the value, kept beside a family of children for games whose evaluator gives them.
struct Extras {
  std::atomic<std::int64_t> value_squares{0};
  std::atomic<std::int64_t> draws{0};
  std::atomic<std::int64_t> scores{0};
  std::atomic<std::int64_t> score_squares{0};

  void add(double value, double draw, double score, bool exclusive) {
    bump(value_squares, to_fixed(value * value), exclusive);
    bump(draws, to_fixed(draw), exclusive);
    bump(scores, to_fixed(score), exclusive);
    bump(score_squares, to_fixed(score * score), exclusive);
  }
  void take(const Extras& other) {
    value_squares.store(other.value_squares.load(std::memory_order_relaxed));
    draws.store(other.draws.load(std::memory_order_relaxed));
    scores.store(other.scores.load(std::memory_order_relaxed));
    score_squares.store(other.score_squares.load(std::memory_order_relaxed));
  }
};

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
  /// The children's extras lie right behind the children; only where the tree keeps them.
  Extras* extras_of_children() const {
    const auto kids = children();
    return reinterpret_cast<Extras*>(kids.data() + kids.size());
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

}  // namespace kibitz
