// Guaranteed visits in a tree of their own: the search beside them is the same as without them.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluate/cache.h"
#include "evaluate/callout.h"
#include "tests/check.h"
#include "tests/games/noughts/search.h"

using namespace kibitz;
using kibitz::test::finish;
using kibitz::test::Noughts;
using kibitz::test::playouts;

namespace {

using Search = test::NoughtsSearch;

Budget visits(std::int64_t n) {
  Budget budget;
  budget.visits = n;
  return budget;
}

std::shared_ptr<Evaluator<Noughts>> network() {
  auto direct = std::make_shared<CalloutEvaluator<Noughts>>([](const NetworkBatch& batch) {
    const int moves = batch.shape.policy;
    for (int i = 0; i < batch.count; ++i) {
      for (int j = 0; j < moves; ++j) batch.policy[i * moves + j] = j == 4 ? 2.0f : 0.1f * j;
      batch.outcomes[i] = {0.4f, 0.2f, 0.4f, 0.0f};
    }
  });
  auto table = std::make_shared<EvaluationTable>(std::size_t{1} << 16, 9);
  return std::make_shared<CachedEvaluator<Noughts>>(direct, table, 0, false);
}

std::map<Move, MoveReport> by_move(const SearchReport& report) {
  std::map<Move, MoveReport> out;
  for (const auto& move : report.moves) out[move.move] = move;
  return out;
}

/// The corner and the edges, which no search likes much.
Plan looks(std::int64_t min_visits) {
  Plan plan;
  plan.include = {{0, min_visits, true}, {1, min_visits, true}, {3, min_visits, true}};
  return plan;
}

/// Everything that the search says of its own, move by move and in the same order.
void check_same_search(const SearchReport& alone, const SearchReport& with) {
  CHECK_EQ(with.visits - with.guaranteed, alone.visits - alone.guaranteed);
  CHECK_EQ(with.value, alone.value);
  CHECK_EQ(stop_reason_name(with.stop), std::string(stop_reason_name(alone.stop)));
  CHECK_EQ(with.moves.size(), alone.moves.size());
  for (std::size_t i = 0; i < alone.moves.size(); ++i) {
    CHECK_EQ(with.moves[i].move, alone.moves[i].move);
    CHECK_EQ(with.moves[i].visits - with.moves[i].guaranteed, alone.moves[i].visits);
    CHECK_EQ(with.moves[i].votes, alone.moves[i].votes);
    CHECK_EQ(with.moves[i].prior, alone.moves[i].prior);
  }
}

void the_search_is_the_same() {
  for (const auto rule : {SelectionRule::kUcb1, SelectionRule::kPuct, SelectionRule::kGumbel}) {
    for (const int batch : {1, 8}) {
      for (const bool by_network : {false, true}) {
        Options options;
        options.rule = rule;
        options.batch = batch;
        options.proofs = false;
        const auto make = [&] { return by_network ? network() : playouts(); };
        Search alone(Noughts{}, make(), options), with(Noughts{}, make(), options);
        const auto plain = finish(alone, {}, visits(300));
        const auto asked = finish(with, looks(60), visits(300));
        check_same_search(plain, asked);
        for (const Move move : {0, 1, 3}) CHECK(by_move(asked).at(move).visits >= 60);
        CHECK_EQ(asked.simulations, plain.simulations + asked.guaranteed);
        // A search that goes on goes on as without looks.
        const auto later = finish(alone, {}, visits(500));
        check_same_search(later, finish(with, looks(60), visits(500)));
      }
    }
  }
}

void the_search_is_the_same_beside_plain_guarantees() {
  Options options;
  options.proofs = false;
  Plan plain;
  plain.include = {{5, 40, false}};
  plain.avoid = {{0, 1, {8}}};
  Plan both = plain;
  both.include.push_back({1, 30, true});
  both.include.push_back({8, 30, true});  // forbidden, and asked about
  Search one(Noughts{}, playouts(), options), other(Noughts{}, playouts(), options);
  const auto alone = finish(one, plain, visits(400));
  const auto with = finish(other, both, visits(400));
  CHECK_EQ(alone.guaranteed, 40);
  CHECK_EQ(with.visits - with.guaranteed, alone.visits - alone.guaranteed);
  const auto before = by_move(alone), after = by_move(with);
  for (const auto& [move, report] : before) CHECK_EQ(after.at(move).votes, report.votes);
  CHECK_EQ(with.moves[0].move, alone.moves[0].move);
  CHECK_EQ(after.at(5).guaranteed, 40);
  CHECK_EQ(after.at(8).visits, 30);
  CHECK_EQ(after.at(8).min_visits, 30);
}

void the_budget_is_the_searchs_own() {
  Options options;
  options.proofs = false;
  Search search(Noughts{}, playouts(), options);
  Budget none;
  none.simulations = 0;
  const auto report = finish(search, looks(25), none);  // no visit of its own, all looks
  for (const Move move : {0, 1, 3}) CHECK_EQ(by_move(report).at(move).visits, 25);
  CHECK_EQ(report.guaranteed, 75);
}

void moves_with_enough_visits_need_no_look() {
  Options options;
  options.proofs = false;
  Search search(Noughts{}, playouts(), options);
  finish(search, {}, visits(2000));
  const auto report = finish(search, looks(20), visits(2100));
  CHECK_EQ(report.guaranteed, 0);
  for (const Move move : {0, 1, 3}) CHECK(by_move(report).at(move).visits >= 20);
}

void a_proof_counts_whoever_finds_it() {
  // First to move wins by 2; a plan that never lets the search choose it shows who found it.
  Noughts game;
  for (const Move move : {0, 3, 1, 4}) game.play(move);
  Options options;
  options.rule = SelectionRule::kPuct;
  options.batch = 1;
  Plan plan;
  plan.include = {{2, 1, true}};
  plan.weights = {{2, 0.0, false}};
  Search search(game, network(), options);
  Plan unasked;
  unasked.weights = plan.weights;
  const auto alone = finish(search, unasked, visits(3));
  CHECK(alone.moves[0].move != 2);
  Search asked(game, network(), options);
  const auto report = finish(asked, plan, visits(3));
  CHECK_EQ(report.moves[0].move, Move{2});
  CHECK_EQ(int(report.moves[0].proven.low), 2);
  CHECK_EQ(int(report.proven.low), 2);
}

void a_better_look_is_told_and_does_not_decide() {
  SearchReport report, found;
  MoveReport best, other;
  best.move = 4;
  best.visits = best.votes = 100;
  best.value = 0.5;
  other.move = 1;
  other.visits = other.votes = 1;
  other.value = 0.3;
  report.moves = {best, other};
  report.visits = 102;
  other.visits = 30;
  other.value = 0.8;
  other.lcb = 0.7;
  found.moves = {other};
  add_side_search(report, found, {{1, 30, true}});
  CHECK_EQ(report.moves[0].move, Move{4});
  CHECK_EQ(report.moves[1].visits, 31);
  CHECK_EQ(report.moves[1].guaranteed, 30);
  CHECK_EQ(report.moves[1].votes, 1);
  CHECK_EQ(report.moves[1].value, 0.8);
  CHECK(report.moves[1].looks_better);
  CHECK(!report.moves[0].looks_better);
  CHECK_EQ(report.visits, 132);
}

void rows_of_both_trees() {
  Options options;
  options.proofs = false;
  options.rule = SelectionRule::kPuct;
  Search search(Noughts{}, network(), options);
  finish(search, looks(50), visits(20));
  int deep = 0;
  std::string root;
  for (const TreeRow& row : search.tree(2, 1)) {
    if (row.depth == 0) root = row.move;
    if (row.depth == 1 && root == "3") ++deep;
  }
  CHECK(deep > 0);
}

void looks_beside_several_threads() {
  for (const int threads : {2, 4}) {
    Options options;
    options.threads = threads;
    options.proofs = false;
    Search search(Noughts{}, playouts(), options);
    const auto report = finish(search, looks(200), visits(1000));
    CHECK_EQ(report.visits - report.guaranteed, 1000);
    for (const Move move : {0, 1, 3}) CHECK(by_move(report).at(move).visits >= 200);
  }
}

void time_and_stop_end_looks_too() {
  Options options;
  options.proofs = false;
  Search search(Noughts{}, playouts(), options);
  Budget budget;
  budget.seconds = 0.05;
  const auto report = finish(search, looks(std::int64_t{1} << 40), budget);
  CHECK_EQ(stop_reason_name(report.stop), std::string("time"));
  CHECK(report.seconds < 5.0);
  CHECK(report.guaranteed > 0);
  CHECK(report.visits > report.guaranteed);
  // While nothing ends it, looks and the search's own visits take turns.
  search.start(looks(std::int64_t{1} << 40), Budget{});
  while (search.report().visits < report.visits + 1000) search.wait(0.001);
  search.stop();
  while (!search.wait(1.0)) {
  }
  const auto stopped = search.report();
  CHECK_EQ(stop_reason_name(stopped.stop), std::string("stopped"));
  CHECK(stopped.guaranteed > report.guaranteed);
  CHECK(stopped.visits - stopped.guaranteed > report.visits - report.guaranteed);
}

}  // namespace

int main() {
  the_search_is_the_same();
  the_search_is_the_same_beside_plain_guarantees();
  the_budget_is_the_searchs_own();
  moves_with_enough_visits_need_no_look();
  a_proof_counts_whoever_finds_it();
  a_better_look_is_told_and_does_not_decide();
  rows_of_both_trees();
  looks_beside_several_threads();
  time_and_stop_end_looks_too();
  return kibitz::test::report();
}
