// The alpha-beta search of one game in Python, with the methods of the tree search
// (bind/search_binding.h).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "bind/background_job.h"
#include "bind/checks.h"
#include "bind/text.h"
#include "search/alpha_beta_root.h"
#include "search/options.h"
#include "search/tree_rows.h"

namespace kibitz::bind {

/// The table takes what the tree may, up to `table_mb`: it is cleared before the first move of a
/// game, which must not take the time of a short one.
inline AlphaBetaSettings alpha_beta_settings(const Options& options, int depth, int multi_pv,
                                             std::int64_t table_mb) {
  AlphaBetaSettings settings;
  settings.threads = static_cast<int>(options.threads);
  settings.depth = depth;
  settings.multi_pv = multi_pv;
  const std::int64_t most = std::min(options.memory_mb, std::max<std::int64_t>(1, table_mb));
  settings.table_bytes = static_cast<std::size_t>(most) << 20;
  return settings;
}

/// `open(from...)` gives a function that is called for each thread of a search; `from` is what
/// Python passes last, named by `arguments`.
template <RootJudge J, class... From, class... Arguments>
void bind_alpha_beta(nanobind::module_& m, const char* name, std::function<J()> (*open)(From...),
                     const Arguments&... arguments) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using G = typename J::Game;
  using Search = AlphaBetaSearch<J>;
  constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();
  nb::class_<Search>(m, name, "An alpha-beta search; see kibitz.Engine for the friendly face.")
      .def(
          "__init__",
          [open](Search* self, const G& position, const Options& options, int depth, int multi_pv,
                 std::int64_t table_mb, From... from) {
            new (self) Search(position, open(from...),
                              alpha_beta_settings(options, depth, multi_pv, table_mb));
          },
          "position"_a, "options"_a, "depth"_a = 0, "multi_pv"_a = 1, "table_mb"_a = 16,
          arguments...)
      .def(
          "start",
          [](Search& search, const Plan& plan, std::int64_t simulations, std::int64_t visits,
             double seconds) {
            if (std::isnan(seconds)) throw nb::value_error("seconds must be a number");
            const nb::gil_scoped_release unlocked;
            search.start(plan, Budget{simulations, visits, seconds});
          },
          "plan"_a, "simulations"_a = kNoLimit, "visits"_a = kNoLimit,
          "seconds"_a = std::numeric_limits<double>::infinity(),
          "Starts searching and returns; simulations and visits count nodes.")
      .def(
          "wait", [](Search& search, double seconds) { return wait_unlocked(search, seconds); },
          "seconds"_a)
      .def("stop", &Search::stop)
      .def(
          "report",
          [](Search& search, int length, bool) {
            return search.report(in_range("line_length", length, 0, 100'000));
          },
          "line_length"_a = 32, "move_ownership"_a = false)
      .def("clear_cache", &Search::clear)
      .def(
          "advance",
          [](Search& search, Move move) {
            if (!search.position().is_legal(move)) throw nb::value_error("illegal move");
            search.advance(move);
          },
          "move"_a)
      .def("reset", &Search::reset, "position"_a)
      .def(
          "configure",
          [](Search& search, const Options& options) {
            search.set_threads(static_cast<int>(options.threads));
          },
          "options"_a)
      .def_prop_ro("position", &Search::position)
      .def(
          "dump", [](Search& search, int, std::int64_t) { return search.dump(); }, "depth"_a = 2,
          "min_visits"_a = 1, "The moves with their scores and lines, as text.")
      .def(
          "tree", [](Search&, int, std::int64_t) { return std::vector<TreeRow>(); }, "depth"_a = 2,
          "min_visits"_a = 1, "None: it keeps no tree.");
}

}  // namespace kibitz::bind
