// The pattern evaluation as the tree search's evaluator: the value of a leaf and the priors of its
// moves both come from looking at every child.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "evaluate/evaluator.h"
#include "games/uttt/evaluate/patterns.h"

namespace kibitz {

class UtttPatternsEvaluator final : public Evaluator<Uttt> {
 public:
  explicit UtttPatternsEvaluator(std::shared_ptr<const uttt::Patterns> patterns)
      : patterns_(std::move(patterns)) {}

  void evaluate(std::span<Leaf<Uttt>> leaves, Rng& /*rng*/) override {
    for (Leaf<Uttt>& leaf : leaves) {
      const Uttt& game = *leaf.position;
      const uttt::PatternNetwork& network = patterns_->of(game);
      float value;
      if (leaf.moves.empty()) {
        value = uttt::value_of_logit(network.logit(game));
      } else {
        std::array<int, Uttt::kMaxMoves> room;
        const std::span<int> logits(room.data(), leaf.moves.size());
        network.logits_after(game, leaf.moves, logits);
        network.priors(logits, leaf.priors);
        value = 0.0f;
        for (std::size_t i = 0; i < logits.size(); ++i)
          value += leaf.priors[i] * uttt::value_of_logit(logits[i]);
      }
      leaf.outcome.value = game.to_move() == 0 ? value : 1.0f - value;
    }
  }
  bool gives_priors() const override { return true; }

 private:
  std::shared_ptr<const uttt::Patterns> patterns_;
};

}  // namespace kibitz
