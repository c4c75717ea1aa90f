// A Python callable as the network of a search.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "bind/python_failure.h"
#include "bind/python_thread.h"
#include "evaluate/batcher.h"
#include "evaluate/callout.h"
#include "evaluate/direct_network.h"

namespace kibitz::bind {

/// Whether a network has two policies and takes how to mix them; its callable then takes
/// a third array, one number a position.
inline bool uses_optimism(nanobind::handle network) {
  namespace nb = nanobind;
  return nb::hasattr(network, "uses_optimism") && nb::cast<bool>(network.attr("uses_optimism"));
}

/// Whether a network predicts the style of a game beside the outcome.
inline bool predicts_style(nanobind::handle network) {
  namespace nb = nanobind;
  return nb::hasattr(network, "predicts_style") && nb::cast<bool>(network.attr("predicts_style"));
}

/// What a search calls while it runs: the callable, or the core itself where the network says that
/// it runs there (`direct(rows, columns)`, asked once for each board size). Threads: any number.
class PythonNetwork {
 public:
  explicit PythonNetwork(nanobind::object callable)
      // The last copy may be dropped on a search thread, which does not hold the interpreter's
      // lock.
      : optimistic_(uses_optimism(callable)),
        callable_(new nanobind::object(std::move(callable)), [](nanobind::object* object) {
          const nanobind::gil_scoped_acquire lock;
          delete object;
        }) {}

  void operator()(const NetworkBatch& batch) {
    if (const auto direct = direct_for(batch.shape)) return (*direct)(batch);
    call(batch);
  }

 private:
  using Direct = std::shared_ptr<const DirectNetwork>;

  Direct direct_for(const FeatureShape& shape) {
    namespace nb = nanobind;
    const std::pair size{shape.rows, shape.columns};
    {
      const std::lock_guard lock(mutex_);
      if (const auto entry = direct_.find(size); entry != direct_.end()) return entry->second;
    }
    // Not while the mutex is held: whoever has the interpreter's lock may want it.
    Direct made;
    {
      const nb::gil_scoped_acquire lock;
      try {
        if (nb::hasattr(*callable_, "direct")) {
          const nb::object answer = callable_->attr("direct")(shape.rows, shape.columns);
          if (!answer.is_none()) made = nb::cast<std::shared_ptr<DirectNetwork>>(answer);
        }
      } catch (const nb::python_error& error) {
        throw PythonFailure(error);
      }
    }
    const std::lock_guard lock(mutex_);
    return direct_.emplace(size, made).first->second;
  }

  void call(const NetworkBatch& batch) const {
    namespace nb = nanobind;
    using Numbers = nb::ndarray<nb::numpy, const float>;
    using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    enter_interpreter();
    const nb::gil_scoped_acquire lock;
    const FeatureShape& shape = batch.shape;
    const auto n = static_cast<std::size_t>(batch.count);
    const std::size_t plane_shape[] = {n, static_cast<std::size_t>(shape.planes),
                                       static_cast<std::size_t>(shape.rows),
                                       static_cast<std::size_t>(shape.columns)};
    const std::size_t global_shape[] = {n, static_cast<std::size_t>(shape.globals)};
    Numbers planes(batch.planes, 4, plane_shape, nb::none());
    Numbers globals(batch.globals, 2, global_shape, nb::none());
    Numbers optimism(batch.optimism, 1, &n, nb::none());
    const nb::object answer = [&] {
      try {
        if (!optimistic_) return (*callable_)(planes.cast(), globals.cast());
        return (*callable_)(planes.cast(), globals.cast(), optimism.cast());
      } catch (const nb::python_error& error) {
        throw PythonFailure(error);
      }
    }();
    const auto policy_size = static_cast<std::size_t>(shape.policy);
    constexpr std::size_t kMost = sizeof(NetworkOutcome) / sizeof(float);
    Rows policy_rows, outcome_rows;
    const bool pair = nb::isinstance<nb::tuple>(answer) || nb::isinstance<nb::list>(answer);
    if (!pair || nb::len(answer) < 2 || !nb::try_cast(answer[0], policy_rows) ||
        !nb::try_cast(answer[1], outcome_rows) || policy_rows.shape(0) != n ||
        policy_rows.shape(1) != policy_size || outcome_rows.shape(0) != n ||
        outcome_rows.shape(1) < 4 || outcome_rows.shape(1) > kMost)
      throw wrong_answer(answer, n, policy_size);
    const std::size_t columns = outcome_rows.shape(1);
    std::memcpy(batch.policy, policy_rows.data(), n * policy_size * sizeof(float));
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(static_cast<void*>(batch.outcomes + i), outcome_rows.data() + i * columns,
                  columns * sizeof(float));
    if (!batch.ownership) return;
    const auto points = static_cast<std::size_t>(shape.rows * shape.columns);
    Rows owned;
    if (nb::len(answer) < 3 || !nb::try_cast(answer[2], owned) || owned.shape(0) != n ||
        owned.shape(1) != points)
      throw nb::value_error("this network does not tell who owns the points");
    std::memcpy(batch.ownership, owned.data(), n * points * sizeof(float));
  }

  /// Says what was expected and what came.
  static nanobind::builtin_exception wrong_answer(const nanobind::object& answer, std::size_t n,
                                                  std::size_t policy_size) {
    namespace nb = nanobind;
    const auto described = [](nb::handle part) {
      const nb::object shape = nb::getattr(part, "shape", nb::none());
      const nb::handle shown = shape.is_none() ? part.type() : nb::handle(shape);
      return std::string(nb::str(shown).c_str());
    };
    std::string got = described(answer);
    if (nb::isinstance<nb::tuple>(answer) || nb::isinstance<nb::list>(answer)) {
      got.clear();
      for (const nb::handle part : answer) got += (got.empty() ? "" : ", ") + described(part);
    }
    const std::string rows = std::to_string(n);
    return nb::value_error(
        ("the network must answer with float arrays of n x policy size and n x 4 "
         "or more, here (" +
         rows + ", " + std::to_string(policy_size) + ") and (" + rows + ", 4); it answered with " +
         got.substr(0, 200))
            .c_str());
  }

  bool optimistic_;
  std::shared_ptr<nanobind::object> callable_;
  std::mutex mutex_;
  std::map<std::pair<int, int>, Direct> direct_;
};

/// Wraps `callable(planes, globals) -> (policy, outcomes)`, float32 arrays with one row a position;
/// the outcome's columns are win, draw, loss and score for the side to move, and as many more of
/// NetworkOutcome as the network knows. A third array tells who owns each point. A Batcher stands
/// for the callable it was made of.
inline NetworkFunction network_from(nanobind::object callable) {
  namespace nb = nanobind;
  if (nb::isinstance<Batcher>(callable)) {
    auto batcher = nb::cast<std::shared_ptr<Batcher>>(callable);
    return [batcher](const NetworkBatch& batch) { (*batcher)(batch); };
  }
  const auto network = std::make_shared<PythonNetwork>(std::move(callable));
  return [network](const NetworkBatch& batch) { (*network)(batch); };
}

}  // namespace kibitz::bind
