// The base: logarithms against the standard library's, random numbers against what they promise.
#include <array>
#include <cmath>

#include "base/bits.h"
#include "base/math.h"
#include "base/rng.h"
#include "tests/check.h"

using namespace kibitz;

int main() {
  double worst = 0.0;
  for (float x = 1e-6f; x < 1e12f; x *= 1.0137f) {
    const double exact = std::log(static_cast<double>(x));
    worst = std::max(worst, std::abs(natural_log(x) - exact) / std::max(1.0, std::abs(exact)));
  }
  CHECK(worst < 2e-6);
  CHECK_EQ(natural_log(1.0f), 0.0f);

  Rng rng(42), same(42), other(42, 1);
  CHECK_EQ(rng.next(), same.next());
  CHECK(rng.next() != other.next());
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 500);  // five standard deviations
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.unit();
    CHECK(x >= 0.0 && x < 1.0);
  }

  const std::uint64_t set = 0x8100000000000281ULL;
  CHECK_EQ(nth_bit(set, 0), std::uint64_t{1});
  CHECK_EQ(nth_bit(set, 2), std::uint64_t{1} << 9);
  CHECK_EQ(nth_bit(set, 4), std::uint64_t{1} << 63);
  std::uint64_t rest = set;
  CHECK_EQ(pop_lowest(rest), 0);
  CHECK_EQ(pop_lowest(rest), 7);
  return kibitz::test::report();
}
