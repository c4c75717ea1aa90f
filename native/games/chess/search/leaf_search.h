// Judges the leaves of a tree search of chess by a few plies of alpha-beta, so that few visits do
// not overlook what a capture search cannot see.
//
// Threads: as the evaluator's contract has it; each call works with a search of its own.
#pragma once

#include <memory>
#include <span>

#include "evaluate/evaluator.h"
#include "games/chess/search/alpha_beta.h"

namespace kibitz {

class ChessLeafSearch final : public Evaluator<Chess> {
 public:
  /// `plain` judges as they stand the leaves that `judge` searches, and gives the priors, of which
  /// the move that the search chooses gets a share.
  ChessLeafSearch(ChessJudge judge, std::shared_ptr<Evaluator<Chess>> plain, int depth);
  void evaluate(std::span<Leaf<Chess>> leaves, Rng& rng) override;
  PriorFunction<Chess> quick_priors() const override;

 private:
  /// Searches that are used again, and how deep they look.
  class Searches;

  ChessJudge judge_;
  std::shared_ptr<Evaluator<Chess>> plain_;
  std::shared_ptr<Searches> searches_;
};

}  // namespace kibitz
