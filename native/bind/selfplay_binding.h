// Self-play of one game in Python (search/selfplay.h): many games at once, evaluated in batches;
// what is known of a game as numbers and arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/checks.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "search/selfplay.h"

namespace kibitz::bind {

/// One-dimensional numbers that belong to Python.
template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>> owned(const std::vector<T>& numbers) {
  auto data = std::make_unique<T[]>(std::max<std::size_t>(1, numbers.size()));
  std::copy(numbers.begin(), numbers.end(), data.get());
  T* kept = data.release();
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  const std::size_t shape[] = {numbers.size()};
  return {kept, 1, shape, owner};
}

/// The positions of a game that teach something, as arrays with a row for each.
///
/// The planes and globals of a network's input; the policy as a list of (index, share) of which row
/// i has those from starts[i] to starts[i + 1]; for the side to move the result (win, draw, loss),
/// the margin and who owns each point (None where the game, or a game that was given up, has none),
/// and the root's value; the ply. Only moves searched with the whole budget teach. `start` is the
/// first position written as the planes want it; without one it is the record's.
template <SampleGame G>
auto selfplay_samples(const SelfplayRecord<G>& record, const std::optional<G>& start) {
  const G& first = start ? *start : record.start;
  if (first.hash() != record.start.hash())
    throw nanobind::value_error("the game has another start");
  const FeatureShape shape = first.feature_shape();
  const auto n = [](int number) { return static_cast<std::size_t>(number); };
  std::size_t rows = 0;
  for (const SearchedPly& ply : record.plies) rows += ply.full && !ply.entries.empty();
  const bool ended = record.last.is_over();
  const float result = record.result();
  const Targets targets = ended         ? Sample<G>::targets(record.last)
                          : result >= 0 ? targets_of(result)
                                        : Targets{0.0f, 0.0f, 0.0f, 0.0f};
  SampleArray planes = new_array({rows, n(shape.planes), n(shape.rows), n(shape.columns)});
  SampleArray globals = new_array({rows, n(shape.globals)});
  SampleArray values = new_array({rows, 3});
  std::optional<SampleArray> scores, owners;
  std::vector<float> owned_points;
  if constexpr (Sample<G>::kHasScore)
    if (ended) scores = new_array({rows});
  if constexpr (Sample<G>::kHasOwnership) {
    if (ended) {
      owners = new_array({rows, n(shape.rows), n(shape.columns)});
      owned_points.resize(n(shape.points()));
      Sample<G>::write_owners(record.last, owned_points.data());
    }
  }
  std::vector<std::int32_t> indices, plies;
  std::vector<std::int64_t> starts{0};
  std::vector<float> shares, root_values;
  G position = first;
  std::size_t row = 0;
  for (std::size_t at = 0; at < record.plies.size(); ++at) {
    const SearchedPly& ply = record.plies[at];
    if (ply.full && !ply.entries.empty()) {
      const int side = position.to_move();
      const float sign = side == 0 ? 1.0f : -1.0f;
      position.write_features(planes.data() + row * n(shape.plane_floats()),
                              globals.data() + row * n(shape.globals));
      float* value = values.data() + row * 3;
      value[0] = side == 0 ? targets.win : targets.loss;
      value[1] = targets.draw;
      value[2] = side == 0 ? targets.loss : targets.win;
      if (scores) scores->data()[row] = sign * targets.score;
      for (std::size_t p = 0; p < owned_points.size(); ++p)
        owners->data()[row * owned_points.size() + p] = sign * owned_points[p];
      for (const RootEntry& entry : ply.entries) {
        if (entry.policy <= 0.0f) continue;
        indices.push_back(position.policy_index(entry.move));
        shares.push_back(entry.policy);
      }
      starts.push_back(static_cast<std::int64_t>(indices.size()));
      root_values.push_back(ply.value);
      plies.push_back(static_cast<std::int32_t>(at));
      ++row;
    }
    position.play(ply.move);
  }
  return std::tuple(planes, globals, owned(starts), owned(indices), owned(shares), values, scores,
                    owners, owned(root_values), owned(plies));
}

template <SampleGame G>
class SelfplayHandle {
 public:
  SelfplayHandle(const G& position, const SelfplayRules& rules, nanobind::object network,
                 int at_once, int threads) {
    Options options = rules.options;
    options.cache_mb = 0;  // games share no cache, so that none depends on another
    auto evaluator = SearchHandle<G>::make_evaluator(position, options, std::move(network), table_);
    play_ = std::make_unique<Selfplay<G>>(
        rules, std::move(evaluator), in_range("games at once", at_once, 1, 1 << 16),
        in_range("threads", threads, 1, 1024),
        [options](TreeSearch<G>& search) { SearchHandle<G>::equip(search, options); });
  }
  ~SelfplayHandle() { close(); }

  /// Blocks until the game is over; Ctrl-C is heard meanwhile where the main thread calls.
  SelfplayRecord<G> play(std::int64_t id, const G& start, const std::vector<Move>& opening,
                         std::uint64_t seed) {
    G position = start;
    for (const Move move : opening) {
      if (!position.is_legal(move)) throw nanobind::value_error("an opening with an illegal move");
      position.play(move);
    }
    auto ticket = play_->give(id, start, opening, seed);
    for (;;) {
      {
        const nanobind::gil_scoped_release unlocked;
        if (ticket->wait(0.2)) break;
      }
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }
    return std::move(ticket->record());
  }
  void close() {
    const nanobind::gil_scoped_release unlocked;
    play_->close();
  }
  Selfplay<G>& operator*() { return *play_; }

 private:
  std::shared_ptr<EvaluationTable> table_;
  std::unique_ptr<Selfplay<G>> play_;
};

template <SampleGame G>
void bind_selfplay(nanobind::module_& m, const std::string& name) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using Record = SelfplayRecord<G>;
  using Entries = std::vector<std::tuple<Move, std::uint32_t, float, float>>;
  nb::class_<Record>(m, (name + "Record").c_str(), "A game of self-play.")
      .def_ro("id", &Record::id)
      .def_ro("start", &Record::start)
      .def_ro("last", &Record::last)
      .def_prop_ro("result", &Record::result, "The first side's; below 0 when it was broken off.")
      .def_prop_ro("moves",
                   [](const Record& record) {
                     std::vector<Move> moves;
                     for (const SearchedPly& ply : record.plies) moves.push_back(ply.move);
                     return moves;
                   })
      .def_ro("resigned", &Record::resigned, "The side that gave up, or would have; else -1.")
      .def_ro("resigned_ply", &Record::resigned_ply)
      .def_ro("played_out", &Record::played_out, "Whether it had to play on.")
      .def_prop_ro(
          "searches",
          [](const Record& record) {
            std::vector<std::tuple<bool, float, Entries>> out;
            for (const SearchedPly& ply : record.plies) {
              Entries entries;
              for (const RootEntry& entry : ply.entries)
                entries.emplace_back(entry.move, entry.visits, entry.value, entry.policy);
              out.emplace_back(ply.full, ply.value, std::move(entries));
            }
            return out;
          },
          "For each move: whether it was searched with the whole budget, the root's value, and "
          "(move, visits, value, share of the policy) of each root move; none in openings.")
      .def("samples", &selfplay_samples<G>, "start"_a.none() = nb::none(),
           "Arrays with a row for each position that teaches: planes, globals, starts, indices and "
           "shares of the policy, values, margins or None, owners or None, root values, plies.");
  using Handle = SelfplayHandle<G>;
  nb::class_<Handle>(m, name.c_str(), "Many games of self-play at once, evaluated in batches.")
      .def(nb::init<const G&, const SelfplayRules&, nb::object, int, int>(), "position"_a,
           "rules"_a, "network"_a.none(), "at_once"_a, "threads"_a)
      .def("play", &Handle::play, "id"_a, "start"_a, "opening"_a, "seed"_a,
           "Plays a game; blocks until it is over. To be called from several threads at once.")
      .def("close", &Handle::close, "Ends what runs; then `play` raises.")
      .def_prop_ro("batches", [](Handle& handle) { return (*handle).batches(); })
      .def_prop_ro("leaves", [](Handle& handle) { return (*handle).leaves(); });
}

}  // namespace kibitz::bind
