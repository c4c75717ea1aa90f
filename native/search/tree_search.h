// The tree search: one for every perfect-information game. What differs between flat UCB, UCT and
// PUCT are its parts: a selection rule, an evaluator, an oracle for the end of the game, a plan.
//
// The work is done by parts that own their state: the tree (search/tree.h), the root under the plan
// (search/root.h), selection (search/select_child.h), backup (search/backup.h), the threads' own
// loop (search/search_thread.h), and a reporter that only reads (search/reporter.h). Here is what
// holds them together: the threads, from start to end, and the budget (search/search_budget.h).
// Visits that must not change the search are made beside it (search/side_search.h).
//
// The tree is a tree: a position reached by two orders of moves has two nodes, so what a node has
// learned can never be wrong for a path whose history (repetition, superko) differs.
//
// Threads: `start` spawns the search threads and returns. `wait`, `stop`, `running`, `report` and
// `tree` may be called from any thread meanwhile, everything else only while nothing runs.
// Blocking: `wait` blocks for at most the given time; the destructor stops the search and waits for
// its threads. Nothing else blocks.
// Ownership: the evaluator and the oracle are shared with the caller. An error of theirs ends the
// search and is thrown by the next `wait`.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/core_turns.h"
#include "search/admit.h"
#include "search/reporter.h"
#include "search/search_state.h"
#include "search/search_thread.h"
#include "search/side_search.h"

namespace kibitz {

template <Game G>
class TreeSearch {
 public:
  TreeSearch(const G& position, std::shared_ptr<Evaluator<G>> evaluator, const Options& options);
  ~TreeSearch();
  TreeSearch(const TreeSearch&) = delete;
  TreeSearch& operator=(const TreeSearch&) = delete;

  /// Used at new leaves when `solve_leaves` is on; its clones go to the threads.
  void set_oracle(std::shared_ptr<const Oracle<G>> oracle) { state_.oracle = std::move(oracle); }
  /// Priors for evaluators that give none.
  void set_priors(PriorFunction<G> priors) { state_.priors = std::move(priors); }
  /// The human model for each side to move, whose policy explores as the options say
  /// (search/human_explore.h); null for none. `shown` is the root as it is shown to the model,
  /// where that differs; to be set again whenever the root changes. Another model's tree must be
  /// reset.
  void set_human(std::array<std::shared_ptr<Evaluator<G>>, 2> models, std::optional<G> shown) {
    state_.human = std::move(models);
    state_.human_position = std::move(shown);
  }
  const Evaluator<G>& evaluator() const { return *state_.evaluator; }
  /// Takes other options. The caller resets the tree when the change costs it (see Cost); a change
  /// of the evaluator needs another search.
  void set_options(const Options& options) { state_.options = options; }

  /// Forgets the tree and stands at `position`.
  void reset(const G& position);
  /// Plays a move at the root and keeps what the tree knows about it.
  void advance(Move move);
  const G& position() const { return state_.position; }

  void start(const Plan& plan, const Budget& budget);

  /// The same search without threads, for a caller who evaluates the leaves of many searches
  /// together: `begin`, then `gather` and `absorb` in turn until `gather` gives nothing. One thread
  /// at a time; options.threads must be 1. All guaranteed visits are made in the one tree.
  void begin(const Plan& plan, const Budget& budget);
  /// Leaves to be evaluated before `absorb`; empty when the search has ended.
  std::span<Leaf<G>> gather();
  void absorb();
  /// The random numbers of a search that was begun.
  Rng& rng() { return stepped_->rng(); }

  /// True when the search has ended; waits up to `seconds` for it. Rethrows an evaluator's error.
  bool wait(double seconds);
  void stop() {
    stop_asked_.store(true, std::memory_order_relaxed);
    state_.budget.stop(StopReason::kStopped);
    wake_core_turn(state_.budget.stop_flag());
  }
  bool running() const { return running_.load(std::memory_order_acquire); }

  /// `move_ownership` tells who owns what after each move too, where ownership is kept at all.
  SearchReport report(int line_length = 32, bool move_ownership = false) const;
  /// The nodes of the first plies that have so many visits.
  std::vector<TreeRow> tree(int depth, std::int64_t min_visits) const {
    return side_search_.add_to(Reporter<G>(state_).tree(depth, min_visits), depth, min_visits);
  }

 private:
  template <class Rule>
  void run(int index, bool urgent);
  /// After the search's own visits: did it end by itself, or was it stopped?
  bool may_look() const {
    const StopReason reason = state_.budget.reason();
    return !stop_asked_.load(std::memory_order_relaxed) &&
           (reason == StopReason::kRunning || reason == StopReason::kDecided ||
            reason == StopReason::kMemory);
  }
  StopReason end_reason() const {
    return state_.root_settled ? StopReason::kProven : state_.budget.limit_reason();
  }

  SearchState<G> state_;
  SideSearch<G> side_search_;  // made by the first thread
  std::atomic<bool> stop_asked_{false};
  double seconds_ = 0.0;  // that the last search took
  std::atomic<bool> running_{false};
  std::vector<std::thread> threads_;
  int active_ = 0;
  std::mutex opening_;  // held by the thread that opens the root; the others wait for it
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::exception_ptr error_;
  std::optional<SearchThread<G>> stepped_;
  enum class Stage { kBegun, kOpening, kOpen } stage_ = Stage::kBegun;
};

template <Game G>
TreeSearch<G>::TreeSearch(const G& position, std::shared_ptr<Evaluator<G>> evaluator,
                          const Options& options)
    : state_(position) {
  state_.options = options;
  state_.evaluator = std::move(evaluator);
  reset(position);
}

template <Game G>
TreeSearch<G>::~TreeSearch() {
  stop();
  for (auto& thread : threads_) thread.join();
}

template <Game G>
void TreeSearch<G>::reset(const G& position) {
  side_search_.clear();
  reset_state(state_, position);
}

template <Game G>
void TreeSearch<G>::advance(Move move) {
  side_search_.clear();
  state_.tree.advance(move, state_.options.reuse, tree_bytes(state_.options));
  state_.position.play(move);
  stand_at_root(state_);
}

template <Game G>
void TreeSearch<G>::start(const Plan& plan, const Budget& budget) {
  wait(0);
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  Plan own = plan;
  own.include = guarantees_of(plan, false);
  prepare_search(state_, own, budget);
  side_search_.begin(state_, plan, budget);
  stop_asked_ = false;
  error_ = nullptr;
  active_ = static_cast<int>(state_.options.threads);
  running_.store(true, std::memory_order_release);
  const bool urgent = take_urgency();
  for (int i = 0; i < state_.options.threads; ++i)
    threads_.emplace_back([this, i, urgent] {
      with_rule(state_.options, [&](auto type) { run<typename decltype(type)::type>(i, urgent); });
    });
}

template <Game G>
void TreeSearch<G>::begin(const Plan& plan, const Budget& budget) {
  prepare_search(state_, plan, budget);
  stepped_.emplace(state_, 0);
  stage_ = Stage::kBegun;
}

template <Game G>
std::span<Leaf<G>> TreeSearch<G>::gather() {
  std::span<Leaf<G>> leaves;
  if (stage_ == Stage::kBegun) {
    leaves = stepped_->begin_root();
    stage_ = leaves.empty() ? Stage::kOpen : Stage::kOpening;
    if (leaves.empty()) stepped_->finish_root();
  }
  while (leaves.empty() && !stepped_->spent() && !state_.budget.stopping())
    with_rule(state_.options, [&](auto type) {
      leaves = stepped_->gather(typename decltype(type)::type(state_.options));
    });
  if (leaves.empty()) {
    stepped_->flush();
    state_.budget.stop(end_reason());
    seconds_ = state_.budget.seconds();
  }
  stepped_->draw_symmetries(leaves);
  return leaves;
}

template <Game G>
void TreeSearch<G>::absorb() {
  if (stage_ == Stage::kOpening)
    stepped_->finish_root();
  else
    stepped_->absorb();
  stage_ = Stage::kOpen;
}

template <Game G>
bool TreeSearch<G>::wait(double seconds) {
  std::unique_lock lock(mutex_);
  const auto done = [this] { return active_ == 0; };
  if (!ended_.wait_for(lock, std::chrono::duration<double>(seconds), done)) return false;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return true;
}

template <Game G>
template <class Rule>
void TreeSearch<G>::run(int index, bool urgent) {
  try {
    const Rule rule(state_.options);
    SearchThread<G> thread(state_, index);
    {
      // The first thread to come opens the root; the others wait here until it is open.
      const std::lock_guard lock(opening_);
      if (!state_.root.is_open()) {
        const CoreTurn turn(state_.budget.stop_flag(), state_.budget.seconds_left(), urgent);
        thread.open_root();
      }
    }
    const CoreTurn turn(state_.budget.stop_flag(), state_.budget.seconds_left(), urgent);
    // A thread without budget leaves the others to finish theirs.
    const bool leads = index == 0;
    while (!thread.spent() && !state_.budget.stopping()) {
      CoreTurn::rest();
      if (leads && side_search_.is_due(state_.budget.claimed()))
        side_search_.look(rule, state_.tree.root());
      thread.round(rule);
    }
    thread.flush();
    if (state_.budget.stopping()) wake_core_turn(state_.budget.stop_flag());
    while (leads && side_search_.left() && may_look()) side_search_.look(rule, state_.tree.root());
  } catch (...) {
    stop();
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  state_.evaluator->leave();
  for (const auto& model : state_.human)
    if (model) model->leave();
  const std::lock_guard lock(mutex_);
  if (--active_ == 0) {
    state_.budget.stop(end_reason());
    seconds_ = state_.budget.seconds();
    running_.store(false, std::memory_order_release);
    ended_.notify_all();
  }
}

template <Game G>
SearchReport TreeSearch<G>::report(int line_length, bool move_ownership) const {
  SearchReport out = Reporter<G>(state_).report(line_length, move_ownership);
  side_search_.add_to(out, line_length, move_ownership);
  out.seconds = running() ? state_.budget.seconds() : seconds_;
  return out;
}

}  // namespace kibitz
