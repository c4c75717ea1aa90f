// CRC-32 as zlib, PNG and gzip compute it, eight bytes at a step. Finds every error of up to four
// bytes in a row, so a single damaged byte can never pass.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kibitz {

namespace crc32_detail {

inline constexpr auto kTables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t t = 1; t < 8; ++t)
    for (std::size_t i = 0; i < 256; ++i)
      tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  return tables;
}();

}  // namespace crc32_detail

/// The checksum of `size` bytes; `before` is the checksum of what came before them.
inline std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t before = 0) {
  using crc32_detail::kTables;
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint32_t crc = ~before;
  for (; size >= 8; size -= 8, bytes += 8) {
    const auto word = [bytes](int at) {
      return static_cast<std::uint32_t>(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16) |
             static_cast<std::uint32_t>(bytes[at + 3]) << 24;
    };
    const std::uint32_t low = crc ^ word(0), high = word(4);
    crc = kTables[7][low & 0xff] ^ kTables[6][low >> 8 & 0xff] ^ kTables[5][low >> 16 & 0xff] ^
          kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][high >> 8 & 0xff] ^
          kTables[1][high >> 16 & 0xff] ^ kTables[0][high >> 24];
  }
  for (; size > 0; --size, ++bytes) crc = kTables[0][(crc ^ *bytes) & 0xff] ^ (crc >> 8);
  return ~crc;
}

}  // namespace kibitz
