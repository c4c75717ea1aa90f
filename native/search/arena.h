// Memory for the nodes of one tree: grows by blocks up to a limit, freed all at once.
//
// Threads: each search thread allocates from a `ThreadArena` of its own and goes to the arena,
// which has a mutex, only for a new block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace kibitz {

/// The memory of a block. On Linux blocks of the usual size come from the system and go back to it,
/// but for a few that are kept for the next tree. The heap would not give them back: small things
/// lie between them, and a server would have the memory of all the trees that there ever were.
class ArenaBlock {
 public:
  /// Its `data` is null when there is no memory.
  static ArenaBlock make(std::size_t bytes);
  ArenaBlock(ArenaBlock&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  ArenaBlock(const ArenaBlock&) = delete;
  ArenaBlock& operator=(const ArenaBlock&) = delete;
  ~ArenaBlock();

  std::byte* data() const { return data_; }

 private:
  ArenaBlock(std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  std::byte* data_;
  std::size_t bytes_;
};

class Arena {
 public:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;
  /// Blocks kept for the next tree, of all trees together.
  static constexpr std::size_t kSpareBlocks = 32;

  explicit Arena(std::size_t limit_bytes) : limit_(limit_bytes) {}

  /// A new block of at least `bytes`, or nullptr when the limit is reached.
  std::byte* block(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (used_ + bytes > limit_) return nullptr;
    ArenaBlock fresh = ArenaBlock::make(bytes);
    if (!fresh.data()) return nullptr;
    used_ += bytes;
    return blocks_.emplace_back(std::move(fresh)).data();
  }

  std::size_t used() const {
    const std::lock_guard lock(mutex_);
    return used_;
  }
  std::size_t limit() const { return limit_; }

 private:
  mutable std::mutex mutex_;
  std::vector<ArenaBlock> blocks_;
  std::size_t used_ = 0;
  std::size_t limit_;
};

/// A thread's open block.
class ThreadArena {
 public:
  /// Memory aligned for nodes, or nullptr when the arena is full. Never freed by itself.
  std::byte* take(Arena& arena, std::size_t bytes) {
    bytes = (bytes + kAlign - 1) & ~(kAlign - 1);
    if (static_cast<std::size_t>(end_ - next_) < bytes) {
      // Near the limit a small remainder is still worth having: the tree fills to the last family.
      const std::size_t size = std::max(bytes + kAlign, Arena::kBlock);
      std::byte* fresh = arena.block(size);
      std::size_t got = size;
      if (!fresh && size > bytes + kAlign) {
        got = bytes + kAlign;
        fresh = arena.block(got);
      }
      if (!fresh) return nullptr;
      const auto misfit = reinterpret_cast<std::uintptr_t>(fresh) % kAlign;
      next_ = fresh + (misfit ? kAlign - misfit : 0);
      end_ = fresh + got;
    }
    std::byte* result = next_;
    next_ += bytes;
    return result;
  }
  void reset() { next_ = end_ = nullptr; }

 private:
  static constexpr std::size_t kAlign = 32;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace kibitz
