// The CPU levels this machine can run: what the CPU has, and what the operating system saves when
// it switches tasks. Must compile for the oldest CPU, since it runs before a level is chosen.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kibitz {

#if defined(__x86_64__)

namespace cpuid {

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zero for a leaf the CPU does not have.
inline Registers leaf(unsigned number) {
  Registers r;
  if (!__get_cpuid_count(number, 0, &r.eax, &r.ebx, &r.ecx, &r.edx)) return {};
  return r;
}

inline bool has_bits(unsigned word, std::initializer_list<int> bits) {
  for (const int bit : bits) {
    if ((word >> bit & 1u) == 0) return false;
  }
  return true;
}

/// XCR0: the register sets the operating system saves. Only valid when the CPU says OSXSAVE.
inline std::uint64_t saved_state() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

}  // namespace cpuid

/// The levels of the x86-64 psABI that Kibitz is built for, worst first: `baseline`, `v3`, `v4`.
/// A level counts only when every feature of it is there; virtual machines often hide single ones.
inline std::vector<const char*> cpu_levels() {
  using namespace cpuid;
  std::vector<const char*> levels{"baseline"};
  const Registers one = leaf(1);
  const Registers seven = leaf(7);
  const Registers extended = leaf(0x80000001u);

  // cx16, sse3, ssse3, sse4.1, sse4.2, popcnt; lahf (the x86-64-v2 step)
  const bool v2 = has_bits(one.ecx, {13, 0, 9, 19, 20, 23}) && has_bits(extended.ecx, {0});
  // osxsave, avx, f16c, fma, movbe; bmi1, avx2, bmi2; lzcnt
  const bool v3 = v2 && has_bits(one.ecx, {27, 28, 29, 12, 22}) && has_bits(seven.ebx, {3, 5, 8}) &&
                  has_bits(extended.ecx, {5}) && (saved_state() & 0x06) == 0x06;  // xmm and ymm
  if (!v3) return levels;
  levels.push_back("v3");
  // avx512f, dq, cd, bw, vl
  const bool v4 = has_bits(seven.ebx, {16, 17, 28, 30, 31}) &&
                  (saved_state() & 0xe6) == 0xe6;  // and the mask and zmm registers
  if (v4) levels.push_back("v4");
  return levels;
}

#else

/// Other processors have one level.
inline std::vector<const char*> cpu_levels() { return {"baseline"}; }

#endif

}  // namespace kibitz
