#include "nets/operation.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nets/exponential.h"
#include "nets/lanes.h"

namespace kibitz::nets {
namespace {

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

void apply(Operation operation, float* numbers, int count) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::subtract_from:
    case Operation::multiply:
      throw std::invalid_argument("an operation of two numbers");
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
