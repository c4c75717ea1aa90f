// When an alpha-beta search has to end: nodes, time, or another thread's wish.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "base/clock.h"
#include "base/core_turns.h"

namespace kibitz {

class AlphaBetaLimits {
 public:
  explicit AlphaBetaLimits(const std::atomic<bool>& stop) : stop_(&stop) {}

  std::uint64_t nodes() const { return nodes_; }
  /// Nodes of all threads as far as they have been published: any thread may ask.
  std::uint64_t counted() const { return total_->load(std::memory_order_relaxed); }
  std::uint64_t nodes_left() {
    publish();
    return limit_ - std::min(limit_, counted());
  }
  /// Nodes that another search made on behalf of this one.
  void count(std::uint64_t nodes) {
    nodes_ += nodes;
    publish();
    stopped_ |= counted() >= limit_;
  }
  /// Adds the nodes since the last call to the count of all threads.
  void publish() {
    total_->fetch_add(nodes_ - published_, std::memory_order_relaxed);
    published_ = nodes_;
  }
  /// Threads that search together count their nodes in one place, which outlives this; the limit
  /// holds for all of them together.
  void share(std::atomic<std::uint64_t>& total) { total_ = &total; }
  bool stopped() const { return stopped_; }
  bool out_of_time() const { return out_of_time_; }
  void begin(std::uint64_t nodes, double seconds = std::numeric_limits<double>::infinity(),
             const Stopwatch& watch = {}) {
    if (total_ == &own_) own_.store(0, std::memory_order_relaxed);
    nodes_ = published_ = 0;
    limit_ = nodes;
    next_check_ = std::min(limit_, kCheckEvery);
    seconds_ = seconds;
    watch_ = watch;
    stopped_ = out_of_time_ = false;
  }

 protected:
  /// Counts a node; true once the search must end.
  bool out_of_budget() {
    if (++nodes_ >= next_check_) {
      CoreTurn::rest();
      const std::uint64_t left = nodes_left();
      next_check_ = nodes_ + std::min(left, kCheckEvery);
      out_of_time_ = watch_.seconds() >= seconds_;
      stopped_ = out_of_time_ || left == 0 || stop_->load(std::memory_order_relaxed);
    }
    return stopped_;
  }
  /// Nodes at which the clock is not looked at.
  void count_leaves(std::uint64_t nodes) { nodes_ += nodes; }

 private:
  /// Nodes between two looks at the clock and the count of all threads.
  static constexpr std::uint64_t kCheckEvery = 512;

  const std::atomic<bool>* stop_;
  std::uint64_t nodes_ = 0, published_ = 0, limit_ = 0, next_check_ = 0;
  std::atomic<std::uint64_t> own_{0};
  std::atomic<std::uint64_t>* total_ = &own_;
  double seconds_ = 0.0;
  Stopwatch watch_;
  bool stopped_ = false, out_of_time_ = false;
};

}  // namespace kibitz
