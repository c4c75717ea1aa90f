#include "search/value_error.h"

#include <algorithm>
#include <cmath>

namespace kibitz {

namespace {

/// The error is `kDrift` times what the value moved while its visits doubled, and `kSpread` over
/// the root of its visits. Fitted to searches whose truth is known (docs/lab/compare.md).
constexpr double kDrift = 0.85;
constexpr double kSpread = 0.15;

}  // namespace

double value_error(std::span<const double> changes, double since, double visits) {
  double squares = 0.0;
  for (const double change : changes) squares += change * change;
  const double count = static_cast<double>(std::max<std::size_t>(changes.size(), 1));
  const double drift = std::max(std::sqrt(squares / count), std::fabs(since));
  return kDrift * drift + kSpread / std::sqrt(std::max(visits, 1.0));
}

}  // namespace kibitz
