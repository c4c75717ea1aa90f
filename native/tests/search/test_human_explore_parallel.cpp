// Exploring with the human model's policy: what counts where, and the same search without it.
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluate/callout.h"
#include "tests/check.h"
#include "tests/games/noughts/search.h"

using namespace kibitz;
using kibitz::test::finish;
using kibitz::test::Noughts;
using kibitz::test::playouts;

namespace {

using Search = test::NoughtsSearch;
using Network = std::shared_ptr<Evaluator<Noughts>>;

Budget visits(std::int64_t n) {
  Budget budget;
  budget.visits = n;
  return budget;
}

/// Likes the move `liked` by so much, and finds every position where the first side has played it
/// bad for that side.
Network network(int liked, float logit, bool bad = false) {
  return std::make_shared<CalloutEvaluator<Noughts>>([=](const NetworkBatch& batch) {
    const int moves = batch.shape.policy;
    const int points = batch.shape.rows * batch.shape.columns;
    for (int i = 0; i < batch.count; ++i) {
      for (int j = 0; j < moves; ++j) batch.policy[i * moves + j] = j == liked ? logit : 0.1f * j;
      batch.outcomes[i] = {0.5f, 0.0f, 0.5f, 0.0f};
      if (!bad) continue;
      // The mover's stones come first.
      const float* planes = batch.planes + i * batch.shape.plane_floats();
      int stones = 0;
      for (int p = 0; p < 2 * points; ++p) stones += planes[p] > 0.5f;
      const bool first = stones % 2 == 0;
      const bool played = planes[(first ? 0 : points) + liked] > 0.5f;
      const float win = played ? 0.1f : 0.6f;
      batch.outcomes[i] = first ? NetworkOutcome{win, 0.0f, 1.0f - win, 0.0f}
                                : NetworkOutcome{1.0f - win, 0.0f, win, 0.0f};
    }
  });
}

std::map<Move, MoveReport> by_move(const SearchReport& report) {
  std::map<Move, MoveReport> out;
  for (const auto& move : report.moves) out[move.move] = move;
  return out;
}

Options options_of(SelectionRule rule = SelectionRule::kKatago,
                   BackupRule backup = BackupRule::kWeighted) {
  Options options;
  options.rule = rule;
  options.backup = backup;
  options.proofs = false;
  return options;
}

/// The root counts its own evaluation and what its edges count, no more.
void check_counts(const SearchReport& report, std::int64_t own = 1) {
  std::int64_t counted = own;
  for (const MoveReport& move : report.moves) {
    CHECK(move.weightless >= 0 && move.weightless <= move.visits);
    CHECK(move.votes <= move.visits - move.weightless);
    counted += move.visits - move.weightless;
  }
  CHECK_EQ(report.visits, counted);
}

void chances_of_zero_change_nothing() {
  for (const auto rule : {SelectionRule::kUcb1, SelectionRule::kPuct, SelectionRule::kKatago,
                          SelectionRule::kGumbel}) {
    for (const int batch : {1, 8}) {
      for (const bool by_network : {false, true}) {
        Options options = options_of(rule);
        options.batch = batch;
        options.human_cpuct = 7.0;
        const auto make = [&] { return by_network ? network(4, 2.0f, true) : playouts(); };
        Search alone(Noughts{}, make(), options), with(Noughts{}, make(), options);
        with.set_human({network(0, 5.0f), network(8, 5.0f)}, std::nullopt);
        const auto plain = finish(alone, {}, visits(300)), same = finish(with, {}, visits(300));
        CHECK_EQ(same.value, plain.value);
        CHECK_EQ(same.visits, plain.visits);
        for (std::size_t i = 0; i < plain.moves.size(); ++i) {
          CHECK_EQ(same.moves[i].move, plain.moves[i].move);
          CHECK_EQ(same.moves[i].visits, plain.moves[i].visits);
          CHECK_EQ(same.moves[i].value, plain.moves[i].value);
          CHECK_EQ(same.moves[i].weightless, 0);
        }
      }
    }
  }
}

void weightless_visits_count_for_the_move_alone() {
  for (const auto rule : {SelectionRule::kUcb1, SelectionRule::kPuct, SelectionRule::kKatago,
                          SelectionRule::kGumbel, SelectionRule::kClassic}) {
    for (const auto backup : {BackupRule::kMean, BackupRule::kWeighted}) {
      for (const int batch : {1, 8}) {
        Options options = options_of(rule, backup);
        options.batch = batch;
        options.human_root_weightless = 0.8;
        options.human_cpuct_permanent = 2.0;
        Search search(Noughts{}, network(4, 2.0f, false), options);
        search.set_human({network(0, 6.0f), network(0, 6.0f)}, std::nullopt);
        const auto report = finish(search, {}, visits(1000));
        check_counts(report);
        CHECK_EQ(report.simulations, 1000);
        CHECK(report.visits > 120 && report.visits < 280);  // a fifth of them
        const auto moves = by_move(report);
        CHECK(moves.at(0).visits > 400);
        CHECK(moves.at(0).weightless > 300);
      }
    }
  }
}

void weightless_visits_do_not_move_the_value() {
  for (const auto backup : {BackupRule::kMean, BackupRule::kWeighted}) {
    Options options = options_of(SelectionRule::kKatago, backup);
    const auto value = [&](double weightless, double weightful) {
      options.human_root_weightless = weightless;
      options.human_root_weightful = weightful;
      options.human_cpuct_permanent = 2.0;
      Search search(Noughts{}, network(0, 0.0f, true), options);
      search.set_human({network(0, 8.0f), network(0, 8.0f)}, std::nullopt);
      return finish(search, {}, visits(600));
    };
    const auto plain = value(0, 0), weightless = value(0.8, 0), weightful = value(0, 0.8);
    CHECK(std::abs(weightless.value - plain.value) < 0.02);
    CHECK(by_move(weightless).at(0).visits > 300);  // the bad move that people play
    CHECK(weightless.moves[0].move != 0);
    CHECK_EQ(weightful.visits, 600);
    check_counts(weightful);
    CHECK_EQ(by_move(weightful).at(0).weightless, 0);
    CHECK(by_move(weightful).at(0).visits > 300);
    if (backup == BackupRule::kMean) CHECK(weightful.value < plain.value - 0.2);
  }
}

void only_weightless_visits_leave_the_root_alone() {
  Options options = options_of();
  options.human_root_weightless = 1.0;
  Search search(Noughts{}, network(4, 2.0f), options);
  search.set_human({network(0, 3.0f), network(0, 3.0f)}, std::nullopt);
  const auto report = finish(search, {}, visits(200));
  CHECK_EQ(report.visits, 1);
  CHECK_EQ(report.simulations, 200);
  std::int64_t weightless = 0;
  for (const auto& move : report.moves) weightless += move.weightless;
  CHECK_EQ(weightless, 199);
  // A search that goes on without the human model counts what is there before it makes more.
  options.human_root_weightless = 1e-9;
  search.set_options(options);
  const auto later = finish(search, {}, visits(100));
  check_counts(later);
  std::int64_t made = 0;
  for (const auto& move : later.moves) made += move.visits;
  CHECK_EQ(later.visits, 100);
  CHECK(made < 199 + 99);
}

void people_choose_below_the_root_too() {
  Options options = options_of();
  options.human_opp_weightless = 0.5;
  options.human_cpuct_permanent = 2.0;
  Search search(Noughts{}, network(4, 2.0f), options);
  search.set_human({network(0, 6.0f), network(8, 6.0f)}, std::nullopt);
  const auto report = finish(search, {}, visits(300));
  check_counts(report);
  CHECK_EQ(report.simulations, 300);
  CHECK(report.visits < 200);
  for (const auto& move : report.moves) CHECK_EQ(move.weightless, 0);  // the root's are none
  std::int64_t replies = 0, liked = 0;
  for (const TreeRow& row : search.tree(2, 1)) {
    if (row.depth != 1) continue;
    replies += row.visits;
    if (row.move == "8") liked += row.visits;  // what the second side's people play
  }
  CHECK(replies > report.visits);  // more than the moves before them count
  CHECK(liked > replies / 4);

  options.human_opp_weightless = 0.0;
  options.human_pla_weightful = 1.0;
  Search own(Noughts{}, network(4, 2.0f), options);
  own.set_human({network(0, 6.0f), network(8, 6.0f)}, std::nullopt);
  const auto counted = finish(own, {}, visits(600));
  CHECK_EQ(counted.visits, 600);
  std::map<std::string, std::int64_t> third;
  for (const TreeRow& row : own.tree(3, 1))
    if (row.depth == 2) third[row.move] += row.visits;
  CHECK(third["0"] > third["2"]);
  CHECK(third["0"] > third["8"]);
}

void evaluators_without_priors_are_explored_too() {
  Options options = options_of(SelectionRule::kUcb1, BackupRule::kMean);
  options.human_root_weightless = 0.3;
  options.human_pla_weightless = options.human_opp_weightless = 0.3;
  options.human_cpuct_permanent = 3.0;
  Search search(Noughts{}, playouts(), options);
  search.set_human({network(0, 6.0f), network(8, 6.0f)}, std::nullopt);
  const auto report = finish(search, {}, visits(2000));
  check_counts(report, 0);
  CHECK_EQ(report.simulations, 2000);
  CHECK(by_move(report).at(0).weightless > 100);
}

void people_obey_restrictions() {
  Options options = options_of();
  options.human_root_weightless = 0.5;
  options.human_opp_weightful = 0.5;
  Plan plan;
  plan.avoid = {{0, 1, {0}}, {1, 2, {8}}};
  plan.include = {{0, 20, false}};
  Search search(Noughts{}, network(4, 2.0f), options);
  search.set_human({network(0, 9.0f), network(8, 9.0f)}, std::nullopt);
  const auto report = finish(search, plan, visits(300));
  CHECK_EQ(by_move(report).at(0).visits, 20);  // asked about, and nothing more
  for (const TreeRow& row : search.tree(2, 1))
    if (row.depth == 1) CHECK(row.move != "8");
}

void a_tree_is_kept_for_the_side_it_was_made_for() {
  Options options = options_of();
  options.human_pla_weightless = 0.5;
  options.human_root_weightless = 0.5;
  Search search(Noughts{}, network(4, 2.0f), options);
  search.set_human({network(0, 3.0f), network(8, 3.0f)}, std::nullopt);
  finish(search, {}, visits(400));
  search.advance(4);
  CHECK_EQ(finish(search, {}, visits(400)).reused, 0);  // the other side's
  Search same(Noughts{}, network(4, 2.0f), options);
  same.set_human({network(0, 3.0f), network(8, 3.0f)}, std::nullopt);
  finish(same, {}, visits(400));
  same.advance(4);
  same.advance(8);
  const auto report = finish(same, {}, visits(400));
  CHECK(report.reused > 0);
  check_counts(report);
}

void several_threads() {
  for (const auto backup : {BackupRule::kMean, BackupRule::kWeighted}) {
    for (const int batch : {1, 4}) {
      Options options = options_of(SelectionRule::kKatago, backup);
      options.threads = 4;
      options.batch = batch;
      options.human_root_weightless = 0.4;
      options.human_root_weightful = 0.2;
      options.human_pla_weightless = 0.3;
      options.human_opp_weightless = 0.3;
      Search search(Noughts{}, network(4, 2.0f), options);
      search.set_human({network(0, 4.0f), network(8, 4.0f)}, std::nullopt);
      const auto report = finish(search, {}, visits(2000));
      CHECK_EQ(report.simulations, 2000);
      check_counts(report);
    }
  }
}

}  // namespace

int main() {
  chances_of_zero_change_nothing();
  weightless_visits_count_for_the_move_alone();
  weightless_visits_do_not_move_the_value();
  only_weightless_visits_leave_the_root_alone();
  people_choose_below_the_root_too();
  evaluators_without_priors_are_explored_too();
  people_obey_restrictions();
  a_tree_is_kept_for_the_side_it_was_made_for();
  several_threads();
  return kibitz::test::report();
}
