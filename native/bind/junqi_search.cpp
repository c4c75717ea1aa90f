// Junqi's search, scoring and beliefs in Python. The search runs on a thread of its own, so that
// Ctrl-C and a stop are heard while it thinks.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <map>

#include "bind/background_job.h"
#include "bind/bind.h"
#include "bind/option_binding.h"
#include "games/junqi/table.h"
#include "search/junqi_options.h"
#include "steering/plan.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using namespace kibitz::junqi;

/// Points as an expected result: a commander ahead is about 62%.
double chance_of(double points) { return 1.0 / (1.0 + std::exp(-points / 200.0)); }

/// In the order they are told about; the map of the standard library would sort them by name.
nb::typed<nb::dict, nb::str, double> parts_of(const MoveParts& parts) {
  nb::typed<nb::dict, nb::str, double> out;
  out["score"] = parts.score;
  out["attack_ev"] = parts.attack_ev;
  out["risk"] = parts.risk;
  out["pos_gain"] = parts.pos_gain;
  out["defense"] = parts.defense;
  return out;
}

/// What the seat believes of a node's piece: `engineer 41%, platoon 22%, mine 15%`.
std::string belief_text(const View& view, const Belief& belief, int node) {
  const int piece = view.piece_at(node);
  if (piece == kNowhere) return "";
  std::vector<std::pair<float, int>> order;
  for (int k = 0; k < kKinds; ++k)
    order.emplace_back(-belief.chance[static_cast<std::size_t>(piece)][static_cast<std::size_t>(k)],
                       k);
  std::sort(order.begin(), order.end());
  std::string out;
  for (int i = 0; i < 3 && order[static_cast<std::size_t>(i)].first < -0.005f; ++i) {
    const auto [minus, k] = order[static_cast<std::size_t>(i)];
    if (i) out += ", ";
    out += std::string(kind_name(static_cast<Kind>(k))) + " " +
           std::to_string(static_cast<int>(std::lround(-100 * minus))) + "%";
  }
  return out;
}

/// A root move as search/report.h has it, with what Junqi adds. A visit is a root move searched in
/// a world; there is none until the first depth is done.
struct JunqiMoveReport : MoveReport {
  JunqiMoveReport(const RootMove& found, std::string about)
      : root(found), belief(std::move(about)) {
    move = found.move;
    visits = votes =
        found.worlds;  // moves are ordered by value: no visit is a vote more than another
    min_visits = found.included ? 1 : 0;
    guaranteed = found.included ? found.worlds : 0;
    value = chance_of(found.value);
    first_value = chance_of(found.parts.score);
    lcb = chance_of(found.mean - 2 * found.deviation);
    score = found.value;
    score_stdev = found.deviation;
    pruned = found.pruned;
    permitted = found.permitted;
    line.assign(found.line.begin(), found.line.end());
  }
  RootMove root;
  std::string belief;
};

struct JunqiSearchReport : SearchReport {
  JunqiSearchReport(std::vector<JunqiMoveReport> all, const JunqiReport& report)
      : found(std::move(all)) {
    for (const JunqiMoveReport& move : found) visits += move.visits;
    simulations = nodes = report.nodes;
    value = chance_of(report.value);
    score = report.value;
    if (!found.empty()) first_value = found[0].first_value;
    seconds = report.seconds;
    depth = report.depth;
    mean_depth = report.depth;
    stop = report.stop;
    style_applied = report.style_applied;
  }
  std::vector<JunqiMoveReport> found;
  bool style_applied = false;
};

/// One search at a time.
class JunqiJob final : public BackgroundJob {
 public:
  JunqiJob(const Table& table, const JunqiOptions& options, nb::object) : options_(options) {
    reset(table);
  }
  JunqiJob(const View& view, const JunqiOptions& options, nb::object) : options_(options) {
    reset_view(view);
  }
  ~JunqiJob() { finish(); }

  void configure(const JunqiOptions& options) { options_ = options; }
  // Of the table only the view of the seat to move is kept: the search is given nothing else.
  void reset(const Table& table) { reset_view(table.view(table.board().to_move())); }
  void reset_view(const View& view) {
    view_.emplace(view);
    found_ = JunqiSearchReport({}, {});
  }

  /// Takes out of a plan what this search cannot obey, and says why; as TreeSearch has it.
  std::vector<Refusal> admit(Plan& plan) const {
    std::vector<Refusal> refused;
    const int team = view_->team(view_->seat());
    const auto restrictions = [&](std::vector<Restriction>& rules, const char* kind) {
      std::erase_if(rules, [&](const Restriction& rule) {
        const char* reason = rule.side != team      ? "Junqi's search restricts its own side only"
                             : rule.until_depth > 1 ? "Junqi's search restricts the first ply only"
                                                    : nullptr;
        for (const Move move : rule.moves)
          if (reason) refused.push_back({kind, move, reason});
        return reason != nullptr;
      });
    };
    restrictions(plan.allow, "allow");
    restrictions(plan.avoid, "avoid");
    const JunqiMode mode = options_.mode;
    const std::string named = "mode=" + word_of(mode);
    if (mode != JunqiMode::kSearch) {
      const std::string reason = named + " guarantees no move a look";
      for (const Guarantee& guarantee : plan.include)
        refused.push_back({"include", guarantee.move, reason});
      plan.include.clear();
    }
    if (mode == JunqiMode::kRandom || mode == JunqiMode::kGreedy) {
      for (const Weight& weight : plan.weights)
        refused.push_back({"weights", weight.move, named + " weighs no moves"});
      plan.weights.clear();
    }
    std::erase_if(plan.weights, [&](const Weight& weight) {
      if (plan.permits(team, weight.move, 0)) return false;
      refused.push_back(
          {"weights", weight.move, "the move may not be chosen, so nothing weighs it"});
      return true;
    });
    if (!plan.prior_factors.empty())
      refused.push_back({"prior_factors", kNoMove, "Junqi's search has no priors"});
    plan.prior_factors.clear();
    return refused;
  }

  void start(const Plan& plan, std::int64_t simulations, std::int64_t visits, double seconds) {
    settle();
    SearchConfig config = options_.config();
    const auto began = Clock::now();
    if (simulations < std::numeric_limits<std::int64_t>::max()) {
      config.nodes = simulations;
      // Few nodes are better spent on fewer worlds.
      config.worlds =
          static_cast<int>(std::min<std::int64_t>(config.worlds, 1 + simulations / 500));
    }
    if (visits < config.worlds) config.worlds = static_cast<int>(std::max<std::int64_t>(1, visits));
    if (std::isfinite(seconds))
      config.time_limit_ms = std::max(1, static_cast<int>(seconds * 1000));
    RootWishes wishes;
    const int team = view_->team(view_->seat());
    for (const auto& rule : plan.allow)
      if (rule.side == team)
        wishes.first_ply_moves.insert(wishes.first_ply_moves.end(), rule.moves.begin(),
                                      rule.moves.end());
    for (const auto& rule : plan.avoid)
      if (rule.side == team)
        wishes.avoid.insert(wishes.avoid.end(), rule.moves.begin(), rule.moves.end());
    for (const auto& guarantee : plan.include) wishes.include.push_back(guarantee.move);
    for (const auto& weight : plan.weights) wishes.weights.emplace_back(weight.move, weight.factor);
    wishes.preferred_category = options_.preferred_category();
    found_ = JunqiSearchReport({}, {});
    run([this, config, wishes, began] { think(config, wishes, began); });
  }
  JunqiSearchReport report() {
    const std::lock_guard lock(mutex_);
    return found_;
  }

 private:
  static bool searches(JunqiMode mode) {
    switch (mode) {
      case JunqiMode::kSearch:
      case JunqiMode::kClassic:
        return true;
      case JunqiMode::kGreedy:
      case JunqiMode::kOnePly:
      case JunqiMode::kRandom:
        return false;
    }
    return true;
  }

  void think(SearchConfig config, const RootWishes& wishes, Clock::time_point began) {
    JunqiSearch search(*view_, config, options_.values);
    const auto publish = [&](const JunqiReport& report) {
      std::vector<JunqiMoveReport> moves;
      for (const RootMove& root : report.moves)
        moves.emplace_back(root, belief_text(*view_, search.belief(), to_of(root.move)));
      JunqiSearchReport found(std::move(moves), report);
      const std::lock_guard lock(mutex_);
      found_ = std::move(found);
    };
    if (!searches(options_.mode)) {
      JunqiReport report = search.judge(wishes);
      if (report.moves.empty()) throw std::invalid_argument("the seat has no move to choose from");
      Rng rng(config.seed ^ view_->hash());
      if (options_.mode != JunqiMode::kOnePly) {
        auto chosen =
            report.moves.begin() + rng.below(static_cast<std::uint32_t>(report.moves.size()));
        if (options_.mode == JunqiMode::kGreedy) {
          const auto best = std::max_element(report.moves.begin(), report.moves.end(),
                                             [](const RootMove& a, const RootMove& b) {
                                               return a.parts.exchange < b.parts.exchange;
                                             });
          if (best->parts.exchange > 0) chosen = best;
        }
        std::rotate(report.moves.begin(), chosen, chosen + 1);
        report.value = report.moves[0].value;
      }
      report.nodes = static_cast<std::int64_t>(report.moves.size());
      report.stop = StopReason::kDecided;
      report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
      publish(report);
      return;
    }
    publish(search.run(wishes, &stop_, publish));
  }

  JunqiOptions options_;
  std::optional<View> view_;
  JunqiSearchReport found_{{}, {}};
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
      .def_static("read", &read_weights, "path"_a)
      .def("set", &Weights::set, "name"_a, "value"_a)
      .def("get", &Weights::get, "name"_a);
  m.def("junqi_option_table", &junqi_option_table, "Every option of Junqi's search.");
  nb::class_<JunqiOptions> options(m, "JunqiOptions", "Values of Junqi's search options.");
  bind_option_class(options, &set_junqi_option);
  options.def(
      "set_weights", [](JunqiOptions& self, const Weights& weights) { self.values = weights; },
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
  m.def("junqi_believe", &believe, "view"_a, "weights"_a, "samples"_a = 96, "seed"_a = 1);
}

void bind_scoring(nb::module_& m) {
  m.def(
      "junqi_evaluate_moves",
      [](const View& view, const Weights& weights, int samples, std::uint64_t seed) {
        SearchConfig config;
        config.samples = samples;
        config.seed = seed;
        JunqiSearch search(view, config, weights);
        std::vector<std::tuple<Move, nb::typed<nb::dict, nb::str, double>, std::string, bool>> out;
        for (const RootMove& root : search.judge({}).moves)
          out.emplace_back(root.move, parts_of(root.parts), category_name(root.category),
                           root.vital);
        return out;
      },
      "view"_a, "weights"_a, "samples"_a = 96, "seed"_a = 1,
      "(move, parts, category, vital) of every legal move, the best score first.");
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
      [](const Table& table, const JunqiOptions& options, int depth) {
        SearchConfig config = options.config();
        config.depth = depth;
        std::int64_t nodes = 0;
        const double value = open_value(table.board(), config, options.values, &nodes);
        return std::pair<double, std::int64_t>(value, nodes);
      },
      "table"_a, "options"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>(),
      "The value of a fully known board for the side to move, and the nodes it took.");
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
      .def_ro(
          "style_applied", &JunqiSearchReport::style_applied,
          "Did the style leave moves out? Some moves, or all, may be of no behaviour it prefers.")
      .def_prop_ro(
          "moves", [](const JunqiSearchReport& report) { return report.found; },
          nb::for_getter(nb::sig("def moves(self) -> list[MoveReport]")));
  nb::class_<JunqiJob>(m, "JunqiSearch", "Junqi's search; see kibitz.Engine for the friendly face.")
      .def(nb::init<const Table&, const JunqiOptions&, nb::object>(), "position"_a, "options"_a,
           "network"_a.none() = nb::none())
      .def(nb::init<const View&, const JunqiOptions&, nb::object>(), "position"_a, "options"_a,
           "network"_a.none() = nb::none())
      .def("admit", &JunqiJob::admit, "plan"_a,
           "Takes out of a plan what the search cannot obey, and says why.")
      .def("start", &JunqiJob::start, "plan"_a,
           "simulations"_a = std::numeric_limits<std::int64_t>::max(),
           "visits"_a = std::numeric_limits<std::int64_t>::max(),
           "seconds"_a = std::numeric_limits<double>::infinity(),
           nb::call_guard<nb::gil_scoped_release>())
      .def("wait", &JunqiJob::wait, "seconds"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("stop", &JunqiJob::stop)
      .def(
          "report", [](JunqiJob& job, int, bool) { return job.report(); }, "line_length"_a = 32,
          "move_ownership"_a = false)
      .def("clear_cache", [](JunqiJob&) {})  // it keeps no evaluations
      .def(
          "advance", [](JunqiJob&, Move) {}, "move"_a)
      .def("reset", &JunqiJob::reset, "position"_a)
      .def("reset", &JunqiJob::reset_view, "position"_a)
      .def("configure", &JunqiJob::configure, "options"_a)
      .def(
          "dump", [](JunqiJob&, int, int) { return std::string(); }, "depth"_a = 3,
          "min_visits"_a = 1);
}

}  // namespace

void bind_junqi_search(nb::module_& m) {
  bind_options(m);
  bind_beliefs(m);
  bind_scoring(m);
  bind_job(m);
}

}  // namespace kibitz::bind
