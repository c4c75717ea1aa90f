// The Othello endgame solver in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bind/background_job.h"
#include "bind/text.h"
#include "games/othello/bind/parts.h"
#include "games/othello/solve/endgame.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

class SolverJob final : public BackgroundJob {
 public:
  SolverJob(std::int64_t table_mb, bool patterns)
      : solver_(checked_table(table_mb), patterns ? current_othello_evaluation() : nullptr) {}
  ~SolverJob() { finish(); }

  /// `task`: the exact score, only win/draw/loss, or every move's score.
  void start(const Othello& game, const std::string& task, double seconds, std::uint64_t nodes) {
    if (task != "score" && task != "wld" && task != "moves")
      throw nb::value_error("task must be score, wld or moves");
    const othello::SolveLimits limits{seconds, nodes, &stop_};
    run([this, game, task, limits] {
      if (task == "moves")
        moves_ = solver_.score_moves(game, limits);
      else
        result_ = task == "wld" ? solver_.solve_wld(game, limits) : solver_.solve(game, limits);
    });
  }
  const othello::SolveResult& result() const { return result_; }
  const othello::MoveScores& moves() const { return moves_; }

 private:
  othello::EndgameSolver solver_;
  othello::SolveResult result_;
  othello::MoveScores moves_;
};

}  // namespace

void bind_othello_solver(nb::module_& m) {
  nb::class_<othello::SolveResult>(m, "OthelloSolveResult")
      .def_ro("solved", &othello::SolveResult::solved)
      .def_ro("score", &othello::SolveResult::score)
      .def_ro("best", &othello::SolveResult::best)
      .def_ro("line", &othello::SolveResult::line)
      .def_ro("nodes", &othello::SolveResult::nodes)
      .def_ro("seconds", &othello::SolveResult::seconds);
  nb::class_<othello::MoveScore>(m, "OthelloMoveScore")
      .def_ro("move", &othello::MoveScore::move)
      .def_ro("lower", &othello::MoveScore::lower)
      .def_ro("upper", &othello::MoveScore::upper);
  nb::class_<othello::MoveScores>(m, "OthelloMoveScores")
      .def_ro("solved", &othello::MoveScores::solved)
      .def_ro("moves", &othello::MoveScores::moves)
      .def_ro("nodes", &othello::MoveScores::nodes)
      .def_ro("seconds", &othello::MoveScores::seconds);
  nb::class_<SolverJob>(m, "OthelloSolver", "The exact endgame solver.")
      .def(nb::init<std::int64_t, bool>(), "table_mb"_a = 256, "patterns"_a = true,
           "With `patterns` moves are ordered by the evaluation, if one is set.")
      .def("start", &SolverJob::start, "position"_a, "task"_a = "score",
           "seconds"_a = std::numeric_limits<double>::infinity(),
           "nodes"_a = std::numeric_limits<std::uint64_t>::max(),
           nb::call_guard<nb::gil_scoped_release>())
      .def("wait", &wait_unlocked<SolverJob>, "seconds"_a)
      .def("stop", &SolverJob::stop)
      .def("result", &SolverJob::result, "Of the last `score` or `wld`.")
      .def("moves", &SolverJob::moves, "Of the last `moves`.");
}

}  // namespace kibitz::bind
