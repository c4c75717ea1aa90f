// Memory for large tables: zero at first and again after clear(), without being written for it.
// Pages appear as they are touched, so a table costs what is used of it, not its size.
#pragma once

#include <cstddef>
#include <type_traits>

namespace kibitz {

class ZeroedMemory {
 public:
  explicit ZeroedMemory(std::size_t bytes);
  ~ZeroedMemory();
  ZeroedMemory(const ZeroedMemory&) = delete;
  ZeroedMemory& operator=(const ZeroedMemory&) = delete;

  /// All bytes are zero again. Nobody may use the memory meanwhile.
  void clear();
  void* data() const { return data_; }

 private:
  std::size_t bytes_;
  void* data_;
};

/// An array in such memory, aligned to cache lines; T must be a valid value when all its bytes are
/// zero.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);

 public:
  explicit ZeroedArray(std::size_t count) : memory_(count * sizeof(T)) {}
  T& operator[](std::size_t i) const { return static_cast<T*>(memory_.data())[i]; }
  void clear() { memory_.clear(); }

 private:
  ZeroedMemory memory_;
};

}  // namespace kibitz
