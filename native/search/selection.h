// The rules by which a search chooses among children. A rule sees numbers, never a game.
//
// `View` is what a rule computes once for a node; `score` is asked for every child. Values are the
// mover's own, in [0, 1]: visits under way count as losses (virtual loss), so that threads spread.
// `kValuesRise` says that a move's value grows with its visits alone, so that only moves with as
// many visits can be compared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/math.h"
#include "search/node.h"
#include "search/options.h"

namespace kibitz {

/// A child as its parent's mover sees it.
struct ChildView {
  float value;  // mean for the mover, virtual losses and proven bounds included; 0 if never tried
  std::uint32_t tries;  // visits, finished or under way
  float prior;
  float weight;
  bool judged;        // is `value` worth something?
  float mass = 0.0f;  // what the tries weigh; their number unless backup=weighted
};

/// What a rule may know about the node it chooses at.
struct NodeView {
  std::uint32_t visits;  // finished
  std::uint32_t tries;   // visits, finished or under way
  float value;           // mean for the mover; 0.5 when not yet visited
  float tried_prior;     // sum of the priors of children that were tried (only if the rule asks)
  std::uint64_t iterations;  // of the whole search so far
  bool is_root;
  bool root_side;             // does the root's mover move here?
  float own_value = 0.5f;     // the node's own evaluation for the mover (where extras are kept)
  float value_square = 0.0f;  // mean of the squared values in [-1, 1] (where extras are kept)
  float mass = 0.0f;          // what the visits weigh, the node's own included
  float mass_below = 0.0f;    // what those of the children do
  float completed = 0.5f;     // value of a child never tried (only if the rule completes values)
  float most_tries = 0.0f;    // of a child (likewise)
  float child_tries = 0.0f;   // of all children (likewise)
  float log_sum = 0.0f;       // of the children's weights in the improved policy (likewise)
};

inline constexpr float kTryFirst = std::numeric_limits<float>::infinity();

/// mean + c * sqrt(ln N / n) + bias * prior / (n + 1); a child never tried comes first.
class Ucb1 {
 public:
  static constexpr bool kNeedsTriedPrior = false;
  static constexpr bool kValuesRise = false;
  struct View {
    float spread;
  };

  explicit Ucb1(const Options& options)
      : c_(static_cast<float>(options.c)), bias_(static_cast<float>(options.bias)) {}

  View view(const NodeView& node) const {
    const float n = node.tries > 1 ? static_cast<float>(node.tries) : 1.0f;
    return {c_ * std::sqrt(natural_log(n))};
  }
  float score(const View& view, const ChildView& child) const {
    if (child.tries == 0) return kTryFirst;
    const float n = static_cast<float>(child.tries);
    const float ucb = child.value + view.spread / std::sqrt(n) + bias_ * child.prior / (n + 1.0f);
    return ucb * child.weight;
  }

 private:
  float c_, bias_;
};

/// The rule of the classic program, kept so that it can be compared: one score from the root
/// mover's side, mean + c * sqrt(ln iterations / n), of which the opponent takes the MINIMUM.
/// Exploration then repels the opponent from what it has not tried, which is why it loses to Ucb1.
class ClassicUcb {
 public:
  static constexpr bool kNeedsTriedPrior = false;
  static constexpr bool kValuesRise =
      true;  // the mover's replies get better, the opponent's do not
  struct View {
    float spread;
    bool maximize;
  };

  explicit ClassicUcb(const Options& options) : c_(static_cast<float>(options.c)) {}

  View view(const NodeView& node) const {
    const float n = node.iterations > 1 ? static_cast<float>(node.iterations) : 1.0f;
    return {c_ * std::sqrt(natural_log(n)), node.root_side};
  }
  float score(const View& view, const ChildView& child) const {
    if (child.tries == 0) return kTryFirst;
    const float explore = view.spread / std::sqrt(static_cast<float>(child.tries));
    if (view.maximize) return (child.value + explore) * child.weight;
    return -((1.0f - child.value) + explore) * child.weight;
  }

 private:
  float c_;
};

/// Q + cpuct(N) * prior * sqrt(N - 1) / (1 + n) with Q in [-1, 1], as AlphaZero and Lc0 have it: N
/// are the node's finished visits, N - 1 of which went on to its children; n counts those under
/// way.
class Puct {
 public:
  static constexpr bool kNeedsTriedPrior = true;
  static constexpr bool kValuesRise = false;
  struct View {
    float explore;
    float first_play;  // Q of a child never tried
  };

  explicit Puct(const Options& options)
      : options_(options), absolute_(options.fpu == FpuStrategy::kAbsolute) {}

  View view(const NodeView& node) const {
    const double n = node.visits;
    const double grow =
        options_.cpuct_factor == 0
            ? 0.0
            : options_.cpuct_factor * static_cast<double>(natural_log(static_cast<float>(
                                          (n + options_.cpuct_base) / options_.cpuct_base)));
    const double reduction = node.is_root ? options_.fpu_reduction_root : options_.fpu_reduction;
    const double first_play =
        absolute_
            ? reduction
            : 2.0 * node.value - 1.0 - reduction * std::sqrt(static_cast<double>(node.tried_prior));
    return {static_cast<float>((options_.cpuct + grow) * std::sqrt(n > 2 ? n - 1.0 : 1.0)),
            static_cast<float>(first_play)};
  }
  float score(const View& view, const ChildView& child) const {
    const float q = child.judged ? 2.0f * child.value - 1.0f : view.first_play;
    return q + view.explore * child.prior * child.weight / (1.0f + static_cast<float>(child.tries));
  }

 private:
  Options options_;
  bool absolute_;
};

/// PUCT as KataGo has it: the exploration grows where the values below a node are spread, and a
/// child never tried counts as a mix of the node's own evaluation and of what the search has made
/// of it.
class KataGoPuct {
 public:
  static constexpr bool kNeedsTriedPrior = true;
  static constexpr bool kValuesRise = false;
  struct View {
    float explore;
    float first_play;
  };

  explicit KataGoPuct(const Options& options) : options_(options) {}

  View view(const NodeView& node) const {
    const double visits = node.mass, below = node.mass_below;
    const double value = 2.0 * node.value - 1.0;
    const double grow =
        options_.cpuct_factor * std::log((below + options_.cpuct_base) / options_.cpuct_base);
    const double explore =
        (options_.cpuct + grow) * std::sqrt(below + kLittle) * spread_factor(node, value, visits);
    const double tried = node.tried_prior, trust = std::min(1.0, tried * tried);
    const double reduction = node.is_root ? options_.fpu_reduction_root : options_.fpu_reduction;
    const double expected = trust * value + (1.0 - trust) * (2.0 * node.own_value - 1.0);
    return {static_cast<float>(explore),
            static_cast<float>(expected - reduction * std::sqrt(tried))};
  }
  float score(const View& view, const ChildView& child) const {
    const float q = child.tries ? 2.0f * child.value - 1.0f : view.first_play;
    return q + view.explore * child.prior * child.weight / (1.0f + child.mass);
  }

 private:
  /// Keeps the order of the priors where there is no visit to tell them apart yet.
  static constexpr double kLittle = 0.01;
  static constexpr double kPriorVisits = 2.0;
  /// KataGo's cpuctUtilityStdevScale and cpuctUtilityStdevPrior.
  static constexpr double kSpreadScale = 0.85, kPriorSpread = 0.4;

  double spread_factor(const NodeView& node, double value, double visits) const {
    double spread = kPriorSpread;
    if (visits > 1) {
      const double prior = kPriorSpread * kPriorSpread, square = value * value;
      const double seen = std::max<double>(node.value_square, square);
      spread = std::sqrt(std::max(
          0.0, ((square + prior) * kPriorVisits + seen * visits) / (kPriorVisits + visits - 1.0) -
                   square));
    }
    return 1.0 + kSpreadScale * (spread / kPriorSpread - 1.0);
  }

  Options options_;
};

/// Below the root Gumbel selection takes the child whose share of the improved policy is furthest
/// ahead of its share of the visits. At the root, sequential halving comes first
/// (search/select_child.h); this is what it does there without a number of visits to plan for.
class Gumbel {
 public:
  static constexpr bool kNeedsTriedPrior = false;
  static constexpr bool kValuesRise = false;
  static constexpr bool kCompletesValues = true;
  struct View {
    float scale;      // of values
    float completed;  // value of a child never tried
    float log_sum;    // of the weights of all children
    float per_visit;
  };

  explicit Gumbel(const Options&) {}

  /// How much a value (in [0, 1]) counts beside the log of a prior.
  float scale(float most_tries) const { return kVisits + most_tries; }
  View view(const NodeView& node) const {
    return {scale(node.most_tries), node.completed, node.log_sum, 1.0f / (1.0f + node.child_tries)};
  }
  /// A child's share of the improved policy.
  float improved(const View& view, const ChildView& child) const {
    const float value = child.judged ? child.value : view.completed;
    // No more than a float can hold, where a move without any prior proves good.
    const float exponent = std::min(view.scale * value - view.log_sum, 80.0f);
    return child.prior * child.weight * std::exp(exponent);
  }
  float score(const View& view, const ChildView& child) const {
    return improved(view, child) - static_cast<float>(child.tries) * view.per_visit;
  }

 private:
  static constexpr float kVisits = 50.0f;  // c_visit of the paper
};

template <class Rule>
inline constexpr bool kCompletesValues = requires { Rule::kCompletesValues; };

/// Calls `use` with the type of the rule that the options name.
template <class Use>
decltype(auto) with_rule(const Options& options, Use&& use) {
  switch (options.rule) {
    case SelectionRule::kUcb1:
      break;
    case SelectionRule::kPuct:
      return use(std::type_identity<Puct>{});
    case SelectionRule::kKatago:
      return use(std::type_identity<KataGoPuct>{});
    case SelectionRule::kGumbel:
      return use(std::type_identity<Gumbel>{});
    case SelectionRule::kClassic:
      return use(std::type_identity<ClassicUcb>{});
  }
  return use(std::type_identity<Ucb1>{});
}

}  // namespace kibitz
