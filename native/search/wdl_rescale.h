// Another view of wins, draws and losses: as if the game were played by a side so much stronger, or
// with draws so much more or less frequent. This is Lc0's contempt.
//
// A network's shares are read as a normal-like (logistic) distribution of advantages with centre
// `mu` and width `s`, of which what exceeds 1 is won and what is below -1 is lost. The centre is
// moved, the width scaled, and the shares are read off again.
#pragma once

#include <algorithm>
#include <cmath>

#include "evaluate/evaluator.h"
#include "search/options.h"

namespace kibitz {

class WdlRescale {
 public:
  WdlRescale() = default;
  explicit WdlRescale(const Options& options)
      : ratio_(options.wdl_ratio), shift_(options.wdl_shift) {}

  bool changes() const { return ratio_ != 1.0 || shift_ != 0.0; }

  void apply(Outcome& outcome) const {
    const double draw = outcome.draw, win = outcome.value - 0.5 * draw, loss = 1.0 - win - draw;
    constexpr double kLeast = 1e-4;  // what is all but certain says nothing about the width
    if (std::min({win, draw, loss}) <= kLeast || std::max({win, draw, loss}) >= 1.0 - kLeast)
      return;
    const double a = std::log(1.0 / loss - 1.0), b = std::log(1.0 / win - 1.0);
    const double width = std::min(kWidest, 2.0 / (a + b)), centre = (a - b) / (a + b);
    const double moved = centre + width * width * shift_, scaled = width * ratio_;
    const double wins = logistic((moved - 1.0) / scaled);
    const double losses = logistic((-moved - 1.0) / scaled);
    outcome.draw = static_cast<float>(std::max(0.0, 1.0 - wins - losses));
    outcome.value = static_cast<float>(0.5 + 0.5 * (wins - losses));
  }

 private:
  static constexpr double kWidest = 1.4;
  static double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

  double ratio_ = 1.0, shift_ = 0.0;
};

}  // namespace kibitz
