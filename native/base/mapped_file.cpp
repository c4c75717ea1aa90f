#include "base/mapped_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#define KIBITZ_HAS_MMAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define KIBITZ_HAS_MMAP 0
#endif

namespace kibitz {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

}  // namespace

#if KIBITZ_HAS_MMAP

MappedFile::MappedFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path);
  struct stat about{};
  if (::fstat(file, &about) != 0) {
    ::close(file);
    fail(path);
  }
  size_ = static_cast<std::size_t>(about.st_size);
  if (size_ > 0) {
    void* at = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
      ::close(file);
      fail(path);
    }
    data_ = static_cast<const std::byte*>(at);
    mapped_ = true;
  }
  ::close(file);  // the mapping keeps the file
}

MappedFile::~MappedFile() {
  if (mapped_) ::munmap(const_cast<std::byte*>(data_), size_);
}

#else

MappedFile::MappedFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) fail(path);
  read_.resize(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(read_.data()), static_cast<std::streamsize>(read_.size()));
  if (!file) fail(path);
  data_ = read_.data();
  size_ = read_.size();
}

MappedFile::~MappedFile() = default;

#endif

}  // namespace kibitz
