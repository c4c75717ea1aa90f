#include "nets/matrix.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kibitz::nets {
namespace {

constexpr int kMostVectors = kRegisters == 32 ? 4 : 2;

/// Rows of products that fit the registers beside a row of the panel and one number of the rows.
constexpr int most_rows(int vectors) { return std::min(12, (kRegisters - vectors - 1) / vectors); }

struct FloatProducts {
  using Number = float;
  using Vector = Floats;
  /// Products summed before they join the total: one long sum would lose bits to its own size.
  static constexpr int kPart = 32;
  static Vector add(Vector a, Vector b, Vector sum) { return fused(a, b, sum); }
};

struct PairProducts {
  using Number = std::int32_t;
  using Vector = Ints;
  static constexpr int kPart = std::numeric_limits<int>::max();
  static Vector add(Vector a, Vector b, Vector sum) { return sum + pair_products(a, b); }
};

#if defined(__AVX512BW__)
/// One instruction that not every CPU of this level has: asked for at run time, so written out.
struct PairProductsVnni {
  using Number = std::int32_t;
  using Vector = Ints;
  static constexpr int kPart = std::numeric_limits<int>::max();
  static Vector add(Vector a, Vector b, Vector sum) {
    asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
    return sum;
  }
};
#endif

template <class Products>
struct Tile {
  using Number = typename Products::Number;

  const Number* rows;
  std::ptrdiff_t stride;
  const Number* panel;
  int depth;
  Number* out;
  std::ptrdiff_t out_stride;
  /// Whether the products are the first of their sums, and not added to what is there.
  bool first = true;
};

/// `Rows` rows times one panel.
template <class Products, int Rows, int Vectors>
void multiply_tile(const Tile<Products>& tile) {
  using Vector = typename Products::Vector;
  const typename Products::Number* column = tile.panel;
  for (int k = 0; k < tile.depth;) {
    const bool first = tile.first && k == 0;
    const int end = k + std::min(tile.depth - k, Products::kPart);
    Vector sums[Rows][Vectors] = {};
    for (; k < end; ++k, column += Vectors * kLanes) {
      Vector weights[Vectors];
#pragma GCC unroll 16
      for (int v = 0; v < Vectors; ++v) weights[v] = load<Vector>(column + v * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r) {
        const Vector number = all(tile.rows[r * tile.stride + k]);
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; ++v)
          sums[r][v] = Products::add(number, weights[v], sums[r][v]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int v = 0; v < Vectors; ++v) {
        auto* to = tile.out + r * tile.out_stride + v * kLanes;
        store(to, first ? sums[r][v] : sums[r][v] + load<Vector>(to));
      }
  }
}

template <class Products>
using TileFunction = void (*)(const Tile<Products>&);

/// By the number of rows, less one.
template <class Products, int Vectors>
constexpr auto tiles() {
  return []<int... R>(std::integer_sequence<int, R...>) {
    return std::array<TileFunction<Products>, sizeof...(R)>{
        &multiply_tile<Products, R + 1, Vectors>...};
  }(std::make_integer_sequence<int, most_rows(Vectors)>());
}

/// Depth of a panel that is done for all rows before the next: as much as stays in the nearest
/// cache beside what the rows add up to.
constexpr int kNearDepth = 64;

/// Fetches the part of a panel that comes next while the tiles of this one are multiplied, a share
/// of it with each: large matrices are not in the near caches when their turn comes.
class Ahead {
 public:
  /// `count` numbers of 32 bits from `next` on; they need not be there.
  Ahead(const void* next, int count, int parts)
      : next_(static_cast<const char*>(next)),
        share_(parts < kLeastParts ? 0 : (count * 4 + parts - 1) / parts) {}

  void fetch() {
    for (const char* end = next_ + share_; next_ < end; next_ += kLine) __builtin_prefetch(next_);
  }

 private:
  /// With fewer tiles the matrix is read through about once, which the CPU foresees by itself.
  static constexpr int kLeastParts = 4;

  const char* next_;
  int share_;
};

template <class Products, int Vectors>
void multiply_panels(Tile<Products> tile, int count, int panels) {
  static constexpr auto kTiles = tiles<Products, Vectors>();
  constexpr int most = most_rows(Vectors);
  const auto* rows = tile.rows;
  auto* out = tile.out;
  const int depth = tile.depth;
  for (int panel = 0; panel < panels; ++panel)
    for (int k = 0; k < depth; k += kNearDepth) {
      tile.first = k == 0;
      tile.depth = std::min(kNearDepth, depth - k);
      tile.rows = rows + k;
      tile.out = out + panel * Vectors * kLanes;
      // Tiles of about the same height: a last one of a single row would leave the CPU waiting.
      int parts = (count + most - 1) / most;
      Ahead ahead(tile.panel + std::ptrdiff_t{tile.depth} * Vectors * kLanes,
                  tile.depth * Vectors * kLanes, parts);
      for (int left = count; left > 0; --parts) {
        ahead.fetch();
        const int here = (left + parts - 1) / parts;
        kTiles[at(here - 1)](tile);
        tile.rows += here * tile.stride;
        tile.out += here * tile.out_stride;
        left -= here;
      }
      tile.panel += static_cast<std::ptrdiff_t>(tile.depth) * Vectors * kLanes;
    }
}

/// `panels` panels of `vectors` registers each.
template <class Products>
void multiply_all(const Tile<Products>& tile, int count, int vectors, int panels) {
  switch (vectors) {
    case 1:
      return multiply_panels<Products, 1>(tile, count, panels);
    case 2:
      return multiply_panels<Products, 2>(tile, count, panels);
    case 3:
      if constexpr (kMostVectors >= 3) return multiply_panels<Products, 3>(tile, count, panels);
      break;
    default:
      if constexpr (kMostVectors >= 4) return multiply_panels<Products, 4>(tile, count, panels);
  }
  throw std::logic_error("a panel wider than the registers");
}

std::size_t size_of(int a, int b) { return at(a) * at(b); }

/// `number(k, column)` for every place of the panels, zero beyond the last column.
template <class T, class Number>
Aligned<T> packed(const Panels& panels, int depth, int columns, Number number) {
  Aligned<T> out(size_of(depth, panels.padded()));
  auto to = out.begin();
  for (int panel = 0; panel < panels.count; ++panel)
    for (int k = 0; k < depth; ++k)
      for (int c = panel * panels.width(); c < (panel + 1) * panels.width(); ++c)
        *to++ = c < columns ? number(k, c) : T{0};
  return out;
}

}  // namespace

Panels::Panels(int columns) {
  const int across = (columns + kLanes - 1) / kLanes;
  // The widest panels that waste least.
  vectors = 1;
  int waste = 0;
  for (int v = 2; v <= kMostVectors; ++v) {
    const int here = (across + v - 1) / v * v - across;
    if (here <= waste || here * 6 <= across) vectors = v, waste = here;
  }
  count = (across + vectors - 1) / vectors;
}

FloatMatrix::FloatMatrix(std::span<const float> values, int depth, int columns)
    : panels(columns), depth_(depth) {
  if (values.size() != size_of(depth, columns))
    throw std::invalid_argument("a matrix that does not fit its sizes");
  packed_ = packed<float>(panels, depth, columns,
                          [&](int k, int c) { return values[size_of(k, columns) + at(c)]; });
}

void FloatMatrix::multiply(const float* rows, std::ptrdiff_t stride, int count, float* out,
                           std::ptrdiff_t out_stride) const {
  multiply_packed(panels, packed_.data(), depth_, rows, stride, count, out, out_stride);
}

void FloatMatrix::multiply_panel(int panel, const float* rows, std::ptrdiff_t stride, int count,
                                 float* out) const {
  const int width = panels.width();
  const float* packed = packed_.data() + std::ptrdiff_t{panel} * depth_ * width;
  multiply_all(Tile<FloatProducts>{rows, stride, packed, depth_, out, width}, count, panels.vectors,
               1);
}

void pack(const Panels& panels, const float* values, std::ptrdiff_t row, std::ptrdiff_t column,
          int depth, int columns, float* to) {
  const int width = panels.width();
  for (int first = 0; first < panels.padded(); first += width, to += depth * width) {
    const int here = std::clamp(columns - first, 0, width);
    // Along the numbers that lie side by side: rows of many channels are a cache's worst stride.
    if (column == 1) {
      for (int k = 0; k < depth; ++k) std::copy_n(values + k * row + first, here, to + k * width);
    } else {
      for (int c = 0; c < here; ++c) {
        const float* from = values + (first + c) * column;
        for (int k = 0; k < depth; ++k) to[k * width + c] = from[k * row];
      }
    }
    for (int k = 0; k < depth; ++k) std::fill_n(to + k * width + here, width - here, 0.0f);
  }
}

void multiply_packed(const Panels& panels, const float* packed, int depth, const float* rows,
                     std::ptrdiff_t stride, int count, float* out, std::ptrdiff_t out_stride) {
  multiply_all(Tile<FloatProducts>{rows, stride, packed, depth, out, out_stride}, count,
               panels.vectors, panels.count);
}

ShortMatrix::ShortMatrix(std::span<const std::int16_t> values, int depth, int columns)
    : panels(columns), pairs_(depth / 2) {
  if (depth % 2 || values.size() != size_of(depth, columns))
    throw std::invalid_argument("a matrix that does not fit its sizes");
  packed_ = packed<std::int32_t>(panels, pairs_, columns, [&](int k, int c) {
    const auto half = [&](int row) {
      return static_cast<std::uint16_t>(values[size_of(row, columns) + at(c)]);
    };
    return static_cast<std::int32_t>(half(2 * k) | static_cast<std::uint32_t>(half(2 * k + 1))
                                                       << 16);
  });
}

void ShortMatrix::multiply(const std::int16_t* rows, std::ptrdiff_t stride, int count,
                           std::int32_t* out, std::ptrdiff_t out_stride) const {
  multiply_some(0, panels.count, rows, stride, count, out, out_stride);
}

void ShortMatrix::multiply_panel(int panel, const std::int16_t* rows, std::ptrdiff_t stride,
                                 int count, std::int32_t* out) const {
  multiply_some(panel, 1, rows, stride, count, out, panels.width());
}

void ShortMatrix::multiply_some(int first, int some, const std::int16_t* rows,
                                std::ptrdiff_t stride, int count, std::int32_t* out,
                                std::ptrdiff_t out_stride) const {
  typedef std::int32_t Pair __attribute__((may_alias));
  const auto* pairs = reinterpret_cast<const Pair*>(rows);
  const std::int32_t* packed = packed_.data() + std::ptrdiff_t{first} * pairs_ * panels.width();
#if defined(__AVX512BW__)
  static const bool has_vnni = __builtin_cpu_supports("avx512vnni");
  if (has_vnni)
    return multiply_all(Tile<PairProductsVnni>{pairs, stride / 2, packed, pairs_, out, out_stride},
                        count, panels.vectors, some);
#endif
  multiply_all(Tile<PairProducts>{pairs, stride / 2, packed, pairs_, out, out_stride}, count,
               panels.vectors, some);
}

}  // namespace kibitz::nets
