// Ladders that were looked for already. A network is shown them on the board as it is and as it was
// one and two turns ago, and the boards of the past are those of a leaf's parents, which the search
// has judged before.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "games/go/board.h"

namespace kibitz::go {

/// Captured stones by a board's key; a board takes the place of whichever was there before. Every
/// thread has a memory of its own, so nothing is locked.
class LadderMemory {
 public:
  static LadderMemory& of_this_thread() {
    thread_local LadderMemory memory;
    return memory;
  }

  /// What a search for ladders depends on.
  static std::uint64_t key_of(std::uint64_t stones, Cell ko, int columns, int rows) {
    const auto rest = static_cast<std::uint64_t>(ko << 10 | columns << 5 | rows);
    return mix64(stones ^ mix64(rest)) | 1;  // zero is a place never used
  }
  /// Null when the board is not known.
  const CellSet* find(std::uint64_t key) const {
    const Entry& entry = entries()[key >> (64 - kBits)];
    return entry.key == key ? &entry.captured : nullptr;
  }
  void keep(std::uint64_t key, const CellSet& captured) {
    entries()[key >> (64 - kBits)] = {key, captured};
  }

 private:
  static constexpr int kBits = 12;
  struct Entry {
    std::uint64_t key;
    CellSet captured;
  };
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  // Zeroed by the system where it is touched: a search of a few visits must not pay for all of it.
  LadderMemory()
      : entries_(static_cast<Entry*>(std::calloc(std::size_t{1} << kBits, sizeof(Entry)))) {
    if (!entries_) throw std::bad_alloc();
  }
  std::span<Entry> entries() const { return {entries_.get(), std::size_t{1} << kBits}; }

  std::unique_ptr<Entry, Free> entries_;
};

}  // namespace kibitz::go
