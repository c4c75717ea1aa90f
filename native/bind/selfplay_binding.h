// Self-play of one game in Python (search/selfplay.h): many games at once, evaluated in batches.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/checks.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "search/selfplay.h"

namespace kibitz::bind {

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
          "(move, visits, value, share of the policy) of each root move; none in openings.");
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
