// One round of a search thread: leaves are gathered, judged together, and backed up. Included by
// tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
template <class Rule>
void TreeSearch<G>::gather_and_evaluate(const Rule& rule, Worker& worker) {
  std::size_t count = 0;
  std::size_t collisions = 0;
  const Node* met = nullptr;
  bool spent = false;
  while (count < worker.batch.size() && !stopping_.load(std::memory_order_relaxed)) {
    Pending& pending = worker.batch[count];
    const Descent end = descend(rule, worker, pending);
    if (end == Descent::kLeaf) ++count;
    if (end == Descent::kDone) after_iteration(worker);
    spent = end == Descent::kNoBudget;
    if (spent) break;
    if (end != Descent::kCollision) continue;
    if (may_prefetch_) note_collision(worker, pending);
    // A collision leaves the tree as it was, so the next descent ends at the same leaf unless
    // another thread changes something meanwhile, or chance has a say in it.
    const Node* leaf = pending.path.back().node;
    const bool again = options_.root_noise == 0 && (exclusive_ || leaf == met);
    if (again || ++collisions >= worker.batch.size()) break;
    met = leaf;
  }
  const std::size_t asked = count;
  if (count > 0 && !worker.near.empty()) count = prefetch(worker, count);
  worker.near.clear();
  if (count > 0) evaluate(worker, asked, count);
  worker.spent = spent;
  if (count == 0 && met) std::this_thread::yield();
}

/// Where a descent meets a leaf under way, the leaf's neighbours are likely to be wanted soon.
template <Game G>
void TreeSearch<G>::note_collision(Worker& worker, const Pending& pending) {
  if (pending.path.size() < 2) return;
  const Node* parent = pending.path[pending.path.size() - 2].node;
  for (const auto& known : worker.near)
    if (known.back() == parent) return;
  auto& line = worker.near.emplace_back();
  for (std::size_t i = 0; i + 1 < pending.path.size(); ++i) line.push_back(pending.path[i].node);
}

/// Fills what is left of a batch with such neighbours, which only the evaluator's memory gets to
/// see.
template <Game G>
std::size_t TreeSearch<G>::prefetch(Worker& worker, std::size_t count) {
  const std::size_t most =
      std::min(worker.batch.size(), count + static_cast<std::size_t>(options_.prefetch));
  for (const auto& line : worker.near) {
    G parent = root_position_;
    for (std::size_t i = 1; i < line.size(); ++i) parent.play(line[i]->move);
    for (const Node& kid : line.back()->children()) {  // the likeliest come first
      if (count == most) return count;
      if (kid.visits() || kid.pending() || kid.claimed.load(std::memory_order_relaxed)) continue;
      Pending& extra = worker.batch[count];
      extra.position = parent;
      extra.position.play(kid.move);
      if (extra.position.is_over()) continue;
      extra.path.clear();
      extra.expands = true;
      list_moves(extra);
      ++count;
    }
  }
  return count;
}

/// Judges the first `count` of the batch; those from `asked` on are only prepared for later.
template <Game G>
void TreeSearch<G>::evaluate(Worker& worker, std::size_t asked, std::size_t count) {
  worker.leaves.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Pending& pending = worker.batch[i];
    Leaf<G>& leaf = worker.leaves[i];
    leaf.position = &pending.position;
    leaf.outcome = Outcome{};
    leaf.turned = options_.symmetry == SymmetryUse::kRandom;
    const bool at_root = pending.path.size() == 1;
    leaf.symmetries = at_root ? static_cast<int>(options_.root_symmetries) : 1;
    leaf.policy_optimism =
        static_cast<float>(at_root ? options_.root_policy_optimism : options_.policy_optimism);
    leaf.moves = {};
    leaf.priors = {};
    pending.ownership.resize(static_cast<std::size_t>(ownership_points_));
    leaf.ownership = pending.ownership;
    if (pending.expands) {
      const auto size = static_cast<std::size_t>(pending.moves.size());
      pending.priors.assign(size, 1.0f / static_cast<float>(size));
      leaf.moves = {pending.moves.begin(), size};
      leaf.priors = pending.priors;
    }
  }
  evaluator_->evaluate(worker.leaves, worker.rng);
  for (std::size_t i = 0; i < asked; ++i) {
    Pending& pending = worker.batch[i];
    if (rescale_.changes()) rescale_.apply(worker.leaves[i].outcome);
    if (pending.expands) {
      if (options_.policy_temperature != 1.0) temper(pending.priors);
      Node& node = *pending.path.back().node;
      if (!make_children(node, worker.leaves[i].moves, pending.priors, worker))
        node.claimed.store(false, std::memory_order_relaxed);
    }
    const Outcome& outcome = worker.leaves[i].outcome;
    if (pending.path.size() == 1) {  // the root itself
      utility_.center_on(outcome.score);
      root_own_ = outcome;
    }
    keep_ownership(pending.path.back().extras, pending.ownership, worker);
    if (pending.path.size() > 1) find_bias(pending.position, pending.path.back().extras);
    back_up(worker, pending.path, outcome);
    after_iteration(worker);
  }
}

template <Game G>
void TreeSearch<G>::temper(std::span<float> priors) const {
  const auto power = static_cast<float>(1.0 / options_.policy_temperature);
  float sum = 0.0f;
  for (float& prior : priors) sum += prior = std::pow(prior, power);
  if (sum > 0.0f)
    for (float& prior : priors) prior /= sum;
}

template <Game G>
void TreeSearch<G>::list_moves(Pending& pending) const {
  pending.moves.clear();
  pending.position.legal_moves(pending.moves);
}

}  // namespace kibitz
