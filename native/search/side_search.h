// Looks: guaranteed visits that are made in a tree of their own (`Guarantee::separate_tree`), so
// that the search beside them chooses, counts and recommends exactly as it does without them.
//
// Threads: `begin` and `clear` while nothing runs; `left`, `is_due` and `look` by one search thread
// only; `add_to` by any thread, beside it. `look` blocks inside the evaluator and the oracle.
// Ownership: the evaluator and the oracle are the search's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/prepare_search.h"
#include "search/reporter.h"
#include "search/search_thread.h"
#include "search/side_search_report.h"

namespace kibitz {

template <Game G>
class SideSearch {
 public:
  /// At another root nothing was looked at.
  void clear() { side_.reset(); }

  /// Takes over the guarantees of `plan` that are apart. Looks made at this root before stay.
  void begin(const SearchState<G>& search, const Plan& plan, const Budget& budget) {
    Plan asked = plan;
    asked.include = guarantees_of(plan, true);
    if (asked.include.empty()) return clear();
    const bool fresh = !side_;
    if (fresh) side_ = std::make_unique<Side>(search.position);
    SearchState<G>& state = side_->state;
    state.options = options_of(search.options);
    state.separate_tree = true;
    state.evaluator = search.evaluator;
    state.oracle = search.oracle;
    state.priors = search.priors;
    if (fresh) reset_state(state, search.position);
    Budget none;
    none.simulations = 0;
    none.seconds = budget.seconds;
    prepare_search(state, asked, none);
    side_->thread.emplace(state, 0);
  }

  /// Are there looks still to be made, and time to make them?
  bool left() const { return side_ && !side_->state.budget.stopping(); }
  /// Looks take turns with the search's own visits, of which `claimed` were begun.
  bool is_due(std::int64_t claimed) const {
    const Root* root = left() ? &side_->state.root : nullptr;
    return root && (!root->is_open() || root->guarantees().is_due(claimed));
  }
  /// Makes a batch of looks; only where some are left. A move that the search itself, whose root is
  /// `own`, has visited often enough needs no more.
  template <class Rule>
  void look(const Rule& rule, const Node& own) {
    SearchState<G>& state = side_->state;
    if (!state.root.is_open()) side_->thread->open_root();
    for (const Guarantee& asked : state.plan.include)
      for (const Node& kid : own.children())
        if (kid.move == asked.move && kid.visits() >= asked.min_visits)
          state.root.guarantees().waive(asked.move);
    side_->thread->round(rule);
    if (!side_->thread->spent()) return;
    side_->thread->flush();
    state.budget.stop(StopReason::kVisits);
  }

  /// Adds what was found to the report of the search (search/side_search_report.h).
  void add_to(SearchReport& report, int line_length, bool move_ownership) const {
    if (!side_) return;
    const SearchState<G>& state = side_->state;
    SearchReport found = Reporter<G>(state).report(line_length, move_ownership);
    found.simulations = state.root.is_open() ? state.root.guarantees().served_now() : 0;
    add_side_search(report, found, state.plan.include);
  }
  std::vector<TreeRow> add_to(std::vector<TreeRow> rows, int depth, std::int64_t least) const {
    if (!side_) return rows;
    return join_rows(std::move(rows), Reporter<G>(side_->state).tree(depth, least));
  }

 private:
  struct Side {
    explicit Side(const G& position) : state(position) {}
    SearchState<G> state;
    std::optional<SearchThread<G>> thread;
  };

  /// The search's, with a smaller memory beside its own.
  static Options options_of(Options options) {
    options.threads = 1;
    options.early_stop = 0;
    options.memory_mb = std::max<std::int64_t>(1, options.memory_mb / 8);
    return options;
  }

  std::unique_ptr<Side> side_;  // null where nobody asked for looks
};

}  // namespace kibitz
