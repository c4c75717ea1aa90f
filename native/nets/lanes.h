// Vectors as wide as the CPU level has them, and the few operations the network's layers need.
// Loops over channels go lane by lane; what is left over is the caller's business.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace kibitz::nets {

#if defined(__AVX512F__) && defined(__AVX512BW__)
inline constexpr int kLanes = 16, kRegisters = 32;
#elif defined(__AVX2__)
inline constexpr int kLanes = 8, kRegisters = 16;
#else
inline constexpr int kLanes = 4, kRegisters = 16;
#endif

typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef std::int32_t Ints __attribute__((vector_size(4 * kLanes)));
/// Twice as many lanes in the same register.
typedef std::int16_t Shorts __attribute__((vector_size(4 * kLanes)));

template <class V, class T>
inline V load(const T* from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class V, class T>
inline void store(T* to, V value) {
  std::memcpy(to, &value, sizeof value);
}

inline Floats all(float value) { return value - Floats{}; }
inline Ints all(std::int32_t value) { return value - Ints{}; }

inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }

/// a * b + c, rounded once where the CPU can.
inline Floats fused(Floats a, Floats b, Floats c) {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}
inline Floats fused(Floats a, float b, Floats c) { return fused(a, all(b), c); }
inline Shorts fused(Shorts a, std::int16_t b, Shorts c) { return a * b + c; }

inline Floats as_floats(Ints values) { return __builtin_convertvector(values, Floats); }

/// Both halves of each lane multiplied and added up: the product int8 networks are made of.
inline Ints pair_products(Ints a, Ints b) {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  return reinterpret_cast<Ints>(
      _mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<Ints>(
      _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
  return reinterpret_cast<Ints>(
      __builtin_ia32_pmaddwd128(reinterpret_cast<Shorts>(a), reinterpret_cast<Shorts>(b)));
#else
  // Lanes are little-endian on every CPU this is built for: the first of a pair is the low half.
  return ((a << 16) >> 16) * ((b << 16) >> 16) + (a >> 16) * (b >> 16);
#endif
}

}  // namespace kibitz::nets
