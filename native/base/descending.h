// The order of a list of numbers, greatest first, equal ones as they came. Every new node of a tree
// sorts its moves, hundreds of them in some games, where comparing one by one is mostly wrong
// guesses of the processor.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace kibitz {

namespace detail {

/// Sorts by bits 16 to 47, a byte at a time from the lowest, keeping the order of equals.
template <std::size_t kMost>
void radix_sort(std::array<std::uint64_t, kMost>& keys, std::size_t count) {
  std::array<std::uint64_t, kMost> spare;
  std::uint64_t *from = keys.data(), *to = spare.data();
  for (int shift = 16; shift < 48; shift += 8) {
    std::array<std::uint16_t, 256> places{};
    for (std::size_t i = 0; i < count; ++i) ++places[from[i] >> shift & 255];
    std::uint16_t next = 0;
    for (std::uint16_t& place : places)
      next = static_cast<std::uint16_t>(next + std::exchange(place, next));
    for (std::size_t i = 0; i < count; ++i) to[places[from[i] >> shift & 255]++] = from[i];
    std::swap(from, to);
  }
}

}  // namespace detail

/// Writes the indices of `values`, which are not negative, to the front of `order`.
template <std::size_t kMost>
void order_descending(std::span<const float> values, std::array<std::uint16_t, kMost>& order) {
  // Bits of such numbers compare as the numbers do.
  std::array<std::uint64_t, kMost> keys;
  for (std::size_t i = 0; i < values.size(); ++i)
    keys[i] = static_cast<std::uint64_t>(~std::bit_cast<std::uint32_t>(values[i])) << 16 | i;
  if (values.size() > 96)
    detail::radix_sort(keys, values.size());
  else
    std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) order[i] = static_cast<std::uint16_t>(keys[i]);
}

}  // namespace kibitz
