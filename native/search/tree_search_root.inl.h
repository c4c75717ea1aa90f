// The root of a search: opening it under a plan, shaping its priors, pruning, deciding when it is
// enough. Included by tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
void TreeSearch<G>::open_root(Worker& worker) {
  if (!root_.expanded()) {
    Pending& first = worker.batch.front();
    first.position = root_position_;
    first.path.assign(1, Step{&root_, extras_ ? &root_extras_ : nullptr, root_position_.to_move()});
    if (evaluator_->gives_priors()) {
      list_moves(first);
      first.expands = true;
      evaluate(worker, 1, 1);
    } else {
      expand(root_, root_position_, worker);
    }
    if (!root_.expanded()) throw std::bad_alloc();
  } else if (extras_ && root_.visits()) {
    judge_root_again(worker);
    utility_.center_on(root_extras_.mean(kScore, root_.visits()));
  }
  const auto kids = root_.children();
  const int mover = root_position_.to_move();
  // Not empty where this root was searched before: guaranteed visits it was given stay that.
  const auto before = std::exchange(root_moves_, std::vector<RootMove>(kids.size()));
  guarantees_.clear();
  may_choose_ = false;
  guaranteed_before_ = 0;
  std::int64_t had_already = 0, to_serve = 0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!before.empty()) {
      root_moves_[i].served_before = before[i].served_before + before[i].served;
      guaranteed_before_ += root_moves_[i].served_before;
    }
    root_moves_[i].permitted = plan_.permits(mover, kids[i].move, 0);
    root_moves_[i].weight = static_cast<float>(plan_.weight(kids[i].move, 0));
  }
  if (options_.root_symmetry) drop_twins();
  for (const RootMove& move : root_moves_) may_choose_ |= move.permitted;
  temper_root();
  if (!plan_.leans.empty()) lean_root();
  for (RootMove& move : root_moves_) move.widened = widened(move.prior);
  for (const auto& guarantee : plan_.include) {
    for (std::size_t i = 0; i < kids.size(); ++i) {
      if (kids[i].move != guarantee.move || root_moves_[i].min_visits > 0) continue;
      const std::int64_t had = std::min<std::int64_t>(kids[i].visits(), guarantee.min_visits);
      root_moves_[i].min_visits = guarantee.min_visits;
      root_moves_[i].to_serve = guarantee.min_visits - had;
      had_already += had;
      to_serve += root_moves_[i].to_serve;
      guarantees_.push_back(static_cast<int>(i));
    }
  }
  guarantees_left_ = to_serve;
  guaranteed_ = guaranteed_before_;
  // A proof made where this node was an inner one may rest on an oracle that left no best move, so
  // the root's own bounds are always those of its children.
  root_.set_bounds(Bounds{});
  root_settled_ = proofs_ && combined(root_, mover, true).settled();

  const auto by_visits = budget_.visits == std::numeric_limits<std::int64_t>::max()
                             ? budget_.visits
                             : budget_.visits - (root_.visits() - had_already);
  const auto by_simulations = budget_.simulations == std::numeric_limits<std::int64_t>::max()
                                  ? budget_.simulations
                                  : budget_.simulations - finished_.load();
  limit_ = may_choose_ ? std::min(by_visits, by_simulations) : 0;
  limit_reason_ = by_visits < by_simulations ? StopReason::kVisits : StopReason::kSimulations;
  root_open_.store(true, std::memory_order_release);
}

/// A node that becomes the root may look otherwise to a network than it did inside the tree, and
/// what is told of the network's own opinion is the root's.
template <Game G>
void TreeSearch<G>::judge_root_again(Worker& worker) {
  if constexpr (requires { typename G::History; }) {
    if (!evaluator_->gives_priors()) return;
    const auto kids = root_.children();
    std::vector<Move> moves;
    for (const Node& kid : kids) moves.push_back(kid.move);
    std::vector<float> priors(kids.size(), 1.0f / static_cast<float>(kids.size()));
    std::vector<float> owners(static_cast<std::size_t>(ownership_points_));
    Leaf<G> leaf;
    leaf.position = &root_position_;
    leaf.moves = moves;
    leaf.priors = priors;
    leaf.ownership = owners;
    leaf.turned = options_.symmetry == SymmetryUse::kRandom;
    leaf.symmetries = static_cast<int>(options_.root_symmetries);
    leaf.policy_optimism = static_cast<float>(options_.root_policy_optimism);
    evaluator_->evaluate({&leaf, 1}, worker.rng);
    if (options_.policy_temperature != 1.0) temper(priors);
    for (std::size_t i = 0; i < kids.size(); ++i) kids[i].prior = priors[i];
    root_own_ = leaf.outcome;
    root_extras_.set_own(quantities_of(leaf.outcome, utility_.value(leaf.outcome)),
                         utility_.value(leaf.outcome));
    if (float* kept = root_extras_.ownership.load())
      std::copy(owners.begin(), owners.end(), kept);
    else
      keep_ownership(&root_extras_, owners, worker);
  }
}

template <Game G>
double TreeSearch<G>::score_unit() const {
  if constexpr (requires { root_position_.score_unit(); })
    return root_position_.score_unit();
  else
    return 8.0;
}

/// The priors of the root's moves at the root's temperature.
template <Game G>
void TreeSearch<G>::temper_root() {
  const auto kids = root_.children();
  double sum = 0.0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const double prior = kids[i].prior;
    root_moves_[i].prior = kids[i].prior;
    if (options_.root_temperature == 1) continue;
    root_moves_[i].prior = static_cast<float>(std::pow(prior, 1.0 / options_.root_temperature));
    sum += root_moves_[i].prior;
  }
  for (RootMove& move : root_moves_) {
    if (sum > 0) move.prior = static_cast<float>(move.prior / sum);
  }
}

/// What the rule is given for a root move's prior: more even the more noise widens the search.
template <Game G>
float TreeSearch<G>::widened(float prior) const {
  if (options_.root_noise <= 0) return prior;
  return static_cast<float>(
      std::pow(static_cast<double>(prior), 1.0 / (4.0 * options_.root_noise + 1.0)));
}

/// The priors stay in the nodes as the evaluator gave them: a node is the root of one search, an
/// inner node of the last and maybe of the next, and the plan speaks of the root only.
template <Game G>
void TreeSearch<G>::lean_root() {
  const auto kids = root_.children();
  double before = 0.0, after = 0.0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    RootMove& move = root_moves_[i];
    before += static_cast<double>(move.prior);
    move.prior = static_cast<float>(static_cast<double>(move.prior) * plan_.lean(kids[i].move));
    after += static_cast<double>(move.prior);
  }
  if (after <= 0.0) return;
  for (RootMove& move : root_moves_)
    move.prior = static_cast<float>(static_cast<double>(move.prior) * (before / after));
}

/// Half of the time, the size of a normally distributed number: nothing is ever pushed away by
/// noise.
template <Game G>
float TreeSearch<G>::root_bonus(Rng& rng) const {
  if (rng.unit() < 0.5) return 0.0f;
  const double u = std::max(rng.unit(), 1e-12), v = rng.unit();
  const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  return static_cast<float>(0.5 * options_.root_noise * std::fabs(normal));
}

/// Of moves that a symmetry makes equal only the first is searched, unless the plan forbids that
/// one.
template <Game G>
void TreeSearch<G>::drop_twins() {
  if constexpr (requires { root_position_.twin(Move{}); }) {
    const auto kids = root_.children();
    std::vector<std::pair<Move, std::size_t>> searched;
    for (std::size_t i = 0; i < kids.size(); ++i) {
      if (!root_moves_[i].permitted) continue;
      const Move image = root_position_.twin(kids[i].move);
      const auto found = std::find_if(searched.begin(), searched.end(),
                                      [&](const auto& entry) { return entry.first == image; });
      if (found == searched.end()) {
        searched.emplace_back(image, i);
      } else {
        root_moves_[i].permitted = false;
        root_moves_[i].twin = kids[found->second].move;
      }
    }
  }
}

template <Game G>
void TreeSearch<G>::prune_root(std::int64_t iteration) {
  switch (options_.prune) {
    case RootPruning::kNone:
      return;
    case RootPruning::kProgressive:
      return prune_progressively(iteration);
    case RootPruning::kStatistical:
      return prune_statistically();
  }
}

/// As in the classic program: once dropped, never looked at again. Guaranteed visits make no move
/// look good, nor others bad.
template <Game G>
void TreeSearch<G>::prune_progressively(std::int64_t iteration) {
  const auto kids = root_.children();
  const auto own = [&](std::size_t i) { return kids[i].visits() - guaranteed_visits(i); };
  const auto served = guaranteed_.load(std::memory_order_relaxed) - guaranteed_before_;
  const double average = static_cast<double>(iteration - served) / static_cast<double>(kids.size());
  std::size_t most = 0;
  for (std::size_t i = 1; i < kids.size(); ++i)
    if (own(i) > own(most)) most = i;
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (i != most && static_cast<double>(own(i)) < average)
      root_moves_[i].pruned.store(true, std::memory_order_relaxed);
}

template <Game G>
void TreeSearch<G>::prune_statistically() {
  const auto kids = root_.children();
  const int mover = root_position_.to_move();
  const auto spread = [&](const Node& kid) {
    const double p = mover_value(kid, mover), n = kid.visits();
    return options_.prune_z * std::sqrt(std::max(p * (1 - p), 0.25 / n) / n);
  };
  double best_low = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (root_moves_[i].permitted && kids[i].visits())
      best_low = std::max(best_low, mover_value(kids[i], mover) - spread(kids[i]));
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (kids[i].visits())
      root_moves_[i].pruned.store(mover_value(kids[i], mover) + spread(kids[i]) < best_low,
                                  std::memory_order_relaxed);
}

template <Game G>
bool TreeSearch<G>::root_decided() const {
  if (guarantees_left_.load(std::memory_order_relaxed) > 0 ||
      options_.choice != MoveChoice::kVisits)
    return false;
  double best = -1, second = -1;
  for (const Voter& move : voters()) {
    if (!move.permitted) continue;
    const double votes = static_cast<double>(move.votes);
    second = std::max(second, std::min(best, votes));
    best = std::max(best, votes);
  }
  if (second < 0) return true;  // a single move needs no thought
  double left = static_cast<double>(limit_) - static_cast<double>(claimed_.load());
  const double elapsed = watch_.seconds();
  if (budget_.seconds < 1e9 && elapsed > 0)
    left =
        std::min(left, static_cast<double>(finished_.load()) * (budget_.seconds / elapsed - 1.0));
  return (best - second) * options_.early_stop_factor > left;
}

}  // namespace kibitz
