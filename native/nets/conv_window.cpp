#include "nets/conv_window.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kibitz::nets {
namespace {

/// Points whose rows are made and multiplied together.
constexpr int kBlock = 96;

/// [window point][input][output] from out, in, y, x.
std::vector<float> turned(const ConvShape& shape, std::span<const float> weights) {
  const int window = shape.height * shape.width;
  std::vector<float> out(weights.size());
  for (int o = 0; o < shape.outputs; ++o)
    for (int i = 0; i < shape.inputs; ++i)
      for (int w = 0; w < window; ++w)
        out[(at(w) * at(shape.inputs) + at(i)) * at(shape.outputs) + at(o)] =
            weights[(at(o) * at(shape.inputs) + at(i)) * at(window) + at(w)];
  return out;
}

/// Sums of one panel to the columns from `first` on of points from `point` on; `sum(row, c)` gives
/// them with their bias.
template <class Sum>
void finish(int outputs, std::ptrdiff_t point, int rows, int first, int columns, const ConvEnd& end,
            float* out, Sum sum) {
  for (int row = 0; row < rows; ++row) {
    const std::ptrdiff_t place = (point + row) * outputs + first;
    float* to = out + place;
    if (end.residual) {
      const float* residual = end.residual + place;
      for (int c = 0; c < columns; ++c) to[c] = sum(row, c) + residual[c];
    } else {
      for (int c = 0; c < columns; ++c) to[c] = sum(row, c);
    }
    if (end.relu)
      for (int c = 0; c < columns; ++c) to[c] = std::max(to[c], 0.0f);
    for (const Operation function : end.functions) apply(function, to, columns);
  }
}

/// What a point sees, as one row.
void copy_window(const ConvShape& shape, const float* in, std::ptrdiff_t point, float* to) {
  const float* board = in + point / shape.points() * shape.points() * shape.inputs;
  const int here = static_cast<int>(point % shape.points());
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x, to += shape.inputs) {
      const int row = here / shape.columns + (y - shape.height / 2) * shape.row_step;
      const int column = here % shape.columns + (x - shape.width / 2) * shape.column_step;
      if (row < 0 || row >= shape.rows || column < 0 || column >= shape.columns)
        std::fill_n(to, shape.inputs, 0.0f);
      else
        std::copy_n(board + std::ptrdiff_t{row * shape.columns + column} * shape.inputs,
                    shape.inputs, to);
    }
}

}  // namespace

WindowConv::WindowConv(const ConvShape& shape, std::span<const float> weights,
                       std::span<const float> bias)
    : shape_(shape),
      matrix_(turned(shape, weights), shape.inputs * shape.height * shape.width, shape.outputs),
      bias_(bias.begin(), bias.end()) {}

void WindowConv::run(const float* in, int count, float* out, const ConvEnd& end,
                     ConvScratch& scratch) const {
  const int depth = shape_.inputs * shape_.height * shape_.width;
  const int width = matrix_.panels.width();
  const std::ptrdiff_t points = std::ptrdiff_t{count} * shape_.points();
  at_least(scratch.inputs, std::ptrdiff_t{kBlock} * depth);
  at_least(scratch.products, std::ptrdiff_t{kBlock} * width);
  for (std::ptrdiff_t first = 0; first < points; first += kBlock) {
    const int here = static_cast<int>(std::min<std::ptrdiff_t>(kBlock, points - first));
    const float* rows = in + first * shape_.inputs;
    if (depth > shape_.inputs) {
      for (int p = 0; p < here; ++p)
        copy_window(shape_, in, first + p, scratch.inputs.data() + std::ptrdiff_t{p} * depth);
      rows = scratch.inputs.data();
    }
    const float* sums = scratch.products.data();
    for (int column = 0; column < shape_.outputs; column += width) {
      matrix_.multiply_panel(column / width, rows, depth, here, scratch.products.data());
      const float* bias = bias_.data() + column;
      finish(shape_.outputs, first, here, column, std::min(width, shape_.outputs - column), end,
             out, [=](int row, int c) { return sums[row * width + c] + bias[c]; });
    }
  }
}

ShortPointConv::ShortPointConv(const ConvShape& shape, std::span<const float> weights,
                               std::span<const float> bias, const Rounding& rounding)
    : ShortPointConv(shape, bias, rounding, [&] {
        const std::vector<float> matrix = turned(shape, weights);
        const double most = std::max(std::abs(rounding.low), std::abs(rounding.low + 255));
        return RoundedMatrix(std::vector<double>(matrix.begin(), matrix.end()), shape.inputs,
                             shape.outputs, most);
      }()) {}

ShortPointConv::ShortPointConv(const ConvShape& shape, std::span<const float> bias,
                               const Rounding& rounding, const RoundedMatrix& rounded)
    : shape_(shape),
      rounding_(rounding),
      matrix_(rounded.values, short_stride(shape.inputs), shape.outputs),
      bias_(bias.begin(), bias.end()) {
  for (const double step : rounded.steps)
    steps_.push_back(static_cast<float>(step) * rounding.step);
}

void ShortPointConv::run(const float* in, int count, float* out, const ConvEnd& end,
                         ConvScratch& scratch) const {
  const int stride = short_stride(shape_.inputs), width = matrix_.panels.width();
  const std::ptrdiff_t points = std::ptrdiff_t{count} * shape_.points();
  at_least(scratch.rounded, std::ptrdiff_t{kBlock} * stride);
  at_least(scratch.short_products, std::ptrdiff_t{kBlock} * width);
  for (std::ptrdiff_t first = 0; first < points; first += kBlock) {
    const int here = static_cast<int>(std::min<std::ptrdiff_t>(kBlock, points - first));
    round_points(in + first * shape_.inputs, here, shape_.inputs, rounding_,
                 scratch.rounded.data());
    const std::int32_t* sums = scratch.short_products.data();
    for (int column = 0; column < shape_.outputs; column += width) {
      matrix_.multiply_panel(column / width, scratch.rounded.data(), stride, here,
                             scratch.short_products.data());
      const float *bias = bias_.data() + column, *steps = steps_.data() + column;
      finish(shape_.outputs, first, here, column, std::min(width, shape_.outputs - column), end,
             out, [=](int row, int c) {
               return static_cast<float>(sums[row * width + c]) * steps[c] + bias[c];
             });
    }
  }
}

}  // namespace kibitz::nets
