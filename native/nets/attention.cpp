#include "nets/attention.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "nets/exponential.h"
#include "nets/lanes.h"
#include "nets/matrix.h"

namespace kibitz::nets {
namespace {

float total(Floats vector) {
  float sum = 0.0f;
  for (int lane = 0; lane < kLanes; ++lane) sum += vector[lane];
  return sum;
}

/// The sum of `function` over all numbers, a vector at a time.
template <class Function>
float sum_of(const float* numbers, int count, Function function) {
  Floats sums{};
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) sums += function(load<Floats>(numbers + i));
  float sum = total(sums);
  for (; i < count; ++i) sum += function(all(numbers[i]))[0];
  return sum;
}

/// Scores to weights that are not yet divided by their sum, which is returned; zeros fill the rest
/// of the row.
float exponentials(float* scores, int count, int padded, float scale, const float* bias) {
  // Weights beyond this count for nothing, and their products would be denormal, which CPUs do
  // hundreds of times slower.
  constexpr float kLeast = -60.0f;
  if (bias)
    for (int i = 0; i < count; ++i) scores[i] = scores[i] * scale + bias[i];
  else
    for (int i = 0; i < count; ++i) scores[i] *= scale;
  std::fill(scores + count, scores + padded, -INFINITY);
  Floats largest = load<Floats>(scores);
  for (int i = kLanes; i < padded; i += kLanes) largest = larger(largest, load<Floats>(scores + i));
  float most = largest[0];
  for (int lane = 1; lane < kLanes; ++lane) most = std::max(most, largest[lane]);
  Floats sums{};
  for (int i = 0; i < padded; i += kLanes) {
    const Floats away = load<Floats>(scores + i) - most;
    const Floats weights = away < all(kLeast) ? Floats{} : exponential(away);
    store(scores + i, weights);
    sums += weights;
  }
  return total(sums);
}

}  // namespace

AttentionStep::AttentionStep(int queries, int keys, int values, int bias, int out,
                             const AttentionShape& shape, float scale)
    : shape_(shape), scale_(scale), bias_(bias) {
  if (shape.heads % shape.key_heads) throw std::invalid_argument("heads that share no key head");
  reads = {queries, keys, values};
  if (bias >= 0) reads.push_back(bias);
  writes = out;
}

void AttentionStep::run(const Run& run) const {
  const AttentionShape& s = shape_;
  const int group = s.heads / s.key_heads;
  const std::ptrdiff_t points = s.points;
  for (int n = 0; n < run.count; ++n)
    for (int head = 0; head < s.heads; ++head) {
      const std::ptrdiff_t key_head = head / group;
      const float* bias =
          bias_ < 0 ? nullptr : run[bias_] + (std::ptrdiff_t{n} * s.heads + head) * points * points;
      run_head(
          run[reads[0]] + n * points * s.heads * s.size + std::ptrdiff_t{head} * s.size,
          run[reads[1]] + n * points * s.key_heads * s.size + key_head * s.size,
          run[reads[2]] + n * points * s.key_heads * s.value_size + key_head * s.value_size, bias,
          run[writes] + n * points * s.heads * s.value_size + std::ptrdiff_t{head} * s.value_size,
          run.scratch);
    }
}

void AttentionStep::run_head(const float* queries, const float* keys, const float* values,
                             const float* bias, float* out, ConvScratch& scratch) const {
  const AttentionShape& s = shape_;
  const Panels by_point(s.points), by_channel(s.value_size);
  const int score_stride = by_point.padded(), mixed_stride = by_channel.padded();
  at_least(scratch.inputs,
           std::ptrdiff_t{std::max(s.size * score_stride, s.points * mixed_stride)});
  at_least(scratch.products, std::ptrdiff_t{s.points} * (score_stride + mixed_stride + 1));
  float* packed = scratch.inputs.data();
  float* scores = scratch.products.data();
  float* mixed = scores + std::ptrdiff_t{s.points} * score_stride;
  float* sums = mixed + std::ptrdiff_t{s.points} * mixed_stride;

  pack(by_point, keys, 1, std::ptrdiff_t{s.key_heads} * s.size, s.size, s.points, packed);
  multiply_packed(by_point, packed, s.size, queries, std::ptrdiff_t{s.heads} * s.size, s.points,
                  scores, score_stride);
  pack(by_channel, values, std::ptrdiff_t{s.key_heads} * s.value_size, 1, s.points, s.value_size,
       packed);
  for (int p = 0; p < s.points; ++p)
    sums[p] = exponentials(scores + std::ptrdiff_t{p} * score_stride, s.points, score_stride,
                           scale_, bias ? bias + std::ptrdiff_t{p} * s.points : nullptr);
  multiply_packed(by_channel, packed, s.points, scores, score_stride, s.points, mixed,
                  mixed_stride);
  // Dividing the few outputs is less work than the many weights.
  for (int p = 0; p < s.points; ++p) {
    const float* from = mixed + std::ptrdiff_t{p} * mixed_stride;
    float* to = out + std::ptrdiff_t{p} * s.heads * s.value_size;
    const float share = 1.0f / sums[p];
    for (int c = 0; c < s.value_size; ++c) to[c] = from[c] * share;
  }
}

PointProductsStep::PointProductsStep(int left, int right, int out, int points, int channels)
    : points_(points), channels_(channels) {
  reads = {left, right};
  writes = out;
}

void PointProductsStep::run(const Run& run) const {
  const Panels panels(points_);
  const int padded = panels.padded();
  at_least(run.scratch.inputs, std::ptrdiff_t{channels_} * padded);
  at_least(run.scratch.products, std::ptrdiff_t{points_} * padded);
  const std::ptrdiff_t floats = std::ptrdiff_t{points_} * channels_;
  float* out = run[writes];
  for (int n = 0; n < run.count; ++n) {
    pack(panels, run[reads[1]] + n * floats, 1, channels_, channels_, points_,
         run.scratch.inputs.data());
    multiply_packed(panels, run.scratch.inputs.data(), channels_, run[reads[0]] + n * floats,
                    channels_, points_, run.scratch.products.data(), padded);
    for (int p = 0; p < points_; ++p, out += points_)
      std::copy_n(run.scratch.products.data() + std::ptrdiff_t{p} * padded, points_, out);
  }
}

NormStep::NormStep(int in, int out, int points, std::vector<float> scale, std::vector<float> bias,
                   float epsilon, bool centred)
    : points_(points),
      scale_(std::move(scale)),
      bias_(std::move(bias)),
      epsilon_(epsilon),
      centred_(centred) {
  if (scale_.size() != bias_.size()) throw std::invalid_argument("a bias of another size");
  reads = {in};
  writes = out;
}

void NormStep::run(const Run& run) const {
  const int channels = static_cast<int>(scale_.size());
  const float* in = run[reads[0]];
  float* out = run[writes];
  for (int p = 0; p < run.count * points_; ++p, in += channels, out += channels) {
    const auto share = static_cast<float>(channels);
    const float mean = centred_ ? sum_of(in, channels, [](Floats x) { return x; }) / share : 0.0f;
    const float variance = sum_of(in, channels,
                                  [mean](Floats x) {
                                    const Floats away = x - mean;
                                    return away * away;
                                  }) /
                           share;
    const float factor = 1.0f / std::sqrt(variance + epsilon_);
    for (int c = 0; c < channels; ++c)
      out[c] = (in[c] - mean) * factor * scale_[at(c)] + bias_[at(c)];
  }
}

}  // namespace kibitz::nets
