// The base: logarithms and sorting against the standard library's, random numbers against what they
// promise.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/bits.h"
#include "base/descending.h"
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

  // Few and many numbers are sorted in different ways; equal ones keep their order in both.
  for (const std::size_t count : {std::size_t{1}, std::size_t{40}, std::size_t{362}}) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(rng.below(50)) * 1e-4f;
    std::array<std::uint16_t, 362> order;
    order_descending(values, order);
    std::vector<std::uint16_t> expected(count);
    std::iota(expected.begin(), expected.end(), std::uint16_t{0});
    std::stable_sort(expected.begin(), expected.end(),
                     [&](auto a, auto b) { return values[a] > values[b]; });
    CHECK(std::equal(expected.begin(), expected.end(), order.begin()));
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
