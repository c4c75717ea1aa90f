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
#include "games/sample.h"

namespace kibitz {

/// What the network answers for one position, all for the side to move. A network that knows less
/// leaves the later ones as they are.
struct NetworkOutcome {
  float win = 0.5f, draw = 0.0f, loss = 0.5f, score = 0.0f;
  float score_stdev = 0.0f, lead = 0.0f;
  float turns_left_variance = -1.0f, value_error = -1.0f, score_error = -1.0f;
  float style = -1.0f, mover_style = -1.0f;
};

/// Positions that a network judges in one call. What it reads and writes belongs to the caller.
struct NetworkBatch {
  FeatureShape shape;
  int count = 0;
  const float* planes = nullptr;
  const float* globals = nullptr;
  /// For networks with two policies: how far each position's goes from the plain (0) to the
  /// optimistic one (1).
  const float* optimism = nullptr;
  float* policy = nullptr;             // logits; every one is written
  NetworkOutcome* outcomes = nullptr;  // come with what they are when a network knows no better
  float* ownership = nullptr;          // a number for each point; null when nobody asks
};

/// Judges a batch. Called from search threads, so it locks what it must (the Python binding takes
/// the interpreter's lock).
using NetworkFunction = std::function<void(const NetworkBatch& batch)>;

template <SampleGame G>
class CalloutEvaluator final : public Evaluator<G> {
 public:
  /// `on_leave` lets go of what calls of the network have left on a thread (see Evaluator::leave).
  explicit CalloutEvaluator(NetworkFunction network, void (*on_leave)() = nullptr,
                            bool predicts_style = false)
      : network_(std::move(network)), on_leave_(on_leave), predicts_style_(predicts_style) {}

  bool gives_priors() const override { return true; }
  bool gives_extras() const override { return true; }
  bool predicts_style() const override { return predicts_style_; }
  void leave() override {
    if (on_leave_) on_leave_();
  }
  int ownership_points(const G& position) const override {
    const FeatureShape shape = position.feature_shape();
    return shape.rows * shape.columns;
  }

  void evaluate(std::span<Leaf<G>> leaves, Rng& rng) override {
    const FeatureShape shape = leaves[0].position->feature_shape();
    const auto plane_floats = static_cast<std::size_t>(shape.plane_floats());
    const auto globals = static_cast<std::size_t>(shape.globals);
    const auto policy_size = static_cast<std::size_t>(shape.policy);
    const auto points = static_cast<std::size_t>(shape.rows * shape.columns);
    thread_local Buffers buffers;
    list_views(leaves, rng, buffers.views);
    const std::size_t count = buffers.views.size();
    // Only outcomes have values of their own to begin with: the game writes all of its features,
    // and the network all of the policy.
    grow(buffers.planes, count * plane_floats);
    grow(buffers.globals, count * globals);
    grow(buffers.policy, count * policy_size);
    grow(buffers.optimism, count);
    buffers.outcomes.assign(count, NetworkOutcome{});
    for (std::size_t i = 0; i < count; ++i) {
      const Leaf<G>& leaf = leaves[buffers.views[i].leaf];
      buffers.optimism[i] = leaf.policy_optimism;
      write(leaf, buffers.views[i].symmetry, buffers.planes.data() + i * plane_floats,
            buffers.globals.data() + i * globals);
    }
    const bool owned = !leaves[0].ownership.empty();
    if (owned) grow(buffers.ownership, count * points);
    network_({shape, static_cast<int>(count), buffers.planes.data(), buffers.globals.data(),
              buffers.optimism.data(), buffers.policy.data(), buffers.outcomes.data(),
              owned ? buffers.ownership.data() : nullptr});
    for (std::size_t i = 0; i < count;) {
      Leaf<G>& leaf = leaves[buffers.views[i].leaf];
      std::size_t end = i + 1;
      while (end < count && buffers.views[end].leaf == buffers.views[i].leaf) ++end;
      read(leaf, {buffers.views.data() + i, end - i}, buffers.outcomes.data() + i,
           buffers.policy.data() + i * policy_size, policy_size,
           owned ? buffers.ownership.data() + i * points : nullptr);
      i = end;
    }
  }

 private:
  /// A leaf as the network is shown it; several in a row when answers are averaged.
  struct View {
    std::size_t leaf;
    int symmetry;
  };
  struct Buffers {
    std::vector<float> planes, globals, optimism, policy, ownership;
    std::vector<NetworkOutcome> outcomes;
    std::vector<View> views;
  };

  static void grow(std::vector<float>& buffer, std::size_t size) {
    if (buffer.size() < size) buffer.resize(size);
  }

  static void list_views(std::span<const Leaf<G>> leaves, Rng& rng, std::vector<View>& views) {
    views.clear();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const int most = Sample<G>::symmetry_count(*leaves[i].position);
      const int wanted = std::min(leaves[i].symmetries, most);
      const bool drawn = leaves[i].turned || wanted > 1;
      const bool given = leaves[i].symmetry >= 0;
      const std::uint32_t first = given   ? static_cast<std::uint32_t>(leaves[i].symmetry)
                                  : drawn ? rng.below(static_cast<std::uint32_t>(most))
                                          : 0;
      // All different: an odd stride visits every one of four or eight.
      const std::uint32_t stride = wanted > 1 && !given ? 1 + 2 * rng.below(4) : 1;
      for (int n = 0; n < wanted; ++n)
        views.push_back({i, static_cast<int>((first + static_cast<std::uint32_t>(n) * stride) %
                                             static_cast<std::uint32_t>(most))});
    }
  }

  static void write(const Leaf<G>& leaf, int symmetry, float* planes, float* globals) {
    const G& position = *leaf.position;
    position.write_features(planes, globals);
    if (symmetry == 0) return;
    const FeatureShape shape = position.feature_shape();
    const int points = shape.rows * shape.columns;
    thread_local std::vector<float> plain;
    plain.assign(planes, planes + shape.plane_floats());
    for (int p = 0; p < points; ++p) {
      const int there = Sample<G>::symmetric_point(position, p, symmetry);
      for (int plane = 0; plane < shape.planes; ++plane)
        planes[plane * points + there] = plain[static_cast<std::size_t>(plane * points + p)];
    }
  }

  /// The mean of what was answered for the views of one leaf.
  static void read(Leaf<G>& leaf, std::span<const View> views, const NetworkOutcome* outcomes,
                   const float* policy, std::size_t policy_size, const float* ownership) {
    const float share = 1.0f / static_cast<float>(views.size());
    const float sign = leaf.position->to_move() == 0 ? 1.0f : -1.0f;
    NetworkOutcome mean{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    float square = 0.0f;
    std::fill(leaf.priors.begin(), leaf.priors.end(), 0.0f);
    std::fill(leaf.ownership.begin(), leaf.ownership.end(), 0.0f);
    for (std::size_t v = 0; v < views.size(); ++v) {
      const NetworkOutcome& one = outcomes[v];
      mean.win += share * one.win;
      mean.draw += share * one.draw;
      mean.score += share * one.score;
      mean.lead += share * one.lead;
      mean.turns_left_variance += share * one.turns_left_variance;
      mean.value_error += share * one.value_error;
      mean.score_error += share * one.score_error;
      mean.style += share * one.style;
      mean.mover_style += share * one.mover_style;
      square += share * (one.score * one.score + one.score_stdev * one.score_stdev);
      add_priors(leaf, policy + v * policy_size, views[v].symmetry, share);
      const std::size_t points = leaf.ownership.size();
      for (std::size_t p = 0; p < points; ++p)
        leaf.ownership[p] +=
            sign * share *
            ownership[v * points + static_cast<std::size_t>(Sample<G>::symmetric_point(
                                       *leaf.position, static_cast<int>(p), views[v].symmetry))];
    }
    mean.score_stdev = views.size() == 1
                           ? outcomes[0].score_stdev
                           : std::sqrt(std::max(0.0f, square - mean.score * mean.score));
    read_outcome(leaf, mean);
  }

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
    leaf.outcome.style = answer.style;
    leaf.outcome.mover_style = answer.mover_style;
  }

  /// Softmax over the legal moves only.
  static void add_priors(Leaf<G>& leaf, const float* logits, int symmetry, float share) {
    if (leaf.moves.empty()) return;
    thread_local std::vector<float> priors;
    priors.resize(leaf.moves.size());
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < priors.size(); ++i) {
      const int index = leaf.position->policy_index(leaf.moves[i]);
      priors[i] = logits[Sample<G>::symmetric_index(*leaf.position, index, symmetry)];
      most = std::max(most, priors[i]);
    }
    float sum = 0.0f;
    for (float& prior : priors) sum += prior = std::exp(prior - most);
    if (!std::isfinite(sum) || sum <= 0.0f)
      throw std::runtime_error("the network answered with a policy that is not a number");
    if constexpr (requires { G::kMostPassOdds; }) {
      // A pass that drowns every other move would leave them unsearched where they matter most.
      const auto passing =
          std::find(leaf.moves.begin(), leaf.moves.end(), pass_move(*leaf.position));
      if (priors.size() > 1 && passing != leaf.moves.end()) {
        float& pass = priors[static_cast<std::size_t>(passing - leaf.moves.begin())];
        const float others = sum - pass, capped = std::min(pass, others * G::kMostPassOdds);
        sum = others + capped;
        pass = capped;
      }
    }
    for (std::size_t i = 0; i < priors.size(); ++i) leaf.priors[i] += share * (priors[i] / sum);
  }

  NetworkFunction network_;
  void (*on_leave_)();
  bool predicts_style_;
};

}  // namespace kibitz
