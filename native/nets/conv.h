// Convolutions that keep the board's size, on points by channels ([n][row][column][channel]).
// Each class is one way to do it; `make_conv` takes the fastest that fits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "nets/aligned.h"
#include "nets/operation.h"

namespace kibitz::nets {

/// What a convolution is, whatever way it is done.
struct ConvShape {
  int rows, columns;
  int inputs, outputs;
  int height, width;                  // of the window, both odd
  int row_step = 1, column_step = 1;  // dilation

  int points() const { return rows * columns; }
};

/// How the input is rounded to 256 steps: x stands for rint(x / step), from `low` to `low` + 255.
struct Rounding {
  float step = 0.0f;
  int low = 0;
};

/// What happens to the sums before they are stored.
struct ConvEnd {
  const float* residual = nullptr;  // added, in the shape of the output
  bool relu = false;
  /// Applied last; convolutions of one point only.
  std::span<const Operation> functions = {};
};

/// Memory for one run, kept by the caller between runs.
struct ConvScratch {
  Aligned<float> inputs, products;
  Aligned<std::int16_t> rounded, short_inputs;
  Aligned<std::int32_t> short_products;
};

/// With fewer rows a position a matrix is read through more often than it is multiplied.
inline constexpr int kFewRows = 32;

class Conv {
 public:
  virtual ~Conv() = default;
  /// Threads: several may run at once, each with its own scratch.
  virtual void run(const float* in, int count, float* out, const ConvEnd& end,
                   ConvScratch& scratch) const = 0;
  /// As `Step::row_weights`.
  virtual std::ptrdiff_t row_weights() const { return 0; }
};

/// `weights` in the order out, in, y, x; `bias` one for each output. A rounding with a step of 0
/// means floats.
std::unique_ptr<Conv> make_conv(const ConvShape& shape, std::span<const float> weights,
                                std::span<const float> bias, const Rounding& rounding);

}  // namespace kibitz::nets
