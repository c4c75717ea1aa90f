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

/// Numbers as a vector that may lie anywhere.
typedef Shorts LooseShorts __attribute__((aligned(2), may_alias));
typedef Floats LooseFloats __attribute__((aligned(4), may_alias));
inline const LooseShorts& shorts(const std::int16_t* from) {
  return *reinterpret_cast<const LooseShorts*>(from);
}
inline const LooseFloats& floats(const float* from) {
  return *reinterpret_cast<const LooseFloats*>(from);
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
  for (int i = 0; i < count; i += kFloats) sums += floats(a + i) * floats(b + i);
  float sum = 0.0f;
  for (int lane = 0; lane < kFloats; ++lane) sum += sums[lane];
  return sum;
}

}  // namespace kibitz
