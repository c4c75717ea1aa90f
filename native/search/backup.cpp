#include "search/backup.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kibitz {

namespace {

/// How much a node's weight counts when it tells of the evaluator's error.
constexpr double kBiasExponent = 0.85;

/// An evaluation weighs kUncertaintyScale over its expected error, at most kMostWeight.
constexpr double kUncertaintyScale = 0.25, kMostWeight = 8.0;

}  // namespace

void Backup::begin(Tree& tree, const Root& root, const ScoreUtility& utility,
                   const Options& options, bool exclusive) {
  tree_ = &tree;
  root_ = &root;
  utility_ = &utility;
  value_bias_ = options.value_bias;
  uncertainty_ = options.uncertainty;
  weighted_ = tree.shape().weighted;
  human_ = tree.shape().human;
  exclusive_ = exclusive;
}

void Backup::add(PendingStats& pending, const Path& path, const Outcome& outcome) {
  const double value = utility_->value(outcome);
  const Quantities amounts =
      tree_->shape().extras ? quantities_at(path, outcome, value) : Quantities{};
  const Step& leaf = path.back();
  if (leaf.extras && leaf.node->visits() == 0)
    leaf.extras->set_own(amounts, value, weight_of(outcome));
  const std::size_t first = begin_counting(pending, path);
  if (weighted_)
    add_weighted(path, first, value, outcome);
  else
    add_means(pending, path, first, to_fixed(value), amounts);
  end_counting(path, first);
}

void Backup::add_made(PendingStats& pending, const Path& path, std::size_t index) {
  const Node& node = *path.back().node;
  const Node& kid = node.children()[index];
  const Extras* extras = tree_->shape().extras ? node.extras_of_children()[index].load() : nullptr;
  const std::size_t first = begin_counting(pending, path);
  if (weighted_) {
    for (std::size_t i = path.size(); i-- > first;) {
      bump(path[i].node->counts, path[i].pending ? 1 - Node::kPendingOne : 1, exclusive_);
      if (path[i].extras)
        weigh_anew(path[i], i == 0);
      else
        bump(path[i].node->value_sum, to_fixed(kid.mean()), exclusive_);
    }
  } else {
    Quantities means{};
    for (std::size_t q = 0; extras && q < kQuantities; ++q)
      means[q] = extras->mean(static_cast<Quantity>(q), kid.visits());
    add_means(pending, path, first, to_fixed(kid.mean()), means);
  }
  end_counting(path, first);
}

/// The first node of `path` that counts the visit.
std::size_t Backup::begin_counting(PendingStats& pending, const Path& path) {
  ++pending.finished;
  pending.depths += static_cast<std::int64_t>(path.size()) - 1;
  std::size_t first = human_ ? path.size() - 1 : 0;
  while (first > 0 && path[first].counted) --first;
  if (first == 0) ++pending.visits;
  return first;
}

/// Only after the node has counted the visit, so that nobody sees a weightless one too many.
void Backup::end_counting(const Path& path, std::size_t first) {
  if (first == 0) return;
  abandon(std::span(path).first(first));
  const Node& parent = *path[first - 1].node;
  const auto index = path[first].node - parent.children().data();
  parent.human_edges()[index].weightless.fetch_add(1, std::memory_order_release);
}

void Backup::add_means(PendingStats& pending, const Path& path, std::size_t first,
                       std::int64_t value, const Quantities& amounts) {
  if (first == 0) {
    pending.root_value += value;
    if (path[0].extras) path[0].extras->add(amounts, exclusive_);
  }
  for (std::size_t i = std::max<std::size_t>(first, 1); i < path.size(); ++i) {
    if (i == 1 && hold(pending, path[i], value)) continue;
    const std::uint64_t one = path[i].pending ? 1 - Node::kPendingOne : 1;
    bump(path[i].node->counts, one, exclusive_);
    bump(path[i].node->value_sum, value, exclusive_);
    if (path[i].extras) path[i].extras->add(amounts, exclusive_);
  }
}

/// Children of the root are written by every thread all the time. Once they are much visited, a
/// thread may hold back a few visits without anybody choosing differently.
bool Backup::hold(PendingStats& pending, const Step& step, std::int64_t value) const {
  if (exclusive_ || human_ || step.pending || step.extras) return false;
  for (auto& child : pending.children) {
    if (child.node != step.node) continue;
    ++child.visits;
    child.value += value;
    return true;
  }
  pending.children.push_back({step.node, 1, value});
  return true;
}

void Backup::flush(PendingStats& pending) {
  Node& root = tree_->root();
  if (!weighted_) {  // weighing has written them already
    bump(root.counts, static_cast<std::uint64_t>(pending.visits), exclusive_);
    bump(root.value_sum, pending.root_value, exclusive_);
  }
  for (const auto& child : pending.children) {
    bump(child.node->counts, child.visits, exclusive_);
    bump(child.node->value_sum, child.value, exclusive_);
  }
  pending.children.clear();
  pending.finished = pending.depths = pending.visits = pending.root_value = 0;
}

void Backup::abandon(std::span<const Step> path) {
  for (std::size_t i = 1; i < path.size(); ++i)
    if (path[i].pending) bump(path[i].node->counts, ~Node::kPendingOne + 1, exclusive_);
}

/// A node without extras (the arena was full) keeps plain sums; above it everything is weighed.
void Backup::add_weighted(const Path& path, std::size_t first, double value,
                          const Outcome& outcome) {
  for (std::size_t i = path.size(); i-- > first;) {
    const Step& step = path[i];
    bump(step.node->counts, step.pending ? 1 - Node::kPendingOne : 1, exclusive_);
    if (i + 1 < path.size() && step.extras) {
      weigh_anew(step, i == 0);
      continue;
    }
    const double seen = step.extras ? value + biased(*step.extras) : value;
    bump(step.node->value_sum, to_fixed(seen), exclusive_);
    if (!step.extras) continue;
    const double visits = step.node->visits();
    step.extras->add(quantities_at(path, outcome, seen), exclusive_);
    const double weighs = step.extras->own_weight.load(std::memory_order_relaxed);
    step.extras->set_weight(visits * weighs, visits * weighs * weighs);
  }
}

/// Makes a node's sums from its children's and its own evaluation.
void Backup::weigh_anew(const Step& step, bool is_root) {
  thread_local std::vector<WeighedChild> kids;
  const double visits = step.node->visits();
  double before = 0.0;
  const double total = weigh_children(*step.node, step.mover, is_root, kids, &before);
  Quantities means{};
  const double weighs = step.extras->own_weight.load(std::memory_order_relaxed);
  double sum = 0.0, squares = weighs * weighs;
  for (const WeighedChild& kid : kids) {
    const double n = kid.node->visits();
    sum += kid.weight * kid.node->mean();
    for (std::size_t q = 0; q < kQuantities; ++q)
      means[q] += kid.weight * kid.extras->mean(static_cast<Quantity>(q), n);
    const double scale = kid.weight / std::max(1e-10, kid.extras->weight.load());
    squares += scale * scale * kid.extras->weight_square.load(std::memory_order_relaxed);
  }
  double own = step.extras->own_value.load(std::memory_order_relaxed);
  if (total > 1e-10) tell_bias(*step.extras, sum / total - own, std::pow(before, kBiasExponent));
  own += biased(*step.extras);
  sum += weighs * own;
  for (std::size_t q = 0; q < kQuantities; ++q) {
    const double plain = step.extras->own[q].load(std::memory_order_relaxed);
    means[q] += weighs * (q == kValueSquare ? own * own : plain);
  }
  for (double& mean : means) mean /= weighs + total;
  step.extras->set_means(means, visits);
  step.extras->set_weight(weighs + total, squares);
  step.node->value_sum.store(to_fixed(sum / (weighs + total) * visits), std::memory_order_relaxed);
}

double Backup::weight_of(const Outcome& outcome) {
  const bool known = outcome.value_error >= 0.0f;
  if (known) errors_known_.store(true, std::memory_order_relaxed);
  if (!uncertainty_ || !errors_known_.load(std::memory_order_relaxed)) return 1.0;
  if (!known) return kMostWeight;  // the end of the game is certain
  const double error = static_cast<double>(outcome.value_error) +
                       utility_->slope(outcome.score) * static_cast<double>(outcome.score_error);
  return kUncertaintyScale / (error + kUncertaintyScale / kMostWeight);
}

void Backup::attach_bias(Extras* extras, std::uint64_t key) {
  if (!extras || value_bias_ <= 0 || !weighted_ || key == 0) return;
  if (extras->bias.load(std::memory_order_relaxed)) return;
  extras->bias.store(tree_->bias_at(key), std::memory_order_relaxed);
}

/// What has to be added to a node's own evaluation.
double Backup::biased(const Extras& extras) const {
  const ValueBias* bias = extras.bias.load(std::memory_order_relaxed);
  return bias ? value_bias_ * bias->expected() : 0.0;
}

/// Replaces a node's contribution to the evaluator's error by what it knows now.
void Backup::tell_bias(Extras& extras, double difference, double weight) const {
  if (ValueBias* bias = extras.bias.load(std::memory_order_relaxed))
    bias->retell(difference * weight, weight, extras.told_difference, extras.told_weight);
}

double Backup::weigh_children(const Node& node, int mover, bool is_root,
                              std::vector<WeighedChild>& out, double* before) const {
  constexpr double kNoiseScale = 0.15, kExponent = 0.25;
  out.clear();
  const auto kids = node.children();
  const HumanEdge* edges = human_ ? node.human_edges() : nullptr;
  double total = 0.0, value_sum = 0.0, prior_sum = 0.0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Extras* extras = node.extras_of_children()[i].load(std::memory_order_acquire);
    if (!extras || kids[i].visits() == 0) continue;
    const bool steered = is_root && root_->is_open();
    double weight = mass_of(
        kids[i], extras, (steered ? root_->set_aside_visits(i) : 0) + weightless_visits(edges, i));
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
  for (WeighedChild& kid : out) {
    const double stdev = std::sqrt(1e-8 + 1.0 / (1.5 * std::sqrt(kid.weight)));
    // Student's distribution with three degrees of freedom.
    const double t = (kid.value - average) / stdev / std::numbers::sqrt3;
    const double p = 0.5 + (t / (1.0 + t * t) + std::atan(t)) / std::numbers::pi;
    weighed += kid.weight *= std::pow(p + 0.0001, kExponent);
  }
  for (WeighedChild& kid : out) kid.weight *= total / weighed;
  return total;
}

bool Backup::settle_from(const Path& path, std::size_t last) {
  const Plan& plan = root_->plan();
  for (std::size_t i = last; i-- > 0;) {
    Node& node = *path[i].node;
    const Bounds fresh = combined(node, path[i].mover, i == 0);
    if (i == 0) {
      if (!plan.restricts(0)) node.set_bounds(fresh);
      return fresh.settled();
    }
    // What is proven among the permitted moves only would be wrong in a later, freer search.
    if (plan.restricts(static_cast<int>(i))) return false;
    const Bounds old = node.bounds();
    const Bounds merged{std::max(old.low, fresh.low), std::min(old.high, fresh.high)};
    if (merged == old) return false;
    node.set_bounds(merged);
  }
  return false;
}

Bounds Backup::combined(const Node& node, int mover, bool is_root) const {
  // The mover takes its best child: the greatest of both ends, seen from its own side.
  Bounds own{0, 0};
  const auto kids = node.children();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (is_root && !root_->counts_in_proof(i)) continue;
    const Bounds kid = kids[i].bounds().of(mover);
    own.low = std::max(own.low, kid.low);
    own.high = std::max(own.high, kid.high);
  }
  return own.of(mover);  // turning is its own inverse
}

}  // namespace kibitz
