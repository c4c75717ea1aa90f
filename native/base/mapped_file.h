// A file's bytes in memory, for reading: mapped where the system can, read as a whole where it
// cannot.
//
// Threads: the bytes never change, so any thread may read them. Ownership: they live as long as the
// object, which can be moved but not copied.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace kibitz {

class MappedFile {
 public:
  MappedFile() = default;
  /// Throws std::system_error when the file cannot be opened.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept { swap(other); }
  MappedFile& operator=(MappedFile&& other) noexcept {
    swap(other);
    return *this;
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  void swap(MappedFile& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    read_.swap(other.read_);
  }
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  std::vector<std::byte> read_;
};

}  // namespace kibitz
