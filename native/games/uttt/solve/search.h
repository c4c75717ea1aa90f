// The exact search: alpha-beta with a table of positions met before, over the lossless reductions.
//
// A score is for the side to move: 100 - n for a win in n plies, n - 100 for a loss in n plies, 0
// for a draw. One search belongs to one thread; only `SolveLimits::stop` may be touched from
// another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>

#include "base/clock.h"
#include "games/uttt/solve/node.h"

namespace kibitz::uttt {

struct SolveLimits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  const std::atomic<bool>* stop = nullptr;
};

/// What is known of a position: least <= score <= most, and a good move.
struct Memory {
  std::int8_t least = -100;
  std::int8_t most = 100;
  std::uint8_t best = 0xff;
};

/// A table of positions; what it holds stays true for ever, so it is never cleared. It begins small
/// enough for the processor's cache and grows up to `bytes`: most searches are short, and a large
/// table would cost them a new page of memory for every position they meet.
class SearchMemory {
 public:
  explicit SearchMemory(std::size_t bytes);
  /// What is known, or nullptr.
  const Memory* find(const SearchKey& key, std::uint64_t hash) const {
    for (const Entry& entry : buckets_[hash & mask_].entries)
      if (entry.key == key) return &entry.memory;
    return nullptr;
  }
  void store(const SearchKey& key, std::uint64_t hash, int empties, int least, int most, int best);
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&buckets_[hash & mask_]); }
  void new_search() { ++age_; }

 private:
  // Memory comes zeroed from the system, and an entry that is all zero matches no key: a position
  // has an open sub-board, whose name is not 0.
  struct Entry {
    SearchKey key;
    Memory memory;
    std::uint8_t empties;
    std::uint8_t age;
  };
  struct alignas(64) Bucket {
    Entry entries[2];
  };
  static_assert(sizeof(Bucket) == 64);
  struct Free {
    void operator()(Bucket* memory) const { std::free(memory); }
  };

  using Buckets = std::unique_ptr<Bucket[], Free>;
  static constexpr std::size_t kFirstBuckets = 2048;

  static Buckets make(std::size_t count);
  void grow();

  Buckets buckets_;
  std::size_t mask_ = 0;
  std::size_t most_buckets_ = 0;
  std::size_t filled_ = 0;  // entries in use
  std::uint8_t age_ = 1;
};

class ExactSearch {
 public:
  explicit ExactSearch(std::size_t table_bytes) : memory_(table_bytes) {}

  static constexpr int kWin = 100;

  /// Starts counting nodes and time.
  void begin(const SolveLimits& limits);
  /// True once a limit has ended the search; what is returned then is void.
  bool out_of_limits() const { return aborted_; }
  std::uint64_t nodes() const { return nodes_; }
  double seconds() const { return watch_.seconds(); }

  /// The exact score when it lies between alpha and beta, else a bound on the right side of them.
  int search(const SearchNode& node, int alpha, int beta);
  /// 1, 0 or -1.
  int sign(const SearchNode& node);
  /// The exact score.
  int score(const SearchNode& node);

  /// A child's score as the side sees it that moved there.
  static int seen_from_before(int score) {
    return score > 0 ? 1 - score : score < 0 ? -1 - score : 0;
  }

 private:
  struct Candidate {
    std::uint8_t move;
    std::int16_t promise;
  };
  /// Moves to a line are compared up to here; beyond it a line is too far to matter.
  static constexpr int kFar = 12;
  static constexpr int kWayWeight = 30;

  int list_moves(const SearchNode& node, int first, Candidate* out) const;
  bool limits_hit();

  SearchMemory memory_;
  SolveLimits limits_;
  Stopwatch watch_;
  std::uint64_t nodes_ = 0;
  bool aborted_ = false;
  std::array<std::array<int, 81>, 2> merit_{};  // of moves that refuted something, by side
};

}  // namespace kibitz::uttt
