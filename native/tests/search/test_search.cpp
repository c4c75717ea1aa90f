// The tree search on a game small enough to know the truth: proofs, guarantees, restrictions,
// budgets, reuse, memory, and errors that come from an evaluator.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "evaluate/callout.h"
#include "evaluate/uniform.h"
#include "search/tree_search.h"
#include "tests/check.h"
#include "tests/games/noughts/search.h"

using namespace kibitz;
using kibitz::test::finish;
using kibitz::test::minimax;
using kibitz::test::Noughts;
using kibitz::test::playouts;
using kibitz::test::wait_for;

namespace {

using Search = test::NoughtsSearch;

Budget simulations(std::int64_t n) {
  Budget budget;
  budget.simulations = n;
  return budget;
}

std::shared_ptr<Evaluator<Noughts>> network() {
  return std::make_shared<CalloutEvaluator<Noughts>>([](const NetworkBatch& batch) {
    const int moves = batch.shape.policy;
    for (int i = 0; i < batch.count; ++i) {
      for (int j = 0; j < moves; ++j) batch.policy[i * moves + j] = j == 4 ? 2.0f : 0.0f;
      batch.outcomes[i] = {0.4f, 0.2f, 0.4f, 0.0f};
    }
  });
}

/// Positions with at least two stones, found by random play.
std::vector<Noughts> some_positions() {
  std::vector<Noughts> out;
  Rng rng(5);
  for (int i = 0; i < 60; ++i) {
    Noughts game;
    for (unsigned ply = 0; ply < 2 + rng.below(5) && !game.is_over(); ++ply)
      game.play(game.random_move(rng));
    if (!game.is_over()) out.push_back(game);
  }
  return out;
}

void proofs_equal_minimax() {
  for (const auto rule : {SelectionRule::kUcb1, SelectionRule::kPuct}) {
    for (const auto& evaluator : {playouts(), network()}) {
      for (const Noughts& game : some_positions()) {
        Options options;
        options.rule = rule;
        options.batch = 4;
        Search search(game, evaluator, options);
        const auto report = finish(search, {}, simulations(200000));
        CHECK_EQ(stop_reason_name(report.stop), std::string("proven"));
        CHECK(report.proven.settled());
        CHECK_EQ(int(report.proven.of(game.to_move()).low), minimax(game));
        // The move it would play keeps that result.
        Noughts next = game;
        next.play(report.moves[0].move);
        CHECK_EQ(minimax(next), minimax(game));
      }
    }
  }
}

void guarantees_are_exact() {
  for (const int threads : {1, 2}) {
    Options options;
    options.threads = threads;
    options.proofs = false;
    Search search(Noughts{}, playouts(), options);
    Plan plan;
    plan.include = {{1, 300}, {3, 50}, {4, 10}};
    plan.avoid = {{0, 1, {3}}};
    Budget budget;
    budget.visits = 1000;
    const auto report = finish(search, plan, budget);
    std::map<Move, MoveReport> moves;
    for (const auto& move : report.moves) moves[move.move] = move;
    CHECK(moves[1].visits >= 300);
    CHECK_EQ(moves[3].visits, 50);  // forbidden beyond what is guaranteed
    CHECK(moves[4].visits >= 10);
    CHECK_EQ(report.guaranteed, 360);
    CHECK_EQ(report.visits, 1360);  // guaranteed visits come on top of the budget
    CHECK_EQ(stop_reason_name(report.stop), std::string("visits"));
  }
}

void restrictions_hold() {
  Options options;
  Search search(Noughts{}, playouts(), options);
  Plan plan;
  plan.allow = {{0, 1, {0, 8}}};
  plan.avoid = {{0, 1, {8}}, {1, 2, {4}}};
  options.proofs = false;
  search.set_options(options);
  const auto report = finish(search, plan, simulations(2000));
  for (const auto& move : report.moves) CHECK_EQ(move.visits > 0, move.move == 0);
  // Below the root white may not take the centre, and the tree shows it was never tried.
  std::set<std::string> replies;
  for (const TreeRow& row : search.tree(2, 1))
    if (row.depth == 1) replies.insert(row.move);
  CHECK(!replies.contains("4"));
  CHECK(replies.contains("8"));
  CHECK(tree_text(search.tree(2, 1)).find("\n  8 ") != std::string::npos);
}

void weights_and_root_value() {
  Options options;
  options.proofs = false;
  Search plain(Noughts{}, playouts(), options);
  const auto before = finish(plain, {}, simulations(4000));
  Search asked(Noughts{}, playouts(), options);
  Plan plan;
  plan.include = {{1, 20000}};
  const auto after = finish(asked, plan, simulations(4000));
  // A weak move with guaranteed visits is left out, where the plain search had let a little of it
  // in.
  CHECK(after.value > before.value - 0.005 && after.value < before.value + 0.04);
  options.guaranteed_in_root_value = true;
  Search dragged(Noughts{}, playouts(), options);
  const auto let_in = finish(dragged, plan, simulations(4000));
  CHECK(let_in.value < before.value - 0.02);

  options.guaranteed_in_root_value = false;
  Search weighted(Noughts{}, playouts(), options);
  Plan favour;
  favour.weights = {{1, 3.0, false}};
  const auto report = finish(weighted, favour, simulations(3000));
  CHECK_EQ(report.moves[0].move, Move{1});
}

void same_seed_same_result() {
  const auto run = [](std::int64_t seed, int batch) {
    Options options;
    options.seed = seed;
    options.batch = batch;
    options.proofs = false;
    Search search(Noughts{}, playouts(), options);
    std::string out;
    for (const auto& move : finish(search, {}, simulations(5000)).moves)
      out += std::to_string(move.move) + ":" + std::to_string(move.visits) + " ";
    return out;
  };
  CHECK_EQ(run(1, 1), run(1, 1));
  CHECK_EQ(run(7, 8), run(7, 8));
  CHECK(run(1, 1) != run(2, 1));
}

void reuse_keeps_the_subtree() {
  for (const auto& evaluator : {playouts(), network()}) {
    Options options;
    options.proofs = false;
    options.rule = SelectionRule::kPuct;
    Search search(Noughts{}, evaluator, options);
    const auto first = finish(search, {}, simulations(3000));
    const auto best = first.moves[0];
    search.advance(best.move);
    const auto second = finish(search, {}, simulations(10));
    CHECK_EQ(second.reused, best.visits);
    CHECK_EQ(second.visits, best.visits + 10);
    std::int64_t children = 0;
    for (const auto& move : second.moves) children += move.visits;
    CHECK(second.visits - children <= 1);
    // A budget of visits counts what is there already.
    Budget budget;
    budget.visits = second.visits + 5;
    CHECK_EQ(finish(search, {}, budget).visits, second.visits + 5);
  }
}

void memory_is_bounded() {
  Options options;
  options.memory_mb = 1;
  options.proofs = false;
  Search search(Noughts{}, playouts(), options);
  const auto report = finish(search, {}, simulations(300000));
  CHECK(report.memory_bytes <= 1 << 20);
  CHECK_EQ(report.simulations, 300000);
  CHECK(report.tree_full);
  CHECK(report.stop == StopReason::kSimulations);
}

void a_full_tree_ends_a_search_whose_evaluations_do_not_vary() {
  Options options;
  options.memory_mb = 1;
  options.proofs = false;
  Search search(Noughts{}, std::make_shared<UniformEvaluator<Noughts>>(), options);
  const auto first = finish(search, {}, simulations(300000));
  CHECK(first.tree_full);
  CHECK(first.stop == StopReason::kMemory);
  CHECK(first.simulations < 300000);
  // The tree is still full: one visit finds that out.
  const auto second = finish(search, {}, simulations(300000));
  CHECK(second.stop == StopReason::kMemory);
  CHECK_EQ(second.visits, first.visits + 1);
}

void guaranteed_visits_apart_are_made_though_both_trees_are_full() {
  Options options;
  options.memory_mb = 1;
  options.proofs = false;
  Search search(Noughts{}, std::make_shared<UniformEvaluator<Noughts>>(), options);
  Plan plan;
  plan.include = {{4, 60000, true}};
  const auto report = finish(search, plan, simulations(300000));
  CHECK(report.stop == StopReason::kMemory);
  const auto move = std::find_if(report.moves.begin(), report.moves.end(),
                                 [](const MoveReport& info) { return info.move == 4; });
  CHECK(move != report.moves.end() && move->visits >= 60000);
}

void flat_and_pruned() {
  Options options;
  options.tree_depth = 1;
  options.proofs = false;
  Search flat(Noughts{}, playouts(), options);
  CHECK_EQ(finish(flat, {}, simulations(1000)).nodes, 9);

  options.tree_depth = 0;
  options.prune = RootPruning::kProgressive;
  options.prune_period = 100;
  Search pruned(Noughts{}, playouts(), options);
  const auto report = finish(pruned, {}, simulations(5000));
  int dropped = 0;
  for (const auto& move : report.moves) dropped += move.pruned;
  CHECK(dropped >= 4 && dropped <= 8);

  options.prune = RootPruning::kStatistical;
  Search reversible(Noughts{}, playouts(), options);
  const auto kept = finish(reversible, {}, simulations(5000));
  CHECK(!kept.moves[0].pruned);
}

void stops_early_when_decided() {
  Options options;
  options.early_stop = 1;
  options.proofs = false;
  Search search(Noughts::from_text("XX.OO...."), playouts(), options);
  const auto report = finish(search, {}, simulations(1000000));
  CHECK_EQ(stop_reason_name(report.stop), std::string("decided"));
  CHECK_EQ(report.moves[0].move, Move{2});
  Search one(Noughts::from_text("XOXOOXXX."), playouts(), options);
  CHECK(finish(one, {}, simulations(1000000)).simulations < 1000);
}

void a_failing_evaluator_ends_the_search() {
  const auto broken = std::make_shared<CalloutEvaluator<Noughts>>(
      [](const NetworkBatch&) { throw std::runtime_error("the network is gone"); });
  for (const int threads : {1, 2}) {
    Options options;
    options.threads = threads;
    Search search(Noughts{}, broken, options);
    search.start({}, simulations(100));
    CHECK_THROWS(std::runtime_error, wait_for(search), "the network is gone");
    CHECK(!search.running());
  }
  const auto nonsense = std::make_shared<CalloutEvaluator<Noughts>>([](const NetworkBatch& batch) {
    std::fill_n(batch.policy, batch.count * batch.shape.policy, NAN);
  });
  Search search(Noughts{}, nonsense, {});
  search.start({}, simulations(100));
  CHECK_THROWS(std::runtime_error, wait_for(search), "not a number");
}

void optimism_is_told_for_the_root_and_below() {
  std::vector<float> optimism;
  const auto network = std::make_shared<CalloutEvaluator<Noughts>>([&](const NetworkBatch& batch) {
    optimism.insert(optimism.end(), batch.optimism, batch.optimism + batch.count);
    std::fill_n(batch.policy, batch.count * batch.shape.policy, 0.0f);
  });
  Options options;
  options.rule = SelectionRule::kPuct;
  options.root_policy_optimism = 0.25;
  options.policy_optimism = 0.75;
  Search search(Noughts{}, network, options);
  finish(search, {}, simulations(20));
  CHECK(optimism.size() > 5);
  CHECK_EQ(optimism.front(), 0.25f);
  CHECK_EQ(std::count(optimism.begin(), optimism.end(), 0.75f),
           static_cast<long>(optimism.size()) - 1);
}

void options_are_checked() {
  Options options;
  set_option(options, "c", "0.7");
  CHECK_EQ(options.c, 0.7);
  CHECK_THROWS(std::invalid_argument, set_option(options, "c", "nan"), "a number from 0 to 100");
  CHECK_THROWS(std::invalid_argument, set_option(options, "threads", "0"), "from 1 to 256");
  CHECK_THROWS(std::invalid_argument, set_option(options, "rule", "best"), "one of ucb1 puct");
  CHECK_THROWS(std::invalid_argument, set_option(options, "proofs", "maybe"), "true or false");
  CHECK_THROWS(std::invalid_argument, set_option(options, "colour", "red"), "unknown option");
  for (const auto& row : option_table()) {
    set_option(options, row.name, row.initial);  // every default passes its own check
    CHECK(!row.doc.empty());
  }
}

}  // namespace

int main() {
  proofs_equal_minimax();
  guarantees_are_exact();
  restrictions_hold();
  weights_and_root_value();
  same_seed_same_result();
  reuse_keeps_the_subtree();
  memory_is_bounded();
  a_full_tree_ends_a_search_whose_evaluations_do_not_vary();
  guaranteed_visits_apart_are_made_though_both_trees_are_full();
  flat_and_pruned();
  stops_early_when_decided();
  a_failing_evaluator_ends_the_search();
  optimism_is_told_for_the_root_and_below();
  options_are_checked();
  return kibitz::test::report();
}
