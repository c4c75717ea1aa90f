// Convolutions of any window, by copying what each point sees into a row and multiplying the rows.
#pragma once

#include <span>

#include "nets/conv.h"
#include "nets/matrix.h"
#include "nets/rounding.h"

namespace kibitz::nets {

class WindowConv final : public Conv {
 public:
  WindowConv(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias);
  void run(const float* in, int count, float* out, const ConvEnd& end,
           ConvScratch& scratch) const override;

 private:
  ConvShape shape_;
  FloatMatrix matrix_;
  Aligned<float> bias_;
};

/// A window of one point, in int16. A matrix product of the rows of a vector is the same.
class ShortPointConv final : public Conv {
 public:
  ShortPointConv(const ConvShape& shape, std::span<const float> weights,
                 std::span<const float> bias, const Rounding& rounding);
  void run(const float* in, int count, float* out, const ConvEnd& end,
           ConvScratch& scratch) const override;
  std::ptrdiff_t row_weights() const override {
    return shape_.points() < kFewRows ? std::ptrdiff_t{shape_.inputs} * shape_.outputs / 2 : 0;
  }

 private:
  ShortPointConv(const ConvShape& shape, std::span<const float> bias, const Rounding& rounding,
                 const RoundedMatrix& rounded);

  ConvShape shape_;
  Rounding rounding_;
  ShortMatrix matrix_;
  Aligned<float> steps_;
  Aligned<float> bias_;
};

}  // namespace kibitz::nets
