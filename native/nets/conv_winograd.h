// 3x3 convolutions by Winograd's tiles, in floats and in int16.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nets/conv.h"
#include "nets/matrix.h"
#include "nets/winograd.h"

namespace kibitz::nets {

/// The tiles of a board, numbered through the boards of a batch.
struct TileGrid {
  TileGrid(int rows, int columns, int side)
      : down((rows + side - 1) / side), across((columns + side - 1) / side) {}
  int down, across;
  int tiles() const { return down * across; }
};

template <class Tiles>
class WinogradConv final : public Conv {
 public:
  WinogradConv(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias);
  void run(const float* in, int count, float* out, const ConvEnd& end,
           ConvScratch& scratch) const override;

 private:
  ConvShape shape_;
  TileGrid grid_;
  std::vector<FloatMatrix> factors_;  // one for each place of a tile
  Aligned<float> bias_;
};

/// The input is rounded to 256 steps, its transform is exact; the factors have as many bits as
/// keep the sums of products within int32, ten at least for 96 channels.
template <class Tiles>
class ShortWinogradConv final : public Conv {
 public:
  ShortWinogradConv(const ConvShape& shape, std::span<const float> weights,
                    std::span<const float> bias, const Rounding& rounding);
  void run(const float* in, int count, float* out, const ConvEnd& end,
           ConvScratch& scratch) const override;

 private:
  ConvShape shape_;
  TileGrid grid_;
  Rounding rounding_;
  std::vector<ShortMatrix> factors_;
  Aligned<float> steps_;  // what a unit of a sum is worth, by place and output
  Aligned<float> bias_;
};

/// With the tiles that need the fewest products on a board of this size.
std::unique_ptr<Conv> make_winograd(const ConvShape& shape, std::span<const float> weights,
                                    std::span<const float> bias, const Rounding& rounding);

}  // namespace kibitz::nets
