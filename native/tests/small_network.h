// A small network program to test with, and the random numbers it is made of.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "nets/conv.h"
#include "nets/program.h"
#include "nets/steps.h"

namespace kibitz::test {

using namespace kibitz::nets;

inline std::mt19937 random_bits(7);

inline std::vector<float> numbers(std::size_t count, float low = -1.0f, float high = 1.0f) {
  std::uniform_real_distribution<float> between(low, high);
  std::vector<float> out(count);
  for (float& x : out) x = between(random_bits);
  return out;
}

/// A small program with a residual, a pooling and two outputs.
inline std::unique_ptr<Program> small_program() {
  auto program = std::make_unique<Program>();
  const ConvShape shape{9, 9, 16, 16, 3, 3};
  const auto weights = numbers(at(16 * 16 * 9), -0.1f, 0.1f), bias = numbers(16);
  const int in = program->input(81 * 16);
  int value = in;
  for (int block = 0; block < 3; ++block) {
    const int inner = program->value(81 * 16), sum = program->value(81 * 16);
    program->add(
        std::make_unique<ConvStep>(value, inner, make_conv(shape, weights, bias, {}), -1, true));
    program->add(
        std::make_unique<ConvStep>(inner, sum, make_conv(shape, weights, bias, {}), value, false));
    value = sum;
  }
  const int mean = program->value(16), most = program->value(16);
  program->add(std::make_unique<PoolStep>(value, mean, 81, 16, false));
  program->add(std::make_unique<PoolStep>(value, most, 81, 16, true));
  program->output(mean);
  program->output(most);
  program->finish();
  return program;
}

}  // namespace kibitz::test
