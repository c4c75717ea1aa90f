// Backup: how an evaluation travels up the tree. Plain means, or KataGo's weights with its subtree
// value bias correction; and proven bounds, which need no evaluation at all.
//
// Threads: after `begin`, every method may be called by all search threads at once, each with a
// PendingStats of its own; nothing blocks but the mutex of a value bias. `begin` only before a
// search. Ownership: the tree, the root, the utility and the options given to `begin` must outlive
// the search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/node.h"
#include "search/options.h"
#include "search/root.h"
#include "search/score_utility.h"
#include "search/tree.h"

namespace kibitz {

/// One node of a descent.
struct Step {
  Node* node;
  Extras* extras;        // null where none are kept
  int mover;             // who is to move at `node`
  bool pending = false;  // is this visit counted as under way at `node`?
  bool counted = true;   // does it count above `node`? (see search/human_explore.h)
};
using Path = std::vector<Step>;

/// The quantities of a leaf. Where nobody predicts its style, as at the end of the game, it has
/// that of the last position on the way for which somebody did.
inline Quantities quantities_at(const Path& path, const Outcome& outcome, double value) {
  Quantities quantities = quantities_of(outcome, value);
  for (std::size_t i = path.size(); quantities[kStyle] < 0.0 && i-- > 0;)
    if (path[i].extras && path[i].node->visits())
      quantities[kStyle] = path[i].extras->own[kStyle].load(std::memory_order_relaxed);
  quantities[kStyle] = std::max(quantities[kStyle], 0.0);
  return quantities;
}

/// A child with what it counts for in its parent's value.
struct WeighedChild {
  const Node* node;
  const Extras* extras;
  double weight, value;
};

class Backup {
 public:
  /// Sums of finished visits that the shared counters do not have yet. Every thread writes those of
  /// the root and its children; writing them less often is what lets threads run side by side.
  struct PendingStats {
    std::int64_t finished = 0, depths = 0;  // descents
    std::int64_t visits = 0, root_value = 0;
    struct Child {
      Node* node;
      std::uint64_t visits;
      std::int64_t value;
    };
    std::vector<Child> children;
  };

  /// `exclusive` says that one thread has the tree for itself.
  void begin(Tree& tree, const Root& root, const ScoreUtility& utility, const Options& options,
             bool exclusive);

  /// Counts an evaluation of the last node of `path` at every node of it, up to the lowest step
  /// that does not count above itself. The root's part, and maybe that of its child, is held until
  /// `flush`.
  void add(PendingStats& pending, const Path& path, const Outcome& outcome);
  /// Counts a visit that a child of the last node of `path` has had already and that was not
  /// counted above it.
  void add_made(PendingStats& pending, const Path& path, std::size_t index);
  /// Adds what a thread has pending to the counters that all share.
  void flush(PendingStats& pending);
  /// Takes back the visits under way of a descent that comes to nothing.
  void abandon(std::span<const Step> path);
  /// Finds the value bias of a node that is being evaluated for the first time; `key` is its local
  /// sequence, 0 for none.
  void attach_bias(Extras* extras, std::uint64_t key);
  /// What one evaluation weighs: more the surer the evaluator is of it, with KataGo's constants.
  double weight_of(const Outcome& outcome);

  /// Carries proven bounds from path[last] up towards the root, as far as they change anything;
  /// true when the root itself is settled by them.
  bool settle_from(const Path& path, std::size_t last);
  /// The bounds that the children prove.
  Bounds combined(const Node& node, int mover, bool is_root) const;

  /// The children's weights in their parent's value, and the sum of the weights. A child gets what
  /// its visits weigh, less what it got beyond twice its share of the priors although it is worse
  /// than those before it; then children that look worse than the average are counted less, the
  /// more so the surer that is. `before` is set to the sum before all that.
  double weigh_children(const Node& node, int mover, bool is_root, std::vector<WeighedChild>& out,
                        double* before = nullptr) const;

 private:
  std::size_t begin_counting(PendingStats& pending, const Path& path);
  void end_counting(const Path& path, std::size_t first);
  void add_means(PendingStats& pending, const Path& path, std::size_t first, std::int64_t value,
                 const Quantities& amounts);
  bool hold(PendingStats& pending, const Step& step, std::int64_t value) const;
  void add_weighted(const Path& path, std::size_t first, double value, const Outcome& outcome);
  void weigh_anew(const Step& step, bool is_root);
  double biased(const Extras& extras) const;
  void tell_bias(Extras& extras, double difference, double weight) const;

  Tree* tree_ = nullptr;
  const Root* root_ = nullptr;
  const ScoreUtility* utility_ = nullptr;
  double value_bias_ = 0.0;
  bool uncertainty_ = false;
  std::atomic<bool> errors_known_{false};  // by the evaluator, which then always does
  bool weighted_ = false;
  bool human_ = false;
  bool exclusive_ = true;
};

}  // namespace kibitz
