// Bit operations on 64-bit sets that the standard library lacks.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace kibitz {

/// Index of the lowest set bit; `set` must not be empty. (std::countr_zero gives 64 for the empty
/// set, and GCC warns where that would be an index.)
inline int lowest_bit(std::uint64_t set) { return __builtin_ctzll(set); }

/// Removes and returns the lowest set bit's index; `set` must not be empty.
inline int pop_lowest(std::uint64_t& set) {
  const int index = lowest_bit(set);
  set &= set - 1;
  return index;
}

/// The k-th set bit (k from 0) as a one-bit set; k must be below the number of set bits.
inline std::uint64_t nth_bit(std::uint64_t set, int k) {
#if defined(__BMI2__)
  return _pdep_u64(std::uint64_t{1} << k, set);
#else
  while (k-- > 0) set &= set - 1;
  return set & (~set + 1);
#endif
}

/// The bits of `set` that lie in `places`, packed together, lowest first.
inline std::uint64_t packed_bits(std::uint64_t set, std::uint64_t places) {
#if defined(__BMI2__)
  return _pext_u64(set, places);
#else
  std::uint64_t out = 0;
  for (std::uint64_t bit = 1; places != 0; places &= places - 1, bit <<= 1)
    if (set & places & (~places + 1)) out |= bit;
  return out;
#endif
}

}  // namespace kibitz
