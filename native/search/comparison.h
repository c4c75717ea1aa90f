// Moves compared until it is decided which is best: where the next visit decides soonest, and when
// it is decided.
//
// A visit goes to the best move so far or to a rival without a verdict, whichever is known less
// well (after LUCB: Kalyanakrishnan et al., 2012). How well a value is known is seen from how much
// it moved while its visits doubled: what a tree search averages is not independent, so the spread
// of its leaves says too little.
//
// Threads: `open` before a search, by one thread; everything else may be called by all search
// threads and by a reporting thread at once. Nothing blocks.
// Ownership: the node given to `open` must outlive the search.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "search/mean_history.h"
#include "search/node.h"
#include "steering/plan.h"

namespace kibitz {

/// What is known of the best move and another one.
enum class Relation { kBetter, kEqual, kUndecided };

/// The values differ by `by`, give or take `margin`.
inline Relation relation(double by, double margin, double within) {
  if (by > margin) return Relation::kBetter;
  return by + margin <= within ? Relation::kEqual : Relation::kUndecided;
}

class Comparison {
 public:
  /// Takes the plan's moves among the children of `node`. What an earlier search at this root found
  /// out stays known.
  void open(const Node& node, int mover, const Plan& plan);
  /// Before another root.
  void clear() { moves_.clear(); }
  bool active() const { return !moves_.empty(); }
  /// The child that gets the next visit; -1 once it is decided.
  int choose();
  /// The standard error of a child's value; 0 where it is proven. Only of compared moves.
  double error(std::size_t index) const;
  bool compares(std::size_t index) const;

 private:
  struct Compared {
    std::size_t index = 0;
    MeanHistory means;
  };
  struct Estimate {
    double value = 0.5, error = 0.0;
    bool settled = false;
  };
  Estimate estimate(const Compared& move) const;
  int rival(const std::vector<Estimate>& all, std::size_t best) const;

  const Node* node_ = nullptr;
  int mover_ = 0;
  double within_ = 0.0, errors_ = 0.0;
  bool equal_shares_ = false;
  std::vector<std::unique_ptr<Compared>> moves_;
  std::atomic<std::int64_t> next_check_{0};
};

}  // namespace kibitz
