// Random playouts: from the leaf to the end of the game, the result being the value.
#pragma once

#include <cstddef>
#include <vector>

#include "evaluate/evaluator.h"

namespace kibitz {

/// How a game plays itself out. This one asks `random_move`; a game with something faster, or with
/// a playout policy, specializes it in its own folder.
template <Game G>
struct Playouts {
  static constexpr bool kHasPolicy = false;

  static void run(std::span<const G> starts, std::span<float> results, bool /*policy*/, Rng& rng) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      G game = starts[i];
      while (!game.is_over()) game.play(game.random_move(rng));
      results[i] = game.result();
    }
  }
};

template <Game G>
class PlayoutEvaluator final : public Evaluator<G> {
 public:
  explicit PlayoutEvaluator(bool policy) : policy_(policy) {}

  bool varies() const override { return true; }
  void evaluate(std::span<Leaf<G>> leaves, Rng& rng) override {
    if (leaves.size() == 1) {
      float result = 0.5f;
      Playouts<G>::run({leaves[0].position, 1}, {&result, 1}, policy_, rng);
      leaves[0].outcome = outcome_of(result);
      return;
    }
    // Several boards at once fill the lanes of the vector registers.
    thread_local std::vector<G> starts;
    thread_local std::vector<float> results;
    starts.clear();
    for (const auto& leaf : leaves) starts.push_back(*leaf.position);
    results.assign(leaves.size(), 0.5f);
    Playouts<G>::run(starts, results, policy_, rng);
    for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i].outcome = outcome_of(results[i]);
    starts.clear();  // the thread may outlive what positions refer to
  }

 private:
  static Outcome outcome_of(float result) {
    Outcome outcome;
    outcome.value = result;
    outcome.draw = result == 0.5f ? 1.0f : 0.0f;
    return outcome;
  }
  bool policy_;
};

}  // namespace kibitz
