#include "search/arena.h"

#include <array>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#include <sys/mman.h>
#define KIBITZ_MAPPED_BLOCKS
#endif

namespace kibitz {

#ifdef KIBITZ_MAPPED_BLOCKS

namespace {

/// Blocks that no tree has at the moment.
struct SpareBlocks {
  std::mutex mutex;
  std::size_t count = 0;
  std::array<std::byte*, Arena::kSpareBlocks> blocks{};
};

/// Never destroyed: a tree may outlive static objects.
SpareBlocks& spare_blocks() {
  static SpareBlocks& spare = *new SpareBlocks;
  return spare;
}

}  // namespace

ArenaBlock ArenaBlock::make(std::size_t bytes) {
  if (bytes != Arena::kBlock) return {new (std::nothrow) std::byte[bytes], bytes};
  {
    SpareBlocks& spare = spare_blocks();
    const std::lock_guard lock(spare.mutex);
    if (spare.count > 0) return {spare.blocks[--spare.count], bytes};
  }
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return {mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped), bytes};
}

ArenaBlock::~ArenaBlock() {
  if (data_ == nullptr) return;
  if (bytes_ != Arena::kBlock) {
    delete[] data_;
    return;
  }
  {
    SpareBlocks& spare = spare_blocks();
    const std::lock_guard lock(spare.mutex);
    if (spare.count < spare.blocks.size()) {
      spare.blocks[spare.count++] = data_;
      return;
    }
  }
  ::munmap(data_, bytes_);
}

#else

ArenaBlock ArenaBlock::make(std::size_t bytes) {
  return {new (std::nothrow) std::byte[bytes], bytes};
}

ArenaBlock::~ArenaBlock() { delete[] data_; }

#endif

}  // namespace kibitz
