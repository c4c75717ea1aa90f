// What plays chess without a network: the hand-written score as an expected result, and priors from
// what a move takes, loses, threatens and improves.
#pragma once

#include <memory>

#include "evaluate/evaluator.h"
#include "games/chess/game.h"

namespace kibitz {

class ChessEvaluator final : public Evaluator<Chess> {
 public:
  void evaluate(std::span<Leaf<Chess>> leaves, Rng& rng) override;
};

/// The priors for a search. They are a function apart because the evaluator is quick: a search then
/// makes the children of a leaf only at its second visit, and its tree takes a third of the memory.
void chess_hand_priors(const Chess& position, std::span<const Move> moves, std::span<float> priors);

namespace chess {

/// Expected result in [0, 1] and share of draws for a score in centipawns.
Outcome outcome_of(int centipawns, int clock);

/// The same for a score of a network that was taught expected results.
Outcome expected_outcome(int centipawns, int clock);

/// Logits of the priors; `gains`, where it is not empty, gets what exchanges win or lose.
void hand_logits(const Board& board, std::span<const Move> moves, std::span<float> logits,
                 std::span<int> gains = {});

/// Priors for a position's moves, summing to 1.
void hand_priors(const Board& board, std::span<const Move> moves, std::span<float> priors);

}  // namespace chess
}  // namespace kibitz
