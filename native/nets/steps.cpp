#include "nets/steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace kibitz::nets {

StemStep::StemStep(int in, int out, SparseStem stem, std::vector<float> bias, bool relu)
    : stem_(std::move(stem)), bias_(std::move(bias)), relu_(relu) {
  if (bias_.size() != at(stem_.outputs())) throw std::invalid_argument("a bias of another size");
  reads = {in};
  writes = out;
}

void StemStep::run(const Run& run) const {
  float* out = run[writes];
  stem_.run(run[reads[0]], run.count, out);
  const int points = run.count * stem_.rows() * stem_.columns();
  for (int p = 0; p < points; ++p, out += bias_.size())
    for (std::size_t c = 0; c < bias_.size(); ++c) {
      const float sum = out[c] + bias_[c];
      out[c] = relu_ ? std::max(sum, 0.0f) : sum;
    }
}

ConvStep::ConvStep(int in, int out, std::unique_ptr<Conv> conv, int residual, bool relu,
                   std::vector<Operation> functions)
    : conv_(std::move(conv)), residual_(residual), relu_(relu), functions_(std::move(functions)) {
  reads = {in};
  if (residual >= 0) reads.push_back(residual);
  writes = out;
}

void ConvStep::run(const Run& run) const {
  const ConvEnd end{residual_ < 0 ? nullptr : run[residual_], relu_, functions_};
  conv_->run(run[reads[0]], run.count, run[writes], end, run.scratch);
}

DenseStep::DenseStep(int in, int out, int rows, std::span<const float> matrix,
                     std::span<const float> bias, int inputs, int outputs)
    : rows_(rows),
      inputs_(inputs),
      outputs_(outputs),
      matrix_(matrix, inputs, outputs),
      bias_(bias.begin(), bias.end()) {
  if (bias.size() != at(outputs)) throw std::invalid_argument("a bias of another size");
  reads = {in};
  writes = out;
}

void DenseStep::run(const Run& run) const {
  // Rows done at a time: what many rows give would not stay in the cache.
  constexpr int kBlock = 96;
  const int width = matrix_.panels.width(), rows = run.count * rows_;
  at_least(run.scratch.products, std::ptrdiff_t{std::min(rows, kBlock)} * width);
  const float* sums = run.scratch.products.data();
  for (int first = 0; first < rows; first += kBlock) {
    const int here = std::min(kBlock, rows - first);
    const float* in = run[reads[0]] + std::ptrdiff_t{first} * inputs_;
    for (int column = 0; column < outputs_; column += width) {
      matrix_.multiply_panel(column / width, in, inputs_, here, run.scratch.products.data());
      const float* bias = bias_.data() + column;
      const int columns = std::min(width, outputs_ - column);
      for (int n = 0; n < here; ++n) {
        float* out = run[writes] + std::ptrdiff_t{first + n} * outputs_ + column;
        for (int c = 0; c < columns; ++c) out[c] = sums[n * width + c] + bias[c];
      }
    }
  }
}

SparseDenseStep::SparseDenseStep(int in, int out, int floats, std::vector<float> matrix,
                                 std::vector<float> bias)
    : floats_(floats),
      inputs_(bias.empty() ? 0 : static_cast<int>(matrix.size() / bias.size())),
      matrix_(std::move(matrix)),
      bias_(std::move(bias)) {
  if (inputs_ > floats || matrix_.size() != at(inputs_) * bias_.size())
    throw std::invalid_argument("a matrix that does not fit its sizes");
  reads = {in};
  writes = out;
}

void SparseDenseStep::run(const Run& run) const {
  const std::size_t outputs = bias_.size();
  const float* in = run[reads[0]];
  float* out = run[writes];
  for (int n = 0; n < run.count; ++n, in += floats_, out += outputs) {
    std::copy(bias_.begin(), bias_.end(), out);
    for (int i = 0; i < inputs_; ++i) {
      if (in[i] == 0.0f) continue;
      const float* row = matrix_.data() + at(i) * outputs;
      for (std::size_t c = 0; c < outputs; ++c) out[c] += in[i] * row[c];
    }
  }
}

PoolStep::PoolStep(int in, int out, int points, int channels, bool maximum)
    : points_(points), channels_(channels), maximum_(maximum) {
  reads = {in};
  writes = out;
}

void PoolStep::run(const Run& run) const {
  const float* in = run[reads[0]];
  float* out = run[writes];
  for (int n = 0; n < run.count; ++n, in += std::ptrdiff_t{points_} * channels_, out += channels_)
    maximum_ ? most(in, out) : mean(in, out, run.scratch);
}

void PoolStep::most(const float* in, float* out) const {
  std::copy_n(in, channels_, out);
  for (int p = 1; p < points_; ++p) {
    in += channels_;
    for (int c = 0; c < channels_; ++c) out[c] = std::max(out[c], in[c]);
  }
}

void PoolStep::mean(const float* in, float* out, ConvScratch& scratch) const {
  // In parts: one long sum would lose bits to its own size.
  constexpr int kPart = 16;
  at_least(scratch.products, channels_);
  float* part = scratch.products.data();
  std::fill_n(out, channels_, 0.0f);
  for (int first = 0; first < points_; first += kPart) {
    std::fill_n(part, channels_, 0.0f);
    for (int p = first; p < std::min(points_, first + kPart); ++p, in += channels_)
      for (int c = 0; c < channels_; ++c) part[c] += in[c];
    for (int c = 0; c < channels_; ++c) out[c] += part[c];
  }
  const float share = 1.0f / static_cast<float>(points_);
  for (int c = 0; c < channels_; ++c) out[c] *= share;
}

GatherStep::GatherStep(int in, int out, std::vector<int> places, int floats)
    : places_(std::move(places)), floats_(floats) {
  for (const int place : places_)
    if (place < 0 || place >= floats) throw std::invalid_argument("a place outside the value");
  reads = {in};
  writes = out;
}

void GatherStep::run(const Run& run) const {
  const float* in = run[reads[0]];
  float* out = run[writes];
  for (int n = 0; n < run.count; ++n, in += floats_)
    for (const int place : places_) *out++ = in[place];
}

JoinStep::JoinStep(std::vector<int> parts, int out, std::vector<int> floats)
    : floats_(std::move(floats)) {
  if (floats_.size() != parts.size()) throw std::invalid_argument("a size for each part, please");
  reads = std::move(parts);
  writes = out;
}

void JoinStep::run(const Run& run) const {
  float* out = run[writes];
  for (int n = 0; n < run.count; ++n)
    for (std::size_t i = 0; i < floats_.size(); ++i)
      out = std::copy_n(run[reads[i]] + std::ptrdiff_t{n} * floats_[i], floats_[i], out);
}

SoftmaxStep::SoftmaxStep(int in, int out, int floats) : floats_(floats) {
  reads = {in};
  writes = out;
}

void SoftmaxStep::run(const Run& run) const {
  const float* in = run[reads[0]];
  float* out = run[writes];
  for (int n = 0; n < run.count; ++n, in += floats_, out += floats_) {
    const float most = *std::max_element(in, in + floats_);
    float sum = 0.0f;
    for (int i = 0; i < floats_; ++i) sum += out[i] = std::exp(in[i] - most);
    for (int i = 0; i < floats_; ++i) out[i] /= sum;
  }
}

}  // namespace kibitz::nets
