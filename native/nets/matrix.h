// Matrix products, the work every layer comes down to: rows of numbers times a matrix that was
// packed once. Numbers are 32 bits wide: floats, or pairs of int16 whose products add up in int32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nets/aligned.h"
#include "nets/lanes.h"

namespace kibitz::nets {

/// How a matrix is cut into panels of columns, so that a panel's products fit the registers.
struct Panels {
  explicit Panels(int columns);

  int vectors;  // registers across a panel
  int count;
  int width() const { return vectors * kLanes; }
  /// Columns with those that fill the last panel.
  int padded() const { return count * width(); }
};

/// Packs a matrix that changes from run to run, as the keys and values of attention do, into
/// `to`, which has room for `depth` x `panels.padded()` floats. The number in row k and column c is
/// `values[k * row + c * column]`; one of the two steps is 1.
void pack(const Panels& panels, const float* values, std::ptrdiff_t row, std::ptrdiff_t column,
          int depth, int columns, float* to);
/// out[r] = rows[r] x the matrix packed by `pack`; strides count floats.
void multiply_packed(const Panels& panels, const float* packed, int depth, const float* rows,
                     std::ptrdiff_t stride, int count, float* out, std::ptrdiff_t out_stride);

/// A matrix of floats in panels; `multiply` writes `panels.padded()` columns.
class FloatMatrix {
 public:
  /// `values` row by row: depth rows of `columns`.
  FloatMatrix(std::span<const float> values, int depth, int columns);

  const Panels panels;
  /// out[r] = rows[r] x this matrix; strides count floats.
  void multiply(const float* rows, std::ptrdiff_t stride, int count, float* out,
                std::ptrdiff_t out_stride) const;
  /// The columns of one panel alone, `panels.width()` for each row: whoever goes on with them finds
  /// them in the near cache.
  void multiply_panel(int panel, const float* rows, std::ptrdiff_t stride, int count,
                      float* out) const;

 private:
  int depth_;
  Aligned<float> packed_;
};

/// A matrix of int16 in panels, its depth in pairs.
class ShortMatrix {
 public:
  /// `values` row by row; `depth` is even.
  ShortMatrix(std::span<const std::int16_t> values, int depth, int columns);

  const Panels panels;
  void multiply(const std::int16_t* rows, std::ptrdiff_t stride, int count, std::int32_t* out,
                std::ptrdiff_t out_stride) const;
  void multiply_panel(int panel, const std::int16_t* rows, std::ptrdiff_t stride, int count,
                      std::int32_t* out) const;

 private:
  void multiply_some(int first, int panels, const std::int16_t* rows, std::ptrdiff_t stride,
                     int count, std::int32_t* out, std::ptrdiff_t out_stride) const;

  int pairs_;
  Aligned<std::int32_t> packed_;
};

}  // namespace kibitz::nets
