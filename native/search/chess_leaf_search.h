// Judges the leaves of a tree search of chess by a few plies of alpha-beta, so that few visits do
// not overlook what a capture search cannot see.
//
// Threads: as the evaluator's contract has it; each call works with a search of its own.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "evaluate/evaluator.h"
#include "search/alpha_beta_table.h"
#include "search/chess_alpha_beta.h"

namespace kibitz {

class ChessLeafSearch final : public Evaluator<Chess> {
 public:
  /// `plain` judges as they stand the leaves that `judge` searches, and gives the priors.
  ChessLeafSearch(ChessJudge judge, std::shared_ptr<Evaluator<Chess>> plain, int depth);
  void evaluate(std::span<Leaf<Chess>> leaves, Rng& rng) override;
  PriorFunction<Chess> quick_priors() const override { return plain_->quick_priors(); }

 private:
  struct Worker {
    explicit Worker(const ChessJudge& judge);
    std::atomic<bool> never{false};
    AlphaBetaTable table;
    ChessAlphaBeta search;
  };
  std::unique_ptr<Worker> taken();
  void give_back(std::unique_ptr<Worker> worker);

  ChessJudge judge_;
  std::shared_ptr<Evaluator<Chess>> plain_;
  int depth_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace kibitz
