// The face every game's position has in Python: the contract of games/game.h, moves as integers.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bind/checks.h"
#include "bind/text.h"
#include "games/game.h"

namespace kibitz::bind {

template <Game G>
nanobind::class_<G> bind_game(nanobind::module_& m, const char* name, const char* doc) {
  namespace nb = nanobind;
  using namespace nb::literals;
  nb::class_<G> bound(m, name, doc);
  if constexpr (std::default_initializable<G>) bound.def(nb::init<>());
  return bound
      .def_static(
          "from_text", [](std::string_view text) { return G::from_text(text); }, "text"_a)
      .def("to_text", &G::to_text)
      .def(
          "legal_moves",
          [](const G& position) {
            MoveList<G> list;
            position.legal_moves(list);
            return std::vector<Move>(list.begin(), list.end());
          },
          "Legal moves; empty when the game is over.")
      .def("is_legal", &G::is_legal, "move"_a)
      .def(
          "play",
          [](const G& position, Move move) {
            bool allowed = position.is_legal(move);
            if constexpr (requires { position.may_play(move); }) allowed = position.may_play(move);
            if (!allowed) throw nb::value_error("illegal move");
            G next = position;
            next.play(move);
            // Every position of a game may be kept in Python.
            if constexpr (requires { next.share_history(); }) next.share_history();
            return next;
          },
          "move"_a, "The position after a legal move; this one stays as it is.")
      .def_prop_ro("to_move", &G::to_move)
      .def_prop_ro("is_over", &G::is_over)
      .def(
          "result",
          [](const G& position) {
            if (!position.is_over()) throw nb::value_error("the game is not over");
            return position.result();
          },
          "The first side's result: 1, 0.5 or 0.")
      .def_prop_ro("hash", &G::hash)
      .def(
          "move_text",
          [](const G& position, Move move) {
            return position.move_text(checked_move(position, move));
          },
          "move"_a)
      .def(
          "parse_move",
          [](const G& position, std::string_view text) { return position.parse_move(text); },
          "text"_a)
      .def(
          "__eq__",
          [](const G& a, nb::handle b) {
            return nb::isinstance<G>(b) && a == nb::cast<const G&>(b);
          },
          nb::arg("other").none())
      .def("__hash__",
           [](const G& position) { return static_cast<Py_hash_t>(position.hash() >> 1); });
}

}  // namespace kibitz::bind
