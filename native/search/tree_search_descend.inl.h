// One descent: from the root to a leaf that wants an evaluation, or that needs none. Included by
// tree_search.h.
#pragma once

#include <algorithm>

#include "search/tree_search.h"

namespace kibitz {

/// The guaranteed move that was served least, so that a search stopped at any time has given each a
/// fair share; -1 when all have theirs.
template <Game G>
int TreeSearch<G>::take_guarantee() {
  for (;;) {
    int next = -1;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const int index : guarantees_) {
      const RootMove& move = root_moves_[static_cast<std::size_t>(index)];
      const std::int64_t served = move.served.load(std::memory_order_relaxed);
      if (served < move.to_serve && served < least) {
        least = served;
        next = index;
      }
    }
    if (next < 0) return -1;
    auto& served = root_moves_[static_cast<std::size_t>(next)].served;
    if (!served.compare_exchange_strong(least, least + 1, std::memory_order_relaxed)) continue;
    guaranteed_.fetch_add(1, std::memory_order_relaxed);
    guarantees_left_.fetch_sub(1, std::memory_order_relaxed);
    return next;
  }
}

/// Guaranteed visits and the search's own alternate while both are left.
template <Game G>
bool TreeSearch<G>::guarantee_is_due() const {
  const auto served = guaranteed_.load(std::memory_order_relaxed) - guaranteed_before_;
  return served <= claimed_.load(std::memory_order_relaxed);
}

template <Game G>
bool TreeSearch<G>::claim_iteration(Worker& worker) {
  if (worker.granted > 0) {
    --worker.granted;
    return true;
  }
  // Several at a time while there are many, so that the threads meet less often at the counter.
  std::int64_t claimed = claimed_.load(std::memory_order_relaxed);
  std::int64_t share = 0;
  do {
    if (claimed >= limit_) return false;
    const std::int64_t fair = (limit_ - claimed) / (4 * options_.threads);
    share = exclusive_ ? 1 : std::clamp<std::int64_t>(fair, 1, 32);
  } while (!claimed_.compare_exchange_weak(claimed, claimed + share, std::memory_order_relaxed));
  worker.granted = share - 1;
  return true;
}

template <Game G>
template <class Rule>
typename TreeSearch<G>::Descent TreeSearch<G>::descend(const Rule& rule, Worker& worker,
                                                       Pending& pending) {
  const bool guarantees = guarantees_left_.load(std::memory_order_relaxed) > 0;
  int guaranteed = guarantees && guarantee_is_due() ? take_guarantee() : -1;
  if (guaranteed < 0 &&
      (root_settled_.load(std::memory_order_relaxed) || !claim_iteration(worker))) {
    if (guarantees) guaranteed = take_guarantee();
    if (guaranteed < 0) return Descent::kNoBudget;
  }

  pending.position = root_position_;
  pending.path.clear();
  pending.expands = false;
  Node* node = &root_;
  Extras* extras = extras_ ? &root_extras_ : nullptr;
  const bool wants_priors = evaluator_->gives_priors();
  for (int depth = 0;; ++depth) {
    const int mover = pending.position.to_move();
    pending.path.push_back({node, extras, mover});
    if (count_pending_ && depth > 0 && (exclusive_ || node->visits() < kMuchVisited)) {
      bump(node->counts, Node::kPendingOne, exclusive_);
      pending.path.back().pending = true;
    }
    if (depth > 0) {
      if (node->bounds().settled()) return arrive_settled(worker, pending);
      if (!node->expanded()) {
        const bool unknown = node->visits() == 0 || utility_.differs();
        if (unknown && settle_leaf(worker, pending)) return Descent::kDone;
        if (depth > worker.max_depth) note_depth(worker, depth);
        if (repeats_itself(pending.position, depth)) {
          back_up(worker, pending.path, Outcome{0.5f, 1.0f, 0.0f});
          return Descent::kDone;
        }
        const bool may_expand = !full_.load(std::memory_order_relaxed) &&
                                (options_.tree_depth == 0 || depth < options_.tree_depth);
        if (wants_priors && may_expand) {
          if (node->claimed.exchange(true, std::memory_order_relaxed)) {
            abandon(pending.path);
            give_back(guaranteed);
            return Descent::kCollision;
          }
          list_moves(pending);
          pending.expands = true;
          return Descent::kLeaf;
        }
        if (wants_priors || !may_expand || node->visits() == 0 ||
            !expand(*node, pending.position, worker))
          return Descent::kLeaf;
      }
    }
    const int index = depth == 0 && guaranteed >= 0
                          ? guaranteed
                          : choose(rule, pending.path.back(), depth, worker.rng);
    if (index < 0) {  // every child is settled, though a race kept the news from this node
      settle_from(pending.path, pending.path.size());
      return arrive_settled(worker, pending);
    }
    if (extras_) extras = extras_at(node->extras_of_children()[index], worker);
    node = &node->children()[static_cast<std::size_t>(index)];
    pending.position.play(node->move);
  }
}

/// Reports ask for the depth while the search runs, so news of it is spread when there is some.
template <Game G>
void TreeSearch<G>::note_depth(Worker& worker, int depth) {
  worker.max_depth = depth;
  int known = depth_.load(std::memory_order_relaxed);
  while (known < depth && !depth_.compare_exchange_weak(known, depth, std::memory_order_relaxed)) {
  }
}

template <Game G>
typename TreeSearch<G>::Descent TreeSearch<G>::arrive_settled(Worker& worker, Pending& pending) {
  const Node& node = *pending.path.back().node;
  const Bounds known = node.bounds();
  Outcome outcome;
  outcome.value = static_cast<float>(
      known.settled() || node.visits() == 0 ? known.clamp(0.5) : known.clamp(node.mean()));
  outcome.draw = known.settled() && known.low == 1 ? 1.0f : 0.0f;
  back_up(worker, pending.path, outcome);
  return Descent::kDone;
}

/// A new leaf that is the end of the game, or that the oracle knows, needs no evaluation ever.
template <Game G>
bool TreeSearch<G>::settle_leaf(Worker& worker, Pending& pending) {
  const G& position = pending.position;
  Outcome outcome;
  if (position.is_over()) {
    outcome.value = position.result();
    if constexpr (requires { position.score(); })
      outcome.score = outcome.lead = static_cast<float>(position.score());
  } else if (worker.oracle) {
    const auto result = worker.oracle->result(position);
    if (!result) return false;
    outcome.value = 0.5f * static_cast<float>(*result);
  } else {
    return false;
  }
  outcome.draw = outcome.value == 0.5f ? 1.0f : 0.0f;
  // Where margins count, a proven result does not say all there is to say about a move; where draws
  // are weighed, a proven draw is not worth half a point.
  const auto half_points = static_cast<std::uint8_t>(2.0f * outcome.value + 0.5f);
  if (!utility_.counts() && !(half_points == 1 && utility_.weighs_draws()))
    pending.path.back().node->set_bounds({half_points, half_points});
  if constexpr (requires { position.write_owners(nullptr); }) {
    if (ownership_points_ && position.is_over()) {
      pending.ownership.resize(static_cast<std::size_t>(ownership_points_));
      position.write_owners(pending.ownership.data());
      keep_ownership(pending.path.back().extras, pending.ownership, worker);
    }
  }
  back_up(worker, pending.path, outcome);
  if (proofs_ && pending.path.back().node->bounds().settled())
    settle_from(pending.path, pending.path.size() - 1);
  return true;
}

/// A line that comes back to where it was has found nothing. That is a draw here and now, but no
/// proof: once the game has moved on, the first of the two positions may lie outside the tree.
template <Game G>
bool TreeSearch<G>::repeats_itself(const G& position, int depth) const {
  if constexpr (requires { position.repeats_within(depth); })
    return options_.two_fold_draws && position.repeats_within(depth);
  return false;
}

}  // namespace kibitz
