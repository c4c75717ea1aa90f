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

/// Rounds points of `channels` floats; what is behind the last channel becomes zero.
inline void round_points(const float* in, std::ptrdiff_t points, int channels,
                         const Rounding& rounding, std::int16_t* out) {
  const float scale = 1.0f / rounding.step;
  const auto low = static_cast<float>(rounding.low);
  const int stride = short_stride(channels);
  for (std::ptrdiff_t p = 0; p < points; ++p, in += channels, out += stride) {
    for (int c = 0; c < channels; ++c) {
      // Never negative, so cutting off rounds down.
      const float up = std::clamp(in[c] * scale - low, 0.0f, 255.0f) + 0.5f;
      out[c] = static_cast<std::int16_t>(static_cast<std::int32_t>(up) + rounding.low);
    }
    for (int c = channels; c < stride; ++c) out[c] = 0;
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
