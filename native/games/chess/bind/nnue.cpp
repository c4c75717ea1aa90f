// Training of the chess network's score in Python, and the sums of a line of positions.
#include "games/chess/evaluate/nnue.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "bind/sample_binding.h"
#include "bind/text.h"
#include "games/chess/bind/accumulators.h"
#include "games/chess/bind/parts.h"
#include "games/chess/evaluate/nnue_fit.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using chess::LabelledBoard;
using chess::NnueFit;
using Records = nb::ndarray<const std::uint8_t, nb::shape<-1, 32>, nb::c_contig, nb::device::cpu>;
using State = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<LabelledBoard> boards_of(const Records& records) {
  std::vector<LabelledBoard> boards(records.shape(0));
  std::memcpy(boards.data(), records.data(), boards.size() * sizeof(LabelledBoard));
  return boards;
}

SampleArray array_of(const std::vector<float>& from, std::initializer_list<std::size_t> shape) {
  SampleArray array = new_array(shape);
  std::copy(from.begin(), from.end(), array.data());
  return array;
}

std::map<std::string, SampleArray> tensors_of(const NnueFit::Tensors& tensors, int width) {
  const auto columns = static_cast<std::size_t>(width);
  return {
      {"score.pieces.weights",
       array_of(tensors.pieces, {tensors.pieces.size() / columns, columns})},
      {"score.pieces.bias", array_of(tensors.bias, {columns})},
      {"score.output.weights", array_of(tensors.output, {2 * columns, chess::kNnueOutputs})},
      {"score.output.bias", array_of(tensors.output_bias, {chess::kNnueOutputs})},
  };
}

}  // namespace

void bind_chess_nnue(nb::module_& m) {
  m.attr("CHESS_NNUE_FEATURES") = chess::NnueFeatures::kCount;
  m.attr("CHESS_NNUE_OUTPUTS") = chess::kNnueOutputs;
  nb::class_<NnueFit>(m, "ChessNnueFit", "Fits the chess network's score to labelled positions.")
      .def(nb::init<int, std::uint64_t>(), "width"_a, "seed"_a)
      .def(
          "step",
          [](NnueFit& self, const Records& records, float unit, float result_share, float power,
             float rate) {
            const auto boards = boards_of(records);
            const nb::gil_scoped_release release;
            return self.step(boards, {unit, result_share, power}, rate);
          },
          "records"_a, "unit"_a, "result_share"_a, "power"_a, "rate"_a,
          "One step of Adam on a batch (n x 32 bytes); the mean loss before it.")
      .def(
          "predict",
          [](const NnueFit& self, const Records& records) {
            const auto boards = boards_of(records);
            SampleArray logits = new_array({boards.size()});
            self.predict(boards, {logits.data(), boards.size()});
            return logits;
          },
          "records"_a, "The network's logits.")
      .def(
          "gradients",
          [](NnueFit& self, const Records& records, float unit, float result_share, float power) {
            const auto boards = boards_of(records);
            return tensors_of(self.gradients(boards, {unit, result_share, power}), self.width());
          },
          "records"_a, "unit"_a, "result_share"_a, "power"_a,
          "The gradients of the mean loss, named as the tensors.")
      .def(
          "tensors", [](const NnueFit& self) { return tensors_of(self.tensors(), self.width()); },
          "The weights as a network's file has them.")
      .def(
          "state",
          [](const NnueFit& self) {
            const std::vector<float> state = self.state();
            return array_of(state, {state.size()});
          },
          "All that a run goes on from.")
      .def(
          "restore",
          [](NnueFit& self, const State& state) { self.restore({state.data(), state.size()}); },
          "state"_a);
  m.def(
      "chess_nnue_line",
      [](const ChessAccumulators& network, const std::vector<Chess>& line) {
        if (!network.network->nnue()) throw nb::value_error("a network without such a score");
        chess::NnueSums sums(*network.network->nnue(), 16);
        std::vector<int> scores;
        for (std::size_t i = 0; i < line.size(); ++i)
          scores.push_back(sums.score(line[i].board(), static_cast<int>(i % 16)));
        return scores;
      },
      "network"_a, "line"_a,
      "Scores in centipawns of positions, each from the sums of those before it.");
}

}  // namespace kibitz::bind
