#include "games/othello/evaluate/fit.h"

#include <cmath>
#include <stdexcept>

namespace kibitz::othello {

void PatternFit::add(const Othello& game, float margin) {
  slots_.push_back(PatternLayout::get().slots_of(game));
  margins_.push_back(margin);
}

std::vector<float> PatternFit::fit(std::span<const float> prior, double ridge,
                                   int iterations) const {
  const std::size_t count = PatternLayout::get().slots;
  if (prior.size() != count) throw std::invalid_argument("prior: a number for each slot");
  std::vector<double> residual(count, 0.0), scale(count, ridge);
  // The right-hand side: what the prior leaves unexplained, gathered by slot.
  for (std::size_t n = 0; n < slots_.size(); ++n) {
    double sum = margins_[n];
    for (const std::uint32_t slot : slots_[n]) sum -= static_cast<double>(prior[slot]);
    for (const std::uint32_t slot : slots_[n]) {
      residual[slot] += sum;
      scale[slot] += 1.0;
    }
  }
  std::vector<double> change(count, 0.0), direction(count), image(count);
  const auto preconditioned = [&](std::size_t i) { return residual[i] / scale[i]; };
  double rho = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    direction[i] = preconditioned(i);
    rho += residual[i] * direction[i];
  }
  for (int iteration = 0; iteration < iterations && rho > 1e-9; ++iteration) {
    for (std::size_t i = 0; i < count; ++i) image[i] = ridge * direction[i];
    for (const auto& slots : slots_) {
      double sum = 0.0;
      for (const std::uint32_t slot : slots) sum += direction[slot];
      for (const std::uint32_t slot : slots) image[slot] += sum;
    }
    double curvature = 0.0;
    for (std::size_t i = 0; i < count; ++i) curvature += direction[i] * image[i];
    const double step = rho / curvature;
    double next = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      change[i] += step * direction[i];
      residual[i] -= step * image[i];
      next += residual[i] * preconditioned(i);
    }
    for (std::size_t i = 0; i < count; ++i)
      direction[i] = preconditioned(i) + next / rho * direction[i];
    rho = next;
  }
  std::vector<float> weights(prior.begin(), prior.end());
  for (std::size_t i = 0; i < count; ++i) weights[i] += static_cast<float>(change[i]);
  return weights;
}

double PatternFit::error(std::span<const float> weights) const {
  double squares = 0.0;
  for (std::size_t n = 0; n < slots_.size(); ++n) {
    double sum = -static_cast<double>(margins_[n]);
    for (const std::uint32_t slot : slots_[n]) sum += static_cast<double>(weights[slot]);
    squares += sum * sum;
  }
  return slots_.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(slots_.size()));
}

}  // namespace kibitz::othello
