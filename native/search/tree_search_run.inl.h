// The threads of a search: starting, stopping, what each of them does. Included by tree_search.h.
#pragma once

#include <algorithm>
#include <chrono>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
void TreeSearch<G>::start(const Plan& plan, const Budget& budget) {
  wait(0);
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  plan_ = plan;
  budget_ = budget;
  plan_reach_ = plan.reach();
  prunes_ = options_.prune != RootPruning::kNone;
  const bool shaped =
      options_.root_temperature != 1 || options_.root_noise > 0 || options_.root_symmetry;
  if (prunes_ || shaped) plan_reach_ = std::max(plan_reach_, 1);
  exclusive_ = options_.threads == 1;
  count_pending_ = !exclusive_ || options_.batch > 1;
  may_prefetch_ = options_.prefetch > 0 && evaluator_->remembers();
  const int owned = options_.ownership ? evaluator_->ownership_points(root_position_) : 0;
  const bool weighs = options_.backup == BackupRule::kWeighted && evaluator_->gives_extras();
  if (extras_ != evaluator_->gives_extras() || ownership_points_ != owned || weighted_ != weighs) {
    reset(root_position_);  // families of another shape
    extras_ = evaluator_->gives_extras();
    ownership_points_ = owned;
    weighted_ = weighs;
  }
  utility_ = ScoreUtility(options_, score_unit());
  rescale_ = WdlRescale(options_);
  proofs_ = options_.proofs && !utility_.counts();
  reused_ = root_.visits();
  claimed_ = 0;
  finished_ = 0;
  depth_ = 0;
  depth_sum_ = 0;
  stopping_ = false;
  root_settled_ = false;
  guarantees_left_ = 0;
  root_open_.store(false, std::memory_order_release);
  error_ = nullptr;
  reason_ = StopReason::kRunning;
  watch_.restart();
  active_ = static_cast<int>(options_.threads);
  running_.store(true, std::memory_order_release);
  for (int i = 0; i < options_.threads; ++i)
    threads_.emplace_back([this, i] {
      with_rule(options_, [&](auto rule) { run<typename decltype(rule)::type>(i); });
    });
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
void TreeSearch<G>::stop() {
  finish(StopReason::kStopped);
}

template <Game G>
void TreeSearch<G>::finish(StopReason reason) {
  auto expected = StopReason::kRunning;
  reason_.compare_exchange_strong(expected, reason);
  stopping_.store(true, std::memory_order_relaxed);
}

template <Game G>
template <class Rule>
void TreeSearch<G>::run(int index) {
  try {
    const Rule rule(options_);
    Worker worker(root_position_, static_cast<std::uint64_t>(options_.seed), index,
                  static_cast<int>(options_.batch));
    if (oracle_ && options_.solve_leaves > 0) worker.oracle = oracle_->clone();
    {
      // The first thread to come opens the root; the others wait here until it is open.
      const std::lock_guard lock(opening_);
      if (!root_open_.load(std::memory_order_acquire)) open_root(worker);
    }
    // A thread without budget leaves the others to finish theirs.
    while (!worker.spent && !stopping_.load(std::memory_order_relaxed))
      gather_and_evaluate(rule, worker);
    hand_in(worker);
  } catch (...) {
    finish(StopReason::kStopped);
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  evaluator_->leave();
  const std::lock_guard lock(mutex_);
  if (--active_ == 0) {
    finish(root_settled_ ? StopReason::kProven : limit_reason_);
    seconds_ = watch_.seconds();
    running_.store(false, std::memory_order_release);
    ended_.notify_all();
  }
}

template <Game G>
void TreeSearch<G>::after_iteration(Worker& worker) {
  // Reading the clock is dear beside a playout and nothing beside a network's batch.
  const bool due = evaluator_->gives_priors() || (++worker.ticks & 15) == 0;
  if (due && watch_.seconds() >= budget_.seconds) finish(StopReason::kTime);
}

}  // namespace kibitz
