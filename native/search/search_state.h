// What the parts of one search share. TreeSearch owns it and changes it between searches; while one
// runs, its threads and the reporter see the same parts, each by the rules in the part's header.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "evaluate/evaluator.h"
#include "games/game.h"
#include "search/backup.h"
#include "search/options.h"
#include "search/root.h"
#include "search/score_utility.h"
#include "search/search_budget.h"
#include "search/select_child.h"
#include "search/tree.h"
#include "search/wdl_rescale.h"
#include "steering/plan.h"

namespace kibitz {

/// The parts that know no game.
struct SearchParts {
  Options options;
  Plan plan;
  Tree tree;
  Root root;
  Backup backup;
  SearchBudget budget;
  ScoreUtility utility;
  WdlRescale rescale;
  Outcome root_outcome;        // what the evaluator said about the root itself
  int mover = 0;               // at the root
  bool exclusive = true;       // one thread: plain adds instead of atomic ones
  bool count_pending = false;  // visits under way are counted
  bool proofs = true;          // proven results are used and passed up
  bool separate_tree = false;  // a tree of looks (search/side_search.h)
  int explored_for = -1;       // the root's mover when people last chose (human_explore.h)
  std::int64_t reused = 0;     // visits the tree had before this search
  std::atomic<bool> root_settled{false};  // the root's result is proven

  /// What selection needs; made anew for each descent.
  SelectionContext selection() const {
    return {options.virtual_loss,
            proofs,
            tree.shape().weighted,
            tree.shape().human,
            0.5 - 0.5 * utility.radius(),
            static_cast<std::uint64_t>(budget.claimed()),
            mover,
            budget.planned()};
  }
};

template <Game G>
struct SearchState : SearchParts {
  explicit SearchState(const G& at) : position(at) {}
  G position;  // the root's
  std::shared_ptr<Evaluator<G>> evaluator;
  std::shared_ptr<const Oracle<G>> oracle;
  PriorFunction<G> priors = nullptr;
  /// The human model, for each side to move; null where there is none.
  std::array<std::shared_ptr<Evaluator<G>>, 2> human;
  /// The root as the human model is shown it; nothing where that is `position`.
  std::optional<G> human_position;
};

}  // namespace kibitz
