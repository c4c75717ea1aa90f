// The transposition table of the alpha-beta family. Shared by threads without locks: an entry that
// two threads wrote at once no longer matches its key and is not used.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/zeroed_memory.h"
#include "games/game.h"

namespace kibitz {

enum class Bound : std::uint8_t { kUpper = 1, kLower = 2, kExact = 3 };

/// What a search of some depth said about a position.
struct TableEntry {
  std::int16_t score = 0;
  Move move = kNoMove;
  std::uint8_t depth = 0;
  std::uint8_t selectivity = 0;
  Bound bound = Bound::kUpper;
  std::uint8_t age = 0;
};

class AlphaBetaTable {
 public:
  explicit AlphaBetaTable(std::size_t bytes)
      : mask_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Slot), 1024)) - 1),
        slots_(mask_ + 1) {}

  void new_search() { ++age_; }
  void clear() { slots_.clear(); }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[key & mask_]); }

  std::optional<TableEntry> find(std::uint64_t key) const {
    for (std::size_t i = 0; i < kWays; ++i) {
      Slot& slot = slots_[(key ^ i) & mask_];
      const std::uint64_t data = load(slot.data);
      if ((load(slot.key) ^ data) == key) return std::bit_cast<TableEntry>(data);
    }
    return std::nullopt;
  }

  void store(std::uint64_t key, TableEntry entry) {
    entry.age = age_;
    Slot* victim = nullptr;
    int least = 1 << 30;
    for (std::size_t i = 0; i < kWays; ++i) {
      Slot& slot = slots_[(key ^ i) & mask_];
      const std::uint64_t data = load(slot.data);
      const TableEntry known = std::bit_cast<TableEntry>(data);
      if ((load(slot.key) ^ data) == key) {
        if (entry.move == kNoMove) entry.move = known.move;
        victim = &slot;
        break;
      }
      const int worth = known.depth + (known.age == age_ ? 64 : 0);
      if (worth < least) least = worth, victim = &slot;
    }
    const auto data = std::bit_cast<std::uint64_t>(entry);
    save(victim->key, key ^ data);
    save(victim->data, data);
  }

 private:
  static constexpr std::size_t kWays = 4;  // one cache line
  struct Slot {
    std::uint64_t key, data;
  };
  static_assert(sizeof(TableEntry) == 8);

  static std::uint64_t load(std::uint64_t& word) {
    return std::atomic_ref(word).load(std::memory_order_relaxed);
  }
  static void save(std::uint64_t& word, std::uint64_t value) {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
  }

  std::size_t mask_;
  ZeroedArray<Slot> slots_;
  std::uint8_t age_ = 1;
};

}  // namespace kibitz
