// Othello's pattern evaluation in Python: weights, fitting, labels from search.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "base/rng.h"
#include "bind/alpha_beta_binding.h"
#include "games/othello/bind/parts.h"
#include "games/othello/evaluate/fit.h"
#include "games/othello/evaluate/patterns.h"
#include "games/othello/search/judge.h"
#include "search/alpha_beta_selfplay.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using Boards = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Records = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// A vector as a NumPy array that owns it.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> as_array(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

void check_boards(const Boards& player, const Boards& opponent) {
  if (player.shape(0) != opponent.shape(0))
    throw nb::value_error("player and opponent differ in length");
  for (std::size_t i = 0; i < player.shape(0); ++i)
    if (player(i) & opponent(i)) throw nb::value_error("a square has discs of both colours");
}

Othello board_of(const Boards& player, const Boards& opponent, std::size_t i) {
  Othello game;
  game.player = player(i);
  game.opponent = opponent(i);
  game.side = 0;
  return game;
}

/// Margins by search: exact where few squares are empty, else of a fixed depth.
class Labeler {
 public:
  Labeler(std::shared_ptr<OthelloEvaluation> evaluation, std::size_t table_mb)
      : table_(table_mb << 20), search_(OthelloJudge(std::move(evaluation)), table_, stop_) {}

  nb::ndarray<nb::numpy, float, nb::ndim<1>> label(const Boards& player, const Boards& opponent,
                                                   int depth, int exact_empties, int selectivity) {
    check_boards(player, opponent);
    if (depth < 0 || depth > 60 || selectivity < 0 || selectivity > kNoCuts)
      throw nb::value_error("depth is 0 to 60, selectivity 0 to 5");
    std::vector<float> margins(player.shape(0));
    {
      const nb::gil_scoped_release unlocked;
      for (std::size_t i = 0; i < margins.size(); ++i)
        margins[i] = static_cast<float>(
                         one(board_of(player, opponent, i), depth, exact_empties, selectivity)) /
                     othello::kDiscUnit;
    }
    return as_array(std::move(margins));
  }

  /// Games of the search with itself, after `random_plies` random moves: 60 squares each, 64 where
  /// a game is over.
  nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>> play(int games, int random_plies, int depth,
                                                         std::uint64_t seed) {
    if (games < 1 || games > 10'000'000 || random_plies < 0 || random_plies > 60 || depth < 2 ||
        depth > 60)
      throw nb::value_error("games is 1 to 10,000,000, random_plies 0 to 60, depth 2 to 60");
    const std::size_t count = 60 * static_cast<std::size_t>(games);
    auto kept = std::make_unique<std::vector<std::uint8_t>>(count, std::uint8_t{64});
    {
      const nb::gil_scoped_release unlocked;
      AlphaBetaGames<OthelloJudge> player(search_.judge(),
                                          {.depth = depth,
                                           .least_opening_plies = random_plies,
                                           .most_opening_plies = random_plies,
                                           .selectivity = 1},
                                          std::size_t{16} << 20, seed);
      auto next = kept->begin();
      const auto tell = [&next](Move move) {
        if (move != Othello::kPass) *next++ = static_cast<std::uint8_t>(move);
      };
      for (std::size_t g = 0; g < count; g += 60) {
        next = kept->begin() + static_cast<std::ptrdiff_t>(g);
        player.play(
            Othello{}, [&](const Othello&, Move move) { tell(move); },
            [&](const Othello&, const SearchedMove& searched) { tell(searched.move); });
      }
    }
    const nb::capsule owner(
        kept.get(), [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
    return {kept.release()->data(), {static_cast<std::size_t>(games), 60}, owner};
  }

 private:
  int one(const Othello& game, int depth, int exact_empties, int selectivity) {
    auto& judge = search_.judge();
    if (game.empties() <= exact_empties) return judge.exact(game, -64, 64) * othello::kDiscUnit;
    table_.new_search();
    search_.begin(~std::uint64_t{0});
    const auto board = judge.board(game);
    constexpr int kAll = AlphaBeta<OthelloJudge>::kInfinity;
    int score = 0;
    for (int d = depth & 1; d <= depth; d += 2)
      score = search_.search(board, -kAll, kAll, d, selectivity);
    return score;
  }

  AlphaBetaTable table_;
  std::atomic<bool> stop_{false};
  AlphaBeta<OthelloJudge> search_;
};

std::function<OthelloJudge()> judges() {
  return [] {
    auto evaluation = current_othello_evaluation();
    if (!evaluation) throw nb::value_error("search=alphabeta needs an evaluation; none is set");
    return OthelloJudge(std::move(evaluation));
  };
}

/// The positions of games given as 60 squares each (0 to 63; 64 and more end a game), passes
/// inserted: boards of the mover and of the other side, the game's number and the ply.
auto replay(const Records& games) {
  std::vector<std::uint64_t> player, opponent;
  std::vector<std::int32_t> number;
  for (std::size_t g = 0; g < games.shape(0); ++g) {
    Othello game;
    for (std::size_t ply = 0; ply < games.shape(1); ++ply) {
      const int square = games(g, ply);
      if (square >= 64) break;
      if (!game.is_legal(static_cast<Move>(square)) && game.is_legal(Othello::kPass)) game.pass();
      if (!game.is_legal(static_cast<Move>(square))) break;
      player.push_back(game.player);
      opponent.push_back(game.opponent);
      number.push_back(static_cast<std::int32_t>(g));
      game.place(square);
    }
  }
  return std::make_tuple(as_array(std::move(player)), as_array(std::move(opponent)),
                         as_array(std::move(number)));
}

/// The same positions after up to `plies` random moves each; finished games stay where they ended.
auto wander(const Boards& player, const Boards& opponent, int plies, std::uint64_t seed) {
  check_boards(player, opponent);
  Rng rng(seed, 0);
  std::vector<std::uint64_t> first, second;
  for (std::size_t i = 0; i < player.shape(0); ++i) {
    Othello game = board_of(player, opponent, i);
    for (int k = 0; k < plies && !game.is_over(); ++k) game.play(game.random_move(rng));
    if (!game.is_over() && game.mobility() == 0) game.pass();
    first.push_back(game.player);
    second.push_back(game.opponent);
  }
  return std::make_tuple(as_array(std::move(first)), as_array(std::move(second)));
}

}  // namespace

void bind_othello_evaluation(nb::module_& m) {
  using othello::PatternFit;
  nb::class_<OthelloEvaluation>(m, "OthelloEvaluation", "Pattern weights with their cuts.")
      .def(
          "__init__",
          [](OthelloEvaluation* self, const Weights& weights) {
            new (self) OthelloEvaluation({weights.data(), weights.size()});
          },
          "weights"_a, "`weights`: stages by slots, int16, in 1/128 of a disc.")
      .def(
          "evaluate",
          [](const OthelloEvaluation& self, const Boards& player, const Boards& opponent) {
            check_boards(player, opponent);
            std::vector<float> out(player.shape(0));
            for (std::size_t i = 0; i < out.size(); ++i)
              out[i] =
                  static_cast<float>(
                      othello::PatternBoard(board_of(player, opponent, i)).evaluate(self.weights)) /
                  othello::kDiscUnit;
            return as_array(std::move(out));
          },
          "player"_a, "opponent"_a, "Margins for the mover, in discs.")
      .def(
          "set_cut",
          [](OthelloEvaluation& self, int stage, int depth, int shallow, double slope,
             double offset, double sigma) {
            if (stage < 0 || stage >= othello::kStages || depth < 1 ||
                depth > OthelloEvaluation::kMostCutDepth || shallow < 1 || shallow >= depth ||
                !(slope > 0.1) || !(sigma > 0))
              throw nb::value_error("no such cut");
            self.cuts[static_cast<std::size_t>(stage)][static_cast<std::size_t>(depth)] = {
                shallow, slope, offset * othello::kDiscUnit, sigma * othello::kDiscUnit};
          },
          "stage"_a, "depth"_a, "shallow"_a, "slope"_a, "offset"_a, "sigma"_a,
          "ProbCut parameters, in discs.")
      .def(
          "set_end_cut",
          [](OthelloEvaluation& self, int empties, int shallow, double slope, double offset,
             double sigma) {
            if (empties < 1 || empties > 60 || shallow < 1 || shallow >= empties ||
                !(slope > 0.1) || !(sigma > 0))
              throw nb::value_error("no such cut");
            self.end_cuts[static_cast<std::size_t>(empties)] = {
                shallow, slope, offset * othello::kDiscUnit, sigma * othello::kDiscUnit};
          },
          "empties"_a, "shallow"_a, "slope"_a, "offset"_a, "sigma"_a)
      .def(
          "set_width",
          [](OthelloEvaluation& self, int stage, double width) {
            if (stage < 0 || stage >= othello::kStages || !(width > 0))
              throw nb::value_error("no such stage or width");
            self.width[static_cast<std::size_t>(stage)] = width;
          },
          "stage"_a, "width"_a);

  nb::class_<PatternFit>(m, "OthelloPatternFit", "Positions of a stage, to fit its weights to.")
      .def(nb::init<>())
      .def(
          "add",
          [](PatternFit& fit, const Boards& player, const Boards& opponent, const Floats& margins) {
            check_boards(player, opponent);
            if (margins.shape(0) != player.shape(0))
              throw nb::value_error("a margin for each position");
            for (std::size_t i = 0; i < player.shape(0); ++i)
              fit.add(board_of(player, opponent, i), margins(i));
          },
          "player"_a, "opponent"_a, "margins"_a)
      .def(
          "fit",
          [](const PatternFit& fit, const Floats& prior, double ridge, int iterations) {
            std::vector<float> weights;
            {
              const nb::gil_scoped_release unlocked;
              weights = fit.fit({prior.data(), prior.size()}, ridge, iterations);
            }
            return as_array(std::move(weights));
          },
          "prior"_a, "ridge"_a, "iterations"_a)
      .def(
          "error",
          [](const PatternFit& fit, const Floats& weights) {
            if (weights.size() != othello::PatternLayout::get().slots)
              throw nb::value_error("a weight for each slot");
            return fit.error({weights.data(), weights.size()});
          },
          "weights"_a, "Root of the mean squared error, in discs.")
      .def("__len__", &PatternFit::size);

  nb::class_<Labeler>(m, "OthelloLabeler", "Margins of positions by search.")
      .def(nb::init<std::shared_ptr<OthelloEvaluation>, std::size_t>(), "evaluation"_a,
           "table_mb"_a = 64)
      .def("label", &Labeler::label, "player"_a, "opponent"_a, "depth"_a, "exact_empties"_a = 12,
           "selectivity"_a = 1)
      .def("play", &Labeler::play, "games"_a, "random_plies"_a, "depth"_a, "seed"_a,
           "Games against itself, 60 squares each; 64 where a game is over.");
  m.def("set_othello_evaluation", &set_current_othello_evaluation, "evaluation"_a,
        "What searches and solvers made from now on use.");
  bind_alpha_beta<OthelloJudge>(m, "OthelloAlphaBeta", &judges);
  m.def("othello_pattern_slots", [] { return othello::PatternLayout::get().slots; });
  m.def("othello_replay", &replay, "games"_a);
  m.def("othello_wander", &wander, "player"_a, "opponent"_a, "plies"_a, "seed"_a);
  m.attr("OTHELLO_STAGES") = othello::kStages;
  m.attr("OTHELLO_STAGE_PLIES") = othello::kStagePlies;
}

}  // namespace kibitz::bind
