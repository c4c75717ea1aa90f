// Which child a descent goes on to: the rule is shown the numbers, the plan has its say. Included
// by tree_search.h.
#pragma once

#include <algorithm>
#include <limits>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
template <class Rule>
int TreeSearch<G>::choose(const Rule& rule, const Step& at, int depth, Rng& rng) const {
  if (depth >= plan_reach_) return choose_among<Rule, false>(rule, at, depth, rng);
  const int index = choose_among<Rule, true>(rule, at, depth, rng);
  // Restrictions below the root may leave a side nothing at all; then they do not bind there.
  if (index < 0 && depth > 0) return choose_among<Rule, false>(rule, at, depth, rng);
  return index;
}

/// What a rule may know about the node it chooses at.
template <Game G>
template <class Rule, bool kSteered>
inline NodeView TreeSearch<G>::node_view(const Node& node, const Extras* extras, int mover,
                                         int depth) const {
  const auto kids = node.children();
  const std::uint64_t counts = node.counts.load(std::memory_order_relaxed);
  NodeView about{};
  about.visits = static_cast<std::uint32_t>(counts);
  about.tries = about.visits + static_cast<std::uint32_t>(counts >> 32);
  if constexpr (kSteered) {
    // Guaranteed visits are not the rule's own: they must not make it explore more.
    if (depth == 0) {
      const auto guaranteed = guaranteed_.load(std::memory_order_relaxed);
      about.visits -= static_cast<std::uint32_t>(std::min<std::int64_t>(about.visits, guaranteed));
      about.tries -= static_cast<std::uint32_t>(std::min<std::int64_t>(about.tries, guaranteed));
    }
  }
  about.is_root = depth == 0;
  about.root_side = mover == root_position_.to_move();
  about.iterations = static_cast<std::uint64_t>(claimed_.load(std::memory_order_relaxed));
  about.mass = static_cast<float>(about.tries);
  about.mass_below = about.tries > 1 ? about.mass - 1.0f : 0.0f;
  if constexpr (Rule::kNeedsTriedPrior) {
    about.value = node.visits() ? mover_value(node, mover) : 0.5f;
    const bool losing = options_.virtual_loss;
    const auto* slots = weighted_ ? node.extras_of_children() : nullptr;
    double below = 0.0;
    for (std::size_t i = 0; i < kids.size(); ++i) {
      const std::uint64_t tally = kids[i].counts.load(std::memory_order_relaxed);
      if (tally == 0) continue;
      if (losing || static_cast<std::uint32_t>(tally) != 0)
        about.tried_prior += kSteered && depth == 0 ? root_moves_[i].prior : kids[i].prior;
      // Guaranteed visits must not make the rule explore more.
      if (slots)
        below += mass_of(kids[i], slots[i].load(std::memory_order_acquire),
                         kSteered && depth == 0 ? guaranteed_visits(i) : 0);
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
  }
  return about;
}

template <Game G>
template <class Rule, bool kSteered>
int TreeSearch<G>::choose_among(const Rule& rule, const Step& at, int depth, Rng& rng) const {
  const Node& node = *at.node;
  const int mover = at.mover;
  const auto kids = node.children();
  const bool losing = options_.virtual_loss;
  const auto* slots = weighted_ ? node.extras_of_children() : nullptr;
  const auto view = rule.view(node_view<Rule, kSteered>(node, at.extras, mover, depth));
  const bool proofs = proofs_;
  const Bounds own = node.bounds().of(mover);

  int best = -1;
  float best_score = -std::numeric_limits<float>::infinity();
  float untried_prior = -1.0f;  // the greatest so far
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Node& kid = kids[i];
    const std::uint64_t tally = kid.counts.load(std::memory_order_relaxed);
    // Most children were never tried, and of those only the likeliest can be chosen.
    if constexpr (Rule::kNeedsTriedPrior && !kSteered)
      if (tally == 0 && kid.prior <= untried_prior && view.explore >= 0.0f) continue;
    ChildView child{0.0f, 0, kid.prior, 1.0f, false};
    if constexpr (kSteered) {
      if (depth == 0) {
        const RootMove& steer = root_moves_[i];
        if (!steer.permitted || steer.pruned.load(std::memory_order_relaxed)) continue;
        child.weight = steer.weight;
        child.prior = steer.widened;
      } else {
        if (!plan_.permits(mover, kid.move, depth)) continue;
        child.weight = static_cast<float>(plan_.weight(kid.move, depth));
      }
    }
    const Bounds bounds = kid.bounds().of(mover);
    if (proofs && (bounds.settled() || bounds.high <= own.low)) continue;
    if (tally == 0) untried_prior = std::max(untried_prior, kid.prior);
    const auto visits = static_cast<std::uint32_t>(tally);
    child.tries = visits + static_cast<std::uint32_t>(tally >> 32);
    child.mass = static_cast<float>(child.tries);
    if (const std::uint32_t counted = losing ? child.tries : visits) {
      const double sum = from_fixed(kid.value_sum.load(std::memory_order_relaxed));
      const double own_sum = mover == 0 ? sum : visits - sum;
      child.value = static_cast<float>(own_sum) / static_cast<float>(counted);
      child.judged = true;
      if (slots && visits) {
        const double weight = mass_of(kid, slots[i].load(std::memory_order_acquire), 0);
        const double under_way = static_cast<double>(child.tries - visits);
        const double mean = own_sum / visits, lost = 0.5 - 0.5 * utility_.radius();
        child.value = static_cast<float>(losing ? mean + (lost - mean) * under_way /
                                                             (under_way + std::max(0.25, weight))
                                                : mean);
        child.mass = static_cast<float>(weight + under_way);
      }
      if (bounds.known()) child.value = static_cast<float>(bounds.clamp(child.value));
      if constexpr (kSteered)
        if (depth == 0 && options_.root_noise > 0) child.value += root_bonus(rng);
    }
    const float score = rule.score(view, child);
    if (score > best_score) {
      best_score = score;
      best = static_cast<int>(i);
      if (score == kTryFirst) break;
    }
  }
  return best;
}

}  // namespace kibitz
