// The transposition table of the alpha-beta family. Shared by threads without locks: an entry that
// two threads wrote at once no longer matches its key and is not used.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

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
        slots_(std::make_unique<Slot[]>(mask_ + 1)) {}

  void new_search() { ++age_; }
  void clear() {
    for (std::size_t i = 0; i <= mask_; ++i) slots_[i].key = slots_[i].data = 0;
  }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[key & mask_]); }

  std::optional<TableEntry> find(std::uint64_t key) const {
    for (std::size_t i = 0; i < kWays; ++i) {
      const Slot& slot = slots_[(key ^ i) & mask_];
      const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
      if ((slot.key.load(std::memory_order_relaxed) ^ data) == key)
        return std::bit_cast<TableEntry>(data);
    }
    return std::nullopt;
  }

  void store(std::uint64_t key, TableEntry entry) {
    entry.age = age_;
    Slot* victim = nullptr;
    int least = 1 << 30;
    for (std::size_t i = 0; i < kWays; ++i) {
      Slot& slot = slots_[(key ^ i) & mask_];
      const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
      const TableEntry known = std::bit_cast<TableEntry>(data);
      if ((slot.key.load(std::memory_order_relaxed) ^ data) == key) {
        if (entry.move == kNoMove) entry.move = known.move;
        victim = &slot;
        break;
      }
      const int worth = known.depth + (known.age == age_ ? 64 : 0);
      if (worth < least) least = worth, victim = &slot;
    }
    const auto data = std::bit_cast<std::uint64_t>(entry);
    victim->key.store(key ^ data, std::memory_order_relaxed);
    victim->data.store(data, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kWays = 4;  // one cache line
  struct Slot {
    std::atomic<std::uint64_t> key{0}, data{0};
  };
  static_assert(sizeof(TableEntry) == 8);

  std::size_t mask_;
  std::unique_ptr<Slot[]> slots_;
  std::uint8_t age_ = 1;
};

}  // namespace kibitz
