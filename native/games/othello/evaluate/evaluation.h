// What a file of Othello's evaluation holds (docs/othello-evaluation.md): pattern weights, the cuts
// fitted to them, and how a margin turns into a chance of winning.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "evaluate/prob_cut.h"
#include "games/othello/evaluate/patterns.h"

namespace kibitz {

struct OthelloEvaluation {
  static constexpr int kMostCutDepth = 24;
  othello::PatternWeights weights;
  /// For a search of `depth` plies at a stage.
  std::array<std::array<ProbCut, kMostCutDepth + 1>, othello::kStages> cuts{};
  /// For a search to the end with so many empty squares.
  std::array<ProbCut, 61> end_cuts{};
  /// The width of `chance`, in discs.
  std::array<double, othello::kStages> width{};

  explicit OthelloEvaluation(std::span<const std::int16_t> slots) : weights(slots) {
    width.fill(8.0);
  }

  /// The chance of winning, 1 / (1 + exp(-margin / width)); `score` in units of kDiscUnit, for the
  /// side whose chance it is.
  double chance(int score, int empties) const;
};

/// The evaluation that searches and solvers of this process use; none until one is set. May be
/// called from any thread; what was handed out stays alive.
std::shared_ptr<const OthelloEvaluation> current_othello_evaluation();
void set_current_othello_evaluation(std::shared_ptr<const OthelloEvaluation> evaluation);

}  // namespace kibitz
