// The endgame solver as the tree search's oracle: new leaves near the end are proven, not guessed.
#pragma once

#include <memory>
#include <optional>

#include "evaluate/evaluator.h"
#include "games/othello/solve/endgame.h"

namespace kibitz {

class OthelloOracle final : public Oracle<Othello> {
 public:
  explicit OthelloOracle(int most_empties) : most_empties_(most_empties) {}

  std::optional<int> result(const Othello& position) override {
    if (position.empties() > most_empties_) return std::nullopt;
    const int mover = solver_.wld(position);
    return 1 + (position.to_move() == 0 ? mover : -mover);
  }
  std::unique_ptr<Oracle<Othello>> clone() const override {
    return std::make_unique<OthelloOracle>(most_empties_);
  }

 private:
  int most_empties_;
  othello::LeafSolver solver_;
};

}  // namespace kibitz
