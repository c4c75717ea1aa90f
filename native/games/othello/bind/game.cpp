// Othello in Python: position, search, perft, endgame solver.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bind/checks.h"
#include "bind/game_binding.h"
#include "bind/interruptible.h"
#include "bind/option_binding.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "bind/selfplay_binding.h"
#include "bind/text.h"
#include "games/othello/bind/parts.h"
#include "games/othello/board.h"
#include "games/othello/evaluate/pattern_evaluator.h"
#include "games/othello/evaluate/playouts.h"
#include "games/othello/perft.h"
#include "games/othello/search/options.h"
#include "games/othello/solve/oracle.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

template <>
struct MoveNumbers<Othello> {
  static bool has(const Othello&, Move move) { return move < 64 || move == Othello::kPass; }
};

template <>
struct GameTraits<Othello> : GameTraitsDefaults<Othello> {
  static PriorFunction<Othello> priors() { return othello_square_priors; }
  static std::shared_ptr<const Oracle<Othello>> oracle(const Options& options) {
    return std::make_shared<OthelloOracle>(static_cast<int>(options.solve_leaves));
  }
  static std::shared_ptr<Evaluator<Othello>> hand_evaluator(const Options&) {
    auto evaluation = current_othello_evaluation();
    if (!evaluation) throw nb::value_error("evaluator=hand needs an evaluation; none is set");
    return std::make_shared<OthelloPatternEvaluator>(std::move(evaluation));
  }
};

void bind_othello(nb::module_& m) {
  auto bound = bind_game<Othello>(m, "Othello", "An Othello position.");
  bind_sample(bound);
  bound.def_prop_ro("black", &Othello::black, "Black's discs; bit 0 is a1, bit 63 is h8.")
      .def_prop_ro("white", &Othello::white)
      .def_prop_ro("score", &Othello::score)
      .def(
          "transformed",
          [](const Othello& position, int symmetry) {
            return position.transformed(checked_symmetry(position, symmetry));
          },
          "symmetry"_a);
  bind_tree_search<Othello>(m, "OthelloSearch");
  bind_selfplay<Othello>(m, "OthelloSelfplay");
  nb::class_<OthelloOptions> options(m, "OthelloOptions",
                                     "Values of the options of Othello alone.");
  bind_option_class(options, &set_othello_option);
  KIBITZ_BIND_OPTION_FIELDS(KIBITZ_OTHELLO_OPTIONS, OthelloOptions, options)
  m.def("othello_option_table", &othello_option_table, "Every option of Othello alone.");
  m.def(
      "othello_perft",
      [](const Othello& position, int depth) {
        checked_depth(depth);
        return interruptible([&](PerftStop stop) { return othello::perft(position, depth, stop); });
      },
      "position"_a, "depth"_a);
  bind_othello_solver(m);
  bind_othello_evaluation(m);
}

}  // namespace kibitz::bind
