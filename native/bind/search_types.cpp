// Options, plans, budgets and reports: the types that are the same for every game.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "base/core_turns.h"
#include "bind/bind.h"
#include "bind/option_binding.h"
#include "bind/text.h"
#include "search/admit.h"
#include "search/alpha_beta_admit.h"
#include "search/alpha_beta_options.h"
#include "search/comparison.h"
#include "search/options.h"
#include "search/report.h"
#include "search/selfplay_record.h"
#include "search/tree_rows.h"
#include "search/tree_search.h"
#include "search/value_error.h"
#include "steering/plan.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

std::tuple<int, int> ends(const Bounds& bounds) { return {bounds.low, bounds.high}; }

void bind_options(nb::module_& m) {
  nb::enum_<Cost>(m, "Cost", nb::is_arithmetic(),
                  "What a change of an option costs a search that has a tree; each includes those "
                  "before it.")
      .value("SELECTION", Cost::kSelection, "nothing: the tree is kept")
      .value("VALUES", Cost::kValues, "the tree is dropped")
      .value("MEMORY", Cost::kMemory, "the tree is dropped and its memory limited anew")
      .value("EVALUATOR", Cost::kEvaluator, "the evaluator is built again, its cache dropped");
  nb::class_<PeerOption>(m, "PeerOption", "What another program calls an option.")
      .def_ro("program", &PeerOption::program)
      .def_ro("name", &PeerOption::name)
      .def_ro("least", &PeerOption::least)
      .def_ro("most", &PeerOption::most)
      .def_ro("initial", &PeerOption::initial)
      .def_ro("when_true", &PeerOption::when_true)
      .def_ro("when_false", &PeerOption::when_false);
  nb::class_<OptionInfo>(m, "OptionInfo", "One row of the table of search options.")
      .def_ro("name", &OptionInfo::name)
      .def_ro("kind", &OptionInfo::kind)
      .def_ro("initial", &OptionInfo::initial)
      .def_ro("doc", &OptionInfo::doc)
      .def_ro("least", &OptionInfo::least)
      .def_ro("most", &OptionInfo::most)
      .def_ro("choices", &OptionInfo::choices)
      .def_ro("cost", &OptionInfo::cost)
      .def_ro("peers", &OptionInfo::peers);
  m.def("option_table", &option_table, "Every option of the tree search.");
  m.def("current_option_name", &current_option_name, "name"_a,
        "The name in force of an option that older versions called otherwise.");

  nb::class_<Options> options(m, "Options", "Values of the search options.");
  bind_option_class(options, &set_option);
  KIBITZ_BIND_OPTION_FIELDS(KIBITZ_SEARCH_OPTIONS, Options, options)
  options.def_prop_ro("uses_priors", &uses_priors,
                      "Whether the selection of moves looks at priors at all.");
}

void bind_selfplay_rules(nb::module_& m) {
  nb::class_<SelfplayRules>(m, "SelfplayRules", "Everything that decides games of self-play.")
      .def(nb::init<>())
      .def_rw("options", &SelfplayRules::options)
      .def(
          "set_budget",
          [](SelfplayRules& rules, std::optional<std::int64_t> visits,
             std::optional<std::int64_t> simulations) {
            rules.budget = Budget{};
            if (visits) rules.budget.visits = *visits;
            if (simulations) rules.budget.simulations = *simulations;
          },
          "visits"_a.none(), "simulations"_a.none(), "Root visits and simulations per move.")
      .def_rw("fast_visits", &SelfplayRules::fast_visits)
      .def_rw("full_share", &SelfplayRules::full_share)
      .def_rw("temperature", &SelfplayRules::temperature)
      .def_rw("temperature_plies", &SelfplayRules::temperature_plies)
      .def_rw("plies", &SelfplayRules::plies)
      .def_rw("resign", &SelfplayRules::resign)
      .def_rw("resign_plies", &SelfplayRules::resign_plies)
      .def_rw("play_out", &SelfplayRules::play_out);
}

void bind_plan(nb::module_& m) {
  nb::class_<Plan>(m, "Plan", "Steering, compiled: what a search obeys.")
      .def(nb::init<>())
      .def(
          "include",
          [](Plan& plan, Move move, std::int64_t min_visits, bool separate_tree) {
            plan.include.push_back({move, min_visits, separate_tree});
          },
          "move"_a, "min_visits"_a, "separate_tree"_a = false,
          "Guarantees visits; `separate_tree` makes them in a tree of their own, beside the "
          "search.")
      .def(
          "compare",
          [](Plan& plan, std::vector<Move> moves, double within, double errors, bool equal_shares) {
            plan.compare_equal_shares = equal_shares;
            plan.compare = std::move(moves);
            plan.compare_within = within;
            plan.compare_errors = errors;
          },
          "moves"_a, "within"_a, "errors"_a, "equal_shares"_a = false,
          "Searches these moves alone until it is decided which is best; values that differ by "
          "less than `within` are equal, a verdict takes `errors` standard errors.")
      .def_prop_ro(
          "compares", [](const Plan& plan) { return !plan.compare.empty(); },
          "Whether moves are compared.")
      .def(
          "permits",
          [](const Plan& plan, int side, Move move) { return plan.permits(side, move, 0); },
          "side"_a, "move"_a, "Whether a side may choose a move at the root.")
      .def(
          "avoid",
          [](Plan& plan, int side, std::vector<Move> moves, int until_depth) {
            plan.avoid.push_back({side, until_depth, std::move(moves)});
          },
          "side"_a, "moves"_a, "until_depth"_a = 1)
      .def(
          "allow",
          [](Plan& plan, int side, std::vector<Move> moves, int until_depth) {
            plan.allow.push_back({side, until_depth, std::move(moves)});
          },
          "side"_a, "moves"_a, "until_depth"_a = 1)
      .def(
          "weight",
          [](Plan& plan, Move move, double factor, bool everywhere) {
            plan.weights.push_back({move, factor, everywhere});
          },
          "move"_a, "factor"_a, "everywhere"_a = false)
      .def(
          "prior_factor",
          [](Plan& plan, Move move, double factor) {
            plan.prior_factors.push_back({move, factor});
          },
          "move"_a, "factor"_a, "Multiplies the root prior of a move; their sum stays.")
      .def(
          "style",
          [](Plan& plan, double budget, const std::vector<std::pair<Move, double>>& bonuses,
             double scale, double strength, double price) {
            plan.style_budget = budget;
            plan.style_scale = scale;
            plan.style_strength = strength;
            plan.style_price = price;
            for (const auto& [move, bonus] : bonuses) plan.style_bonuses.push_back({move, bonus});
          },
          "budget"_a, "bonuses"_a, "scale"_a = 0.0, "strength"_a = 0.0, "price"_a = 0.0,
          "Plays the move with the greatest bonus of those within so much win probability. A move "
          "whose predicted style is `scale` above the root's has a bonus of 1 for that, which is "
          "felt in priors by `strength`. Above `price` the style is inactive.");
  m.def(
      "relation",
      [](double by, double margin, double within) {
        switch (relation(by, margin, within)) {
          case Relation::kBetter:
            return "better";
          case Relation::kEqual:
            return "equal";
          case Relation::kUndecided:
            break;
        }
        return "undecided";
      },
      "by"_a, "margin"_a, "within"_a,
      "What is known of two moves whose values differ by so much, give or take a margin.");
  m.def(
      "value_error",
      [](const std::vector<double>& changes, double visits) {
        return value_error(changes, 0.0, visits);
      },
      "changes"_a, "visits"_a,
      "The standard error of a value that changed so while its visits doubled, the last three "
      "times.");
  nb::class_<Refusal>(m, "Refusal", "A part of a plan that a search cannot obey.")
      .def_ro("kind", &Refusal::kind)
      .def_prop_ro(
          "move",
          [](const Refusal& refusal) {
            return refusal.move == kNoMove ? std::optional<Move>() : refusal.move;
          },
          "None where the whole part is meant.")
      .def_prop_ro("code", [](const Refusal& refusal) { return refusal.why.code; })
      .def_prop_ro("values", [](const Refusal& refusal) { return refusal.why.values; });
  m.def(
      "admit",
      [](Plan& plan, const Options& options, nb::handle position, bool predicts_style) {
        return admit(plan, options, nb::cast<int>(position.attr("to_move")), predicts_style);
      },
      "plan"_a, "options"_a, "position"_a, "predicts_style"_a = false,
      "Takes out of a plan what a search with these options cannot obey, and says why.");
  m.def("admit_alpha_beta", &admit_alpha_beta, "plan"_a,
        "Takes out of a plan what alpha-beta cannot obey, and says why.");
}

void bind_report(nb::module_& m) {
  nb::class_<Outcome>(m, "Outcome", "What an evaluator says about one position.")
      .def_ro("value", &Outcome::value)
      .def_ro("draw", &Outcome::draw)
      .def_ro("score", &Outcome::score)
      .def_ro("score_stdev", &Outcome::score_stdev)
      .def_ro("lead", &Outcome::lead)
      .def_ro("turns_left_variance", &Outcome::turns_left_variance)
      .def_ro("value_error", &Outcome::value_error)
      .def_ro("score_error", &Outcome::score_error)
      .def_ro("style", &Outcome::style)
      .def_ro("mover_style", &Outcome::mover_style);
  nb::class_<MoveReport>(m, "MoveReport", "A root move, from the root mover's side.")
      .def_ro("move", &MoveReport::move)
      .def_ro("visits", &MoveReport::visits)
      .def_ro("guaranteed", &MoveReport::guaranteed)
      .def_ro("weightless", &MoveReport::weightless)
      .def_ro("min_visits", &MoveReport::min_visits)
      .def_ro("votes", &MoveReport::votes)
      .def_ro("value", &MoveReport::value)
      .def_ro("first_value", &MoveReport::first_value)
      .def_ro("prior", &MoveReport::prior)
      .def_ro("improved", &MoveReport::improved)
      .def_ro("looks_better", &MoveReport::looks_better)
      .def_ro("lcb", &MoveReport::lcb)
      .def_ro("error", &MoveReport::error)
      .def_ro("draw", &MoveReport::draw)
      .def_ro("score", &MoveReport::score)
      .def_ro("score_stdev", &MoveReport::score_stdev)
      .def_ro("lead", &MoveReport::lead)
      .def_ro("style", &MoveReport::style)
      .def_ro("utility", &MoveReport::utility)
      .def_ro("utility_lcb", &MoveReport::utility_lcb)
      .def_ro("weight", &MoveReport::weight)
      .def_ro("selection", &MoveReport::selection)
      .def_ro("twin", &MoveReport::twin)
      .def_ro("line_visits", &MoveReport::line_visits)
      .def_ro("ownership", &MoveReport::ownership)
      .def_ro("ownership_stdev", &MoveReport::ownership_stdev)
      .def_prop_ro("proven", [](const MoveReport& move) { return ends(move.proven); })
      .def_ro("permitted", &MoveReport::permitted)
      .def_ro("pruned", &MoveReport::pruned)
      .def_ro("line", &MoveReport::line);
  nb::class_<TreeRow>(m, "TreeRow", "A node of a search's tree, for the side that plays its move.")
      .def_ro("depth", &TreeRow::depth)
      .def_ro("move", &TreeRow::move)
      .def_ro("visits", &TreeRow::visits)
      .def_ro("value", &TreeRow::value)
      .def_ro("prior", &TreeRow::prior)
      .def_prop_ro("proven", [](const TreeRow& row) { return ends(row.proven); });
  nb::class_<SearchReport>(m, "SearchReport", "What a search has found so far.")
      .def_ro("moves", &SearchReport::moves)
      .def_ro("style_spent", &SearchReport::style_spent)
      .def_ro("style_price", &SearchReport::style_price)
      .def_ro("style", &SearchReport::style)
      .def_ro("visits", &SearchReport::visits)
      .def_ro("guaranteed", &SearchReport::guaranteed)
      .def_ro("simulations", &SearchReport::simulations)
      .def_ro("reused", &SearchReport::reused)
      .def_ro("value", &SearchReport::value)
      .def_ro("first_value", &SearchReport::first_value)
      .def_ro("draw", &SearchReport::draw)
      .def_ro("score", &SearchReport::score)
      .def_ro("score_stdev", &SearchReport::score_stdev)
      .def_ro("lead", &SearchReport::lead)
      .def_ro("utility", &SearchReport::utility)
      .def_ro("weight", &SearchReport::weight)
      .def_ro("own", &SearchReport::own)
      .def_ro("ownership", &SearchReport::ownership)
      .def_ro("ownership_stdev", &SearchReport::ownership_stdev)
      .def_prop_ro("proven", [](const SearchReport& report) { return ends(report.proven); })
      .def_ro("seconds", &SearchReport::seconds)
      .def_ro("nodes", &SearchReport::nodes)
      .def_ro("memory_bytes", &SearchReport::memory_bytes)
      .def_ro("depth", &SearchReport::depth)
      .def_ro("mean_depth", &SearchReport::mean_depth)
      .def_ro("tree_full", &SearchReport::tree_full)
      .def_prop_ro("stop",
                   [](const SearchReport& report) { return stop_reason_name(report.stop); });
}

void bind_alpha_beta_options(nb::module_& m) {
  nb::class_<AlphaBetaOptions> options(m, "AlphaBetaOptions",
                                       "Values of the options of the alpha-beta family.");
  bind_option_class(options, &set_alpha_beta_option);
  KIBITZ_BIND_OPTION_FIELDS(KIBITZ_ALPHA_BETA_OPTIONS, AlphaBetaOptions, options)
  m.def("alpha_beta_option_table", &alpha_beta_option_table,
        "Every option of the alpha-beta family.");
}

}  // namespace

void bind_core_turns(nb::module_& m) {
  m.def("share_cores", &share_cores, "cores"_a, "nice"_a,
        "Searches of this process take turns on so many cores, with a priority lower by `nice`.");
  m.def("stop_sharing_cores", &stop_sharing_cores, "Ends what one call of `share_cores` began.");
  m.def("make_next_start_urgent", &make_next_start_urgent, "urgent"_a,
        "Whether the next search that this thread starts goes before those that are not urgent.");
}

void bind_search_types(nb::module_& m) {
  bind_options(m);
  bind_alpha_beta_options(m);
  bind_plan(m);
  bind_report(m);
  bind_selfplay_rules(m);
  bind_core_turns(m);
}

}  // namespace kibitz::bind
