// The layers of networks beside the same sums written plainly.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "nets/conv.h"
#include "nets/elementwise.h"
#include "nets/matrix.h"
#include "nets/program.h"
#include "nets/steps.h"
#include "tests/check.h"
#include "tests/small_network.h"

using namespace kibitz::nets;
using kibitz::test::numbers;
using kibitz::test::random_bits;
using kibitz::test::small_program;

namespace {

void float_matrices() {
  for (const int columns : {1, 5, 16, 48, 64, 80, 96, 131})
    for (const int depth : {1, 7, 64})
      for (const int rows : {1, 2, 9, 13, 30}) {
        const auto a = numbers(at(rows) * at(depth)), b = numbers(at(depth) * at(columns));
        const FloatMatrix matrix(b, depth, columns);
        const int padded = matrix.panels.padded();
        CHECK(padded >= columns);
        std::vector<float> out(at(rows) * at(padded), -9.0f);
        matrix.multiply(a.data(), depth, rows, out.data(), padded);
        double worst = 0;
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c) {
            double sum = 0;
            for (int k = 0; k < depth; ++k)
              sum += double{a[at(r * depth + k)]} * double{b[at(k * columns + c)]};
            worst = std::max(worst, std::abs(sum - double{out[at(r * padded + c)]}));
          }
        CHECK(worst < 1e-5);
      }
}

void short_matrices() {
  std::uniform_int_distribution<int> between(-2000, 2000);
  for (const int columns : {3, 16, 96})
    for (const int depth : {2, 32, 64}) {
      const int rows = 11;
      std::vector<std::int16_t> a(at(rows) * at(depth)), b(at(depth) * at(columns));
      for (auto& x : a) x = static_cast<std::int16_t>(between(random_bits));
      for (auto& x : b) x = static_cast<std::int16_t>(between(random_bits));
      const ShortMatrix matrix(b, depth, columns);
      const int padded = matrix.panels.padded();
      std::vector<std::int32_t> out(at(rows) * at(padded));
      matrix.multiply(a.data(), depth, rows, out.data(), padded);
      bool same = true;
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
          std::int32_t sum = 0;
          for (int k = 0; k < depth; ++k) sum += a[at(r * depth + k)] * b[at(k * columns + c)];
          same = same && sum == out[at(r * padded + c)];
        }
      CHECK(same);
    }
}

/// The convolution as it is defined.
std::vector<double> plain_conv(const ConvShape& shape, const std::vector<float>& weights,
                               const std::vector<float>& bias, const std::vector<float>& in,
                               int count) {
  std::vector<double> out;
  for (int n = 0; n < count; ++n)
    for (int row = 0; row < shape.rows; ++row)
      for (int column = 0; column < shape.columns; ++column)
        for (int o = 0; o < shape.outputs; ++o) {
          double sum = double{bias[at(o)]};
          for (int i = 0; i < shape.inputs; ++i)
            for (int y = 0; y < shape.height; ++y)
              for (int x = 0; x < shape.width; ++x) {
                const int r = row + (y - shape.height / 2) * shape.row_step;
                const int c = column + (x - shape.width / 2) * shape.column_step;
                if (r < 0 || r >= shape.rows || c < 0 || c >= shape.columns) continue;
                sum +=
                    double{weights[at(((o * shape.inputs + i) * shape.height + y) * shape.width +
                                      x)]} *
                    double{in[at(((n * shape.rows + r) * shape.columns + c) * shape.inputs + i)]};
              }
          out.push_back(sum);
        }
  return out;
}

void check_conv(const ConvShape& shape, int count, const Rounding& rounding, double allowed) {
  const auto weights =
      numbers(at(shape.outputs) * at(shape.inputs) * at(shape.height) * at(shape.width));
  const auto bias = numbers(at(shape.outputs));
  const std::size_t points = at(count) * at(shape.points());
  const auto in = numbers(points * at(shape.inputs), rounding.low < 0 ? -1.0f : 0.0f);
  const auto residual = numbers(points * at(shape.outputs));
  const auto want = plain_conv(shape, weights, bias, in, count);
  const auto conv = make_conv(shape, weights, bias, rounding);
  ConvScratch scratch;
  for (const bool relu : {false, true})
    for (const bool added : {false, true}) {
      std::vector<float> out(want.size(), 77.0f);
      conv->run(in.data(), count, out.data(), {added ? residual.data() : nullptr, relu}, scratch);
      double worst = 0;
      for (std::size_t i = 0; i < want.size(); ++i) {
        double expected = want[i] + (added ? double{residual[i]} : 0.0);
        if (relu) expected = std::max(expected, 0.0);
        worst = std::max(worst, std::abs(expected - double{out[i]}));
      }
      if (!CHECK(worst < allowed)) std::cerr << "    off by " << worst << '\n';
    }
}

void convolutions() {
  for (const auto& [rows, columns] : {std::pair{2, 2}, {3, 7}, {8, 8}, {9, 9}, {13, 5}, {19, 19}})
    check_conv({rows, columns, 32, 16, 3, 3}, 3, {}, 1e-4);
  check_conv({19, 19, 16, 48, 3, 3}, 5, {}, 1e-4);
  check_conv({9, 9, 22, 16, 5, 5}, 2, {}, 1e-4);        // another window
  check_conv({9, 9, 16, 16, 3, 3, 2, 3}, 2, {}, 1e-4);  // dilated
  check_conv({9, 9, 16, 1, 1, 1}, 2, {}, 1e-4);         // one point, one channel
  check_conv({7, 6, 5, 3, 3, 3}, 2, {}, 1e-4);          // no whole vectors
}

/// Five times the error of a sum of inputs that each err by up to half a step.
double five_sigma(const ConvShape& shape, const Rounding& rounding) {
  const double terms = shape.inputs * shape.height * shape.width;
  return 5 * double{rounding.step} / std::sqrt(12.0) * std::sqrt(terms / 3.0);
}

void rounded_convolutions() {
  for (const int inputs : {16, 96}) {
    for (const Rounding& rounding : {Rounding{1.0f / 255, 0}, Rounding{2.0f / 255, -128}}) {
      const ConvShape square{9, 9, inputs, 16, 3, 3}, point{8, 8, inputs, 17, 1, 1};
      check_conv(square, 3, rounding, five_sigma(square, rounding));
      check_conv(point, 3, rounding, five_sigma(point, rounding));
    }
  }
}

/// Inputs on the steps exactly: only the weights are rounded, and they have more bits than eight.
void rounded_weights() {
  const ConvShape shape{8, 8, 96, 16, 3, 3};
  const auto weights = numbers(at(16 * 96 * 9));
  const auto bias = numbers(16);
  std::vector<float> in(at(64 * 96));
  for (float& x : in) x = static_cast<float>(random_bits() % 256);
  const auto want = plain_conv(shape, weights, bias, in, 1);
  ConvScratch scratch;
  std::vector<float> out(want.size());
  make_conv(shape, weights, bias, {1.0f, 0})->run(in.data(), 1, out.data(), {}, scratch);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    error += std::pow(want[i] - double{out[i]}, 2);
    size += want[i] * want[i];
  }
  CHECK(std::sqrt(error / size) < 1e-3);
}

/// The largest inputs with the worst signs: sums must stay within int32.
void sums_never_overflow() {
  const ConvShape shape{6, 6, 512, 16, 3, 3};
  for (const int sign : {1, -1})
    for (int odd = 0; odd < 2; ++odd) {
      std::vector<float> weights(at(16 * 512 * 9));
      for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<float>(sign) * (odd && i % 2 ? -1.0f : 1.0f);
      std::vector<float> in(at(36 * 512), 255.0f);
      for (int p = 0; p < 36; ++p)
        if (odd && p % 2)
          for (int c = 0; c < 512; ++c) in[at(p * 512 + c)] = 0.0f;
      const std::vector<float> bias(16, 0.0f);
      const auto want = plain_conv(shape, weights, bias, in, 1);
      ConvScratch scratch;
      std::vector<float> out(want.size());
      make_conv(shape, weights, bias, {1.0f, 0})->run(in.data(), 1, out.data(), {}, scratch);
      double worst = 0;
      for (std::size_t i = 0; i < want.size(); ++i)
        worst = std::max(worst, std::abs(want[i] - double{out[i]}));
      CHECK(worst < 0.005 * 9 * 512 * 255);
    }
}

std::vector<float> chain(const std::vector<Link>& links, const std::vector<float>& in) {
  Program program;
  const int from = program.input(static_cast<int>(in.size())),
            to = program.value(static_cast<int>(in.size()));
  program.add(std::make_unique<ElementwiseStep>(from, to, 1, static_cast<int>(in.size()), links));
  program.output(to);
  program.finish();
  std::vector<float> out(in.size());
  const float* inputs[] = {in.data()};
  float* outputs[] = {out.data()};
  program.run(1, inputs, outputs);
  return out;
}

void activations() {
  std::vector<float> in;
  for (float x = -95.0f; x < 95.0f; x += 0.37f) in.push_back(x);
  const auto check = [&](const char* name, auto exact) {
    const auto out = chain({{operation_named(name), -1, {}, false}}, in);
    double worst = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double want = exact(double{in[i]});
      worst = std::max(worst, std::abs(want - double{out[i]}) / std::max(1.0, std::abs(want)));
    }
    if (!CHECK(worst < 1e-6)) std::cerr << "    " << name << " is off by " << worst << '\n';
  };
  check("Relu", [](double x) { return std::max(x, 0.0); });
  check("Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); });
  check("Tanh", [](double x) { return std::tanh(x); });
  check("Softplus", [](double x) { return x > 40 ? x : std::log1p(std::exp(x)); });
  check("Mish", [](double x) { return x * std::tanh(x > 40 ? x : std::log1p(std::exp(x))); });
  CHECK_THROWS(std::invalid_argument, operation_named("Cosine"), "Cosine");
}

/// Positions do not touch each other, whatever the batch and the outputs asked for.
void programs() {
  const auto program = small_program();
  const int count = 40;
  const auto in = numbers(at(count * 81 * 16));
  std::vector<float> mean(at(count * 16)), most(at(count * 16));
  const float* inputs[] = {in.data()};
  float* outputs[] = {mean.data(), most.data()};
  program->run(count, inputs, outputs);
  for (int n = 0; n < count; n += 7) {
    std::vector<float> alone(16);
    const float* one[] = {in.data() + n * 81 * 16};
    float* to[] = {nullptr, alone.data()};
    program->run(1, one, to);
    CHECK(std::equal(alone.begin(), alone.end(), most.begin() + n * 16));
  }
}

void mistakes() {
  Program program;
  const int in = program.input(4);
  CHECK_THROWS(std::invalid_argument, program.value(0), "without numbers");
  CHECK_THROWS(std::invalid_argument,
               make_conv({9, 9, 4, 4, 3, 3}, std::vector<float>(5), std::vector<float>(4), {}),
               "does not fit");
  CHECK_THROWS(std::invalid_argument, GatherStep(in, in, {4}, 4), "outside");
  float* none[] = {nullptr};
  const float* inputs[] = {nullptr};
  CHECK_THROWS(std::logic_error, program.run(1, inputs, none), "not finished");
}

}  // namespace

int main() {
  float_matrices();
  short_matrices();
  convolutions();
  rounded_convolutions();
  rounded_weights();
  sums_never_overflow();
  activations();
  programs();
  mistakes();
  return kibitz::test::report();
}
