// What is done to the state of a search before it runs, the same for a search and for the looks
// beside it (search/side_search.h).
//
// Threads: one, while nothing runs.
#pragma once

#include <cstddef>
#include <utility>

#include "search/human_explore.h"
#include "search/search_state.h"

namespace kibitz {

/// What a tree may take.
inline std::size_t tree_bytes(const Options& options) {
  return static_cast<std::size_t>(options.memory_mb) << 20;
}

/// After the root has changed. Some games end, or show themselves to a network, otherwise at the
/// root than below it.
template <Game G>
void stand_at_root(SearchState<G>& state) {
  state.root.close();
  state.root_outcome = Outcome{};
  state.mover = state.position.to_move();
  if constexpr (requires { state.position.enter_search(); }) state.position.enter_search();
  if constexpr (requires { typename G::History; }) {
    switch (state.options.history) {
      case HistoryShown::kRoot:
        return state.position.become_root(G::History::kSinceRoot);
      case HistoryShown::kFull:
        return state.position.become_root(G::History::kFull);
      case HistoryShown::kNone:
        return state.position.become_root(G::History::kNone);
    }
  }
}

/// Forgets the tree and stands at `position`.
template <Game G>
void reset_state(SearchState<G>& state, const G& position) {
  state.tree.reset(tree_bytes(state.options), state.tree.shape());
  state.position = position;
  stand_at_root(state);
}

/// What the options and the evaluator want kept for every node.
template <Game G>
TreeShape shape_of(const SearchState<G>& state) {
  const Evaluator<G>& evaluator = *state.evaluator;
  const bool extras = evaluator.gives_extras();
  const int points = state.options.ownership ? evaluator.ownership_points(state.position) : 0;
  const bool human = state.human[0] && explores(state.options);
  switch (state.options.backup) {
    case BackupRule::kMean:
      return {extras, points, false, human};
    case BackupRule::kWeighted:
      return {extras, points, extras, human};
  }
  return {};
}

template <Game G>
void prepare_search(SearchState<G>& state, const Plan& plan, const Budget& budget) {
  const Options& options = state.options;
  state.plan = plan;
  state.root.reopen();
  state.exclusive = options.threads == 1;
  state.count_pending = !state.exclusive || options.batch > 1;
  const TreeShape wanted = shape_of(state);
  const bool other_side = wanted.human && explores_by_side(options) &&
                          std::exchange(state.explored_for, state.mover) == 1 - state.mover;
  if (wanted != state.tree.shape() || other_side) {
    state.tree.reset(tree_bytes(state.options), wanted);
    stand_at_root(state);
  }
  double unit = 8.0;
  if constexpr (requires { score_unit(state.position); }) unit = score_unit(state.position);
  state.utility = ScoreUtility(options, unit);
  state.rescale = WdlRescale(options);
  state.proofs = options.proofs && !state.utility.counts();
  state.reused = state.tree.root().visits();
  state.root_settled = false;
  state.backup.begin(state.tree, state.root, state.utility, options, state.exclusive);
  state.budget.begin(budget, options.threads);
}

}  // namespace kibitz
