// Winograd's way to a 3x3 convolution: tiles of 4x4 points of the answer from 6x6 points of the
// input, with 36 products where 144 were needed. The three transforms, each along one line of a
// tile; a tile is done column by column, then row by row.
//
// They are those of polynomials known at the points 0, a, -a, b, -b and infinity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "nets/lanes.h"

namespace kibitz::nets::winograd {

inline constexpr int kOut = 4;  // a tile of the answer is kOut x kOut
inline constexpr int kIn = 6;
inline constexpr int kPlaces = kIn * kIn;

/// Points around one: the numbers of a tile stay of one size, which loses the fewest bits.
struct FloatPoints {
  using Number = float;
  static constexpr double a = 0.70710678118654752, b = 1.4142135623730950;
};

/// Whole points: the input's transform is exact in int16.
struct WholePoints {
  using Number = std::int16_t;
  static constexpr double a = 1, b = 2;
};

/// The input's transform as a matrix, for bounds rather than for speed.
template <class Points>
constexpr std::array<std::array<double, kIn>, kIn> input_matrix() {
  constexpr double a = Points::a, b = Points::b, aa = a * a, bb = b * b;
  return {{{aa * bb, 0, -aa - bb, 0, 1, 0},
           {0, -a * bb, -bb, a, 1, 0},
           {0, a * bb, -bb, -a, 1, 0},
           {0, -b * aa, -aa, b, 1, 0},
           {0, b * aa, -aa, -b, 1, 0},
           {0, aa * bb, 0, -aa - bb, 0, 1}}};
}

/// Six numbers of the input transformed into `out`, `step` apart.
template <class Points, class V>
inline void input_line(const V* in, V* out, int step) {
  using Number = typename Points::Number;
  constexpr double aa = Points::a * Points::a, bb = Points::b * Points::b;
  constexpr auto a = static_cast<Number>(Points::a), b = static_cast<Number>(Points::b);
  constexpr auto minus_aa = static_cast<Number>(-aa), minus_bb = static_cast<Number>(-bb);
  constexpr auto both = static_cast<Number>(aa * bb), sum = static_cast<Number>(-aa - bb);
  const V even_a = fused(in[2], minus_bb, in[4]), odd_a = fused(in[1], minus_bb, in[3]);
  const V even_b = fused(in[2], minus_aa, in[4]), odd_b = fused(in[1], minus_aa, in[3]);
  out[0] = fused(in[2], sum, fused(in[0], both, in[4]));
  out[step] = fused(odd_a, a, even_a);
  out[2 * step] = fused(odd_a, static_cast<Number>(-a), even_a);
  out[3 * step] = fused(odd_b, b, even_b);
  out[4 * step] = fused(odd_b, static_cast<Number>(-b), even_b);
  out[5 * step] = fused(in[3], sum, fused(in[1], both, in[5]));
}

/// Six products to four numbers of the answer.
template <class Points>
inline void output_line(const Floats* in, Floats* out, int step) {
  constexpr double a = Points::a, b = Points::b;
  const auto at = [](double x) { return static_cast<float>(x); };
  const Floats sum_a = in[1] + in[2], difference_a = in[1] - in[2];
  const Floats sum_b = in[3] + in[4], difference_b = in[3] - in[4];
  out[0] = in[0] + (sum_a + sum_b);
  out[step] = fused(difference_a, at(a), difference_b * at(b));
  out[2 * step] = fused(sum_a, at(a * a), sum_b * at(b * b));
  out[3 * step] = fused(difference_a, at(a * a * a), fused(difference_b, at(b * b * b), in[5]));
}

/// 3x3 weights, row by row, as 36 factors.
template <class Points>
std::array<double, kPlaces> factors(const float* w) {
  constexpr double a = Points::a, b = Points::b, aa = a * a, bb = b * b;
  constexpr double by_a = 1 / (2 * aa * (aa - bb)), by_b = 1 / (2 * bb * (bb - aa));
  constexpr double lines[kIn][3] = {{1 / (aa * bb), 0, 0},        {by_a, by_a * a, by_a * aa},
                                    {by_a, -by_a * a, by_a * aa}, {by_b, by_b * b, by_b * bb},
                                    {by_b, -by_b * b, by_b * bb}, {0, 0, 1}};
  std::array<double, kPlaces> out{};
  for (std::size_t y = 0; y < kIn; ++y)
    for (std::size_t x = 0; x < kIn; ++x)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          out[y * kIn + x] += lines[y][i] * lines[x][j] * double{w[3 * i + j]};
  return out;
}

}  // namespace kibitz::nets::winograd
