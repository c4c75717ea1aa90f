// The evaluator that plays chess without a network: the hand-written score as win, draw and loss,
// and priors from what a move takes, loses, threatens and improves.
#pragma once

#include <memory>

#include "evaluate/evaluator.h"
#include "games/chess/game.h"

namespace kibitz {

class ChessEvaluator final : public Evaluator<Chess> {
 public:
  void evaluate(std::span<Leaf<Chess>> leaves, Rng& rng) override;
  bool gives_priors() const override { return true; }
  bool gives_extras() const override { return true; }
};

namespace chess {

/// Expected result in [0, 1] and share of draws for a score in centipawns.
Outcome outcome_of(int centipawns, int clock);

/// Priors for a position's moves, summing to 1.
void hand_priors(const Board& board, std::span<const Move> moves, std::span<float> priors);

}  // namespace chess
}  // namespace kibitz
