#include "games/chess/evaluate/nnue_fit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <stdexcept>

#include "base/index.h"
#include "games/chess/evaluate/nnue.h"
#include "games/chess/evaluate/sum_vectors.h"

namespace kibitz::chess {
namespace {

/// What 16 bits hold (nnue.cpp); a place has two rows.
constexpr float kFitRow = 0.99f, kFitBias = 16.0f, kFitOutput = 1.5f, kFitOutputBias = 8.0f;
constexpr float kDecay1 = 0.9f, kDecay2 = 0.999f, kTiny = 1e-8f;

}  // namespace

struct NnueFit::Sample {
  std::size_t count;
  int output;
  std::array<int, kMostPieces> own, other;  // features: as the mover sees, as the other side sees
  alignas(64) std::array<float, 2 * Nnue::kMostWidth> sums, seen;

  explicit Sample(const LabelledBoard& board) {
    count = as_index(std::popcount(board.occupied));
    if (count > kMostPieces) throw std::invalid_argument("a position of more than 32 pieces");
    const int us = board.flags & 1;
    std::array<int, 2> kings{-1, -1};
    std::array<std::uint8_t, kMostPieces> squares, kinds;
    std::size_t n = 0;
    for (Bits set = board.occupied; set; ++n) {
      squares[n] = static_cast<std::uint8_t>(pop_lowest(set));
      kinds[n] = board.pieces[n / 2] >> (n % 2 * 4) & 15;
      if (kinds[n] > 11) throw std::invalid_argument("a piece of no kind");
      if (kinds[n] % 6 == kKing) kings[kinds[n] / 6] = squares[n];
    }
    if (kings[0] < 0 || kings[1] < 0) throw std::invalid_argument("a position without a king");
    const NnueView mine(us, kings[as_index(us)]), theirs(1 - us, kings[as_index(1 - us)]);
    for (std::size_t i = 0; i < n; ++i) {
      own[i] = mine.feature(kinds[i] / 6, kinds[i] % 6, squares[i]);
      other[i] = theirs.feature(kinds[i] / 6, kinds[i] % 6, squares[i]);
    }
    output = nnue_output(static_cast<int>(count));
  }
};

void NnueFit::Parameter::resize(std::size_t count, float most) {
  for (auto* part : {&value, &gradient, &mean, &square}) part->assign(count, 0.0f);
  limit = most;
}

void NnueFit::Parameter::update(float rate, float correction1, float correction2) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    const float g = gradient[i];
    mean[i] = kDecay1 * mean[i] + (1.0f - kDecay1) * g;
    square[i] = kDecay2 * square[i] + (1.0f - kDecay2) * g * g;
    const float change = mean[i] * correction1 / (std::sqrt(square[i] * correction2) + kTiny);
    value[i] = std::clamp(value[i] - rate * change, -limit, limit);
  }
}

NnueFit::NnueFit(int width, std::uint64_t seed) : width_(width) {
  if (width < 32 || width > Nnue::kMostWidth || width % kShorts != 0)
    throw std::invalid_argument("a width that is no multiple of 32 up to 1024");
  shared_.resize(as_index(NnueFeatures::kPlaces * width), kFitRow);
  regional_.resize(as_index(NnueFeatures::kCount * width), kFitRow);
  bias_.resize(as_index(width), kFitBias);
  output_.resize(as_index(kNnueOutputs * 2 * width), kFitOutput);
  output_bias_.resize(kNnueOutputs, kFitOutputBias);
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  for (float& weight : shared_.value) weight = std::clamp(0.08f * normal(random), -0.9f, 0.9f);
  std::fill(bias_.value.begin(), bias_.value.end(), 0.1f);
  for (int i = 0; i < 2 * width; ++i) {
    const float weight = normal(random) / std::sqrt(static_cast<float>(width));
    for (int output = 0; output < kNnueOutputs; ++output)
      output_.value[as_index(output * 2 * width + i)] = weight;
  }
  merged_.resize(regional_.value.size());
  merged_gradient_.resize(merged_.size());
  merge();
}

void NnueFit::merge() {
  const std::size_t size = shared_.value.size();
  for (std::size_t i = 0; i < merged_.size(); ++i)
    merged_[i] = regional_.value[i] + shared_.value[i % size];
}

float NnueFit::forward(Sample& sample) const {
  float* mine = sample.sums.data();
  float* theirs = mine + width_;
  for (int first = 0; first < width_; first += kFloats) {
    Floats a, b;
    load(a, &bias_.value[as_index(first)]);
    b = a;
    for (std::size_t i = 0; i < sample.count; ++i) {
      add(a, &merged_[as_index(sample.own[i] * width_ + first)]);
      add(b, &merged_[as_index(sample.other[i] * width_ + first)]);
    }
    store(mine + first, a);
    store(theirs + first, b);
  }
  for (int i = 0; i < 2 * width_; ++i) {
    const float held = std::clamp(sample.sums[as_index(i)], 0.0f, 1.0f);
    sample.seen[as_index(i)] = held * held;
  }
  return output_bias_.value[as_index(sample.output)] +
         product(sample.seen.data(), &output_.value[as_index(sample.output * 2 * width_)],
                 2 * width_);
}

double NnueFit::accumulate(std::span<const LabelledBoard> batch, const Labels& labels) {
  std::fill(merged_gradient_.begin(), merged_gradient_.end(), 0.0f);
  for (Parameter* parameter : {&bias_, &output_, &output_bias_})
    std::fill(parameter->gradient.begin(), parameter->gradient.end(), 0.0f);
  double loss = 0.0;
  alignas(64) std::array<float, 2 * Nnue::kMostWidth> slope;
  for (const LabelledBoard& board : batch) {
    Sample sample(board);
    const float chance = 1.0f / (1.0f + std::exp(-forward(sample)));
    float target = 1.0f / (1.0f + std::exp(-static_cast<float>(board.score) / labels.unit));
    if (board.result != 2)
      target += labels.result_share * (0.5f + 0.5f * static_cast<float>(board.result) - target);
    const float error = chance - target, size = std::abs(error);
    const float part = std::pow(size, labels.power - 1.0f);
    loss += part * size;
    const float up = std::copysign(labels.power * part, error) * chance * (1.0f - chance) /
                     static_cast<float>(batch.size());
    output_bias_.gradient[as_index(sample.output)] += up;
    const float* weights = &output_.value[as_index(sample.output * 2 * width_)];
    float* gradient = &output_.gradient[as_index(sample.output * 2 * width_)];
    for (int i = 0; i < 2 * width_; ++i) {
      gradient[i] += up * sample.seen[as_index(i)];
      const float sum = sample.sums[as_index(i)];
      slope[as_index(i)] = sum > 0.0f && sum < 1.0f ? 2.0f * sum * up * weights[i] : 0.0f;
    }
    const float* theirs = slope.data() + width_;
    add_row<Floats>(bias_.gradient.data(), slope.data(), width_);
    add_row<Floats>(bias_.gradient.data(), theirs, width_);
    for (std::size_t i = 0; i < sample.count; ++i) {
      add_row<Floats>(&merged_gradient_[as_index(sample.own[i] * width_)], slope.data(), width_);
      add_row<Floats>(&merged_gradient_[as_index(sample.other[i] * width_)], theirs, width_);
    }
  }
  return loss / static_cast<double>(batch.size());
}

double NnueFit::step(std::span<const LabelledBoard> batch, const Labels& labels, float rate) {
  if (batch.empty()) throw std::invalid_argument("a batch of no positions");
  const double loss = accumulate(batch, labels);
  regional_.gradient = merged_gradient_;
  const std::size_t size = shared_.value.size();
  std::fill(shared_.gradient.begin(), shared_.gradient.end(), 0.0f);
  for (std::size_t i = 0; i < merged_gradient_.size(); ++i)
    shared_.gradient[i % size] += merged_gradient_[i];
  ++steps_;
  const auto n = static_cast<double>(steps_);
  const auto correction1 = static_cast<float>(1.0 / (1.0 - std::pow(kDecay1, n)));
  const auto correction2 = static_cast<float>(1.0 / (1.0 - std::pow(kDecay2, n)));
  for (Parameter* parameter : {&shared_, &regional_, &bias_, &output_, &output_bias_})
    parameter->update(rate, correction1, correction2);
  merge();
  return loss;
}

void NnueFit::predict(std::span<const LabelledBoard> boards, std::span<float> logits) const {
  for (std::size_t i = 0; i < boards.size(); ++i) {
    Sample sample(boards[i]);
    logits[i] = forward(sample);
  }
}

NnueFit::Tensors NnueFit::gradients(std::span<const LabelledBoard> batch, const Labels& labels) {
  accumulate(batch, labels);
  return shaped(merged_gradient_, bias_.gradient, output_.gradient, output_bias_.gradient);
}

NnueFit::Tensors NnueFit::tensors() const {
  return shaped(merged_, bias_.value, output_.value, output_bias_.value);
}

NnueFit::Tensors NnueFit::shaped(const std::vector<float>& pieces, const std::vector<float>& bias,
                                 const std::vector<float>& output,
                                 const std::vector<float>& output_bias) const {
  Tensors out{pieces, bias, std::vector<float>(output.size()), output_bias};
  for (int i = 0; i < 2 * width_; ++i)
    for (int group = 0; group < kNnueOutputs; ++group)
      out.output[as_index(i * kNnueOutputs + group)] = output[as_index(group * 2 * width_ + i)];
  return out;
}

template <class Self, class Use>
void NnueFit::each_part(Self& self, Use use) {
  for (auto* parameter :
       {&self.shared_, &self.regional_, &self.bias_, &self.output_, &self.output_bias_}) {
    use(parameter->value);
    use(parameter->mean);
    use(parameter->square);
  }
}

std::vector<float> NnueFit::state() const {
  std::vector<float> all{static_cast<float>(steps_)};
  each_part(*this, [&](const auto& part) { all.insert(all.end(), part.begin(), part.end()); });
  return all;
}

void NnueFit::restore(std::span<const float> state) {
  std::size_t size = 1;
  each_part(*this, [&](const auto& part) { size += part.size(); });
  if (state.size() != size) throw std::invalid_argument("a state of another size");
  steps_ = std::lround(state.front());
  auto next = state.begin() + 1;
  each_part(*this, [&](auto& part) {
    std::copy_n(next, part.size(), part.begin());
    next += static_cast<std::ptrdiff_t>(part.size());
  });
  merge();
}

}  // namespace kibitz::chess
