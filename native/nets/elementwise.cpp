#include "nets/elementwise.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "nets/exponential.h"
#include "nets/lanes.h"

namespace kibitz::nets {
namespace {

/// Numbers done at a time.
constexpr int kChunk = 2048;

Floats mish(Floats x) {
  // tanh(log(1 + e)) = (e^2 + 2e) / (e^2 + 2e + 2); beyond 20 it is 1 in float.
  const Floats e = exponential(x > all(20.0f) ? all(20.0f) : x);
  const Floats top = e * (e + 2.0f);
  return x * (top / (top + 2.0f));
}

Floats sigmoid(Floats x) { return 1.0f / (1.0f + exponential(-x)); }

Floats silu(Floats x) { return x / (1.0f + exponential(-x)); }

Floats selu(Floats x) {
  constexpr float kScale = 1.05070098f, kAlpha = 1.67326324f;
  return x > all(0.0f) ? x * kScale : (exponential(x) - 1.0f) * (kScale * kAlpha);
}

template <class Function>
void each_vector(float* numbers, int count, Function function) {
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) store(numbers + i, function(load<Floats>(numbers + i)));
  if (i == count) return;
  Floats last{};
  std::copy(numbers + i, numbers + count, reinterpret_cast<float*>(&last));
  last = function(last);
  std::copy_n(reinterpret_cast<float*>(&last), count - i, numbers + i);
}

template <class Function>
void each(float* numbers, int count, Function function) {
  for (int i = 0; i < count; ++i) numbers[i] = function(numbers[i]);
}

/// `function(number, other)`, the others of one point or of all.
template <class Function>
void each_pair(float* numbers, int points, int channels, const float* other, bool same,
               Function function) {
  const int run = same ? channels : points * channels;
  for (int done = 0; done < points * channels; done += run, numbers += run)
    for (int c = 0; c < run; ++c) numbers[c] = function(numbers[c], other[c]);
}

float softplus(float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

Operation operation_named(const std::string& name) {
  if (name == "Add") return Operation::add;
  if (name == "Sub") return Operation::subtract;
  if (name == "RSub") return Operation::subtract_from;
  if (name == "Mul") return Operation::multiply;
  if (name == "Relu") return Operation::relu;
  if (name == "Mish") return Operation::mish;
  if (name == "Sigmoid") return Operation::sigmoid;
  if (name == "Tanh") return Operation::tanh;
  if (name == "Softplus") return Operation::softplus;
  if (name == "Sqrt") return Operation::square_root;
  if (name == "Silu") return Operation::silu;
  if (name == "Selu") return Operation::selu;
  if (name == "Square") return Operation::square;
  throw std::invalid_argument("unknown operation " + name);
}

ElementwiseStep::ElementwiseStep(int in, int out, int points, int channels, std::vector<Link> links)
    : points_(points), channels_(channels), links_(std::move(links)) {
  reads = {in};
  for (const Link& link : links_) {
    const bool binary = link.operation <= Operation::multiply;
    if (link.value >= 0) reads.push_back(link.value);
    if (binary && link.value < 0 && link.constants.size() != at(channels))
      throw std::invalid_argument("constants for another number of channels");
  }
  writes = out;
}

void ElementwiseStep::run(const Run& run) const {
  const int most = std::max(1, kChunk / channels_);
  for (int n = 0; n < run.count; ++n)
    for (int first = 0; first < points_; first += most) {
      const int points = std::min(most, points_ - first);
      const std::ptrdiff_t start = (std::ptrdiff_t{n} * points_ + first) * channels_;
      float* numbers = run[writes] + start;
      std::copy_n(run[reads[0]] + start, points * channels_, numbers);
      for (const Link& link : links_) apply(link, run, n, first, points, numbers);
    }
}

void ElementwiseStep::apply(const Link& link, const Run& run, int position, int first, int points,
                            float* numbers) const {
  const int count = points * channels_;
  const float* other = link.constants.data();
  const bool same = link.value < 0 || link.same_on_points;
  if (link.value >= 0)
    other =
        run[link.value] +
        (same ? std::ptrdiff_t{position} : std::ptrdiff_t{position} * points_ + first) * channels_;
  const auto pairs = [&](auto function) {
    each_pair(numbers, points, channels_, other, same, function);
  };
  switch (link.operation) {
    case Operation::add:
      return pairs([](float a, float b) { return a + b; });
    case Operation::subtract:
      return pairs([](float a, float b) { return a - b; });
    case Operation::subtract_from:
      return pairs([](float a, float b) { return b - a; });
    case Operation::multiply:
      return pairs([](float a, float b) { return a * b; });
    case Operation::relu:
      return each(numbers, count, [](float x) { return x > 0.0f ? x : 0.0f; });
    case Operation::mish:
      return each_vector(numbers, count, mish);
    case Operation::sigmoid:
      return each_vector(numbers, count, sigmoid);
    case Operation::tanh:
      return each(numbers, count, [](float x) { return std::tanh(x); });
    case Operation::softplus:
      return each(numbers, count, softplus);
    case Operation::square_root:
      return each(numbers, count, [](float x) { return std::sqrt(x); });
    case Operation::silu:
      return each_vector(numbers, count, silu);
    case Operation::selu:
      return each_vector(numbers, count, selu);
    case Operation::square:
      return each(numbers, count, [](float x) { return x * x; });
  }
}

}  // namespace kibitz::nets
