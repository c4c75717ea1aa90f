// Which child a descent goes on to. The root and the nodes below it have a function each: at the
// root every move has been looked at beforehand (search/root.h), below it the plan is asked move by
// move, as deep as it reaches. Both show a rule (search/selection.h) nothing but numbers.
//
// Threads: everything here only reads, and may run in all search threads at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "search/gumbel.h"
#include "search/node.h"
#include "search/root.h"
#include "search/root_style.h"
#include "search/selection.h"
#include "steering/plan.h"

namespace kibitz {

/// What selection has to know of a search beside the node it stands at.
struct SelectionContext {
  bool virtual_loss = true;
  bool proofs = true;            // proven moves need no more visits
  bool weighted = false;         // visits weigh what backup=weighted made of them
  bool human = false;            // weightless visits are known, and no part of a child's tries
  double lost = 0.0;             // the value of a visit under way, for the mover
  std::uint64_t iterations = 0;  // claimed so far
  int root_mover = 0;
  std::int64_t planned = 0;  // iterations of the whole search; 0 where nobody knows
};

/// A child's mean value for the mover; `counted` are its visits, with those under way where they
/// count as losses.
inline float child_value(const Node& kid, std::uint32_t visits, std::uint32_t counted, int mover) {
  const double sum = from_fixed(kid.value_sum.load(std::memory_order_relaxed));
  const double own_sum = mover == 0 ? sum : visits - sum;
  const float value = static_cast<float>(own_sum) / static_cast<float>(counted);
  const Bounds bounds = kid.bounds().of(mover);
  return bounds.known() ? static_cast<float>(bounds.clamp(value)) : value;
}

/// Fills in what a rule that completes values needs. `prior_of` gives a child's prior as selection
/// sees it, 0 for one that may not be chosen; `aside_of` those of its tries that are not the rule's
/// own.
template <class Rule, class PriorOf, class AsideOf>
inline void complete_values(const Rule& rule, const SelectionContext& search, const Node& node,
                            int mover, NodeView& about, PriorOf prior_of, AsideOf aside_of) {
  const auto kids = node.children();
  const HumanEdge* edges = search.human ? node.human_edges() : nullptr;
  const auto each_tried = [&](auto use, auto use_untried) {
    for (std::size_t i = 0; i < kids.size(); ++i) {
      const float prior = prior_of(i, kids[i]);
      const std::uint64_t tally = kids[i].counts.load(std::memory_order_relaxed);
      const auto visits = static_cast<std::uint32_t>(tally);
      const auto tries = visits + static_cast<std::uint32_t>(tally >> 32);
      const std::uint32_t counted = search.virtual_loss ? tries : visits;
      const std::int64_t own =
          static_cast<std::int64_t>(tries) - aside_of(i) - weightless_visits(edges, i);
      if (counted == 0 || own <= 0)
        use_untried(prior);
      else if (prior > 0.0f)
        use(prior, child_value(kids[i], visits, counted, mover), static_cast<std::uint32_t>(own));
    }
  };
  Completion sums;
  each_tried(
      [&](float prior, float value, std::uint32_t tries) { sums.add_tried(prior, value, tries); },
      [&](float prior) { sums.add_untried(prior); });
  about.completed = sums.mixed(about.own_value);
  about.most_tries = static_cast<float>(sums.most());
  about.child_tries = static_cast<float>(sums.tries());
  const float scale = rule.scale(about.most_tries);
  LogSum total;
  each_tried(
      [&](float prior, float value, std::uint32_t) { total.add(std::log(prior) + scale * value); },
      [](float) {});
  if (sums.untried_prior() > 0.0f)
    total.add(std::log(sums.untried_prior()) + scale * about.completed);
  about.log_sum = total.value();
}

/// What a rule may know about a node. `prior_of` gives a child's prior, `aside_of` those of its
/// visits that are not the rule's own, `guaranteed` their number.
template <class Rule, class PriorOf, class AsideOf>
inline NodeView node_view(const SelectionContext& search, const Node& node, const Extras* extras,
                          int mover, bool is_root, std::int64_t guaranteed, PriorOf prior_of,
                          AsideOf aside_of) {
  const std::uint64_t counts = node.counts.load(std::memory_order_relaxed);
  NodeView about{};
  about.visits = static_cast<std::uint32_t>(counts);
  about.tries = about.visits + static_cast<std::uint32_t>(counts >> 32);
  // Guaranteed visits are not the rule's own: they must not make it explore more.
  about.visits -= static_cast<std::uint32_t>(std::min<std::int64_t>(about.visits, guaranteed));
  about.tries -= static_cast<std::uint32_t>(std::min<std::int64_t>(about.tries, guaranteed));
  about.is_root = is_root;
  about.root_side = mover == search.root_mover;
  about.iterations = search.iterations;
  about.mass = static_cast<float>(about.tries);
  about.mass_below = about.tries > 1 ? about.mass - 1.0f : 0.0f;
  if constexpr (Rule::kNeedsTriedPrior) {
    about.value = node.visits() ? mover_value(node, mover) : 0.5f;
    const auto* slots = search.weighted ? node.extras_of_children() : nullptr;
    const HumanEdge* edges = search.human ? node.human_edges() : nullptr;
    const auto kids = node.children();
    double below = 0.0;
    for (std::size_t i = 0; i < kids.size(); ++i) {
      const std::uint64_t tally = kids[i].counts.load(std::memory_order_relaxed);
      if (tally == 0) continue;
      const auto tries =
          static_cast<std::int64_t>(static_cast<std::uint32_t>(tally) + (tally >> 32));
      if ((search.virtual_loss || static_cast<std::uint32_t>(tally) != 0) && tries > aside_of(i))
        about.tried_prior += prior_of(i, kids[i]);
      if (slots)
        below += mass_of(kids[i], slots[i].load(std::memory_order_acquire),
                         aside_of(i) + weightless_visits(edges, i));
    }
    if (slots) {
      about.mass_below = static_cast<float>(below);
      about.mass = 1.0f + about.mass_below;
    }
  }
  if (extras && node.visits()) {
    const double first = extras->own_value.load(std::memory_order_relaxed);
    about.own_value = static_cast<float>(mover == 0 ? first : 1.0 - first);
    const double square = extras->mean(kValueSquare, node.visits());
    about.value_square = static_cast<float>(4.0 * (square - node.mean()) + 1.0);
  } else if (kCompletesValues<Rule> && node.visits()) {
    about.own_value = mover_value(node, mover);  // the best there is without extras
  }
  return about;
}

/// A node as the evaluator and the search left it.
template <class Rule>
inline NodeView plain_view(const Rule& rule, const SelectionContext& search, const Node& node,
                           const Extras* extras, int mover, bool is_root) {
  const auto prior_of = [](std::size_t, const Node& kid) { return kid.prior; };
  const auto none_aside = [](std::size_t) { return std::int64_t{0}; };
  NodeView about = node_view<Rule>(search, node, extras, mover, is_root, 0, prior_of, none_aside);
  if constexpr (kCompletesValues<Rule>)
    complete_values(rule, search, node, mover, about, prior_of, none_aside);
  return about;
}

/// The root as the plan makes it, without its guaranteed visits.
template <class Rule>
inline NodeView steered_root_view(const Rule& rule, const SelectionContext& search,
                                  const Node& node, const Extras* extras, int mover,
                                  const Root& root) {
  NodeView about = node_view<Rule>(
      search, node, extras, mover, true, root.guarantees().served(),
      [&root](std::size_t i, const Node&) { return root[i].prior; },
      [&root](std::size_t i) { return root.guarantees().visits(i); });
  if constexpr (kCompletesValues<Rule>)
    complete_values(
        rule, search, node, mover, about,
        [&root](std::size_t i, const Node&) {
          return root[i].permitted ? root[i].widened * root[i].weight : 0.0f;
        },
        [&root](std::size_t i) { return root.guarantees().handed_out(i); });
  return about;
}

/// Nothing is asked of a node's children.
struct Unsteered {
  static constexpr bool kPlain = true;
  bool admit(std::size_t, const Node&, ChildView&) const { return true; }
  void adjust(std::size_t, ChildView&) const {}
};

/// What the root knows of its moves.
struct SteeredRoot {
  static constexpr bool kPlain = false;
  const Root& root;
  Rng& rng;
  int mover;
  double root_value;  // for the mover
  StyleLift style;

  /// Visits that the user asked for never make a move more attractive: its score is at most the one
  /// it would have with as many visits as the search chose to make and the value it had then.
  /// Unless it is surely better than what the search has.
  template <class Rule>
  float unasked(const Rule& rule, const typename Rule::View& view, std::size_t i, ChildView child,
                float score) const {
    const std::int64_t asked = root.guarantees().handed_out(i);
    if (asked == 0 || child.tries == 0) return score;
    const double doubt = 1.0 / std::sqrt(static_cast<double>(child.tries));
    if (!Rule::kValuesRise && child.value - doubt > root_value) return score;
    const std::int64_t own = std::max<std::int64_t>(child.tries - asked, 0);
    const double first = root.guarantees().value_at(i, own);
    child.value = own == 0 ? 0.0f : static_cast<float>(mover == 0 ? first : 1.0 - first);
    if (own > 0) child.value += style.of(style_bonus(root, i));
    child.mass *= static_cast<float>(own) / static_cast<float>(child.tries);
    child.tries = static_cast<std::uint32_t>(own);
    child.judged = own > 0;
    return std::min(score, rule.score(view, child));
  }
  bool admit(std::size_t i, const Node&, ChildView& child) const {
    const RootMove& move = root[i];
    if (!root.admits(i)) return false;
    child.weight = move.weight;
    child.prior = biased_prior(root, i, style);
    return true;
  }
  void adjust(std::size_t i, ChildView& child) const {
    if (style.budget > 0.0f) child.value += style.of(style_bonus(root, i));
    if (root.noisy()) child.value += root.noise(rng);
  }
};

/// What the plan says below the root.
struct SteeredBelow {
  static constexpr bool kPlain = false;
  const Plan& plan;
  int mover, depth;

  bool admit(std::size_t, const Node& kid, ChildView& child) const {
    if (!plan.permits(mover, kid.move, depth)) return false;
    child.weight = static_cast<float>(plan.weight(kid.move, depth));
    return true;
  }
  void adjust(std::size_t, ChildView&) const {}
};

/// best_child for a tree with or without weightless visits: what this loop does for each child is
/// felt, and hardly any search has them.
template <bool kHuman, class Rule, class Steer>
inline int best_child_of(const Rule& rule, const typename Rule::View& view,
                         const SelectionContext& search, const Node& node, int mover,
                         const Steer& steer) {
  const auto kids = node.children();
  const auto* slots = search.weighted ? node.extras_of_children() : nullptr;
  const HumanEdge* edges = kHuman ? node.human_edges() : nullptr;
  const bool losing = search.virtual_loss, proofs = search.proofs;
  const Bounds own = node.bounds().of(mover);
  int best = -1;
  float best_score = -std::numeric_limits<float>::infinity();
  float untried_prior = -1.0f;  // the greatest so far
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Node& kid = kids[i];
    const std::uint64_t tally = kid.counts.load(std::memory_order_relaxed);
    // Most children were never tried, and of those only the likeliest can be chosen.
    if constexpr (Rule::kNeedsTriedPrior && Steer::kPlain)
      if (tally == 0 && kid.prior <= untried_prior && view.explore >= 0.0f) continue;
    ChildView child{0.0f, 0, kid.prior, 1.0f, false};
    if (!steer.admit(i, kid, child)) continue;
    const Bounds bounds = kid.bounds().of(mover);
    if (proofs && (bounds.settled() || bounds.high <= own.low)) continue;
    if (tally == 0) untried_prior = std::max(untried_prior, kid.prior);
    const auto visits = static_cast<std::uint32_t>(tally);
    const auto under_way = static_cast<std::uint32_t>(tally >> 32);
    const std::uint32_t weightless = kHuman ? weightless_visits(edges, i) : 0;
    child.tries = counted_visits(visits, weightless) + under_way;
    child.mass = static_cast<float>(child.tries);
    if (const std::uint32_t counted = losing ? visits + under_way : visits) {
      const double sum = from_fixed(kid.value_sum.load(std::memory_order_relaxed));
      const double own_sum = mover == 0 ? sum : visits - sum;
      child.value = static_cast<float>(own_sum) / static_cast<float>(counted);
      child.judged = !kHuman || child.tries > 0;
      if (slots && visits) {
        const double weight = mass_of(kid, slots[i].load(std::memory_order_acquire), weightless);
        const double lost = static_cast<double>(under_way), mean = own_sum / visits;
        child.value = static_cast<float>(
            losing ? mean + (search.lost - mean) * lost / (lost + std::max(0.25, weight)) : mean);
        child.mass = static_cast<float>(weight + lost);
      }
      if (bounds.known()) child.value = static_cast<float>(bounds.clamp(child.value));
      steer.adjust(i, child);
    }
    float score = rule.score(view, child);
    if constexpr (requires { steer.unasked(rule, view, i, child, score); })
      score = steer.unasked(rule, view, i, child, score);
    if (score > best_score) {
      best_score = score;
      best = static_cast<int>(i);
      if (score == kTryFirst) break;
    }
  }
  return best;
}

/// The child with the rule's best score among those that `steer` admits and that are not settled;
/// -1 when there is none.
template <class Rule, class Steer>
inline int best_child(const Rule& rule, const typename Rule::View& view,
                      const SelectionContext& search, const Node& node, int mover,
                      const Steer& steer) {
  return search.human ? best_child_of<true>(rule, view, search, node, mover, steer)
                      : best_child_of<false>(rule, view, search, node, mover, steer);
}

/// The sum that sequential halving goes by: Gumbel noise, log of the prior, value.
inline float gumbel_sum(const Gumbel::View& view, const RootMove& move, float value, bool judged) {
  constexpr float kLeast = 1e-30f;  // a move without any prior comes last
  return move.gumbel + std::log(std::max(move.widened * move.weight, kLeast)) +
         view.scale * (judged ? value : view.completed);
}

/// The same of a root move as it stands. Visits that the user asked for never make it more
/// attractive, unless it is surely better than what the search has (see SteeredRoot).
inline float gumbel_sum(const Gumbel::View& view, const Root& root, std::size_t i, const Node& kid,
                        int mover, bool losing, double root_value, const StyleLift& style) {
  const std::uint32_t visits = kid.visits(), tries = visits + kid.pending();
  const std::uint32_t counted = losing ? tries : visits;
  if (counted == 0) return gumbel_sum(view, root[i], 0.0f, false);
  const float value = child_value(kid, visits, counted, mover) + style.of(style_bonus(root, i));
  const float sum = gumbel_sum(view, root[i], value, true);
  const std::int64_t asked = root.guarantees().handed_out(i);
  const double doubt = 1.0 / std::sqrt(static_cast<double>(tries));
  if (asked == 0 || static_cast<double>(value) - doubt > root_value) return sum;
  const std::int64_t own = static_cast<std::int64_t>(tries) - asked;
  const double first = root.guarantees().value_at(i, own);
  const float then = static_cast<float>(mover == 0 ? first : 1.0 - first);
  return std::min(sum, gumbel_sum(view, root[i], then, own > 0));
}

/// The root move that sequential halving visits next: of those with as many visits as it is the
/// turn of, the one with the best sum. Proven and set-aside moves leave gaps in that order, and
/// threads run ahead of it; then the moves nearest to it are taken. -1 when there is none.
inline int gumbel_root_child(const Gumbel& rule, const SelectionContext& search, const Node& node,
                             const Extras* extras, const Root& root) {
  const int mover = search.root_mover;
  const auto kids = node.children();
  const auto view = rule.view(steered_root_view(rule, search, node, extras, mover, root));
  const Bounds own = node.bounds().of(mover);
  const double root_value = node.visits() ? mover_value(node, mover) : 0.5;
  std::int64_t index = 0;
  const HumanEdge* edges = search.human ? node.human_edges() : nullptr;
  const auto own_tries = [&](std::size_t i) {
    return root.own_tries(
        i, counted_visits(kids[i].visits(), weightless_visits(edges, i)) + kids[i].pending());
  };
  for (std::size_t i = 0; i < kids.size(); ++i) index += std::max<std::int64_t>(0, own_tries(i));
  const StyleLift style = style_lift(root);
  const std::int64_t wanted = considered_visits(root.considered(), search.planned, index);
  int best = -1;
  std::int64_t best_gap = 0;
  float best_sum = 0.0f;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Bounds bounds = kids[i].bounds().of(mover);
    if (!root.admits(i)) continue;
    if (search.proofs && (bounds.settled() || bounds.high <= own.low)) continue;
    const float sum =
        gumbel_sum(view, root, i, kids[i], mover, search.virtual_loss, root_value, style);
    const std::int64_t gap = std::abs(own_tries(i) - wanted);
    if (best >= 0 && (gap > best_gap || (gap == best_gap && sum <= best_sum))) continue;
    best = static_cast<int>(i);
    best_gap = gap;
    best_sum = sum;
  }
  return best;
}

template <class Rule>
inline int select_at_root(const Rule& rule, const SelectionContext& search, const Node& node,
                          const Extras* extras, const Root& root, Rng& rng) {
  const int mover = search.root_mover;
  if constexpr (std::is_same_v<Rule, Gumbel>)
    if (search.planned > 0) return gumbel_root_child(rule, search, node, extras, root);
  if (!root.steered()) {
    const auto view = rule.view(plain_view(rule, search, node, extras, mover, true));
    return best_child(rule, view, search, node, mover, Unsteered{});
  }
  const auto view = rule.view(steered_root_view(rule, search, node, extras, mover, root));
  const double value = node.visits() ? mover_value(node, mover) : 0.5;
  return best_child(rule, view, search, node, mover,
                    SteeredRoot{root, rng, mover, value, style_lift(root)});
}

template <class Rule>
inline int select_below_root(const Rule& rule, const SelectionContext& search, const Node& node,
                             const Extras* extras, int mover, int depth, const Root& root) {
  const auto view = rule.view(plain_view(rule, search, node, extras, mover, false));
  if (depth < root.reach()) {
    const int index =
        best_child(rule, view, search, node, mover, SteeredBelow{root.plan(), mover, depth});
    if (index >= 0) return index;
    // Restrictions below the root may leave a side nothing at all; then they do not bind there.
  }
  return best_child(rule, view, search, node, mover, Unsteered{});
}

}  // namespace kibitz
