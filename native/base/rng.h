// Random numbers: small, fast, and the same on every machine for the same seed.
#pragma once

#include <cstdint>

namespace kibitz {

/// SplitMix64: turns any integer, however poor, into a well mixed one. Also our hash finalizer.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// xoshiro256++ 1.0 (Blackman and Vigna). One generator a thread; never shared.
class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0, std::uint64_t stream = 0) {
    // Streams of one seed must not overlap: thread k of a search gets stream k.
    std::uint64_t x = mix64(seed) ^ mix64(~stream);
    for (auto& word : state_) {
      x = mix64(x);
      word = x;
    }
  }

  std::uint64_t next() {
    const std::uint64_t sum = rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return sum;
  }

  /// Uniform in [0, n), n > 0. Multiply-shift: its bias is below n / 2^32, far under any playout's
  /// noise.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }

  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4];
};

}  // namespace kibitz
