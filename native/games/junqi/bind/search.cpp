// Junqi's search, scoring and beliefs in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "bind/background_job.h"
#include "bind/checks.h"
#include "bind/option_binding.h"
#include "bind/text.h"
#include "games/junqi/bind/parts.h"
#include "games/junqi/search/classic.h"
#include "games/junqi/search/flags.h"
#include "games/junqi/search/job.h"
#include "search/tree_rows.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using namespace kibitz::junqi;

/// In the order of the documentation; the map of the standard library would sort them by name.
nb::typed<nb::dict, nb::str, double> parts_of(const MoveParts& parts) {
  nb::typed<nb::dict, nb::str, double> out;
  out["score"] = parts.score;
  out["attack_ev"] = parts.attack_ev;
  out["risk"] = parts.risk;
  out["pos_gain"] = parts.pos_gain;
  out["defense"] = parts.defense;
  return out;
}

/// Options of what is judged without a search.
JunqiOptions judging(const Weights& weights, int samples, std::uint64_t seed) {
  if (samples < 1 || samples > 100000) throw nb::value_error("samples must be from 1 to 100000");
  JunqiOptions options;
  options.samples = samples;
  options.seed = static_cast<std::int64_t>(seed);
  options.set_values(weights);
  return options;
}

/// Dropped while Python holds its lock.
class JobHandle final : public JunqiJob {
 public:
  template <class Seen>
  JobHandle(const Seen& position, const JunqiOptions& options, nb::object)
      : JunqiJob(position, options) {}
  ~JobHandle() {
    const nb::gil_scoped_release unlocked;
    finish();
  }
};

void bind_options(nb::module_& m) {
  nb::class_<WeightInfo>(m, "JunqiWeightInfo")
      .def_ro("section", &WeightInfo::section)
      .def_ro("name", &WeightInfo::name)
      .def_ro("doc", &WeightInfo::doc)
      .def_ro("value", &WeightInfo::value);
  m.def("junqi_weight_table", &weight_table, "Every weight of the scoring.");
  nb::class_<Weights>(m, "JunqiWeights", "The weights of the scoring, by `section.name`.")
      .def(nb::init<>())
      .def_static("two_players", &two_player_weights, "The defaults of games of two players.")
      .def_static(
          "read", [](const std::string& path) { return read_weights(path); }, "path"_a)
      .def("set", &Weights::set, "name"_a, "value"_a)
      .def("get", &Weights::get, "name"_a);
  m.def("junqi_option_table", &junqi_option_table, "Every option of Junqi's search.");
  nb::class_<JunqiOptions> options(m, "JunqiOptions", "Values of Junqi's search options.");
  bind_option_class(options, &set_junqi_option);
  options.def(
      "set_weights", [](JunqiOptions& self, const Weights& weights) { self.set_values(weights); },
      "weights"_a);
  KIBITZ_BIND_OPTION_FIELDS(KIBITZ_JUNQI_OPTIONS, JunqiOptions, options)
}

void bind_beliefs(nb::module_& m) {
  nb::class_<Belief>(m, "JunqiBelief", "What a seat believes about every piece.")
      .def(
          "possible",
          [](const Belief& b, int piece) {
            return kinds_text(b.possible.at(static_cast<std::size_t>(piece)));
          },
          "piece"_a)
      .def(
          "chances",
          [](const Belief& b, int piece) {
            std::map<std::string, double> out;
            for (int k = 0; k < kKinds; ++k) {
              const float p =
                  b.chance.at(static_cast<std::size_t>(piece))[static_cast<std::size_t>(k)];
              if (p > 0) out[std::string(1, kind_letter(static_cast<Kind>(k)))] = p;
            }
            return out;
          },
          "piece"_a)
      .def(
          "worlds",
          [](const Belief& b) {
            std::vector<std::string> out;
            for (const auto& kinds : b.worlds) {
              std::string letters;
              for (const Kind kind : kinds) letters += kind_letter(kind);
              out.push_back(letters);
            }
            return out;
          },
          "Sampled assignments: 100 letters each, a piece's kind at its number.");
  m.def(
      "junqi_believe",
      [](const View& view, const Weights& weights, int samples, std::uint64_t seed,
         const std::optional<ConductTable>& conduct) {
        if (conduct && conduct->size() != learned_conduct().size())
          throw nb::value_error("a table of conduct has as many rows as the learned one");
        return believe(view, weights, in_range("samples", samples, 1, 100'000), seed,
                       conduct ? &*conduct : nullptr);
      },
      "view"_a, "weights"_a, "samples"_a = 96, "seed"_a = 1, "conduct"_a = nb::none());
  m.def("junqi_learned_conduct", &learned_conduct,
        "By sign and kind, the logarithm of how much what a piece did speaks for the kind.");
  m.def(
      "junqi_conduct_rows",
      [](const View& view, int piece) {
        return conduct_rows(view, view.conduct(in_range("piece", piece, 0, kPieces - 1)), piece);
      },
      "view"_a, "piece"_a, "The rows of that table that hold for a piece.");
}

void bind_scoring(nb::module_& m) {
  m.def(
      "junqi_evaluate_moves",
      [](const View& view, const Weights& weights, int samples, std::uint64_t seed) {
        JunqiSearch search(view, judging(weights, in_range("samples", samples, 1, 100'000), seed));
        std::vector<std::tuple<Move, nb::typed<nb::dict, nb::str, double>, std::string, bool>> out;
        for (const RootMove& root : search.judge({}).moves)
          out.emplace_back(root.move, parts_of(root.parts), category_name(root.category),
                           root.vital);
        return out;
      },
      "view"_a, "weights"_a, "samples"_a = 96, "seed"_a = 1,
      "(move, parts, category, vital) of every legal move, the best score first.");
  m.def(
      "junqi_state_value",
      [](const View& view, const Weights& weights, int samples, std::uint64_t seed) {
        return classic_state_value(view, judging(weights, samples, seed));
      },
      "view"_a, "weights"_a, "samples"_a = 96, "seed"_a = 1,
      "Our side's best immediate score less the other side's, on average over sampled worlds.");
  m.def(
      "junqi_counterattack_targets",
      [](const View& view, const Weights& weights) {
        std::vector<std::string> out;
        for (const int piece : counterattack_targets(view, weights))
          out.push_back(node_name(view.node_of(piece)));
        return out;
      },
      "view"_a, "weights"_a,
      "Nodes of enemy pieces that took one of ours lately and can be attacked.");
  m.def(
      "junqi_open_value",
      [](const Table& table, JunqiOptions options, int depth) {
        options.depth = in_range("a depth", depth, 0, 64);
        std::int64_t nodes = 0;
        const double value = open_value(table.board(), options, &nodes);
        return std::pair<double, std::int64_t>(value, nodes);
      },
      "table"_a, "options"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>(),
      "The value of a fully known board for the side to move, and the nodes it took.");
  m.def(
      "junqi_flag_falls",
      [](const Table& table, int seat, int plies) {
        FlagSolver solver(1'000'000);
        return solver.falls_in(table.board(), in_range("a seat", seat, 0, kSeats - 1),
                               in_range("plies", plies, 0, 16));
      },
      "table"_a, "seat"_a, "plies"_a, nb::call_guard<nb::gil_scoped_release>(),
      "The plies after which the seat's flag falls by force on a fully known board, 0 when it does "
      "not within `plies`.");
}

void bind_job(nb::module_& m) {
  nb::class_<JunqiMoveReport, MoveReport>(m, "JunqiMoveReport",
                                          "A root move, from the mover's side.")
      .def_prop_ro("parts", [](const JunqiMoveReport& x) { return parts_of(x.root.parts); })
      .def_prop_ro("category",
                   [](const JunqiMoveReport& x) { return category_name(x.root.category); })
      .def_prop_ro("vital", [](const JunqiMoveReport& x) { return x.root.vital; })
      .def_ro("belief", &JunqiMoveReport::belief);
  nb::class_<JunqiSearchReport, SearchReport>(m, "JunqiSearchReport",
                                              "What a search has found so far.")
      .def_ro("style_applied", &JunqiSearchReport::style_applied,
              "Were there moves of the behaviour that the style prefers?")
      .def_prop_ro(
          "moves", [](const JunqiSearchReport& report) { return report.junqi_moves; },
          nb::for_getter(nb::sig("def moves(self) -> list[MoveReport]")));
  m.def(
      "admit",
      [](Plan& plan, const JunqiOptions& options, const View& position, bool) {
        return admit(plan, position, options);
      },
      "plan"_a, "options"_a, "position"_a, "predicts_style"_a = false,
      "Takes out of a plan what a search with these options cannot obey, and says why.");
  const JunqiBudget none;
  nb::class_<JobHandle>(m, "JunqiSearch",
                        "Junqi's search; see kibitz.Engine for the friendly face.")
      .def(nb::init<const Table&, const JunqiOptions&, nb::object>(), "position"_a, "options"_a,
           "network"_a.none() = nb::none())
      .def(nb::init<const View&, const JunqiOptions&, nb::object>(), "position"_a, "options"_a,
           "network"_a.none() = nb::none())
      .def(
          "start",
          [](JobHandle& job, const Plan& plan, std::int64_t simulations, std::int64_t visits,
             double seconds) { job.start(plan, {simulations, visits, seconds}); },
          "plan"_a, "simulations"_a = none.simulations, "visits"_a = none.visits,
          "seconds"_a = none.seconds, nb::call_guard<nb::gil_scoped_release>())
      .def("wait", &wait_unlocked<JobHandle>, "seconds"_a)
      .def("stop", &JobHandle::stop)
      .def(
          "report", [](JobHandle& job, int, bool) { return job.report(); }, "line_length"_a = 32,
          "move_ownership"_a = false)
      .def("clear_cache", [](JobHandle&) {})  // it keeps no evaluations
      .def(
          "advance", [](JobHandle&, Move) {}, "move"_a)
      .def("reset", nb::overload_cast<const Table&>(&JobHandle::reset), "position"_a)
      .def("reset", nb::overload_cast<const View&>(&JobHandle::reset), "position"_a)
      .def("configure", &JobHandle::configure, "options"_a)
      .def(
          "dump", [](JobHandle&, int, std::int64_t) { return std::string(); }, "depth"_a = 2,
          "min_visits"_a = 1)
      .def(
          "tree", [](JobHandle&, int, std::int64_t) { return std::vector<TreeRow>(); },
          "depth"_a = 2, "min_visits"_a = 1, "None: it keeps no tree.");
}

}  // namespace

void bind_junqi_search(nb::module_& m) {
  bind_options(m);
  bind_beliefs(m);
  bind_scoring(m);
  bind_job(m);
}

}  // namespace kibitz::bind
