// Work on threads of its own beside the tree search: Junqi's search, the solvers, the tables they
// share and what searches remember; run under the thread sanitizer by `make tsan`.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <vector>

#include "games/junqi/search/job.h"
#include "games/othello/solve/endgame.h"
#include "games/uttt/solve/solver.h"
#include "games/uttt/solve/tables.h"
#include "search/value_bias.h"
#include "tests/check.h"
#include "tests/games/junqi/play.h"

using namespace kibitz;

namespace {

/// Runs `work(number)` on several threads at once.
template <class Work>
void on_threads(int count, const Work& work) {
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number)
    threads.emplace_back([&work, number] { work(number); });
  for (auto& thread : threads) thread.join();
}

junqi::JunqiOptions quick_junqi() {
  junqi::JunqiOptions options;
  options.threads = 3;
  options.worlds = 4;
  options.depth = 2;
  return options;
}

/// Reports are read while the search's own threads work, and it is stopped by another one.
void junqi_jobs() {
  Rng rng(3);
  const junqi::Junqi game = junqi::dealt(rng, 4);
  junqi::JunqiJob job(junqi::View(game, game.to_move()), quick_junqi());
  job.start({}, {});
  while (!job.wait(0.001)) CHECK(job.report().junqi_moves.size() <= 1000);
  const auto whole = job.report();
  CHECK(!whole.junqi_moves.empty());

  junqi::JunqiOptions deep = quick_junqi();
  deep.depth = 12;
  job.configure(deep);
  job.start({}, {});
  std::thread stopper([&] { job.stop(); });
  while (!job.wait(1.0)) {
  }
  stopper.join();
  CHECK(!job.report().junqi_moves.empty());
}

/// Solvers belong to a thread each, and are stopped by another.
void solvers() {
  const auto empties = [](int most) {
    Rng rng(11);
    Othello game;
    while (game.empties() > most && !game.is_over()) {
      MoveList<Othello> moves;
      game.legal_moves(moves);
      game.play(moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))]);
    }
    return game;
  };
  const Othello late = empties(10), early = empties(40);
  std::vector<int> scores(3);
  on_threads(3, [&](int number) {
    othello::EndgameSolver solver(std::size_t{1} << 20);
    scores[static_cast<std::size_t>(number)] = solver.solve(late).score;
  });
  CHECK_EQ(scores[0], scores[1]);
  CHECK_EQ(scores[0], scores[2]);

  std::atomic<bool> stop{false};
  bool solved = true, won = true;
  std::thread first([&] {
    othello::EndgameSolver solver(std::size_t{1} << 20);
    solved = solver.solve(early, {.stop = &stop}).solved;
  });
  std::thread second([&] {
    uttt::Solver solver;
    won = solver.solve(Uttt{}, {.stop = &stop}).solved;
  });
  stop = true;
  first.join();
  second.join();
  CHECK(!solved);
  CHECK(!won);
}

/// One set of tables, solved and probed by several threads: a level in parts gives the same whole.
void tables() {
  const uttt::Tables none;
  const auto ending = Uttt::Ending::kStandard;
  const std::uint64_t size = uttt::LevelIndex::of(ending, 1, 1).size();
  std::vector<uttt::Worth> whole(size), parts(size);
  none.solve(ending, 1, 1, 0, size, whole.data());
  constexpr std::uint64_t kThreads = 4;
  on_threads(static_cast<int>(kThreads), [&](int number) {
    const auto n = static_cast<std::uint64_t>(number);
    const std::uint64_t first = n * size / kThreads, end = (n + 1) * size / kThreads;
    none.solve(ending, 1, 1, first, end - first, parts.data() + first);
  });
  CHECK(whole == parts);
}

/// Entries are made once, and every reported difference is counted.
void biases() {
  ValueBiasTable table;
  on_threads(4, [&](int) {
    for (std::uint64_t key = 0; key < 500; ++key) table.at(key)->add(0.5, 1.0);
  });
  for (std::uint64_t key = 0; key < 500; ++key) CHECK_EQ(table.at(key)->expected(), 0.5);
}

}  // namespace

int main() {
  junqi_jobs();
  solvers();
  tables();
  biases();
  return kibitz::test::report();
}
