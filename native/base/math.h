// Mathematics that rounds the same on every machine. The standard library's logarithm does not: it
// picks its code by CPU, and one different bit can lead a search down another path.
#pragma once

#include <bit>
#include <cstdint>

namespace kibitz {

/// Natural logarithm of x > 0 (finite, normal), to about 2e-7 of the result's size.
inline float natural_log(float x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)); ln m by the series of atanh((m - 1) / (m + 1)).
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  int exponent = static_cast<int>(bits >> 23) - 127;
  float mantissa = std::bit_cast<float>((bits & 0x007fffffU) | 0x3f800000U);
  if (mantissa > 1.41421356f) {
    mantissa *= 0.5f;
    ++exponent;
  }
  const float t = (mantissa - 1.0f) / (mantissa + 1.0f);
  const float t2 = t * t;
  const float series = ((0.14285714f * t2 + 0.2f) * t2 + 0.33333333f) * t2 + 1.0f;
  return static_cast<float>(exponent) * 0.69314718f + 2.0f * t * series;
}

}  // namespace kibitz
