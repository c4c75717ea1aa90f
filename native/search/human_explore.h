// Exploring with the human model's policy, as KataGo's humanSL*ExploreProb* do. At a node the
// search draws whether this descent chooses the child as a person would: by PUCT with the human
// model's policy and a cpuct of its own. A weightful visit of that kind counts like any other. A
// weightless one counts in the child and below it only: the edge to the child, its parent and
// everything above do not know of it. A child with weightless visits that the search's own rule
// chooses later is not descended to; one of them is counted instead.
//
// So a search with the chances at 0 is the search without them, visit for visit, and one with
// weightless visits has the values of a search with fewer visits and of better known moves.
//
// Threads: everything here only reads, and may run in all search threads at once, each with random
// numbers of its own.
#pragma once

#include <cmath>

#include "base/rng.h"
#include "search/select_child.h"

namespace kibitz {

/// How often a node's child is chosen as a person would.
struct ExploreChance {
  double weightless = 0.0, weightful = 0.0;
  bool any() const { return weightless + weightful > 0.0; }
  bool operator==(const ExploreChance&) const = default;
};

inline ExploreChance chance_at_root(const Options& options) {
  return {options.human_root_weightless, options.human_root_weightful};
}
/// Below the root, where the root's mover moves or the other side does.
inline ExploreChance chance_below(const Options& options, bool root_side) {
  if (root_side) return {options.human_pla_weightless, options.human_pla_weightful};
  return {options.human_opp_weightless, options.human_opp_weightful};
}
inline bool explores_below(const Options& options) {
  return chance_below(options, true).any() || chance_below(options, false).any();
}
inline bool explores(const Options& options) {
  return chance_at_root(options).any() || explores_below(options);
}
/// Does a tree mean something else once the other side is at the root?
inline bool explores_by_side(const Options& options) {
  const ExploreChance own = chance_below(options, true);
  return own != chance_below(options, false) || own != chance_at_root(options);
}

/// The child that a descent goes on to.
struct ChosenChild {
  int index = -1;
  bool counted = true;  // false for a weightless visit
};

/// KataGo's PUCT with the human model's policy. A child never tried counts as in KataGoPuct.
class HumanPuct {
 public:
  static constexpr bool kNeedsTriedPrior = true;
  static constexpr bool kValuesRise = false;
  using View = KataGoPuct::View;

  explicit HumanPuct(const Options& options) : options_(options) {}

  View view(const NodeView& node) const {
    const double below = node.mass_below;
    const double cpuct = options_.human_cpuct + options_.human_cpuct_permanent * std::sqrt(below);
    const bool absolute = options_.fpu == FpuStrategy::kAbsolute;
    const double fpu = node.is_root ? options_.fpu_reduction_root : options_.fpu_reduction;
    return {static_cast<float>(cpuct * std::sqrt(below + kLittle)),
            absolute ? static_cast<float>(fpu) : KataGoPuct(options_).view(node).first_play};
  }
  float score(const View& view, const ChildView& child) const {
    const float q = child.judged ? 2.0f * child.value - 1.0f : view.first_play;
    return q + view.explore * child.prior * child.weight / (1.0f + child.mass);
  }

 private:
  /// Keeps the order of the priors where there is no visit to tell them apart yet.
  static constexpr double kLittle = 0.01;

  Options options_;
};

/// A node's children with the human model's priors; what is forbidden stays so.
template <class Steer>
struct AsHuman {
  static constexpr bool kPlain = false;
  const Steer& steer;
  const HumanEdge* edges;
  double power;  // by which root noise evens out priors
  bool counted;

  bool admit(std::size_t i, const Node& kid, ChildView& child) const {
    if (!steer.admit(i, kid, child)) return false;
    child.prior =
        power == 1.0 ? edges[i].prior : std::pow(edges[i].prior, static_cast<float>(power));
    return true;
  }
  void adjust(std::size_t i, ChildView& child) const {
    if (counted) steer.adjust(i, child);
  }
};

/// The child that a person would look at next; -1 where there is none to choose.
template <class Steer>
inline int best_as_human(const Options& options, SelectionContext search, const Node& node,
                         const Extras* extras, int mover, bool is_root, bool counted,
                         const Steer& steer) {
  const HumanEdge* edges = node.human_edges();
  search.human = counted;  // a weightless visit asks what is known of a child, counted or not
  const HumanPuct rule(options);
  NodeView about = node_view<HumanPuct>(
      search, node, extras, mover, is_root, 0,
      [edges](std::size_t i, const Node&) { return edges[i].prior; },
      [](std::size_t) { return std::int64_t{0}; });
  if (!extras) about.own_value = about.value;
  if (!search.weighted && !counted) {
    double below = 0.0;
    for (const Node& kid : node.children()) below += kid.visits() + kid.pending();
    about.mass_below = static_cast<float>(below);
  }
  const double power = is_root && counted ? 1.0 / (4.0 * options.root_noise + 1.0) : 1.0;
  return best_child(rule, rule.view(about), search, node, mover,
                    AsHuman<Steer>{steer, edges, power, counted});
}

/// Draws whether a person chooses at a node, and if so, which child; an index of -1 where the
/// search's own rule has to.
inline ChosenChild choose_as_human(const Options& options, const SelectionContext& search,
                                   const Node& node, const Extras* extras, int mover, int depth,
                                   const Root& root, Rng& rng) {
  const bool is_root = depth == 0;
  const ExploreChance chance =
      is_root ? chance_at_root(options) : chance_below(options, mover == search.root_mover);
  if (!chance.any() || node.human_edges()->prior < 0.0f) return {};
  const double drawn = rng.unit();
  if (drawn >= chance.weightless + chance.weightful) return {};
  const bool counted = drawn >= chance.weightless;
  const auto best = [&](const auto& steer) {
    return best_as_human(options, search, node, extras, mover, is_root, counted, steer);
  };
  if (is_root && root.steered()) {
    const double value = node.visits() ? mover_value(node, mover) : 0.5;
    return {best(SteeredRoot{root, rng, mover, value, style_lift(root)}), counted};
  }
  int index = -1;
  if (!is_root && depth < root.reach()) index = best(SteeredBelow{root.plan(), mover, depth});
  // Restrictions below the root may leave a side nothing at all; then they do not bind there.
  if (index < 0) index = best(Unsteered{});
  return {index, counted};
}

/// Takes one of a child's weightless visits, to be counted in the place of a descent; false where
/// it has none.
inline bool take_weightless(const Node& node, int index) {
  auto& weightless = node.human_edges()[index].weightless;
  std::uint32_t left = weightless.load(std::memory_order_acquire);
  do {
    if (left == 0) return false;
  } while (!weightless.compare_exchange_weak(left, left - 1, std::memory_order_acquire));
  return true;
}

}  // namespace kibitz
