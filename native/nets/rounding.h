// Numbers as int16: inputs by the range that calibration found, weights by what int32 can sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "nets/aligned.h"
#include "nets/conv.h"
#include "nets/lanes.h"

namespace kibitz::nets {

/// Channels with those that fill the last vector of int16.
inline int short_stride(int channels) {
  return (channels + 2 * kLanes - 1) / (2 * kLanes) * (2 * kLanes);
}

/// Two vectors of whole numbers within int16, as one of int16 in their order.
inline Shorts narrowed(Ints low, Ints high) {
#if defined(__AVX2__) && !(defined(__AVX512F__) && defined(__AVX512BW__))
  // Packs within halves of a register, so the middle quarters change places.
  const __m256i packed =
      _mm256_packs_epi32(reinterpret_cast<__m256i>(low), reinterpret_cast<__m256i>(high));
  return reinterpret_cast<Shorts>(_mm256_permute4x64_epi64(packed, 0b11'01'10'00));
#elif defined(__AVX512F__) && defined(__AVX512BW__)
  const __m256i first = _mm512_cvtepi32_epi16(reinterpret_cast<__m512i>(low));
  const __m256i second = _mm512_cvtepi32_epi16(reinterpret_cast<__m512i>(high));
  return reinterpret_cast<Shorts>(_mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1));
#elif defined(__SSE2__)
  return reinterpret_cast<Shorts>(__builtin_ia32_packssdw128(low, high));
#else
  Shorts both;
  for (int i = 0; i < kLanes; ++i) {
    both[i] = static_cast<std::int16_t>(low[i]);
    both[kLanes + i] = static_cast<std::int16_t>(high[i]);
  }
  return both;
#endif
}

/// Rounds floats to the steps of a `Rounding`.
class Rounder {
 public:
  explicit Rounder(const Rounding& rounding)
      : scale_(1.0f / rounding.step),
        low_(static_cast<float>(rounding.low)),
        whole_(rounding.low) {}

  std::int16_t operator()(float value) const {
    // Never negative, so cutting off rounds down.
    const float up = std::clamp(value * scale_ - low_, 0.0f, 255.0f) + 0.5f;
    return static_cast<std::int16_t>(static_cast<std::int32_t>(up) + whole_);
  }
  Ints operator()(Floats values) const {
    Floats up = larger(values * scale_ - low_, Floats{});
    up = (up < all(255.0f) ? up : all(255.0f)) + 0.5f;
    return __builtin_convertvector(up, Ints) + whole_;
  }

 private:
  float scale_, low_;
  int whole_;
};

/// Rounds points of `channels` floats; what is behind the last channel becomes zero.
inline void round_points(const float* in, std::ptrdiff_t points, int channels,
                         const Rounding& rounding, std::int16_t* out) {
  const Rounder rounder(rounding);
  const int stride = short_stride(channels);
  for (std::ptrdiff_t p = 0; p < points; ++p, in += channels, out += stride) {
    int c = 0;
    for (; c + 2 * kLanes <= channels; c += 2 * kLanes)
      store(out + c,
            narrowed(rounder(load<Floats>(in + c)), rounder(load<Floats>(in + c + kLanes))));
    for (; c < channels; ++c) out[c] = rounder(in[c]);
    for (; c < stride; ++c) out[c] = 0;
  }
}

/// The step of int16 weights whose sum of magnitudes is `sum`: their products with inputs of at
/// most `most` must not leave int32 whatever the inputs are.
inline double weight_step(double largest, double sum, int count, double most) {
  if (largest <= 0) return 1.0;
  // Rounding may make each weight larger by a half.
  const double room = double{std::numeric_limits<std::int32_t>::max()} / most - 0.5 * count;
  return std::max(largest / std::numeric_limits<std::int16_t>::max(), sum / std::max(room, 1.0));
}

/// A matrix [input][output] in int16; a column's numbers are multiples of its step.
struct RoundedMatrix {
  /// Inputs are at most `most` in magnitude.
  RoundedMatrix(std::span<const double> given, int inputs, int outputs, double most)
      : values(at(short_stride(inputs)) * at(outputs), 0), steps(at(outputs)) {
    for (int o = 0; o < outputs; ++o) {
      double largest = 0, sum = 0;
      for (int i = 0; i < inputs; ++i) {
        const double size = std::abs(given[at(i) * at(outputs) + at(o)]);
        largest = std::max(largest, size);
        sum += size;
      }
      steps[at(o)] = weight_step(largest, sum, inputs, most);
      for (int i = 0; i < inputs; ++i)
        values[at(i) * at(outputs) + at(o)] = static_cast<std::int16_t>(
            std::lrint(given[at(i) * at(outputs) + at(o)] / steps[at(o)]));
    }
  }

  std::vector<std::int16_t> values;  // with rows of zeros up to a whole vector of inputs
  std::vector<double> steps;
};

}  // namespace kibitz::nets
