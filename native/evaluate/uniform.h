// The evaluator without an opinion: every position is even, every move equally likely. The mock
// that tests of the search stand on, and the way to search with nothing but proofs.
#pragma once

#include "evaluate/evaluator.h"

namespace kibitz {

template <Game G>
class UniformEvaluator final : public Evaluator<G> {
 public:
  void evaluate(std::span<Leaf<G>>, Rng&) override {}  // leaves come in even and uniform
};

}  // namespace kibitz
