#include "nets/conv_winograd.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "nets/rounding.h"

namespace kibitz::nets {
namespace {

/// Tiles that are transformed and multiplied together: enough to use weights well that come from a
/// far cache, few enough that their transforms stay in a near one.
constexpr int kTilesAtOnce = 24;

/// Where a place's numbers begin. A line more than needed, for places a power of two apart would
/// all want the same few lines of the cache.
template <class T>
std::ptrdiff_t place_stride(int tiles, int channels) {
  return static_cast<std::ptrdiff_t>(tiles) * channels +
         static_cast<std::ptrdiff_t>(kLine / sizeof(T));
}

/// A tile of a batch: its board and its first point.
struct Place {
  Place(const TileGrid& grid, std::ptrdiff_t tile, int side)
      : board(tile / grid.tiles()),
        row(static_cast<int>(tile % grid.tiles()) / grid.across * side),
        column(static_cast<int>(tile % grid.tiles()) % grid.across * side) {}
  std::ptrdiff_t board;
  int row, column;
};

/// The points a tile is made from; those off the board are a point of zeros.
template <class Tiles, class T>
std::array<const T*, Tiles::kPlaces> window(const ConvShape& shape, const Place& place, const T* in,
                                            int stride, const T* zeros) {
  constexpr int kIn = Tiles::kIn;
  std::array<const T*, Tiles::kPlaces> points;
  const T* board = in + place.board * shape.points() * stride;
  for (int y = 0; y < kIn; ++y)
    for (int x = 0; x < kIn; ++x) {
      const int row = place.row + y - 1, column = place.column + x - 1;
      const bool inside = row >= 0 && row < shape.rows && column >= 0 && column < shape.columns;
      points[at(y * kIn + x)] =
          inside ? board + std::ptrdiff_t{row * shape.columns + column} * stride : zeros;
    }
  return points;
}

template <class Tiles, class V, class T>
void transform_input(const std::array<const T*, Tiles::kPlaces>& points, int stride, T* out,
                     std::ptrdiff_t apart) {
  constexpr int kIn = Tiles::kIn, lanes = static_cast<int>(sizeof(V) / sizeof(T));
  for (int c = 0; c < stride; c += lanes) {
    V lines[Tiles::kPlaces];
    for (int x = 0; x < kIn; ++x) {
      V column[kIn];
#pragma GCC unroll 6
      for (int y = 0; y < kIn; ++y) column[y] = load<V>(points[at(y * kIn + x)] + c);
      Tiles::input_line(column, lines + x, kIn);
    }
    for (int y = 0; y < kIn; ++y) {
      V row[kIn];
      Tiles::input_line(lines + y * kIn, row, 1);
#pragma GCC unroll 6
      for (int x = 0; x < kIn; ++x) store(out + (y * kIn + x) * apart + c, row[x]);
    }
  }
}

/// The answer's tile from the products, which `product(place, channel)` gives.
template <class Tiles, class Product>
void transform_output(const ConvShape& shape, const Place& place, const float* bias,
                      const ConvEnd& end, float* out, Product product) {
  constexpr int kIn = Tiles::kIn, kOut = Tiles::kOut;
  const std::ptrdiff_t corner =
      (place.board * shape.points() + place.row * shape.columns + place.column) * shape.outputs;
  const int height = std::min(kOut, shape.rows - place.row);
  const int width = std::min(kOut, shape.columns - place.column);
  for (int c = 0; c < shape.outputs; c += kLanes) {
    Floats lines[kOut * kIn];
    for (int x = 0; x < kIn; ++x) {
      Floats column[kIn];
#pragma GCC unroll 6
      for (int y = 0; y < kIn; ++y) column[y] = product(y * kIn + x, c);
      Tiles::output_line(column, lines + x, kIn);
    }
    const Floats offset = load<Floats>(bias + c);
    for (int y = 0; y < height; ++y) {
      Floats row[kOut];
      Tiles::output_line(lines + y * kIn, row, 1);
      const std::ptrdiff_t start = corner + std::ptrdiff_t{y * shape.columns} * shape.outputs + c;
      for (int x = 0; x < width; ++x) {
        const std::ptrdiff_t point = start + std::ptrdiff_t{x} * shape.outputs;
        Floats value = row[x] + offset;
        if (end.residual) value += load<Floats>(end.residual + point);
        if (end.relu) value = larger(value, Floats{});
        store(out + point, value);
      }
    }
  }
}

/// One block of tiles after the other: `transform(t, place)` for each tile, `multiply(place,
/// tiles)` for each place of a tile, `finish(t, place)` for each tile.
template <class Tiles, class Transform, class Multiply, class Finish>
void each_block(const TileGrid& grid, int count, Transform transform, Multiply multiply,
                Finish finish) {
  const std::ptrdiff_t total = std::ptrdiff_t{count} * grid.tiles();
  const std::ptrdiff_t parts = (total + kTilesAtOnce - 1) / kTilesAtOnce;
  for (std::ptrdiff_t part = 0; part < parts; ++part) {
    const std::ptrdiff_t first = total * part / parts;
    const int tiles = static_cast<int>(total * (part + 1) / parts - first);
    for (int t = 0; t < tiles; ++t) transform(t, Place(grid, first + t, Tiles::kOut));
    for (int place = 0; place < Tiles::kPlaces; ++place) multiply(place, tiles);
    for (int t = 0; t < tiles; ++t) finish(t, Place(grid, first + t, Tiles::kOut));
  }
}

/// The transformed weights of one place, [input][output]. Those of all places at once would be so
/// large that memory which is kept no longer fits between them.
template <class Tiles>
std::vector<double> factors_of(int place, const ConvShape& shape, std::span<const float> given) {
  const int inputs = shape.inputs, outputs = shape.outputs;
  std::vector<double> out(at(inputs) * at(outputs));
  for (int o = 0; o < outputs; ++o)
    for (int i = 0; i < inputs; ++i)
      out[at(i) * at(outputs) + at(o)] =
          winograd::factor<Tiles>(&given[(at(o) * at(inputs) + at(i)) * 9], at(place));
  return out;
}

/// The largest magnitude a place of the transformed input can have.
template <class Tiles>
double largest_input(int place, const Rounding& rounding) {
  double least = 0, most = 0;
  for (const double down : Tiles::kInput[at(place / Tiles::kIn)])
    for (const double across : Tiles::kInput[at(place % Tiles::kIn)]) {
      const double low = down * across * rounding.low;
      const double high = down * across * (rounding.low + 255);
      least += std::min(low, high);
      most += std::max(low, high);
    }
  return std::max(most, -least);
}

}  // namespace

template <class Tiles>
WinogradConv<Tiles>::WinogradConv(const ConvShape& shape, std::span<const float> weights,
                                  std::span<const float> bias)
    : shape_(shape),
      grid_(shape.rows, shape.columns, Tiles::kOut),
      bias_(bias.begin(), bias.end()) {
  factors_.reserve(at(Tiles::kPlaces));
  for (int place = 0; place < Tiles::kPlaces; ++place) {
    const std::vector<double> factors = factors_of<Tiles>(place, shape, weights);
    factors_.emplace_back(std::vector<float>(factors.begin(), factors.end()), shape.inputs,
                          shape.outputs);
  }
}

template <class Tiles>
void WinogradConv<Tiles>::run(const float* in, int count, float* out, const ConvEnd& end,
                              ConvScratch& scratch) const {
  const int inputs = shape_.inputs, padded = factors_[0].panels.padded();
  const std::ptrdiff_t apart = place_stride<float>(kTilesAtOnce, inputs);
  const std::ptrdiff_t products_apart = place_stride<float>(kTilesAtOnce, padded);
  at_least(scratch.inputs, Tiles::kPlaces * apart + inputs);
  at_least(scratch.products, Tiles::kPlaces * products_apart);
  float *transformed = scratch.inputs.data(), *products = scratch.products.data();
  float* zeros = transformed + Tiles::kPlaces * apart;
  std::fill_n(zeros, inputs, 0.0f);
  each_block<Tiles>(
      grid_, count,
      [&](int t, const Place& tile) {
        transform_input<Tiles, Floats>(window<Tiles>(shape_, tile, in, inputs, zeros), inputs,
                                       transformed + std::ptrdiff_t{t} * inputs, apart);
      },
      [&](int place, int tiles) {
        factors_[at(place)].multiply(transformed + place * apart, inputs, tiles,
                                     products + place * products_apart, padded);
      },
      [&](int t, const Place& tile) {
        const float* own = products + std::ptrdiff_t{t} * padded;
        transform_output<Tiles>(shape_, tile, bias_.data(), end, out, [&](int place, int c) {
          return load<Floats>(own + place * products_apart + c);
        });
      });
}

template <class Tiles>
ShortWinogradConv<Tiles>::ShortWinogradConv(const ConvShape& shape, std::span<const float> weights,
                                            std::span<const float> bias, const Rounding& rounding)
    : shape_(shape),
      grid_(shape.rows, shape.columns, Tiles::kOut),
      rounding_(rounding),
      steps_(at(Tiles::kPlaces) * at(shape.outputs)),
      bias_(bias.begin(), bias.end()) {
  const int inputs = shape.inputs, outputs = shape.outputs;
  factors_.reserve(at(Tiles::kPlaces));
  for (int place = 0; place < Tiles::kPlaces; ++place) {
    const RoundedMatrix rounded(factors_of<Tiles>(place, shape, weights), inputs, outputs,
                                largest_input<Tiles>(place, rounding));
    factors_.emplace_back(rounded.values, short_stride(inputs), outputs);
    for (int o = 0; o < outputs; ++o)
      steps_[at(place) * at(outputs) + at(o)] =
          static_cast<float>(rounded.steps[at(o)]) * rounding.step;
  }
}

template <class Tiles>
void ShortWinogradConv<Tiles>::run(const float* in, int count, float* out, const ConvEnd& end,
                                   ConvScratch& scratch) const {
  const int inputs = short_stride(shape_.inputs), padded = factors_[0].panels.padded();
  const std::ptrdiff_t points = std::ptrdiff_t{count} * shape_.points();
  const std::ptrdiff_t apart = place_stride<std::int16_t>(kTilesAtOnce, inputs);
  const std::ptrdiff_t products_apart = place_stride<std::int32_t>(kTilesAtOnce, padded);
  at_least(scratch.rounded, (points + 1) * inputs);
  at_least(scratch.short_inputs, Tiles::kPlaces * apart);
  at_least(scratch.short_products, Tiles::kPlaces * products_apart);
  std::int16_t *rounded = scratch.rounded.data(), *transformed = scratch.short_inputs.data();
  std::int32_t* products = scratch.short_products.data();
  round_points(in, points, shape_.inputs, rounding_, rounded);
  const std::int16_t* zeros =
      std::fill_n(rounded + points * inputs, inputs, std::int16_t{0}) - inputs;
  each_block<Tiles>(
      grid_, count,
      [&](int t, const Place& tile) {
        transform_input<Tiles, Shorts>(
            window<Tiles, std::int16_t>(shape_, tile, rounded, inputs, zeros), inputs,
            transformed + std::ptrdiff_t{t} * inputs, apart);
      },
      [&](int place, int tiles) {
        factors_[at(place)].multiply(transformed + place * apart, inputs, tiles,
                                     products + place * products_apart, padded);
      },
      [&](int t, const Place& tile) {
        const std::int32_t* own = products + std::ptrdiff_t{t} * padded;
        transform_output<Tiles>(shape_, tile, bias_.data(), end, out, [&](int place, int c) {
          return as_floats(load<Ints>(own + place * products_apart + c)) *
                 load<Floats>(&steps_[at(place * shape_.outputs + c)]);
        });
      });
}

std::unique_ptr<Conv> make_winograd(const ConvShape& shape, std::span<const float> weights,
                                    std::span<const float> bias, const Rounding& rounding) {
  using namespace winograd;
  const auto products = [&](int side) {
    return TileGrid(shape.rows, shape.columns, side).tiles() * (side + 2) * (side + 2);
  };
  const bool three = products(3) < products(4);
  if (rounding.step > 0) {
    if (three)
      return std::make_unique<ShortWinogradConv<Three<WholeNumbers>>>(shape, weights, bias,
                                                                      rounding);
    return std::make_unique<ShortWinogradConv<Four<WholeNumbers>>>(shape, weights, bias, rounding);
  }
  if (three) return std::make_unique<WinogradConv<Three<FloatNumbers>>>(shape, weights, bias);
  return std::make_unique<WinogradConv<Four<FloatNumbers>>>(shape, weights, bias);
}

}  // namespace kibitz::nets
