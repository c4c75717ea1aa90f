// The tree search with several threads; run under the thread sanitizer by `make tsan`.
#include <memory>
#include <thread>

#include "evaluate/callout.h"
#include "games/othello/evaluate/playouts.h"
#include "games/othello/solve/oracle.h"
#include "search/tree_search.h"
#include "tests/check.h"
#include "tests/games/noughts/noughts.h"

using namespace kibitz;
using kibitz::test::minimax;
using kibitz::test::Noughts;

namespace {

void othello_with_everything_on() {
  Options options;
  options.threads = 4;
  options.batch = 4;
  options.bias = 1.0;
  options.prune = RootPruning::kStatistical;
  options.prune_period = 100;
  options.early_stop = 1;
  options.solve_leaves = 6;
  TreeSearch<Othello> search(Othello{}, std::make_shared<PlayoutEvaluator<Othello>>(true), options);
  search.set_priors(othello_square_priors);
  search.set_oracle(std::make_shared<OthelloOracle>(6));
  Plan plan;
  plan.include = {{Othello{}.parse_move("d3"), 500}, {Othello{}.parse_move("f5"), 300}};
  plan.weights = {{Othello{}.parse_move("c4"), 1.5, true}};
  Budget budget;
  budget.simulations = 20000;
  search.start(plan, budget);
  while (!search.wait(0.001)) {
    const auto report = search.report();  // while the threads work
    CHECK(report.value >= 0.0 && report.value <= 1.0);
  }
  const auto report = search.report();
  std::int64_t visits = 0;
  for (const auto& move : report.moves) visits += move.visits;
  CHECK_EQ(visits, report.visits);
  CHECK(report.guaranteed >= 800);
  search.advance(report.moves[0].move);
  search.start({}, budget);
  while (!search.wait(1.0)) {
  }
  CHECK(search.report().reused > 0);
}

void stopped_from_outside() {
  Options options;
  options.threads = 3;
  TreeSearch<Othello> search(Othello{}, std::make_shared<PlayoutEvaluator<Othello>>(false),
                             options);
  search.start({}, {});
  std::thread stopper([&] { search.stop(); });
  while (!search.wait(1.0)) {
  }
  stopper.join();
  CHECK_EQ(stop_reason_name(search.report().stop), std::string("stopped"));
}

void proofs_with_threads() {
  Options options;
  options.threads = 4;
  options.rule = SelectionRule::kPuct;
  options.batch = 3;
  const auto network = std::make_shared<CalloutEvaluator<Noughts>>([](const NetworkBatch& batch) {
    std::fill_n(batch.policy, batch.count * batch.shape.policy, 0.0f);
  });
  for (const char* text : {"XO.......", "X...O....", "XX.OO....", "O.X.X...."}) {
    const Noughts game = Noughts::from_text(text);
    TreeSearch<Noughts> search(game, network, options);
    Budget budget;
    budget.simulations = 100000;
    search.start({}, budget);
    while (!search.wait(1.0)) {
    }
    const auto report = search.report();
    CHECK(report.proven.settled());
    CHECK_EQ(int(report.proven.of(game.to_move()).low), minimax(game));
  }
}

}  // namespace

int main() {
  othello_with_everything_on();
  stopped_from_outside();
  proofs_with_threads();
  return kibitz::test::report();
}
