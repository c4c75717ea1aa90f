// When an alpha-beta search has to end: nodes, time, or another thread's wish.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace kibitz {

class AlphaBetaLimits {
 public:
  explicit AlphaBetaLimits(const std::atomic<bool>& stop) : stop_(&stop) {}

  std::uint64_t nodes() const { return nodes_; }
  /// The same for other threads, when the clock was looked at last.
  std::uint64_t counted() const { return counted_.load(std::memory_order_relaxed); }
  std::uint64_t nodes_left() const { return limit_ - std::min(limit_, nodes_); }
  /// Nodes that another search made on behalf of this one.
  void count(std::uint64_t nodes) {
    nodes_ += nodes;
    stopped_ |= nodes_ >= limit_;
  }
  bool stopped() const { return stopped_; }
  bool out_of_time() const { return out_of_time_; }
  void begin(std::uint64_t nodes, double seconds = std::numeric_limits<double>::infinity(),
             const Stopwatch& watch = {}) {
    nodes_ = 0;
    counted_.store(0, std::memory_order_relaxed);
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
      next_check_ = std::min(limit_, nodes_ + kCheckEvery);
      counted_.store(nodes_, std::memory_order_relaxed);
      out_of_time_ = watch_.seconds() >= seconds_;
      stopped_ = out_of_time_ || nodes_ >= limit_ || stop_->load(std::memory_order_relaxed);
    }
    return stopped_;
  }
  /// Nodes at which the clock is not looked at.
  void count_leaves(std::uint64_t nodes) { nodes_ += nodes; }

 private:
  /// Nodes between two looks at the clock.
  static constexpr std::uint64_t kCheckEvery = 512;

  const std::atomic<bool>* stop_;
  std::uint64_t nodes_ = 0, limit_ = 0, next_check_ = 0;
  std::atomic<std::uint64_t> counted_{0};
  double seconds_ = 0.0;
  Stopwatch watch_;
  bool stopped_ = false, out_of_time_ = false;
};

}  // namespace kibitz
