// The sample of a position in Python (games/sample.h): the same methods on every game's state.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "games/sample.h"

namespace kibitz::bind {

using SampleArray = nanobind::ndarray<nanobind::numpy, float, nanobind::c_contig>;
using SampleTarget =
    nanobind::ndarray<nanobind::numpy, float, nanobind::c_contig, nanobind::device::cpu>;

/// A new array of these sizes, all zeros, that belongs to Python.
inline SampleArray new_array(const std::vector<std::size_t>& shape) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  auto data = std::make_unique<float[]>(size);
  float* kept = data.release();
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return SampleArray(kept, shape.size(), shape.data(), owner);
}

template <SampleGame G>
int checked_symmetry(const G& position, int symmetry) {
  if (symmetry < 0 || symmetry >= Sample<G>::symmetry_count(position))
    throw nanobind::value_error("there is no such symmetry of the board");
  return symmetry;
}

template <SampleGame G>
std::pair<SampleArray, SampleArray> encode(const G& position) {
  const FeatureShape shape = position.feature_shape();
  const auto n = [](int number) { return static_cast<std::size_t>(number); };
  SampleArray planes = new_array({n(shape.planes), n(shape.rows), n(shape.columns)});
  SampleArray globals = new_array({n(shape.globals)});
  position.write_features(planes.data(), globals.data());
  return {planes, globals};
}

/// Writes into rows of the caller's arrays; they must have the position's sizes.
template <SampleGame G>
void encode_into(const G& position, SampleTarget planes, SampleTarget globals) {
  const FeatureShape shape = position.feature_shape();
  if (planes.size() != static_cast<std::size_t>(shape.plane_floats()) ||
      globals.size() != static_cast<std::size_t>(shape.globals))
    throw nanobind::value_error("the arrays do not have the sizes of sample_shape");
  position.write_features(planes.data(), globals.data());
}

/// ([win, draw, loss], the margin or None, who owns each point or None), for a side.
template <SampleGame G>
auto targets(const G& last, int side) {
  if (!last.is_over()) throw nanobind::value_error("the game is not over");
  if (side != 0 && side != 1) throw nanobind::value_error("a side is 0 or 1");
  const Targets targets = Sample<G>::targets(last);
  const float sign = side == 0 ? 1.0f : -1.0f;
  std::array<float, 3> value{targets.win, targets.draw, targets.loss};
  if (side == 1) std::swap(value[0], value[2]);
  std::optional<float> score;
  if (Sample<G>::kHasScore) score = sign * targets.score;
  std::optional<SampleArray> owners;
  if constexpr (Sample<G>::kHasOwnership) {
    const FeatureShape shape = last.feature_shape();
    owners =
        new_array({static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.columns)});
    Sample<G>::write_owners(last, owners->data());
    for (int p = 0; p < shape.points(); ++p) owners->data()[p] *= sign;
  }
  return std::tuple(std::tuple(value[0], value[1], value[2]), score, owners);
}

template <SampleGame G>
void bind_sample(nanobind::class_<G>& bound) {
  namespace nb = nanobind;
  using namespace nb::literals;
  bound
      .def_prop_ro(
          "sample_shape",
          [](const G& position) {
            const FeatureShape shape = position.feature_shape();
            return std::tuple(shape.planes, shape.rows, shape.columns, shape.globals, shape.policy);
          },
          "Planes, rows, columns, globals and the policy's size.")
      .def("encode", &encode<G>, "A network's planes and globals, from the mover's side.")
      .def("encode_into", &encode_into<G>, "planes"_a.noconvert(), "globals"_a.noconvert(),
           "The same, written into float32 arrays.")
      .def(
          "policy_index",
          [](const G& position, Move move) {
            const int index = position.policy_index(move);
            if (index < 0 || index >= position.feature_shape().policy)
              throw nb::value_error("the policy has no such move");
            return index;
          },
          "move"_a, "Which output of the policy is a move's.")
      .def(
          "policy_move",
          [](const G& position, int index) {
            const Move move = policy_move(position, index);
            if (move == kNoMove) throw nb::value_error("no legal move has this policy index");
            return move;
          },
          "index"_a, "The legal move that an output of the policy stands for.")
      .def_prop_ro("symmetry_count", &Sample<G>::symmetry_count)
      .def(
          "symmetric_points",
          [](const G& position, int symmetry) {
            checked_symmetry(position, symmetry);
            std::vector<int> to;
            for (int p = 0; p < position.feature_shape().points(); ++p)
              to.push_back(Sample<G>::symmetric_point(position, p, symmetry));
            return to;
          },
          "symmetry"_a, "Where each point of the planes goes.")
      .def(
          "symmetric_policy",
          [](const G& position, int symmetry) {
            checked_symmetry(position, symmetry);
            std::vector<int> to;
            for (int i = 0; i < position.feature_shape().policy; ++i)
              to.push_back(Sample<G>::symmetric_index(position, i, symmetry));
            return to;
          },
          "symmetry"_a, "Where each output of the policy goes.")
      .def(
          "targets", &targets<G>, "side"_a,
          "What a finished game teaches, for a side: ((win, draw, loss), margin or None, owners or "
          "None).");
}

}  // namespace kibitz::bind
