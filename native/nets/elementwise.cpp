#include "nets/elementwise.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kibitz::nets {
namespace {

/// Numbers done at a time.
constexpr int kChunk = 2048;

/// `function(number, other)`, the others of one point or of all.
template <class Function>
void each_pair(float* numbers, int points, int channels, const float* other, bool same,
               Function function) {
  const int run = same ? channels : points * channels;
  for (int done = 0; done < points * channels; done += run, numbers += run)
    for (int c = 0; c < run; ++c) numbers[c] = function(numbers[c], other[c]);
}

}  // namespace

ElementwiseStep::ElementwiseStep(int in, int out, int points, int channels, std::vector<Link> links)
    : points_(points), channels_(channels), links_(std::move(links)) {
  reads = {in};
  for (const Link& link : links_) {
    const bool binary = is_binary(link.operation);
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
    case Operation::mish:
    case Operation::sigmoid:
    case Operation::tanh:
    case Operation::softplus:
    case Operation::square_root:
    case Operation::silu:
    case Operation::selu:
    case Operation::square:
      return nets::apply(link.operation, numbers, points * channels_);
  }
}

}  // namespace kibitz::nets
