// Othello's pattern evaluation for the tree search: the value of a leaf is that of its best move,
// and priors follow from the moves' own values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "evaluate/evaluator.h"
#include "games/othello/evaluate/evaluation.h"

namespace kibitz {

class OthelloPatternEvaluator final : public Evaluator<Othello> {
 public:
  explicit OthelloPatternEvaluator(std::shared_ptr<const OthelloEvaluation> evaluation)
      : evaluation_(std::move(evaluation)) {}

  bool gives_priors() const override { return true; }
  bool gives_extras() const override { return true; }

  void evaluate(std::span<Leaf<Othello>> leaves, Rng&) override {
    for (Leaf<Othello>& leaf : leaves) judge(leaf);
  }

 private:
  /// Discs by which a move must be better to be e times as likely.
  static constexpr float kPriorDiscs = 3.0f;

  void judge(Leaf<Othello>& leaf) const {
    const Othello& game = *leaf.position;
    const othello::PatternBoard board(game);
    int score = board.evaluate(evaluation_->weights);
    if (!leaf.moves.empty()) {
      score = -64 * othello::kDiscUnit;
      for (std::size_t i = 0; i < leaf.moves.size(); ++i) {
        othello::PatternBoard child = board;
        child.play(leaf.moves[i]);
        const int own = -child.evaluate(evaluation_->weights);
        score = std::max(score, own);
        if (!leaf.priors.empty()) leaf.priors[i] = static_cast<float>(own);
      }
      become_priors(leaf.priors, score);
    }
    const double chance = evaluation_->chance(score, game.empties());
    const auto discs = static_cast<float>(score) / othello::kDiscUnit;
    const bool first = game.to_move() == 0;
    leaf.outcome.value = static_cast<float>(first ? chance : 1.0 - chance);
    leaf.outcome.score = leaf.outcome.lead = first ? discs : -discs;
  }

  static void become_priors(std::span<float> scores, int best) {
    float sum = 0.0f;
    for (float& score : scores)
      sum += score = std::exp((score - static_cast<float>(best)) /
                              (kPriorDiscs * static_cast<float>(othello::kDiscUnit)));
    for (float& prior : scores) prior /= sum;
  }

  std::shared_ptr<const OthelloEvaluation> evaluation_;
};

}  // namespace kibitz
