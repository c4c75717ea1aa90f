// Solver and tables as the tree search's oracle: leaves near the end are proven, not guessed.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "evaluate/evaluator.h"
#include "games/uttt/solve/solver.h"

namespace kibitz {

class UtttOracle final : public Oracle<Uttt> {
 public:
  /// A leaf pays for `nodes_a_leaf` nodes of the solver, those that are out of its reach too; what
  /// was saved lets a leaf within reach be solved. So the solver never takes more than its share of
  /// a search, whatever the budget. 0 tries every leaf within reach.
  UtttOracle(int most_empties, int nodes_a_leaf, std::shared_ptr<const uttt::Tables> tables)
      : most_empties_(most_empties),
        nodes_a_leaf_(nodes_a_leaf),
        tables_(tables),
        solver_(kTableBytes, std::move(tables)) {}

  std::optional<int> result(const Uttt& position) override {
    saved_ = std::min(saved_ + nodes_a_leaf_, kMostSaved);
    if (position.empties() > most_empties_) return std::nullopt;
    if (nodes_a_leaf_ > 0 && saved_ < kNodes) return std::nullopt;
    // A leaf is one of many: what is not proven soon is left to the evaluator.
    const int mover = solver_.sign(position, {.nodes = kNodes});
    if (nodes_a_leaf_ > 0) saved_ -= static_cast<int>(solver_.nodes());
    if (mover == 2) return std::nullopt;
    return 1 + (position.to_move() == 0 ? mover : -mover);
  }
  std::unique_ptr<Oracle<Uttt>> clone() const override {
    return std::make_unique<UtttOracle>(most_empties_, nodes_a_leaf_, tables_);
  }

 private:
  static constexpr std::size_t kTableBytes = std::size_t{4} << 20;
  static constexpr int kNodes = 300, kMostSaved = 10 * kNodes;

  int most_empties_, nodes_a_leaf_;
  int saved_ = 0;
  std::shared_ptr<const uttt::Tables> tables_;
  uttt::Solver solver_;
};

}  // namespace kibitz
