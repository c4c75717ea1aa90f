// Games written in Python: position, search, self-play.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/game_binding.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "bind/selfplay_binding.h"
#include "bind/text.h"
#include "games/python/bind/state.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

template <>
struct MoveNumbers<PythonState> {
  static bool has(const PythonState& state, Move move) { return move < state.move_count(); }
};

void bind_python(nb::module_& m) {
  nb::class_<PythonRules>(m, "PythonRules", "What the positions of a game written in Python share.")
      .def(
          "__init__",
          [](PythonRules* self, nb::object failure, nb::object features,
             std::tuple<int, int, int, int, int> sizes) {
            const auto [planes, rows, columns, globals, policy] = sizes;
            new (self) PythonRules(std::move(failure), std::move(features),
                                   FeatureShape{planes, rows, columns, globals, policy});
          },
          "failure"_a, "features"_a.none(), "sample_shape"_a);
  auto bound = bind_game<PythonState>(m, "PythonState", "A position of a game written in Python.");
  bound.def(nb::init<std::shared_ptr<PythonRules>, nb::object>(), "rules"_a, "position"_a)
      .def_prop_ro("position", &PythonState::position, "The object of the user's class.");
  bind_sample(bound);
  bind_tree_search<PythonState>(m, "PythonSearch");
  bind_selfplay<PythonState>(m, "PythonSelfplay");
}

}  // namespace kibitz::bind
