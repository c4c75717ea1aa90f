// How long a search may go on, and how far it has come: iterations are claimed here before they are
// made and counted here when they are finished.
//
// Threads: after `begin` and `set_limit`, every method may be called from any thread; nothing
// blocks. `claim` is the one counter that all search threads meet at.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "base/clock.h"
#include "search/report.h"

namespace kibitz {

struct Budget {
  std::int64_t simulations = std::numeric_limits<std::int64_t>::max();  // in this search
  std::int64_t visits = std::numeric_limits<std::int64_t>::max();  // of the root, reused ones too
  double seconds = std::numeric_limits<double>::infinity();
};

class SearchBudget {
 public:
  void begin(const Budget& budget, std::int64_t threads) {
    budget_ = budget;
    threads_ = threads;
    limit_ = 0;
    claimed_ = 0;
    finished_ = 0;
    depth_sum_ = 0;
    depth_ = 0;
    stopping_ = false;
    reason_ = StopReason::kRunning;
    watch_.restart();
  }
  /// Once the root is known: the iterations that may be chosen, besides guaranteed ones.
  /// `root_visits` are those that count for the budget already; without `may_choose` there are no
  /// others.
  void set_limit(std::int64_t root_visits, bool may_choose) {
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    const auto by_visits = budget_.visits == kNone ? kNone : budget_.visits - root_visits;
    const auto by_simulations =
        budget_.simulations == kNone ? kNone : budget_.simulations - finished_.load();
    limit_ = may_choose ? std::min(by_visits, by_simulations) : 0;
    limit_reason_ = !may_choose                  ? StopReason::kDecided
                    : by_visits < by_simulations ? StopReason::kVisits
                                                 : StopReason::kSimulations;
  }

  /// Claims an iteration; false when there is none left. `granted` are those the thread has claimed
  /// before: several at a time while there are many, so that threads meet less often.
  bool claim(std::int64_t& granted) {
    if (granted > 0) {
      --granted;
      return true;
    }
    std::int64_t claimed = claimed_.load(std::memory_order_relaxed);
    std::int64_t share = 0;
    do {
      if (claimed >= limit_) return false;
      const std::int64_t fair = (limit_ - claimed) / (4 * threads_);
      share = threads_ == 1 ? 1 : std::clamp<std::int64_t>(fair, 1, 32);
    } while (!claimed_.compare_exchange_weak(claimed, claimed + share, std::memory_order_relaxed));
    granted = share - 1;
    return true;
  }
  void give_back() { claimed_.fetch_sub(1, std::memory_order_relaxed); }
  std::int64_t claimed() const { return claimed_.load(std::memory_order_relaxed); }

  /// Counts iterations that a thread has finished; how many there were before.
  std::int64_t add_finished(std::int64_t count, std::int64_t depths) {
    bump(depth_sum_, depths, threads_ == 1);
    const std::int64_t before = finished_.load(std::memory_order_relaxed);
    bump(finished_, count, threads_ == 1);
    return before;
  }
  std::int64_t finished() const { return finished_.load(std::memory_order_relaxed); }
  /// Reports ask for the depth while the search runs, so news of it is spread when there is some.
  void note_depth(int depth) {
    int known = depth_.load(std::memory_order_relaxed);
    while (known < depth &&
           !depth_.compare_exchange_weak(known, depth, std::memory_order_relaxed)) {
    }
  }
  int depth() const { return depth_.load(std::memory_order_relaxed); }
  double mean_depth() const {
    const auto count = finished();
    const auto sum = depth_sum_.load(std::memory_order_relaxed);
    return count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0.0;
  }

  /// Iterations still to come, as far as that is known.
  double left() const {
    const double by_count = static_cast<double>(limit_) - static_cast<double>(claimed_.load());
    const double elapsed = watch_.seconds();
    if (budget_.seconds >= 1e9 || elapsed <= 0) return by_count;
    const double pace = budget_.seconds / elapsed - 1.0;
    return std::min(by_count, static_cast<double>(finished_.load()) * pace);
  }
  /// All iterations that may be chosen in this search; 0 where no number limits them.
  std::int64_t planned() const {
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    return limit_ > kNone / 2 ? 0 : limit_;
  }
  bool out_of_time() const { return watch_.seconds() >= budget_.seconds; }
  double seconds() const { return watch_.seconds(); }
  double seconds_left() const { return budget_.seconds - watch_.seconds(); }

  /// Ends the search; the first reason given is reported.
  void stop(StopReason reason) {
    auto expected = StopReason::kRunning;
    reason_.compare_exchange_strong(expected, reason);
    stopping_.store(true, std::memory_order_relaxed);
  }
  /// What `stopping` looks at, for whoever waits.
  const std::atomic<bool>& stop_flag() const { return stopping_; }
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  StopReason reason() const { return reason_.load(); }
  /// Why it ends when no iteration is left to claim.
  StopReason limit_reason() const { return limit_reason_; }

 private:
  Budget budget_;
  std::int64_t threads_ = 1;
  std::int64_t limit_ = 0;
  StopReason limit_reason_ = StopReason::kSimulations;
  Stopwatch watch_;
  std::atomic<bool> stopping_{false};
  std::atomic<StopReason> reason_{StopReason::kNone};
  alignas(64) std::atomic<std::int64_t> claimed_{0};
  std::atomic<std::int64_t> finished_{0};
  std::atomic<std::int64_t> depth_sum_{0};
  std::atomic<int> depth_{0};
};

}  // namespace kibitz
