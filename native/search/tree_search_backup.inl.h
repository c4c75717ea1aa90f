// How an evaluation travels up the tree: sums, weights, proven bounds. Included by tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
void TreeSearch<G>::back_up(Worker& worker, const std::vector<Step>& path, const Outcome& outcome) {
  const double value = utility_.value(outcome);
  const Quantities amounts = extras_ ? quantities_of(outcome, value) : Quantities{};
  const Step& leaf = path.back();
  if (leaf.extras && leaf.node->visits() == 0) leaf.extras->set_own(amounts, value);
  if (weighted_) {
    back_up_weighted(path, value, outcome);
  } else {
    const std::int64_t fixed = to_fixed(value);
    ++worker.root_visits;
    worker.root_value += fixed;
    if (path[0].extras) path[0].extras->add(amounts, exclusive_);
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (i == 1 && keeps_to_itself(worker, path[i], fixed)) continue;
      const std::uint64_t one = path[i].pending ? 1 - Node::kPendingOne : 1;
      bump(path[i].node->counts, one, exclusive_);
      bump(path[i].node->value_sum, fixed, exclusive_);
      if (path[i].extras) path[i].extras->add(amounts, exclusive_);
    }
  }
  worker.depths += static_cast<std::int64_t>(path.size()) - 1;
  ++worker.finished;
  // Alone, or with a network, the counters are as good as private: they are kept to the visit.
  if (exclusive_ || evaluator_->gives_priors() || worker.finished >= 16) hand_in(worker);
}

/// Children of the root are written by every thread all the time. Once they are much visited, a
/// thread may hold back a few visits without anybody choosing differently.
template <Game G>
bool TreeSearch<G>::keeps_to_itself(Worker& worker, const Step& step, std::int64_t value) const {
  if (exclusive_ || step.pending || step.extras) return false;
  for (auto& kept : worker.kept) {
    if (kept.node != step.node) continue;
    ++kept.visits;
    kept.value += value;
    return true;
  }
  worker.kept.push_back({step.node, 1, value});
  return true;
}

/// Adds what a thread has kept to itself to the counters that all share.
template <Game G>
void TreeSearch<G>::hand_in(Worker& worker) {
  if (worker.finished == 0) return;
  bump(root_.counts, worker.root_visits, exclusive_);
  bump(root_.value_sum, worker.root_value, exclusive_);
  for (const auto& kept : worker.kept) {
    bump(kept.node->counts, kept.visits, exclusive_);
    bump(kept.node->value_sum, kept.value, exclusive_);
  }
  worker.kept.clear();
  bump(depth_sum_, worker.depths, exclusive_);
  const std::int64_t before = finished_.load(std::memory_order_relaxed);
  bump(finished_, worker.finished, exclusive_);
  const std::int64_t after = before + worker.finished;
  const auto passed = [&](std::int64_t period) { return before / period != after / period; };
  worker.finished = worker.depths = worker.root_value = 0;
  worker.root_visits = 0;
  if (!root_open_.load(std::memory_order_relaxed)) return;
  if (options_.early_stop && passed(64) && root_decided()) finish(StopReason::kDecided);
  if (prunes_ && passed(options_.prune_period)) prune_root(after);
}

/// A node without extras (the arena was full) keeps plain sums; above it everything is weighed.
template <Game G>
void TreeSearch<G>::back_up_weighted(const std::vector<Step>& path, double value,
                                     const Outcome& outcome) {
  thread_local std::vector<Weighing> kids;
  for (std::size_t i = path.size(); i-- > 0;) {
    const Step& step = path[i];
    bump(step.node->counts, step.pending ? 1 - Node::kPendingOne : 1, exclusive_);
    const double visits = step.node->visits();
    if (i + 1 == path.size() || !step.extras) {
      const double seen = step.extras ? value + biased(*step.extras) : value;
      bump(step.node->value_sum, to_fixed(seen), exclusive_);
      if (!step.extras) continue;
      step.extras->add(quantities_of(outcome, seen), exclusive_);
      step.extras->set_weight(visits, visits);
      continue;
    }
    double before = 0.0;
    const double total = weigh_children(*step.node, step.mover, i == 0, kids, &before);
    Quantities means{};
    double sum = 0.0, squares = 1.0;
    for (const Weighing& kid : kids) {
      const double n = kid.kid->visits();
      sum += kid.weight * kid.kid->mean();
      for (std::size_t q = 0; q < kQuantities; ++q)
        means[q] += kid.weight * kid.extras->mean(static_cast<Quantity>(q), n);
      const double scale = kid.weight / std::max(1e-10, kid.extras->weight.load());
      squares += scale * scale * kid.extras->weight_square.load(std::memory_order_relaxed);
    }
    double own = step.extras->own_value.load(std::memory_order_relaxed);
    if (total > 1e-10) tell_bias(*step.extras, sum / total - own, std::pow(before, kBiasExponent));
    own += biased(*step.extras);
    sum += own;
    for (std::size_t q = 0; q < kQuantities; ++q)
      means[q] += q == kValueSquare
                      ? own * own
                      : static_cast<double>(step.extras->own[q].load(std::memory_order_relaxed));
    for (double& mean : means) mean /= 1.0 + total;
    step.extras->set_means(means, visits);
    step.extras->set_weight(1.0 + total, squares);
    step.node->value_sum.store(to_fixed(sum / (1.0 + total) * visits), std::memory_order_relaxed);
  }
}

/// Finds what is known of the evaluator's error at a node that is being judged for the first time.
template <Game G>
void TreeSearch<G>::find_bias(const G& position, Extras* extras) {
  if constexpr (requires { position.local_key(); }) {
    if (!extras || options_.value_bias <= 0 || !weighted_) return;
    if (extras->bias.load(std::memory_order_relaxed)) return;
    if (const std::uint64_t key = position.local_key())
      extras->bias.store(biases_->at(key), std::memory_order_relaxed);
  }
}

/// What has to be added to a node's own evaluation.
template <Game G>
double TreeSearch<G>::biased(const Extras& extras) const {
  const ValueBias* bias = extras.bias.load(std::memory_order_relaxed);
  return bias ? options_.value_bias * bias->expected() : 0.0;
}

/// Replaces what a node has told about the evaluator's error by what it knows now.
template <Game G>
void TreeSearch<G>::tell_bias(Extras& extras, double difference, double weight) {
  if (ValueBias* bias = extras.bias.load(std::memory_order_relaxed))
    bias->retell(difference * weight, weight, extras.told_difference, extras.told_weight);
}

/// What a child's visits weigh, less those set aside.
template <Game G>
double TreeSearch<G>::mass_of(const Node& kid, const Extras* extras, std::int64_t aside) {
  const double visits = kid.visits();
  if (!extras || visits == 0) return visits - static_cast<double>(aside);
  const double weight = extras->weight.load(std::memory_order_relaxed);
  return aside == 0 ? weight : weight * (visits - static_cast<double>(aside)) / visits;
}

/// The children's weights, and their sum. A child gets what its visits weigh, less what it got
/// beyond twice its share of the priors although it is worse than those before it; then children
/// that look worse than the average are counted less, the more so the surer that is. `before` is
/// set to the sum before all that.
template <Game G>
double TreeSearch<G>::weigh_children(const Node& node, int mover, bool is_root,
                                     std::vector<Weighing>& out, double* before) const {
  constexpr double kNoiseScale = 0.15, kExponent = 0.25;
  out.clear();
  const auto kids = node.children();
  double total = 0.0, value_sum = 0.0, prior_sum = 0.0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Extras* extras = node.extras_of_children()[i].load(std::memory_order_acquire);
    if (!extras || kids[i].visits() == 0) continue;
    const bool steered = is_root && root_open_.load(std::memory_order_relaxed);
    double weight = mass_of(kids[i], extras, steered ? set_aside_visits(i) : 0);
    if (weight <= 0.0) continue;
    if (before) *before += weight;
    const double mean = 2.0 * kids[i].mean() - 1.0, own = mover == 0 ? mean : -mean;
    const double prior = std::max(1e-30, static_cast<double>(kids[i].prior));
    if (total > 0.0) {
      const double gap = value_sum / total - own, share = 2.0 * total * prior / prior_sum;
      if (gap > 0.0 && weight > share)
        weight -= (weight - share) * (1.0 - std::exp(-gap / kNoiseScale));
    }
    value_sum += own * weight;
    total += weight;
    prior_sum += prior;
    out.push_back({&kids[i], extras, weight, own});
  }
  if (out.size() < 2) return total;
  const double average = value_sum / total;
  double weighed = 0.0;
  for (Weighing& kid : out) {
    const double stdev = std::sqrt(1e-8 + 1.0 / (1.5 * std::sqrt(kid.weight)));
    // Student's distribution with three degrees of freedom.
    const double t = (kid.value - average) / stdev / std::numbers::sqrt3;
    const double p = 0.5 + (t / (1.0 + t * t) + std::atan(t)) / std::numbers::pi;
    weighed += kid.weight *= std::pow(p + 0.0001, kExponent);
  }
  for (Weighing& kid : out) kid.weight *= total / weighed;
  return total;
}

/// Of a root move's visits, the guaranteed ones that were served.
template <Game G>
std::int64_t TreeSearch<G>::guaranteed_visits(std::size_t index) const {
  const RootMove& move = root_moves_[index];
  return std::min<std::int64_t>(root_.children()[index].visits(),
                                move.served_before + move.served.load(std::memory_order_relaxed));
}

/// And those that must not count in the root's value.
template <Game G>
std::int64_t TreeSearch<G>::set_aside_visits(std::size_t index) const {
  return options_.guaranteed_in_root_value ? 0 : guaranteed_visits(index);
}

template <Game G>
Extras* TreeSearch<G>::extras_at(std::atomic<Extras*>& slot, Worker& worker) {
  Extras* found = slot.load(std::memory_order_acquire);
  if (found) return found;
  std::byte* memory = worker.shelf.take(*arena_, sizeof(Extras));
  if (!memory) return nullptr;
  Extras* fresh = new (memory) Extras;
  // Another thread may have been quicker; then ours is left unused.
  return slot.compare_exchange_strong(found, fresh, std::memory_order_acq_rel) ? fresh : found;
}

template <Game G>
void TreeSearch<G>::keep_ownership(Extras* extras, std::span<const float> ownership,
                                   Worker& worker) {
  if (!extras || ownership.empty() || extras->ownership.load(std::memory_order_relaxed)) return;
  std::byte* memory = worker.shelf.take(*arena_, ownership.size() * sizeof(float));
  if (!memory) return;
  std::memcpy(memory, ownership.data(), ownership.size() * sizeof(float));
  extras->ownership.store(reinterpret_cast<float*>(memory), std::memory_order_release);
}

template <Game G>
void TreeSearch<G>::abandon(const std::vector<Step>& path) {
  for (std::size_t i = 1; i < path.size(); ++i)
    if (path[i].pending) bump(path[i].node->counts, ~Node::kPendingOne + 1, exclusive_);
}

template <Game G>
void TreeSearch<G>::give_back(int guaranteed) {
  if (guaranteed < 0) {
    claimed_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  root_moves_[static_cast<std::size_t>(guaranteed)].served.fetch_sub(1, std::memory_order_relaxed);
  guaranteed_.fetch_sub(1, std::memory_order_relaxed);
  guarantees_left_.fetch_add(1, std::memory_order_relaxed);
}

/// Carries proven bounds from path[last] up to the root, as far as they change anything.
template <Game G>
void TreeSearch<G>::settle_from(const std::vector<Step>& path, std::size_t last) {
  for (std::size_t i = last; i-- > 0;) {
    Node& node = *path[i].node;
    const Bounds fresh = combined(node, path[i].mover, i == 0);
    if (i == 0) {
      if (fresh.settled()) root_settled_.store(true, std::memory_order_relaxed);
      if (!plan_.restricts(0)) node.set_bounds(fresh);
      return;
    }
    // What is proven among the permitted moves only would be wrong in a later, freer search.
    if (plan_.restricts(static_cast<int>(i))) return;
    const Bounds old = node.bounds();
    const Bounds merged{std::max(old.low, fresh.low), std::min(old.high, fresh.high)};
    if (merged == old) return;
    node.set_bounds(merged);
  }
}

template <Game G>
Bounds TreeSearch<G>::combined(const Node& node, int mover, bool is_root) const {
  // The mover takes its best child: the greatest of both ends, seen from its own side.
  Bounds own{0, 0};
  const auto kids = node.children();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    // Where the search may choose nothing at all, what it was asked about is all there is.
    if (is_root && !root_moves_[i].permitted && (may_choose_ || root_moves_[i].min_visits == 0))
      continue;
    const Bounds kid = kids[i].bounds().of(mover);
    own.low = std::max(own.low, kid.low);
    own.high = std::max(own.high, kid.high);
  }
  return own.of(mover);  // turning is its own inverse
}

}  // namespace kibitz
