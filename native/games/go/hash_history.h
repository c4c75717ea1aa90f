// Hashes of the past that a rule has to remember: positions for superko, passes, ko captures.
//
// Copies share what `share` has frozen, so that the positions of a long record together take memory
// in proportion to its length. A search copies a position for every playout; it adds to `recent_`
// and never freezes, so a playout costs what a plain vector would.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace kibitz::go {

/// A multiset of hashes that only grows until it is cleared.
///
/// Frozen hashes stand in sorted runs of falling size, each at least twice as long as the next, so
/// there are few of them and looking one up is a few binary searches.
class HashHistory {
 public:
  void clear() {
    frozen_.reset();
    recent_.clear();
  }
  void push(std::uint64_t hash) { recent_.push_back(hash); }
  bool empty() const { return recent_.empty() && !frozen_; }

  bool has(std::uint64_t hash) const {
    if (std::find(recent_.begin(), recent_.end(), hash) != recent_.end()) return true;
    for (const Run* run = frozen_.get(); run; run = run->larger.get())
      if (std::binary_search(run->hashes.begin(), run->hashes.end(), hash)) return true;
    return false;
  }
  std::ptrdiff_t count(std::uint64_t hash) const {
    auto times = std::count(recent_.begin(), recent_.end(), hash);
    for (const Run* run = frozen_.get(); run; run = run->larger.get()) {
      const auto [first, last] = std::equal_range(run->hashes.begin(), run->hashes.end(), hash);
      times += last - first;
    }
    return times;
  }

  /// Freezes the recent hashes once they are many, for positions that are kept.
  void share() {
    if (recent_.size() < kRecent) return;
    std::vector<std::uint64_t> hashes = std::move(recent_);
    recent_.clear();
    std::sort(hashes.begin(), hashes.end());
    std::shared_ptr<const Run> larger = std::move(frozen_);
    while (larger && larger->hashes.size() < 2 * hashes.size()) {
      std::vector<std::uint64_t> merged(hashes.size() + larger->hashes.size());
      std::merge(hashes.begin(), hashes.end(), larger->hashes.begin(), larger->hashes.end(),
                 merged.begin());
      hashes = std::move(merged);
      larger = larger->larger;
    }
    frozen_ = std::make_shared<const Run>(Run{std::move(hashes), std::move(larger)});
  }

 private:
  static constexpr std::size_t kRecent = 64;
  struct Run {
    std::vector<std::uint64_t> hashes;  // sorted
    std::shared_ptr<const Run> larger;
  };
  std::shared_ptr<const Run> frozen_;
  std::vector<std::uint64_t> recent_;
};

}  // namespace kibitz::go
