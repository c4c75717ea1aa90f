// The error of a value: what it is while nothing moves, and what it grows with.
#include <array>
#include <cmath>

#include "search/value_error.h"
#include "tests/check.h"

using namespace kibitz;

namespace {

using Changes = std::array<double, kErrorDoublings>;

void a_value_at_rest_is_known_by_the_root_of_its_visits() {
  const Changes still{};
  const double first = value_error(still, 0.0, 100), later = value_error(still, 0.0, 400);
  CHECK(later > 0.0);
  CHECK(std::fabs(first - 2.0 * later) < 1e-12);
  CHECK_EQ(value_error(still, 0.0, 0.0), value_error(still, 0.0, 1.0));  // never infinite
}

void a_value_that_moves_is_known_less_well() {
  const Changes still{}, moved{0.02, -0.02, 0.02}, more{0.04, -0.04, 0.04};
  const double rest = value_error(still, 0.0, 1000);
  const double one = value_error(moved, 0.0, 1000) - rest;
  CHECK(one > 0.0);
  CHECK(std::fabs(value_error(more, 0.0, 1000) - rest - 2.0 * one) < 1e-12);
  // What it has moved since the last doubling counts where it is more than that.
  CHECK_EQ(value_error(moved, 0.01, 1000), value_error(moved, 0.0, 1000));
  CHECK_EQ(value_error(moved, -0.04, 1000), value_error(more, 0.0, 1000));
}

}  // namespace

int main() {
  a_value_at_rest_is_known_by_the_root_of_its_visits();
  a_value_that_moves_is_known_less_well();
  return kibitz::test::report();
}
