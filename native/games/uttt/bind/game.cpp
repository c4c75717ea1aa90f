// Ultimate tic-tac-toe in Python: position, search, perft.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bind/checks.h"
#include "bind/game_binding.h"
#include "bind/interruptible.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "bind/selfplay_binding.h"
#include "bind/text.h"
#include "games/uttt/bind/parts.h"
#include "games/uttt/bind/patterns.h"
#include "games/uttt/bind/shared.h"
#include "games/uttt/board.h"
#include "games/uttt/evaluate/patterns_evaluator.h"
#include "games/uttt/evaluate/playouts.h"
#include "games/uttt/perft.h"
#include "games/uttt/solve/oracle.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

template <>
struct MoveNumbers<Uttt> {
  static bool has(const Uttt&, Move move) { return move < 81; }
};

namespace {

/// Only touched while the interpreter's lock is held; a search keeps the evaluation it was made
/// with.
std::shared_ptr<const uttt::Patterns>& engine_patterns() {
  static std::shared_ptr<const uttt::Patterns> patterns;
  return patterns;
}

}  // namespace

template <>
struct GameTraits<Uttt> : GameTraitsDefaults<Uttt> {
  static std::shared_ptr<Evaluator<Uttt>> hand_evaluator(const Options&) {
    if (!engine_patterns()) throw nb::value_error("the evaluation was not loaded");
    return std::make_shared<UtttPatternsEvaluator>(engine_patterns());
  }
  static constexpr int kSolverNodesALeaf = 4;
  static std::shared_ptr<const Oracle<Uttt>> oracle(const Options& options) {
    // Beside an evaluation that takes a microsecond the solver has to be thrifty.
    const int nodes_a_leaf = options.evaluator == EvaluatorKind::kHand ? kSolverNodesALeaf : 0;
    return std::make_shared<UtttOracle>(static_cast<int>(options.solve_leaves), nodes_a_leaf,
                                        uttt_engine_tables());
  }
};

void bind_uttt(nb::module_& m) {
  auto bound = bind_game<Uttt>(m, "Uttt", "An ultimate tic-tac-toe position.");
  bind_sample(bound);
  bound.def_prop_ro("empties", &Uttt::empties, "Cells that can still be played.")
      .def_prop_ro("open_boards", &Uttt::open_boards)
      .def_prop_ro(
          "constraint",
          [](const Uttt& position) {
            return position.constraint == Uttt::kAnywhere ? -1 : int{position.constraint};
          },
          "The sub-board that must be played in, or -1.")
      .def_prop_ro("rule_id",
                   [](const Uttt& position) { return static_cast<int>(position.ending); })
      .def(
          "transformed",
          [](const Uttt& position, int symmetry) {
            return position.transformed(checked_symmetry(position, symmetry));
          },
          "symmetry"_a)
      .def("swapped", &Uttt::swapped);
  bind_uttt_patterns(m);
  bind_tree_search<Uttt>(m, "UtttSearch");
  bind_selfplay<Uttt>(m, "UtttSelfplay");
  m.def(
      "uttt_use_patterns",
      [](const UtttPatterns& patterns) { engine_patterns() = patterns.patterns; }, "patterns"_a,
      "The evaluation of searches that are made from now on.");
  m.def(
      "uttt_perft",
      [](const Uttt& position, int depth) {
        checked_depth(depth);
        return interruptible([&](PerftStop stop) { return uttt::perft(position, depth, stop); });
      },
      "position"_a, "depth"_a);
  bind_uttt_solver(m);
}

}  // namespace kibitz::bind
