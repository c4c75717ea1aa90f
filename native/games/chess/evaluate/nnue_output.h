// The last layer of the chess network (nnue.h): sums held in [0, 255], squared, weighted.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace kibitz::chess {

/// The sum of min(max(sum, 0), 255)^2 * weight. `count` is a multiple of 32 and weights are within
/// [-127, 127], so that 255 * weight fits in 16 bits.
inline std::int32_t squared_product_portable(const std::int16_t* sums, const std::int16_t* weights,
                                             int count) {
  std::int32_t total = 0;
  for (int i = 0; i < count; ++i) {
    const std::int32_t held = std::clamp<std::int32_t>(sums[i], 0, 255);
    total += held * weights[i] * held;
  }
  return total;
}

inline std::int32_t squared_product(const std::int16_t* sums, const std::int16_t* weights,
                                    int count) {
#if defined(__AVX512BW__)
  const __m512i least = _mm512_setzero_si512(), most = _mm512_set1_epi16(255);
  __m512i total = least;
  for (int i = 0; i < count; i += 32) {
    const __m512i sum = _mm512_loadu_si512(sums + i), weight = _mm512_loadu_si512(weights + i);
    const __m512i held = _mm512_min_epi16(_mm512_max_epi16(sum, least), most);
    total = _mm512_add_epi32(total, _mm512_madd_epi16(_mm512_mullo_epi16(held, weight), held));
  }
  return _mm512_reduce_add_epi32(total);
#elif defined(__AVX2__)
  const __m256i least = _mm256_setzero_si256(), most = _mm256_set1_epi16(255);
  __m256i total = least;
  for (int i = 0; i < count; i += 16) {
    const auto* at = reinterpret_cast<const __m256i*>(sums + i);
    const auto* by = reinterpret_cast<const __m256i*>(weights + i);
    const __m256i weight = _mm256_loadu_si256(by);
    const __m256i held = _mm256_min_epi16(_mm256_max_epi16(_mm256_loadu_si256(at), least), most);
    total = _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_mullo_epi16(held, weight), held));
  }
  const __m128i halves =
      _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
  const __m128i pairs = _mm_add_epi32(halves, _mm_shuffle_epi32(halves, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, 0xb1)));
#else
  return squared_product_portable(sums, weights, count);
#endif
}

}  // namespace kibitz::chess
