// Memory that starts where a cache line starts.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace kibitz::nets {

inline constexpr std::size_t kLine = 64;

template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: containers convert allocators
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{kLine}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{kLine}); }
  bool operator==(const LineAllocator&) const { return true; }
};

template <class T>
using Aligned = std::vector<T, LineAllocator<T>>;

inline std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

/// Makes room for `size` numbers; what was there may be lost.
template <class T>
void at_least(Aligned<T>& memory, std::ptrdiff_t size) {
  if (memory.size() < at(size)) memory.resize(at(size));
}

}  // namespace kibitz::nets
