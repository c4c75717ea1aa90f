// Networks: leaves become planes, a function outside the core judges the batch, and its answer
// becomes values and priors. The function is plain C++ here; the binding wraps a Python callable.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluate/evaluator.h"

namespace kibitz {

/// What the network answers for one position, all for the side to move.
struct NetworkOutcome {
  float win = 0.5f, draw = 0.0f, loss = 0.5f, score = 0.0f;
};

/// Judges `count` positions: planes and globals in, policy logits and outcomes out. Called from
/// search threads, so it locks what it must (the Python binding takes the interpreter's lock).
using NetworkFunction =
    std::function<void(const FeatureShape& shape, int count, const float* planes,
                       const float* globals, float* policy, NetworkOutcome* outcomes)>;

template <NetworkGame G>
class CalloutEvaluator final : public Evaluator<G> {
 public:
  explicit CalloutEvaluator(NetworkFunction network) : network_(std::move(network)) {}

  bool gives_priors() const override { return true; }
  bool gives_extras() const override { return true; }

  void evaluate(std::span<Leaf<G>> leaves, Rng&) override {
    const FeatureShape shape = leaves[0].position->feature_shape();
    const std::size_t count = leaves.size();
    const auto plane_floats = static_cast<std::size_t>(shape.plane_floats());
    const auto globals = static_cast<std::size_t>(shape.globals);
    const auto policy_size = static_cast<std::size_t>(shape.policy);
    thread_local Buffers buffers;
    buffers.planes.assign(count * plane_floats, 0.0f);
    buffers.globals.assign(count * globals, 0.0f);
    buffers.policy.assign(count * policy_size, 0.0f);
    buffers.outcomes.assign(count, NetworkOutcome{});
    for (std::size_t i = 0; i < count; ++i)
      leaves[i].position->write_features(buffers.planes.data() + i * plane_floats,
                                         buffers.globals.data() + i * globals);
    network_(shape, static_cast<int>(count), buffers.planes.data(), buffers.globals.data(),
             buffers.policy.data(), buffers.outcomes.data());
    for (std::size_t i = 0; i < count; ++i) {
      read_outcome(leaves[i], buffers.outcomes[i]);
      read_priors(leaves[i], buffers.policy.data() + i * policy_size);
    }
  }

 private:
  struct Buffers {
    std::vector<float> planes, globals, policy;
    std::vector<NetworkOutcome> outcomes;
  };

  static void read_outcome(Leaf<G>& leaf, const NetworkOutcome& answer) {
    const float value = answer.win + 0.5f * answer.draw;
    if (!std::isfinite(value) || !std::isfinite(answer.score))
      throw std::runtime_error("the network answered with a value that is not a number");
    const bool first = leaf.position->to_move() == 0;
    leaf.outcome.value = first ? value : 1.0f - value;
    leaf.outcome.draw = answer.draw;
    leaf.outcome.score = first ? answer.score : -answer.score;
  }

  /// Softmax over the legal moves only.
  static void read_priors(Leaf<G>& leaf, const float* logits) {
    if (leaf.moves.empty()) return;
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < leaf.moves.size(); ++i) {
      leaf.priors[i] = logits[leaf.position->policy_index(leaf.moves[i])];
      most = std::max(most, leaf.priors[i]);
    }
    float sum = 0.0f;
    for (float& prior : leaf.priors) sum += prior = std::exp(prior - most);
    if (!std::isfinite(sum) || sum <= 0.0f)
      throw std::runtime_error("the network answered with a policy that is not a number");
    for (float& prior : leaf.priors) prior /= sum;
  }

  NetworkFunction network_;
};

}  // namespace kibitz
