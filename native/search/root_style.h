// What a style does at the root while a search runs: how much it likes a move, the priors and
// values that it changes, and whether it is active at all.
//
// Threads: reads only; may be called by all search threads and a reporting one once the root is
// open.
#pragma once

#include <cstddef>
#include <optional>

#include "search/root.h"

namespace kibitz {

/// What a style with a budget adds to the values of root moves while they are compared: for moves
/// that it likes more than the best one, the budget times the difference of the bonuses. Those that
/// it can pay for are then searched as the best is, and the others stay behind.
struct StyleLift {
  float budget = 0.0f;
  float bonus = 0.0f;  // of the move with the best value
  /// Set while the style is inactive, as it would cost this much win probability.
  std::optional<double> price = std::nullopt;

  float of(float other) const { return !price && other > bonus ? budget * (other - bonus) : 0.0f; }
};

/// As the values of the moves are now.
StyleLift style_lift(const Root& root);

/// How much the style likes a move, from -1 to 1: what the plan says and, if it asks for that, what
/// the evaluator predicts of the lines that follow it.
float style_bonus(const Root& root, std::size_t index);

/// The prior that the rule is given.
float biased_prior(const Root& root, std::size_t index, const StyleLift& style);

}  // namespace kibitz
