// The exact solver and the tables of ultimate tic-tac-toe in Python. A solver runs on a thread of
// its own, so that Ctrl-C and a stop are heard while it thinks.
#include "games/uttt/solve/solver.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bind/background_job.h"
#include "bind/text.h"
#include "games/uttt/bind/parts.h"
#include "games/uttt/bind/shared.h"
#include "games/uttt/solve/plain.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

std::shared_ptr<const uttt::Tables>& uttt_engine_tables() {
  static std::shared_ptr<const uttt::Tables> tables;
  return tables;
}

namespace {

using uttt::Worth;

int result_of(Worth worth) { return worth == uttt::kDraw ? 0 : worth < uttt::kLoss ? 1 : -1; }
int distance_of(Worth worth) { return worth & 127; }

using Rated = std::tuple<Move, int, int>;  // move, result, distance

std::vector<Rated> rated(const std::vector<uttt::RatedMove>& moves) {
  std::vector<Rated> out;
  for (const auto& item : moves)
    if (item.worth != uttt::kUnknown)
      out.emplace_back(item.move, result_of(item.worth), distance_of(item.worth));
  return out;
}

class UtttSolverJob final : public BackgroundJob {
 public:
  UtttSolverJob(std::int64_t table_mb, std::shared_ptr<uttt::Tables> tables)
      : solver_(checked_table(table_mb), std::move(tables)) {}
  ~UtttSolverJob() { finish(); }

  void start(const Uttt& game, bool every_move, double seconds, std::uint64_t nodes) {
    if (game.is_over()) throw nb::value_error("the game is over");
    const uttt::SolveLimits limits{seconds, nodes, &stop_};
    run([this, game, every_move, limits] {
      if (every_move)
        worths_ = solver_.rate_moves(game, limits);
      else
        solution_ = solver_.solve(game, limits);
    });
  }
  const uttt::Solution& solution() const { return solution_; }
  const uttt::MoveWorths& worths() const { return worths_; }

 private:
  uttt::Solver solver_;
  uttt::Solution solution_;
  uttt::MoveWorths worths_;
};

void bind_solver(nb::module_& m) {
  nb::class_<uttt::Solution>(m, "UtttSolution")
      .def_ro("solved", &uttt::Solution::solved)
      .def_prop_ro("result", [](const uttt::Solution& s) { return result_of(s.worth); })
      .def_prop_ro("distance", [](const uttt::Solution& s) { return distance_of(s.worth); })
      .def_ro("best", &uttt::Solution::best)
      .def_ro("line", &uttt::Solution::line)
      .def_ro("nodes", &uttt::Solution::nodes)
      .def_ro("seconds", &uttt::Solution::seconds);
  nb::class_<uttt::MoveWorths>(m, "UtttMoveWorths")
      .def_ro("solved", &uttt::MoveWorths::solved)
      .def_prop_ro(
          "moves", [](const uttt::MoveWorths& w) { return rated(w.moves); },
          "Move, result and distance of each solved move, best first.")
      .def_ro("nodes", &uttt::MoveWorths::nodes)
      .def_ro("seconds", &uttt::MoveWorths::seconds);
  nb::class_<UtttSolverJob>(m, "UtttSolver", "The exact solver.")
      .def(nb::init<std::int64_t, std::shared_ptr<uttt::Tables>>(), "table_mb"_a = 64,
           "tables"_a.none() = nb::none())
      .def("start", &UtttSolverJob::start, "position"_a, "every_move"_a = false,
           "seconds"_a = std::numeric_limits<double>::infinity(),
           "nodes"_a = std::numeric_limits<std::uint64_t>::max(),
           nb::call_guard<nb::gil_scoped_release>())
      .def("wait", &wait_unlocked<UtttSolverJob>, "seconds"_a)
      .def("stop", &UtttSolverJob::stop)
      .def("solution", &UtttSolverJob::solution)
      .def("worths", &UtttSolverJob::worths);
  m.def(
      "uttt_plain_minimax",
      [](const Uttt& game) {
        std::vector<Rated> out;
        for (const auto& item : uttt::plain_minimax(game))
          out.emplace_back(item.move, item.result, item.distance);
        return out;
      },
      "position"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Every move's result and distance by the rules alone, best first; for small positions.");
}

/// Probes positions `first` on, one row of 83 bytes each: 81 cells (0 empty, 1 X, 2 O), the side to
/// move (0, 1), the constraint (0 to 8, 9 for any).
Uttt game_from_row(const std::uint8_t* row, uttt::Ending ending) {
  Uttt game;
  game.ending = ending;
  for (std::size_t b = 0; b < 9; ++b) {
    for (std::size_t c = 0; c < 9; ++c) {
      const std::uint8_t symbol = row[9 * b + c];
      if (symbol > 2) throw nb::value_error("a cell must be 0, 1 or 2");
      if (symbol) game.cells[symbol - 1u][b] |= static_cast<uttt::Mask>(1u << c);
    }
    const auto bit = static_cast<uttt::Mask>(1u << b);
    const auto left = static_cast<uttt::Mask>(uttt::kFull & ~(game.cells[0][b] | game.cells[1][b]));
    bool won = false;
    for (std::size_t player = 0; player < 2; ++player) {
      if (!uttt::has_line(game.cells[player][b])) continue;
      if (won) throw nb::value_error("a sub-board is won by both sides");
      won = true;
      game.won[player] |= bit;
    }
    if (won || left == 0) game.closed |= bit;
    game.empty[b] = won ? uttt::Mask{0} : left;
  }
  if (row[81] > 1 || row[82] > 9) throw nb::value_error("side to move or constraint out of range");
  game.side = row[81];
  game.constraint = row[82];
  if (game.constraint < 9 && (game.closed >> game.constraint & 1))
    throw nb::value_error("the constraint names a closed sub-board");
  const bool over =
      uttt::has_line(game.won[0]) || uttt::has_line(game.won[1]) || game.closed == uttt::kFull;
  if (over) throw nb::value_error("a game is over; there is nothing to probe");
  return game;
}

using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, 83>, nb::c_contig, nb::device::cpu>;
using Answers = nb::ndarray<std::int8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

void bind_tables(nb::module_& m) {
  nb::exception<uttt::DamagedTable>(m, "DamagedTable",
                                    nb::module_::import_("kibitz.errors").attr("BadTable"));
  m.attr("UTTT_TABLE_VERSION") = uttt::kTableVersion;
  m.attr("UTTT_REDUCTION_VERSION") = uttt::kReductionVersion;
  m.attr("UTTT_MAX_OPEN") = uttt::kMaxOpen;
  m.attr("UTTT_MAX_EMPTIES") = uttt::kMaxEmpties;
  m.def(
      "uttt_level_size",
      [](int rule_id, int empties, int open) -> std::uint64_t {
        if (rule_id < 0 || rule_id > 1) throw nb::value_error("no such rule id");
        if (!uttt::LevelIndex::exists(empties, open)) return 0;
        return uttt::LevelIndex::of(static_cast<uttt::Ending>(rule_id), empties, open).size();
      },
      "rule_id"_a, "empties"_a, "open"_a, nb::call_guard<nb::gil_scoped_release>(),
      "How many positions the table of a level has.");
  m.def(
      "uttt_place",
      [](const Uttt& game) -> std::optional<std::tuple<int, int, std::uint64_t>> {
        if (game.is_over() || game.open_boards() > uttt::kMaxOpen ||
            game.empties() > uttt::kMaxEmpties)
          return std::nullopt;
        const auto step = uttt::reduce(game);
        if (step.kind != uttt::Step::Kind::kGoesOn) return std::nullopt;
        const auto place = uttt::place_of(step.next);
        return std::tuple(place.empties, place.open, place.index);
      },
      "position"_a, "Empty cells, open sub-boards and number of a position; None if it has none.");
  nb::class_<uttt::Tables>(m, "UtttTables", "Table files and what they say of a position.")
      .def(nb::init<>())
      .def("add", &uttt::Tables::add, "path"_a)
      .def(
          "has",
          [](const uttt::Tables& tables, int rule_id, int empties, int open) {
            return rule_id >= 0 && rule_id <= 1 &&
                   tables.file(static_cast<uttt::Ending>(rule_id), empties, open) != nullptr;
          },
          "rule_id"_a, "empties"_a, "open"_a)
      .def(
          "probe",
          [](const uttt::Tables& tables, const Uttt& game) -> std::optional<std::tuple<int, int>> {
            if (game.is_over()) throw nb::value_error("the game is over");
            const auto worth = tables.probe(game);
            if (!worth) return std::nullopt;
            return std::tuple(result_of(*worth), distance_of(*worth));
          },
          "position"_a, "Result and distance, or None when no table has the position.")
      .def(
          "probe_moves",
          [](const uttt::Tables& tables, const Uttt& game) -> std::optional<std::vector<Rated>> {
            const auto moves = tables.probe_moves(game);
            if (!moves) return std::nullopt;
            return rated(*moves);
          },
          "position"_a, "Every move with result and distance, best first.")
      .def(
          "probe_list",
          [](const uttt::Tables& tables, const std::vector<const Uttt*>& games, Answers results,
             Answers distances) {
            if (results.shape(0) != games.size() || distances.shape(0) != games.size())
              throw nb::value_error("the answers must be as long as the questions");
            for (std::size_t i = 0; i < games.size(); ++i) {
              if (games[i]->is_over())
                throw nb::value_error("a game is over; there is nothing to probe");
              const auto worth = tables.probe(*games[i]);
              results(i) = static_cast<std::int8_t>(worth ? result_of(*worth) : 0);
              distances(i) = static_cast<std::int8_t>(worth ? distance_of(*worth) : -1);
            }
          },
          "positions"_a, "results"_a, "distances"_a)
      .def(
          "probe_rows",
          [](const uttt::Tables& tables, Rows rows, int rule_id, Answers results,
             Answers distances) {
            if (results.shape(0) != rows.shape(0) || distances.shape(0) != rows.shape(0))
              throw nb::value_error("the answers must be as long as the questions");
            const nb::gil_scoped_release unlocked;
            for (std::size_t i = 0; i < rows.shape(0); ++i) {
              const auto worth = tables.probe(
                  game_from_row(rows.data() + 83 * i, static_cast<uttt::Ending>(rule_id != 0)));
              results(i) = static_cast<std::int8_t>(worth ? result_of(*worth) : 0);
              distances(i) = static_cast<std::int8_t>(worth ? distance_of(*worth) : -1);
            }
          },
          "rows"_a, "rule_id"_a, "results"_a, "distances"_a)
      .def(
          "solve",
          [](const uttt::Tables& tables, int rule_id, int empties, int open, std::uint64_t first,
             nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
            const auto ending = static_cast<uttt::Ending>(rule_id != 0);
            if (!uttt::LevelIndex::exists(empties, open)) throw nb::value_error("no such level");
            const auto size = uttt::LevelIndex::of(ending, empties, open).size();
            if (first > size || out.size() > size - first)
              throw nb::value_error("beyond the end of the level");
            const nb::gil_scoped_release unlocked;
            tables.solve(ending, empties, open, first, out.size(), out.data());
          },
          "rule_id"_a, "empties"_a, "open"_a, "first"_a, "out"_a,
          "Fills `out` with the worths of a level from position `first` on.")
      .def(
          "damaged_blocks",
          [](const uttt::Tables& tables, int rule_id, int empties, int open) {
            const auto* file = tables.file(static_cast<uttt::Ending>(rule_id != 0), empties, open);
            if (!file) throw nb::value_error("no such table");
            std::vector<std::uint32_t> damaged;
            for (std::uint32_t block = 0; block < file->header().blocks; ++block)
              if (!file->intact(block)) damaged.push_back(block);
            return damaged;
          },
          "rule_id"_a, "empties"_a, "open"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "uttt_use_tables",
      [](std::shared_ptr<uttt::Tables> tables) { uttt_engine_tables() = std::move(tables); },
      "tables"_a.none(), "Tables that tree searches started from now on may ask; None for none.");
}

}  // namespace

void bind_uttt_solver(nb::module_& m) {
  bind_tables(m);
  bind_solver(m);
}

}  // namespace kibitz::bind
