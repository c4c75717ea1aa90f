// Solver and tables as the tree search's oracle: leaves near the end are proven, not guessed.
#pragma once

#include <memory>
#include <optional>

#include "evaluate/evaluator.h"
#include "solve/uttt_solver.h"

namespace kibitz {

class UtttOracle final : public Oracle<Uttt> {
 public:
  UtttOracle(int most_empties, std::shared_ptr<const uttt::Tables> tables)
      : most_empties_(most_empties), tables_(tables), solver_(kTableBytes, std::move(tables)) {}

  std::optional<int> result(const Uttt& position) override {
    if (position.empties() > most_empties_) return std::nullopt;
    // A leaf is one of many: what is not proven soon is left to the playouts.
    const int mover = solver_.sign(position, {.nodes = kNodes});
    if (mover == 2) return std::nullopt;
    return 1 + (position.to_move() == 0 ? mover : -mover);
  }
  std::unique_ptr<Oracle<Uttt>> clone() const override {
    return std::make_unique<UtttOracle>(most_empties_, tables_);
  }

 private:
  static constexpr std::size_t kTableBytes = std::size_t{4} << 20;
  static constexpr std::uint64_t kNodes = 300;

  int most_empties_;
  std::shared_ptr<const uttt::Tables> tables_;
  uttt::Solver solver_;
};

}  // namespace kibitz
