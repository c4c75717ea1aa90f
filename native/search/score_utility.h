// Points as a part of what a search wants: winning comes first, winning by more a little after it.
//
// A margin counts through an arc tangent, so that no margin is worth more than a fixed part of a
// win: once around zero, and once around what is expected at the root, where points are still to be
// had when the game is all but decided. These are KataGo's terms and its constants.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "evaluate/evaluator.h"
#include "search/options.h"

namespace kibitz {

class ScoreUtility {
 public:
  ScoreUtility() = default;
  ScoreUtility(const Options& options, double unit)
      : fixed_(options.score_static),
        moving_(options.score_dynamic),
        unit_(unit),
        draw_(options.draw_score) {}

  /// False when only the result counts.
  bool counts() const { return fixed_ != 0 || moving_ != 0; }
  /// True when a draw is not worth half a win.
  bool weighs_draws() const { return draw_ != 0; }
  /// True when what the search maximizes is not the expected result.
  bool differs() const { return counts() || weighs_draws(); }
  /// How far a utility can be from even, where a win is 1.
  double radius() const { return 1.0 + fixed_ + moving_; }

  /// Points are counted around the margin expected at the root, drawn a little towards zero.
  void center_on(double score) {
    const double most = unit_ * kScale;
    center_ = std::clamp(score * (1.0 - kZeroWeight), score - most, score + most);
  }

  /// The value of an outcome for the first side: 0.5 even, 1 a win that margins do not add to.
  double value(const Outcome& outcome) const {
    const double plain = static_cast<double>(outcome.value) + 0.5 * draw_ * outcome.draw;
    return counts() ? plain + 0.5 * points(outcome.score, outcome.score_stdev) : plain;
  }
  /// What a margin that is known so far adds to the utility.
  double points(double score, double stdev) const {
    return fixed_ * expected(score, stdev, 2.0 * unit_) +
           moving_ * expected(score - center_, stdev, kScale * unit_);
  }

  /// How much one point more adds to the utility, about, at a margin.
  double slope(double score) const {
    const auto at = [](double margin, double width) {
      return width / (width * width + margin * margin) * (2.0 / std::numbers::pi);
    };
    return fixed_ * at(score, 2.0 * unit_) + moving_ * at(score - center_, kScale * unit_);
  }

 private:
  /// The mean of the squashed margin when the margin is normally distributed.
  static double expected(double mean, double stdev, double width) {
    // Gauss-Hermite nodes and weights of order 9; the squashing is smooth, so few are enough.
    constexpr std::array<std::pair<double, double>, 5> kNodes = {
        {{0.0, 0.720235215606051},
         {0.723551018752838, 0.432651559002556},
         {1.468553289216668, 0.088474527394377},
         {2.266580584531843, 0.004943624275537},
         {3.190993201781528, 0.000039606977263}}};
    double sum = 0.0;
    for (const auto& [at, weight] : kNodes) {
      const double step = std::numbers::sqrt2 * stdev * at;
      const double low = std::atan((mean - step) / width), high = std::atan((mean + step) / width);
      sum += at == 0.0 ? weight * high : weight * (low + high);
    }
    return sum * (2.0 / std::numbers::pi) / std::sqrt(std::numbers::pi);
  }

  /// KataGo's dynamicScoreCenterZeroWeight and dynamicScoreCenterScale: how far the centre is moved
  /// towards zero, and the width in square roots of the board's area.
  static constexpr double kZeroWeight = 0.2, kScale = 0.75;

  double fixed_ = 0.0, moving_ = 0.0, unit_ = 1.0, center_ = 0.0, draw_ = 0.0;
};

}  // namespace kibitz
