// The tree search of one game in Python. Waiting gives up the interpreter's lock; a network's call
// takes it back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "evaluate/callout.h"
#include "evaluate/playout.h"
#include "evaluate/uniform.h"
#include "search/tree_search.h"

namespace kibitz::bind {

/// What a game brings to its search beyond the contract; specialised beside the game's binding.
template <Game G>
struct Kit {
  static PriorFunction<G> priors() { return nullptr; }
  static std::shared_ptr<const Oracle<G>> oracle(const Options&) { return nullptr; }
  /// What the game's own options add to the user's plan.
  static void complete(Plan&, const Options&) {}
};

/// Wraps `callable(planes, globals) -> (policy, outcomes)`, float32 arrays with one row a position;
/// the outcome's columns are win, draw, loss and score for the side to move.
inline NetworkFunction network_from(nanobind::object callable) {
  namespace nb = nanobind;
  using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  // The last copy may be dropped on a search thread, which does not hold the interpreter's lock.
  std::shared_ptr<nb::object> shared(new nb::object(std::move(callable)), [](nb::object* object) {
    const nb::gil_scoped_acquire lock;
    delete object;
  });
  return [shared](const FeatureShape& shape, int count, const float* planes, const float* globals,
                  float* policy, NetworkOutcome* outcomes) {
    const nb::gil_scoped_acquire lock;
    const auto n = static_cast<std::size_t>(count);
    const std::size_t plane_shape[] = {n, static_cast<std::size_t>(shape.planes),
                                       static_cast<std::size_t>(shape.rows),
                                       static_cast<std::size_t>(shape.columns)};
    const std::size_t global_shape[] = {n, static_cast<std::size_t>(shape.globals)};
    nb::ndarray<nb::numpy, const float> planes_array(planes, 4, plane_shape, nb::none());
    nb::ndarray<nb::numpy, const float> globals_array(globals, 2, global_shape, nb::none());
    const nb::object answer = (*shared)(planes_array.cast(), globals_array.cast());
    const auto rows = nb::cast<std::pair<Rows, Rows>>(answer);
    const auto policy_size = static_cast<std::size_t>(shape.policy);
    if (rows.first.shape(0) != n || rows.first.shape(1) != policy_size ||
        rows.second.shape(0) != n || rows.second.shape(1) != 4)
      throw nb::value_error("the network must answer with arrays of n x policy size and n x 4");
    std::memcpy(policy, rows.first.data(), n * policy_size * sizeof(float));
    static_assert(sizeof(NetworkOutcome) == 4 * sizeof(float));
    std::memcpy(static_cast<void*>(outcomes), rows.second.data(), n * sizeof(NetworkOutcome));
  };
}

/// A search that can be dropped while Python holds its lock and a thread of the search wants it.
template <Game G>
class SearchHandle {
 public:
  SearchHandle(const G& position, const Options& options, nanobind::object network) {
    search_ = std::make_unique<TreeSearch<G>>(position, make_evaluator(options, std::move(network)),
                                              options);
    equip(options);
  }
  ~SearchHandle() {
    const nanobind::gil_scoped_release unlocked;
    search_.reset();
  }
  TreeSearch<G>& operator*() { return *search_; }
  TreeSearch<G>* operator->() { return search_.get(); }

  void start(Plan plan, const Budget& budget) {
    Kit<G>::complete(plan, options_);
    search_->start(plan, budget);
  }
  void equip(const Options& options) {
    options_ = options;
    search_->set_options(options);
    search_->set_priors(options.bias > 0 ? Kit<G>::priors() : nullptr);
    search_->set_oracle(options.solve_leaves > 0 ? Kit<G>::oracle(options) : nullptr);
  }

 private:
  static std::shared_ptr<Evaluator<G>> make_evaluator(const Options& options,
                                                      nanobind::object network) {
    if (options.evaluator == "uniform") return std::make_shared<UniformEvaluator<G>>();
    if (options.evaluator == "playout")
      return std::make_shared<PlayoutEvaluator<G>>(options.playout == "policy");
    if (network.is_none()) throw nanobind::value_error("evaluator=network needs a network");
    if constexpr (NetworkGame<G>)
      return std::make_shared<CalloutEvaluator<G>>(network_from(std::move(network)));
    throw nanobind::value_error("this game has no network input");
  }
  Options options_;
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
            const nb::gil_scoped_release unlocked;
            search.start(plan, Budget{simulations, visits, seconds});
          },
          "plan"_a, "simulations"_a = kNoLimit, "visits"_a = kNoLimit,
          "seconds"_a = std::numeric_limits<double>::infinity(), "Starts searching and returns.")
      .def(
          "wait",
          [](Handle& search, double seconds) {
            const nb::gil_scoped_release unlocked;
            return search->wait(seconds);
          },
          "seconds"_a, "True once the search has ended; waits up to `seconds` for it.")
      .def("stop", [](Handle& search) { search->stop(); })
      .def(
          "report", [](Handle& search, int length) { return search->report(length); },
          "line_length"_a = 32)
      .def(
          "advance", [](Handle& search, Move move) { search->advance(move); }, "move"_a)
      .def(
          "reset", [](Handle& search, const G& position) { search->reset(position); }, "position"_a)
      .def(
          "configure", [](Handle& search, const Options& options) { search.equip(options); },
          "options"_a, "Takes new values of options that do not change the evaluator.")
      .def_prop_ro("position", [](Handle& search) { return search->position(); })
      .def(
          "dump",
          [](Handle& search, int depth, std::int64_t least) { return search->dump(depth, least); },
          "depth"_a = 2, "min_visits"_a = 1, "The tree as indented text.");
}

}  // namespace kibitz::bind
