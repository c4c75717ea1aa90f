#include "search/gumbel.h"

#include <bit>
#include <numbers>

namespace kibitz {

std::int64_t considered_visits(std::int64_t moves, std::int64_t simulations, std::int64_t index) {
  if (moves <= 1) return index;
  const std::int64_t phases = std::bit_width(static_cast<std::uint64_t>(moves - 1));
  std::int64_t visits = 0;
  for (std::int64_t considered = moves;; considered = std::max<std::int64_t>(2, considered / 2)) {
    const std::int64_t each = std::max<std::int64_t>(1, simulations / (phases * considered));
    // With two moves left every further phase is the same.
    if (considered == 2 || index < each * considered) return visits + index / considered;
    index -= each * considered;
    visits += each;
  }
}

double gamma_number(Rng& rng, double shape) {
  if (shape < 1.0) {
    const double u = std::max(rng.unit(), 1e-300);
    return gamma_number(rng, shape + 1.0) * std::pow(u, 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double u = std::max(rng.unit(), 1e-300), w = rng.unit();
    const double x = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * w);
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (std::log(std::max(rng.unit(), 1e-300)) < 0.5 * x * x + d - d * v + d * std::log(v))
      return d * v;
  }
}

}  // namespace kibitz
