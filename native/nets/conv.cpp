#include "nets/conv.h"

#include <stdexcept>

#include "nets/conv_window.h"
#include "nets/conv_winograd.h"

namespace kibitz::nets {

std::unique_ptr<Conv> make_conv(const ConvShape& shape, std::span<const float> weights,
                                std::span<const float> bias, const Rounding& rounding) {
  if (shape.rows < 1 || shape.columns < 1 || shape.inputs < 1 || shape.outputs < 1 ||
      shape.height % 2 != 1 || shape.width % 2 != 1 || shape.row_step < 1 ||
      shape.column_step < 1 || bias.size() != at(shape.outputs) ||
      weights.size() != at(shape.outputs) * at(shape.inputs) * at(shape.height) * at(shape.width))
    throw std::invalid_argument("a convolution that does not fit its sizes");
  const bool whole = shape.inputs % kLanes == 0 && shape.outputs % kLanes == 0;
  const bool square3 =
      shape.height == 3 && shape.width == 3 && shape.row_step == 1 && shape.column_step == 1;
  if (square3 && whole) return make_winograd(shape, weights, bias, rounding);
  // A window of one point; with larger ones nothing is gained by rounding.
  if (shape.height * shape.width == 1 && rounding.step > 0)
    return std::make_unique<ShortPointConv>(shape, weights, bias, rounding);
  return std::make_unique<WindowConv>(shape, weights, bias);
}

}  // namespace kibitz::nets
