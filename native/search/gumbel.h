// Gumbel selection (Danihelka et al., "Policy improvement by planning with Gumbel", 2022).
//
// At the root, each move gets a random number drawn from the Gumbel distribution once for a search;
// sequential halving spends the visits on the moves with the best sum of that number, the log of
// the prior and the scaled value, and halves their number as it goes. Below the root, visits follow
// the improved policy: the softmax of log priors plus scaled values, where a move that was never
// tried has the value that the node's own evaluation and its tried moves make likely (completed
// values). At few visits this improves on the prior where PUCT does not.
//
// Values are the mover's own, in [0, 1].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/rng.h"

namespace kibitz {

/// The visits that the next move must have: entry `index` of the sequence in which sequential
/// halving with `simulations` visits goes through `moves` moves. Every move of a phase gets the
/// same number of visits; then the better half of them goes on, down to two.
std::int64_t considered_visits(std::int64_t moves, std::int64_t simulations, std::int64_t index);

/// A number of the standard Gumbel distribution.
inline float gumbel_number(Rng& rng) {
  const double u = std::clamp(rng.unit(), 1e-12, 1.0 - 1e-12);
  return static_cast<float>(-std::log(-std::log(u)));
}

/// A number of the gamma distribution with this shape, by which Dirichlet noise is drawn (Marsaglia
/// and Tsang).
double gamma_number(Rng& rng, double shape);

/// Sums over the children of a node, from which their completed values follow. Children whose prior
/// is 0 are left out.
class Completion {
 public:
  /// A child that was tried `tries` times with this mean value.
  void add_tried(float prior, float value, std::uint32_t tries) {
    tried_prior_ += prior;
    weighed_ += prior * value;
    tries_ += tries;
    most_ = std::max(most_, tries);
  }
  void add_untried(float prior) { untried_prior_ += prior; }

  std::uint32_t tries() const { return tries_; }
  std::uint32_t most() const { return most_; }
  float untried_prior() const { return untried_prior_; }
  /// The value of a child that was never tried: a mean of the node's own evaluation and of the
  /// tried children's values by their priors, as many times as there were tries.
  float mixed(float own_value) const {
    if (tries_ == 0 || tried_prior_ <= 0.0f) return own_value;
    const float n = static_cast<float>(tries_);
    return (own_value + n * weighed_ / tried_prior_) / (1.0f + n);
  }

 private:
  float tried_prior_ = 0.0f, untried_prior_ = 0.0f, weighed_ = 0.0f;
  std::uint32_t tries_ = 0, most_ = 0;
};

/// The logarithm of a sum of exponentials, one by one.
class LogSum {
 public:
  void add(float exponent) {
    if (exponent <= most_) {
      sum_ += std::exp(exponent - most_);
    } else {
      sum_ = sum_ * std::exp(most_ - exponent) + 1.0f;
      most_ = exponent;
    }
  }
  float value() const { return sum_ > 0.0f ? most_ + std::log(sum_) : 0.0f; }

 private:
  float most_ = -1e30f, sum_ = 0.0f;
};

}  // namespace kibitz
