// Vectors for networks that are sums of one row a feature. They have one size whatever the CPU has,
// so that numbers are added in one order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kibitz {

typedef std::int16_t Shorts __attribute__((vector_size(64)));
typedef float Floats __attribute__((vector_size(64)));
inline constexpr int kShorts = 32, kFloats = 16;

/// Numbers may lie anywhere in memory. They are copied: Clang 14 reads through a reference to a
/// vector of less alignment as if it were aligned. No vector is returned: not every CPU has a
/// register for one.
template <class Vector, class Number>
void load(Vector& vector, const Number* from) {
  std::memcpy(&vector, from, sizeof vector);
}
template <class Vector, class Number>
void store(Number* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}
template <class Vector, class Number>
void add(Vector& sum, const Number* row) {
  Vector vector;
  load(vector, row);
  sum += vector;
}
/// The same for a whole row of `width` numbers.
template <class Vector, class Number>
void add_row(Number* to, const Number* row, int width) {
  for (int i = 0; i < width; i += static_cast<int>(sizeof(Vector) / sizeof(Number))) {
    Vector sum;
    load(sum, to + i);
    add(sum, row + i);
    store(to + i, sum);
  }
}

/// Sums of so many steps a unit, within [0, 1] and squared.
template <std::int16_t kSteps>
void squash(const Shorts& sums, float* out) {
  const Shorts least{}, most = least + kSteps;
  Shorts held = sums < least ? least : sums;
  held = held > most ? most : held;
  std::array<std::int16_t, kShorts> steps;
  std::memcpy(steps.data(), &held, sizeof held);
  for (int lane = 0; lane < kShorts; ++lane) {
    const float x = static_cast<float>(steps[static_cast<std::size_t>(lane)]) * (1.0f / kSteps);
    out[lane] = x * x;
  }
}

/// The sum of products, `count` a multiple of 16.
inline float product(const float* a, const float* b, int count) {
  Floats sums{};
  for (int i = 0; i < count; i += kFloats) {
    Floats x, y;
    load(x, a + i);
    load(y, b + i);
    sums += x * y;
  }
  float sum = 0.0f;
  for (int lane = 0; lane < kFloats; ++lane) sum += sums[lane];
  return sum;
}

}  // namespace kibitz
