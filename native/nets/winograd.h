// Winograd's way to a 3x3 convolution: tiles of 4x4 points of the answer from 6x6 points of the
// input, with 36 products where 144 were needed. The three transforms, each along one line of a
// tile; a tile is done column by column, then row by row.
//
// The points are 0, 1, -1, 2, -2 and infinity, so the input's transform has whole numbers only and
// is exact in int16.
#pragma once

#include <array>

#include "nets/lanes.h"

namespace kibitz::nets::winograd {

inline constexpr int kOut = 4;  // a tile of the answer is kOut x kOut
inline constexpr int kIn = 6;
inline constexpr int kPlaces = kIn * kIn;

/// The input's transform as a matrix, for weights of bounds rather than for speed.
inline constexpr int kInput[kIn][kIn] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0},
                                         {0, 4, -4, -1, 1, 0}, {0, -2, -1, 2, 1, 0},
                                         {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};

inline constexpr double kWeights[kIn][3] = {{1.0 / 4, 0, 0},
                                            {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                            {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                            {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                            {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                            {0, 0, 1}};

/// Six numbers of the input, `step` apart, transformed into `out`, `out_step` apart.
template <class V>
inline void input_line(const V* in, int step, V* out, int out_step) {
  const V d0 = in[0], d1 = in[step], d2 = in[2 * step], d3 = in[3 * step], d4 = in[4 * step],
          d5 = in[5 * step];
  const V even = fused(d2, -4, d4), odd = fused(d1, -4, d3);
  const V near = d4 - d2, far = (d3 - d1) + (d3 - d1);
  out[0] = fused(d2, -5, fused(d0, 4, d4));
  out[out_step] = even + odd;
  out[2 * out_step] = even - odd;
  out[3 * out_step] = near + far;
  out[4 * out_step] = near - far;
  out[5 * out_step] = fused(d3, -5, fused(d1, 4, d5));
}

/// Six products to four numbers of the answer.
inline void output_line(const Floats* in, int step, Floats* out, int out_step) {
  const Floats sum1 = in[step] + in[2 * step], difference1 = in[step] - in[2 * step];
  const Floats sum2 = in[3 * step] + in[4 * step], difference2 = in[3 * step] - in[4 * step];
  out[0] = in[0] + sum1 + sum2;
  out[out_step] = fused(difference2, 2, difference1);
  out[2 * out_step] = fused(sum2, 4, sum1);
  out[3 * out_step] = fused(difference2, 8, difference1) + in[5 * step];
}

/// 3x3 weights, row by row, as 36 factors.
inline std::array<double, kPlaces> weights(const float* w) {
  std::array<double, kPlaces> out{};
  for (int y = 0; y < kIn; ++y)
    for (int x = 0; x < kIn; ++x) {
      double sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += kWeights[y][i] * kWeights[x][j] * double{w[3 * i + j]};
      out[static_cast<std::size_t>(y * kIn + x)] = sum;
    }
  return out;
}

}  // namespace kibitz::nets::winograd
