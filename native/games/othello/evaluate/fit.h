// Fits a stage's pattern weights to positions with known margins: regularized least squares by
// conjugate gradients.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "games/othello/evaluate/patterns.h"

namespace kibitz::othello {

/// Positions with margins, for one stage. Not for several threads at once.
class PatternFit {
 public:
  /// `margin` is the mover's, in discs.
  void add(const Othello& game, float margin);
  std::size_t size() const { return margins_.size(); }

  /// The weights, in discs, a number for each slot, that minimize the squared error plus `ridge`
  /// times the squared distance from `prior` (the neighbouring stage's weights; rare configurations
  /// keep them). Prints nothing, allocates its working space.
  std::vector<float> fit(std::span<const float> prior, double ridge, int iterations) const;

  /// Root of the mean squared error, in discs.
  double error(std::span<const float> weights) const;

 private:
  std::vector<std::array<std::uint32_t, kFeatures>> slots_;
  std::vector<float> margins_;
};

}  // namespace kibitz::othello
