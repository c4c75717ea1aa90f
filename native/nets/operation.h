// Operations along numbers, by their names in ONNX. Those of one number are applied here, by the
// layer that made the numbers or by a step of their own.
#pragma once

#include <string>

namespace kibitz::nets {

enum class Operation {
  add,
  subtract,
  subtract_from,
  multiply,
  relu,
  mish,
  sigmoid,
  tanh,
  softplus,
  square_root,
  silu,
  selu,
  square
};

/// Whether it takes another number beside the one it changes.
inline bool is_binary(Operation operation) { return operation <= Operation::multiply; }

/// By its name in ONNX, and three that it lacks: `RSub`, the subtraction turned around, `Silu` and
/// `Square`. Throws for others.
Operation operation_named(const std::string& name);

/// Changes `count` numbers in place; the operation is not a binary one.
void apply(Operation operation, float* numbers, int count);

}  // namespace kibitz::nets
