// The root of one search: what the plan makes of its moves. Permissions, weights, the priors that
// selection sees, guaranteed visits, pruning, and symmetry twins.
//
// The nodes keep the priors as the evaluator gave them: a node is the root of one search, an inner
// node of the last and maybe of the next, and the plan speaks of the root only.
//
// Threads: one thread calls `open` before the others choose anything. Then `prune`, the guarantees
// and everything const may be called by all search threads at once, and the const ones by a
// reporting thread too, once `is_open`. Nothing blocks.
// Ownership: the node, the options and the plan given to `open` must outlive the search.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "search/comparison.h"
#include "search/guarantees.h"
#include "search/node.h"
#include "search/options.h"
#include "steering/plan.h"

namespace kibitz {

struct RootMove {
  bool permitted = true;
  float weight = 1.0f;
  float prior = 0.0f;        // at the root's temperature, times the plan's factors
  float widened = 0.0f;      // the same as the rule is given it, evened out by noise
  float plain = 0.0f;        // the same without the factors of a style
  float bonus = 0.0f;        // how much the plan's style likes it
  float gumbel = 0.0f;       // the noise of rule=gumbel, for the whole search
  std::uint32_t before = 0;  // visits before this search, guaranteed ones left out
  Move twin = kNoMove;       // the move searched in its place, for the sake of a symmetry
  std::atomic<bool> pruned{false};

  /// Takes over what the plan says of this move alone.
  void obey(const Plan& plan, int mover, Move move) {
    permitted = plan.permits(mover, move, 0);
    weight = static_cast<float>(plan.weight(move, 0));
    if (plan.style_moves()) bonus = static_cast<float>(plan.style_bonus(move));
  }
};

/// Where the root is.
struct RootPlace {
  const Node* node = nullptr;
  const Extras* extras = nullptr;  // of the node; null where none are kept
  int mover = 0;
  const HumanEdge* edges = nullptr;  // of the children; likewise

  /// Visits of a child that the root counts.
  std::int64_t counted(std::size_t index) const {
    return counted_visits(node->children()[index].visits(), weightless_visits(edges, index));
  }
};

class Root {
 public:
  /// Before another tree or another root: nothing is known of its moves any more.
  void close();
  /// Between two searches at the same root: guaranteed visits that were served stay known.
  void reopen() { open_.store(false, std::memory_order_release); }
  /// Compiles the plan for the children of `node`. `images` has, for each child, a move that is the
  /// same for all that a symmetry makes equal; empty where symmetries are not to be used. `seed` is
  /// that of the noise, another one for each position. `edges` are the children's where they are
  /// kept (search/human_explore.h).
  void open(const Node& node, const Extras* extras, int mover, const Plan& plan,
            const Options& options, std::span<const Move> images, std::uint64_t seed,
            const HumanEdge* edges = nullptr);
  bool is_open() const { return open_.load(std::memory_order_acquire); }

  const RootMove& operator[](std::size_t index) const { return moves_[index]; }
  const Plan& plan() const { return *plan_; }
  /// May the rule choose a move now?
  bool admits(std::size_t index) const {
    const RootMove& move = moves_[index];
    return move.permitted && !move.pruned.load(std::memory_order_relaxed);
  }
  /// Must selection ask about each move, or is everything as the evaluator left it?
  bool steered() const { return reach_ > 0; }
  /// The depth below which the plan says nothing.
  int reach() const { return reach_; }
  /// False when no move is permitted, so that only guaranteed visits can be made.
  bool may_choose() const { return may_choose_; }
  /// Does what is proven of a move bear on the root?
  bool counts_in_proof(std::size_t index) const {
    // Where the search may choose nothing at all, what it was asked about is all there is.
    return moves_[index].permitted || (!may_choose_ && guarantees_.min_visits(index) > 0);
  }
  /// How many moves sequential halving starts with.
  std::int64_t considered() const { return considered_; }
  /// Visits of a move that the rule chose in this search, of `tries` finished or under way.
  std::int64_t own_tries(std::size_t index, std::uint32_t tries) const {
    return static_cast<std::int64_t>(tries) - guarantees_.handed_out(index) - moves_[index].before;
  }
  /// Wide root noise: half of the time the size of a normally distributed number, so nothing is
  /// ever pushed away.
  float noise(Rng& rng) const;
  bool noisy() const { return options_->root_noise > 0; }

  const RootPlace& place() const { return place_; }

  Guarantees& guarantees() { return guarantees_; }
  const Guarantees& guarantees() const { return guarantees_; }
  Comparison& comparison() { return comparison_; }
  const Comparison& comparison() const { return comparison_; }
  /// Visits of a move that must not count in the root's value.
  std::int64_t set_aside_visits(std::size_t index) const {
    return options_->guaranteed_in_root_value ? 0 : guarantees_.visits(index);
  }

  /// Sets moves aside, as the option `prune` says; they may come back.
  void prune(std::int64_t iteration);

 private:
  void drop_twins(std::span<const Move> images);
  void set_priors();
  void draw_noise(Rng& rng);
  void prune_progressively(std::int64_t iteration);
  void prune_statistically();

  RootPlace place_;
  const Plan* plan_ = nullptr;
  const Options* options_ = nullptr;
  int reach_ = 0;
  bool may_choose_ = true;
  std::int64_t considered_ = 0;
  std::vector<RootMove> moves_;
  Guarantees guarantees_;
  Comparison comparison_;
  std::atomic<bool> open_{false};  // moves_ may be read
};

}  // namespace kibitz
