// Winograd's way to a 3x3 convolution: a tile of the answer from a tile of the input that is two
// points larger, with one product for each point of the latter: 36 for 4x4 points of the answer
// where 144 were needed. The three transforms, each along one line of a tile; a tile is done column
// by column, then row by row.
//
// A line is a polynomial known at some points; which ones is what the structs below differ in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "nets/lanes.h"

namespace kibitz::nets::winograd {

template <int Size>
using Matrix = std::array<std::array<double, Size>, Size>;
template <int Size>
using WeightLines = std::array<std::array<double, 3>, Size>;

/// Tiles of 4x4, known at 0, a, -a, b, -b and infinity.
template <class Numbers>
struct Four : Numbers {
  static constexpr int kOut = 4, kIn = 6, kPlaces = kIn * kIn;
  using Number = typename Numbers::Number;
  static constexpr double a = Numbers::a, b = Numbers::b, aa = a * a, bb = b * b;

  static constexpr Matrix<kIn> kInput = {{{aa * bb, 0, -aa - bb, 0, 1, 0},
                                          {0, -a * bb, -bb, a, 1, 0},
                                          {0, a * bb, -bb, -a, 1, 0},
                                          {0, -b * aa, -aa, b, 1, 0},
                                          {0, b * aa, -aa, -b, 1, 0},
                                          {0, aa * bb, 0, -aa - bb, 0, 1}}};
  static constexpr double by_a = 1 / (2 * aa * (aa - bb)), by_b = 1 / (2 * bb * (bb - aa));
  static constexpr WeightLines<kIn> kWeights = {{{1 / (aa * bb), 0, 0},
                                                 {by_a, by_a * a, by_a * aa},
                                                 {by_a, -by_a * a, by_a * aa},
                                                 {by_b, by_b * b, by_b * bb},
                                                 {by_b, -by_b * b, by_b * bb},
                                                 {0, 0, 1}}};

  /// Six numbers of the input transformed into `out`, `step` apart.
  template <class V>
  static void input_line(const V* in, V* out, int step) {
    constexpr auto n = [](double x) { return static_cast<Number>(x); };
    const V even_a = fused(in[2], n(-bb), in[4]), odd_a = fused(in[1], n(-bb), in[3]);
    const V even_b = fused(in[2], n(-aa), in[4]), odd_b = fused(in[1], n(-aa), in[3]);
    out[0] = fused(in[2], n(-aa - bb), fused(in[0], n(aa * bb), in[4]));
    out[step] = fused(odd_a, n(a), even_a);
    out[2 * step] = fused(odd_a, n(-a), even_a);
    out[3 * step] = fused(odd_b, n(b), even_b);
    out[4 * step] = fused(odd_b, n(-b), even_b);
    out[5 * step] = fused(in[3], n(-aa - bb), fused(in[1], n(aa * bb), in[5]));
  }

  /// Six products to four numbers of the answer.
  static void output_line(const Floats* in, Floats* out, int step) {
    constexpr auto n = [](double x) { return static_cast<float>(x); };
    const Floats sum_a = in[1] + in[2], difference_a = in[1] - in[2];
    const Floats sum_b = in[3] + in[4], difference_b = in[3] - in[4];
    out[0] = in[0] + (sum_a + sum_b);
    out[step] = fused(difference_a, n(a), difference_b * n(b));
    out[2 * step] = fused(sum_a, n(aa), sum_b * n(bb));
    out[3 * step] = fused(difference_a, n(a * aa), fused(difference_b, n(b * bb), in[5]));
  }
};

/// Tiles of 3x3, known at 0, 1, -1, 2 and infinity: less is wasted on boards such as 9x9.
template <class Numbers>
struct Three : Numbers {
  static constexpr int kOut = 3, kIn = 5, kPlaces = kIn * kIn;
  using Number = typename Numbers::Number;

  static constexpr Matrix<kIn> kInput = {{{2, -1, -2, 1, 0},
                                          {0, -2, -1, 1, 0},
                                          {0, 2, -3, 1, 0},
                                          {0, -1, 0, 1, 0},
                                          {0, 2, -1, -2, 1}}};
  static constexpr WeightLines<kIn> kWeights = {{{1.0 / 2, 0, 0},
                                                 {-1.0 / 2, -1.0 / 2, -1.0 / 2},
                                                 {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                                 {1.0 / 6, 2.0 / 6, 4.0 / 6},
                                                 {0, 0, 1}}};

  template <class V>
  static void input_line(const V* in, V* out, int step) {
    const V sum = in[3] - in[2], difference = in[3] - in[1];
    const V twice = in[1] + in[1];
    out[0] = fused(in[0] - in[2], Number{2}, difference);
    out[step] = sum - twice;
    out[2 * step] = fused(in[2], Number{-2}, sum) + twice;
    out[3 * step] = difference;
    out[4 * step] = fused(difference, Number{-2}, in[4] - in[2]);
  }

  static void output_line(const Floats* in, Floats* out, int step) {
    const Floats sum = in[1] + in[2], difference = in[1] - in[2];
    out[0] = in[0] + sum + in[3];
    out[step] = fused(in[3], 2.0f, difference);
    out[2 * step] = fused(in[3], 4.0f, sum) + in[4];
  }
};

/// Points around one: the numbers of a tile stay of one size, which loses the fewest bits.
struct FloatNumbers {
  using Number = float;
  static constexpr double a = 0.70710678118654752, b = 1.4142135623730950;
};

/// Whole points: the input's transform is exact in int16.
struct WholeNumbers {
  using Number = std::int16_t;
  static constexpr double a = 1, b = 2;
};

/// 3x3 weights, row by row, as the factor for one point of a tile.
template <class Tiles>
double factor(const float* w, std::size_t place) {
  const auto &down = Tiles::kWeights[place / Tiles::kIn],
             &across = Tiles::kWeights[place % Tiles::kIn];
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) sum += down[i] * across[j] * double{w[3 * i + j]};
  return sum;
}

}  // namespace kibitz::nets::winograd
