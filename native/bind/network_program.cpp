// Networks as programs of the core, in Python: written step by step, then run.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.h"
#include "bind/checks.h"
#include "bind/text.h"
#include "evaluate/direct_network.h"
#include "nets/attention.h"
#include "nets/conv.h"
#include "nets/elementwise.h"
#include "nets/program.h"
#include "nets/steps.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using nets::at;
using nets::Program;
using Numbers = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Batch = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Pair = std::tuple<int, int>;
using Link = std::tuple<std::string, int, std::vector<float>, bool>;

template <class Array>
std::span<const float> span_of(const Array& array) {
  return {array.data(), array.size()};
}

template <class Array>
int size(const Array& array, std::size_t axis) {
  return static_cast<int>(array.shape(axis));
}

std::vector<float> copied(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

/// Numbers of a board or a step; more than any network has are refused, so that sizes do not
/// overflow.
std::int64_t numbers(std::int64_t a, std::int64_t b, std::int64_t c = 1) {
  for (const std::int64_t size : {a, b, c}) in_range("a size", size, 1, 1 << 20);
  return in_range("a value", a * b * c, 1, 1 << 28);
}

/// A step must not reach past the end of what it reads or writes.
void check_room(const Program& program, int value, std::int64_t floats) {
  if (value < 0 || program.floats(value) < floats)
    throw nb::value_error("a step that does not fit its values");
}

void stem(Program& program, int in, int out, const Weights& weights, const Numbers& bias,
          const Pair& board, bool relu) {
  nets::SparseStem made(span_of(weights), size(weights, 0), size(weights, 1), size(weights, 2),
                        size(weights, 3), std::get<0>(board), std::get<1>(board));
  const auto& [rows, columns] = board;
  check_room(program, in, numbers(rows, columns, size(weights, 1)));
  check_room(program, out, numbers(rows, columns, size(weights, 0)));
  if (bias.size() != weights.shape(0))
    throw nb::value_error("a bias that does not fit the weights");
  program.add(std::make_unique<nets::StemStep>(in, out, std::move(made), copied(bias), relu));
}

void conv(Program& program, int in, int out, const Weights& weights, const Numbers& bias,
          const Pair& board, const Pair& dilation, float step, int low, int residual, bool relu,
          const std::vector<std::string>& functions) {
  const nets::ConvShape shape{std::get<0>(board),    std::get<1>(board),   size(weights, 1),
                              size(weights, 0),      size(weights, 2),     size(weights, 3),
                              std::get<0>(dilation), std::get<1>(dilation)};
  check_room(program, in, numbers(shape.rows, shape.columns, shape.inputs));
  check_room(program, out, numbers(shape.rows, shape.columns, shape.outputs));
  if (residual != -1)
    check_room(program, residual, numbers(shape.rows, shape.columns, shape.outputs));
  std::vector<nets::Operation> after;
  for (const std::string& name : functions) after.push_back(nets::operation_named(name));
  if (std::any_of(after.begin(), after.end(), nets::is_binary) ||
      (!after.empty() && shape.height * shape.width > 1))
    throw nb::value_error("a convolution of one point takes functions of one number");
  auto made = nets::make_conv(shape, span_of(weights), span_of(bias), {step, low});
  program.add(
      std::make_unique<nets::ConvStep>(in, out, std::move(made), residual, relu, std::move(after)));
}

void dense(Program& program, int in, int out, int rows, const Matrix& matrix, const Numbers& bias) {
  check_room(program, in, numbers(rows, size(matrix, 0)));
  check_room(program, out, numbers(rows, size(matrix, 1)));
  if (bias.size() != matrix.shape(1)) throw nb::value_error("a bias that does not fit the matrix");
  program.add(std::make_unique<nets::DenseStep>(in, out, rows, span_of(matrix), span_of(bias),
                                                size(matrix, 0), size(matrix, 1)));
}

void sparse_dense(Program& program, int in, int out, const Matrix& matrix, const Numbers& bias) {
  check_room(program, in, numbers(size(matrix, 0), 1));
  check_room(program, out, numbers(size(matrix, 1), 1));
  if (bias.size() != matrix.shape(1)) throw nb::value_error("a bias that does not fit the matrix");
  program.add(std::make_unique<nets::SparseDenseStep>(
      in, out, program.floats(in), std::vector<float>(matrix.data(), matrix.data() + matrix.size()),
      copied(bias)));
}

void norm(Program& program, int in, int out, int points, const Numbers& scale, const Numbers& bias,
          float epsilon, bool centred) {
  const std::int64_t floats = numbers(points, static_cast<std::int64_t>(scale.size()));
  check_room(program, in, floats);
  check_room(program, out, floats);
  if (bias.size() != scale.size()) throw nb::value_error("a bias that does not fit the scale");
  program.add(std::make_unique<nets::NormStep>(in, out, points, copied(scale), copied(bias),
                                               epsilon, centred));
}

void attention(Program& program, const std::vector<int>& values, int bias, int out, int points,
               const Pair& heads, const Pair& sizes, float scale) {
  if (values.size() != 3) throw nb::value_error("attention of queries, keys and values");
  const nets::AttentionShape shape{points, std::get<0>(heads), std::get<1>(heads),
                                   std::get<0>(sizes), std::get<1>(sizes)};
  check_room(program, values[0], numbers(points, shape.heads, shape.size));
  check_room(program, values[1], numbers(points, shape.key_heads, shape.size));
  check_room(program, values[2], numbers(points, shape.key_heads, shape.value_size));
  check_room(program, out, numbers(points, shape.heads, shape.value_size));
  if (bias != -1) check_room(program, bias, numbers(points, points, shape.heads));
  program.add(std::make_unique<nets::AttentionStep>(values[0], values[1], values[2], bias, out,
                                                    shape, scale));
}

void elementwise(Program& program, int in, int out, int points, int channels,
                 const std::vector<Link>& links) {
  check_room(program, in, numbers(points, channels));
  check_room(program, out, numbers(points, channels));
  std::vector<nets::Link> chain;
  for (const auto& [name, value, constants, same] : links) {
    if (value != -1) check_room(program, value, same ? channels : numbers(points, channels));
    if (!constants.empty() && constants.size() < at(channels))
      throw nb::value_error("constants that do not fit the channels");
    chain.push_back({nets::operation_named(name), value, constants, same});
  }
  program.add(std::make_unique<nets::ElementwiseStep>(in, out, points, channels, std::move(chain)));
}

/// The outputs that are wanted, [n, floats] each, in the program's order.
std::vector<nb::ndarray<nb::numpy, float>> run(const Program& program,
                                               const std::vector<Batch>& inputs,
                                               const std::vector<bool>& wanted) {
  if (inputs.size() != program.inputs().size() || wanted.size() != program.outputs().size())
    throw nb::value_error("inputs or outputs of another program");
  const std::size_t count = inputs.empty() || inputs[0].ndim() == 0 ? 0 : inputs[0].shape(0);
  std::vector<const float*> from;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].size() != count * at(program.floats(program.inputs()[i])))
      throw nb::value_error("an input of another shape than the network was made for");
    from.push_back(inputs[i].data());
  }
  std::vector<std::unique_ptr<float[]>> made;
  std::vector<float*> to;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t floats = count * at(program.floats(program.outputs()[i]));
    made.push_back(wanted[i] ? std::unique_ptr<float[]>(new float[floats]) : nullptr);
    to.push_back(made.back().get());
  }
  {
    const nb::gil_scoped_release unlocked;
    program.run(static_cast<int>(count), from, to);
  }
  std::vector<nb::ndarray<nb::numpy, float>> results;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    const std::size_t shape[] = {count, at(program.floats(program.outputs()[i]))};
    float* data = made[i].release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    results.emplace_back(data, 2, shape, owner);
  }
  return results;
}

}  // namespace

void bind_network_program(nb::module_& m) {
  nb::class_<Program>(m, "NetworkProgram",
                      "A network as steps from values to values, for one board size. A value is "
                      "a list of floats for each position; planes are points by channels.")
      .def(nb::init<>())
      .def(
          "input",
          [](Program& program, int floats) {
            return program.input(in_range("floats", floats, 1, 1 << 28));
          },
          "floats"_a, "A value the caller brings.")
      .def(
          "value",
          [](Program& program, int floats) {
            return program.value(in_range("floats", floats, 1, 1 << 28));
          },
          "floats"_a, "A value a step makes.")
      .def("output", &Program::output, "value"_a)
      .def("stem", &stem, "source"_a, "target"_a, "weights"_a, "bias"_a, "board"_a, "relu"_a,
           "The first convolution, of planes [channel, row, column] that are mostly zeros.")
      .def("conv", &conv, "source"_a, "target"_a, "weights"_a, "bias"_a, "board"_a, "dilation"_a,
           "step"_a, "low"_a, "residual"_a, "relu"_a, "functions"_a = std::vector<std::string>{},
           "A convolution; the input is rounded to `step` (0: it is not), a residual is added "
           "unless it is -1, `functions` follow where the window is one point.")
      .def("dense", &dense, "source"_a, "target"_a, "rows"_a, "matrix"_a, "bias"_a)
      .def("sparse_dense", &sparse_dense, "source"_a, "target"_a, "matrix"_a, "bias"_a,
           "A matrix product of planes that are mostly zeros.")
      .def("norm", &norm, "source"_a, "target"_a, "points"_a, "scale"_a, "bias"_a, "epsilon"_a,
           "centred"_a, "Layer norm of each point over its channels; RMS norm unless centred.")
      .def("attention", &attention, "values"_a, "bias"_a, "target"_a, "points"_a, "heads"_a,
           "sizes"_a, "scale"_a,
           "Attention of queries, keys and values; `bias` [head, point, point] is added to the "
           "scores unless it is -1. `heads` of queries and of keys, `sizes` of keys and of values.")
      .def(
          "point_products",
          [](Program& program, int left, int right, int out, int points, int channels) {
            check_room(program, left, numbers(points, channels));
            check_room(program, right, numbers(points, channels));
            check_room(program, out, numbers(points, points));
            program.add(
                std::make_unique<nets::PointProductsStep>(left, right, out, points, channels));
          },
          "left"_a, "right"_a, "target"_a, "points"_a, "channels"_a,
          "Every point of one value times every point of the other.")
      .def(
          "pool",
          [](Program& program, int in, int out, int points, int channels, bool maximum) {
            check_room(program, in, numbers(points, channels));
            check_room(program, out, channels);
            program.add(std::make_unique<nets::PoolStep>(in, out, points, channels, maximum));
          },
          "source"_a, "target"_a, "points"_a, "channels"_a, "maximum"_a)
      .def(
          "gather",
          [](Program& program, int in, int out, std::vector<int> places) {
            for (const int place : places) in_range("a place", place, 0, program.floats(in) - 1);
            check_room(program, out, static_cast<std::int64_t>(places.size()));
            program.add(
                std::make_unique<nets::GatherStep>(in, out, std::move(places), program.floats(in)));
          },
          "source"_a, "target"_a, "places"_a)
      .def(
          "join",
          [](Program& program, std::vector<int> parts, int out) {
            std::vector<int> floats;
            std::int64_t together = 0;
            for (const int part : parts) together += floats.emplace_back(program.floats(part));
            check_room(program, out, together);
            program.add(std::make_unique<nets::JoinStep>(std::move(parts), out, std::move(floats)));
          },
          "sources"_a, "target"_a)
      .def(
          "softmax",
          [](Program& program, int in, int out) {
            check_room(program, out, program.floats(in));
            program.add(std::make_unique<nets::SoftmaxStep>(in, out, program.floats(in)));
          },
          "source"_a, "target"_a)
      .def("elementwise", &elementwise, "source"_a, "target"_a, "points"_a, "channels"_a, "links"_a,
           "A chain of (operation, value or -1, constants, whether the value is the same on every "
           "point).")
      .def("finish", &Program::finish, "To be called once, after the last step.")
      .def("run", &run, "inputs"_a, "wanted"_a, "The outputs that are wanted, in order.");
  nb::class_<DirectNetwork>(m, "DirectNetwork",
                            "A program a search calls without a way through Python.")
      .def(nb::init<std::shared_ptr<const Program>, std::vector<std::string>,
                    const std::vector<std::string>&, std::vector<int>>(),
           "program"_a, "inputs"_a, "outputs"_a, "details"_a);
}

}  // namespace kibitz::bind
