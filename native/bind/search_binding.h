// The tree search of one game in Python. Waiting gives up the interpreter's lock; a network's call
// takes it back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bind/background_job.h"
#include "bind/checks.h"
#include "bind/network_function.h"
#include "bind/text.h"
#include "evaluate/cache.h"
#include "evaluate/callout.h"
#include "evaluate/playout.h"
#include "evaluate/uniform.h"
#include "search/admit.h"
#include "search/tree_search.h"

namespace kibitz::bind {

/// What a game brings to its search beyond the contract. `GameTraits` is specialized beside the
/// game's binding and takes from here what it does not have.
template <Game G>
struct GameTraitsDefaults {
  static PriorFunction<G> priors() { return nullptr; }
  static std::shared_ptr<const Oracle<G>> oracle(const Options&) { return nullptr; }
  /// What judges leaves when evaluator=hand.
  static std::shared_ptr<Evaluator<G>> hand_evaluator(const Options&) { return nullptr; }
  /// A network that is no graph but an evaluator of the core; null for others.
  static std::shared_ptr<Evaluator<G>> core_evaluator(nanobind::handle, const Options&) {
    return nullptr;
  }
};

template <Game G>
struct GameTraits : GameTraitsDefaults<G> {};

/// A search that can be dropped while Python holds its lock and a thread of the search wants it.
template <Game G>
class SearchHandle {
 public:
  SearchHandle(const G& position, const Options& options, nanobind::object network) {
    search_ = std::make_unique<TreeSearch<G>>(
        position, make_evaluator(position, options, std::move(network), table_), options);
    equip(options);
  }
  ~SearchHandle() {
    const nanobind::gil_scoped_release unlocked;
    search_.reset();
  }
  TreeSearch<G>& operator*() { return *search_; }
  TreeSearch<G>* operator->() { return search_.get(); }

  /// The human model for each side to move, or None; see TreeSearch::set_human.
  void set_human(nanobind::object first, nanobind::object second, std::optional<G> shown) {
    std::array<std::shared_ptr<Evaluator<G>>, 2> models;
    if (!first.is_none()) {
      const bool same = first.is(second);
      models[0] = make_human(std::move(first));
      models[1] = same ? models[0] : make_human(std::move(second));
    }
    search_->set_human(std::move(models), std::move(shown));
  }

  /// Forgets evaluations kept for later.
  void clear_cache() {
    if (table_) table_->clear();
  }

  void equip(const Options& options) {
    search_->set_options(options);
    equip(*search_, options);
  }
  /// Gives a search what its game brings to it.
  static void equip(TreeSearch<G>& search, const Options& options) {
    PriorFunction<G> priors;
    if (uses_priors(options)) {
      priors = search.evaluator().quick_priors();
      if (!priors) priors = GameTraits<G>::priors();
    }
    search.set_priors(std::move(priors));
    search.set_oracle(options.solve_leaves > 0 ? GameTraits<G>::oracle(options) : nullptr);
  }

  /// The evaluator that the options name; `table` is set to where it keeps evaluations, if it does.
  static std::shared_ptr<Evaluator<G>> make_evaluator(const G& position, const Options& options,
                                                      nanobind::object network,
                                                      std::shared_ptr<EvaluationTable>& table) {
    switch (options.evaluator) {
      case EvaluatorKind::kUniform:
        return std::make_shared<UniformEvaluator<G>>();
      case EvaluatorKind::kPlayout:
        return std::make_shared<PlayoutEvaluator<G>>(options.playout == PlayoutPolicy::kPolicy);
      case EvaluatorKind::kHand:
        if (auto hand = GameTraits<G>::hand_evaluator(options)) return hand;
        throw nanobind::value_error("this game has no hand-written evaluator");
      case EvaluatorKind::kNetwork:
        break;
    }
    return make_network_evaluator(position, options, std::move(network), table);
  }

 private:
  static std::shared_ptr<Evaluator<G>> make_network_evaluator(
      const G& position, const Options& options, nanobind::object network,
      std::shared_ptr<EvaluationTable>& table) {
    if (network.is_none()) throw nanobind::value_error("evaluator=network needs a network");
    if (auto made = GameTraits<G>::core_evaluator(network, options)) return made;
    if constexpr (SampleGame<G>) {
      const bool optimistic = uses_optimism(network), styled = predicts_style(network);
      std::shared_ptr<Evaluator<G>> direct = std::make_shared<CalloutEvaluator<G>>(
          network_from(std::move(network)), leave_interpreter, styled);
      if (options.cache_mb == 0) return direct;
      const FeatureShape shape = position.feature_shape();
      // What is kept are the priors of legal moves, not the whole policy.
      const auto floats = static_cast<std::size_t>(std::min(shape.policy, G::kMaxMoves));
      table = std::make_shared<EvaluationTable>(static_cast<std::size_t>(options.cache_mb) << 20,
                                                floats);
      return std::make_shared<CachedEvaluator<G>>(
          direct, table, static_cast<int>(options.cache_history), optimistic);
    }
    throw nanobind::value_error("this game has no network input");
  }
  static std::shared_ptr<Evaluator<G>> make_human(nanobind::object network) {
    if constexpr (SampleGame<G>) {
      if (!nanobind::hasattr(network, "core") || network.attr("core").is_none())
        return std::make_shared<CalloutEvaluator<G>>(network_from(std::move(network)),
                                                     leave_interpreter);
    }
    throw nanobind::value_error("the human model has no policy to explore with");
  }
  std::shared_ptr<EvaluationTable> table_;
  std::unique_ptr<TreeSearch<G>> search_;
};

template <Game G>
void bind_tree_search(nanobind::module_& m, const char* name) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using Handle = SearchHandle<G>;
  constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();
  nb::class_<Handle>(m, name, "A tree search; see kibitz.Engine for the friendly face.")
      .def(nb::init<const G&, const Options&, nb::object>(), "position"_a, "options"_a,
           "network"_a.none() = nb::none())
      .def(
          "start",
          [](Handle& search, const Plan& plan, std::int64_t simulations, std::int64_t visits,
             double seconds) {
            if (std::isnan(seconds)) throw nb::value_error("seconds must be a number");
            const nb::gil_scoped_release unlocked;
            search->start(plan, Budget{simulations, visits, seconds});
          },
          "plan"_a, "simulations"_a = kNoLimit, "visits"_a = kNoLimit,
          "seconds"_a = std::numeric_limits<double>::infinity(), "Starts searching and returns.")
      .def(
          "wait", [](Handle& search, double seconds) { return wait_unlocked(*search, seconds); },
          "seconds"_a, "True once the search has ended; waits up to `seconds` for it.")
      .def("stop", [](Handle& search) { search->stop(); })
      .def(
          "report",
          [](Handle& search, int length, bool owners) {
            return search->report(in_range("line_length", length, 0, 100'000), owners);
          },
          "line_length"_a = 32, "move_ownership"_a = false)
      .def("clear_cache", [](Handle& search) { search.clear_cache(); })
      .def(
          "advance",
          [](Handle& search, Move move) {
            bool allowed = search->position().is_legal(move);
            if constexpr (requires { search->position().may_play(move); })
              allowed = search->position().may_play(move);
            if (!allowed) throw nb::value_error("illegal move");
            search->advance(move);
          },
          "move"_a)
      .def(
          "reset", [](Handle& search, const G& position) { search->reset(position); }, "position"_a)
      .def(
          "set_human",
          [](Handle& search, nb::object first, nb::object second, std::optional<G> shown) {
            search.set_human(std::move(first), std::move(second), std::move(shown));
          },
          "first"_a.none(), "second"_a.none(), "shown"_a.none() = nb::none(),
          "The human model's network for each side to move, whose policy the options human_* "
          "explore "
          "with, or None; `shown` is the position as it is shown to the model, where that differs.")
      .def(
          "configure", [](Handle& search, const Options& options) { search.equip(options); },
          "options"_a, "Takes new values of options that do not change the evaluator.")
      .def_prop_ro("position", [](Handle& search) { return search->position(); })
      .def(
          "dump",
          [](Handle& search, int depth, std::int64_t least) {
            return tree_text(search->tree(in_range("depth", depth, 0, 1000), least));
          },
          "depth"_a = 2, "min_visits"_a = 1, "The tree as indented text.")
      .def(
          "tree",
          [](Handle& search, int depth, std::int64_t least) {
            return search->tree(in_range("depth", depth, 0, 1000), least);
          },
          "depth"_a = 2, "min_visits"_a = 1, "The tree, parents before their children.");
}

}  // namespace kibitz::bind
