// What the endgame solver remembers of positions it has searched.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/zeroed_memory.h"
#include "games/othello/bitboard.h"

namespace kibitz::othello {

/// Bounds on the exact score of a position, for its side to move, and its two most promising moves.
struct Known {
  std::int8_t lower = -64;
  std::int8_t upper = 64;
  std::uint8_t best = kPass;
  std::uint8_t second = kPass;
};

/// A hash table of positions; it uses a small part of its memory at first and doubles as it fills,
/// so that small endgames touch little memory. The whole position is the key, so a hit is never a
/// mistake and the solver stays exact. Not shared between threads.
class EndgameTable {
 public:
  explicit EndgameTable(std::size_t bytes)
      : most_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 2))), buckets_(most_) {
    resize(std::min(most_, kFirstBuckets));
  }

  /// Older entries lose their claim to their place, but stay valid: a bound is true for ever.
  void new_search() { age_ = static_cast<std::uint8_t>(age_ + 1); }
  void clear() {
    buckets_.clear();
    used_ = 0;
    resize(std::min(most_, kFirstBuckets));
  }

  const Known* find(Bits player, Bits opponent) const {
    for (const Entry& entry : bucket(player, opponent).entries) {
      if (entry.player == player && entry.opponent == opponent) return &entry.known;
    }
    return nullptr;
  }

  void prefetch(Bits player, Bits opponent) const { __builtin_prefetch(&bucket(player, opponent)); }

  /// Adds what a search of the window (alpha, beta) found: `score`, by playing `best`.
  void store(Bits player, Bits opponent, int empties, int alpha, int beta, int score, int best) {
    Entry& entry = place(player, opponent, empties);
    Known& known = entry.known;
    if (score < beta) known.upper = std::min(known.upper, static_cast<std::int8_t>(score));
    if (score > alpha) known.lower = std::max(known.lower, static_cast<std::int8_t>(score));
    // When every move failed low the best one is little more than the first one tried.
    if (score > alpha || known.best == kPass) promote(known, best);
  }

  /// Only says which move to try first.
  void hint(Bits player, Bits opponent, int empties, int best) {
    promote(place(player, opponent, empties).known, best);
  }

 private:
  /// All zero in an unused place: no position is without discs, so `known` is not read there.
  struct Entry {
    Bits player, opponent;
    Known known;
    std::uint8_t empties, age;
  };

  struct alignas(64) Bucket {
    Entry entries[2];
  };

  static bool taken(const Entry& entry) { return (entry.player | entry.opponent) != 0; }

  static void promote(Known& known, int best) {
    if (known.best == best) return;
    known.second = known.best;
    known.best = static_cast<std::uint8_t>(best);
  }

  std::size_t index(Bits player, Bits opponent) const {
    Bits h = player * 0x9e3779b97f4a7c15ULL + opponent * 0xc2b2ae3d27d4eb4fULL;
    h ^= h >> 32;
    return static_cast<std::size_t>((h * 0xd6e8feb86659fd93ULL) >> shift_);
  }
  const Bucket& bucket(Bits player, Bits opponent) const {
    return buckets_[index(player, opponent)];
  }

  // The entry of this position, or the one it may take over: the older, or the smaller subtree.
  Entry& place(Bits player, Bits opponent, int empties) {
    Bucket& home = buckets_[index(player, opponent)];
    for (Entry& entry : home.entries) {
      if (entry.player == player && entry.opponent == opponent) {
        entry.age = age_;
        return entry;
      }
    }
    if (used_ > size_ && size_ < most_) {
      grow();
      return place(player, opponent, empties);
    }
    const auto worth = [this](const Entry& entry) {
      return entry.empties + (entry.age == age_ ? 64 : 0);
    };
    Entry& victim =
        worth(home.entries[0]) <= worth(home.entries[1]) ? home.entries[0] : home.entries[1];
    used_ += !taken(victim);
    victim = {player, opponent, Known{}, static_cast<std::uint8_t>(empties), age_};
    return victim;
  }

  void resize(std::size_t buckets) {
    size_ = buckets;
    shift_ = 64 - std::countr_zero(size_);
  }

  // The index is the upper bits of a hash, so the entries of bucket i go to 2i and 2i + 1: in
  // place, from the last bucket on.
  void grow() {
    resize(2 * size_);
    for (std::size_t i = size_ / 2; i-- > 0;) {
      const Bucket old = buckets_[i];
      buckets_[2 * i] = buckets_[2 * i + 1] = Bucket{};
      for (const Entry& entry : old.entries) {
        if (!taken(entry)) continue;
        Bucket& home = buckets_[index(entry.player, entry.opponent)];
        home.entries[taken(home.entries[0]) ? 1 : 0] = entry;
      }
    }
  }

  static constexpr std::size_t kFirstBuckets = std::size_t{1} << 12;  // 256 KB
  std::size_t most_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;  // entries
  int shift_ = 0;
  ZeroedArray<Bucket> buckets_;
  std::uint8_t age_ = 1;
};

}  // namespace kibitz::othello
