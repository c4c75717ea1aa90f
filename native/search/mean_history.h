// A move's mean value as its visits doubled: for judging what the value was with fewer visits, and
// how much it still moves.
//
// Threads: everything may be called by all search threads and by a reporting thread at once.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>

#include "search/node.h"

namespace kibitz {

class MeanHistory {
 public:
  /// Keeps the first side's mean of `node` if it is the first seen with so many visits.
  void note(const Node& node) {
    const std::uint32_t visits = node.visits();
    if (visits == 0) return;
    auto& mean = means_[level_of(visits)];
    if (mean.load(std::memory_order_relaxed) == 0.0f)
      mean.store(1.0f + static_cast<float>(node.mean()), std::memory_order_relaxed);
  }
  /// The mean when there first were 2^level visits or more; nothing while that is not known.
  std::optional<double> at(std::size_t level) const {
    const float mean = means_[level].load(std::memory_order_relaxed);
    return mean == 0.0f ? std::nullopt : std::optional(static_cast<double>(mean) - 1.0);
  }
  /// The number of times that so many visits have doubled; `visits` is at least 1.
  static std::size_t level_of(std::uint32_t visits) {
    return static_cast<std::size_t>(std::bit_width(visits)) - 1;
  }

 private:
  // One more than the mean; 0 while it is not known.
  std::array<std::atomic<float>, 32> means_{};
};

}  // namespace kibitz
