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

/// What the network answers for one position, all for the side to move. A network that knows less
/// leaves the later ones as they are.
struct NetworkOutcome {
  float win = 0.5f, draw = 0.0f, loss = 0.5f, score = 0.0f;
  float score_stdev = 0.0f, lead = 0.0f;
  float turns_left_variance = -1.0f, value_error = -1.0f, score_error = -1.0f;
};

/// Judges `count` positions: planes and globals in, policy logits and outcomes out, and a number
/// for each point in `ownership` unless that is null. Called from search threads, so it locks what
/// it must (the Python binding takes the interpreter's lock).
using NetworkFunction = std::function<void(const FeatureShape& shape, int count,
                                           const float* planes, const float* globals, float* policy,
                                           NetworkOutcome* outcomes, float* ownership)>;

template <NetworkGame G>
class CalloutEvaluator final : public Evaluator<G> {
 public:
  explicit CalloutEvaluator(NetworkFunction network) : network_(std::move(network)) {}

  bool gives_priors() const override { return true; }
  bool gives_extras() const override { return true; }
  int ownership_points(const G& position) const override {
    const FeatureShape shape = position.feature_shape();
    return shape.rows * shape.columns;
  }

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
    const auto points = static_cast<std::size_t>(shape.rows * shape.columns);
    const bool owned = !leaves[0].ownership.empty();
    if (owned) buffers.ownership.assign(count * points, 0.0f);
    network_(shape, static_cast<int>(count), buffers.planes.data(), buffers.globals.data(),
             buffers.policy.data(), buffers.outcomes.data(),
             owned ? buffers.ownership.data() : nullptr);
    for (std::size_t i = 0; i < count; ++i) {
      read_outcome(leaves[i], buffers.outcomes[i]);
      read_priors(leaves[i], buffers.policy.data() + i * policy_size);
      const float sign = leaves[i].position->to_move() == 0 ? 1.0f : -1.0f;
      for (std::size_t p = 0; p < leaves[i].ownership.size(); ++p)
        leaves[i].ownership[p] = sign * buffers.ownership[i * points + p];
    }
  }

 private:
  struct Buffers {
    std::vector<float> planes, globals, policy, ownership;
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
    leaf.outcome.score_stdev = answer.score_stdev;
    leaf.outcome.lead = first ? answer.lead : -answer.lead;
    leaf.outcome.turns_left_variance = answer.turns_left_variance;
    leaf.outcome.value_error = answer.value_error;
    leaf.outcome.score_error = answer.score_error;
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
    if constexpr (requires { G::kMostPassOdds; }) {
      // A pass that drowns every other move would leave them unsearched where they matter most.
      float& pass = leaf.priors.back();
      const float others = sum - pass, capped = std::min(pass, others * G::kMostPassOdds);
      if (leaf.priors.size() > 1 && leaf.moves.back() == leaf.position->pass()) {
        sum = others + capped;
        pass = capped;
      }
    }
    for (float& prior : leaf.priors) prior /= sum;
  }

  NetworkFunction network_;
};

}  // namespace kibitz
