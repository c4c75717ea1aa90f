// Votes: which visits of a root move speak for it. First the count itself, by every rule and
// against a plain loop; then a search that is asked about bad and good moves, and stopped early.
#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "evaluate/playout.h"
#include "search/tree_search.h"
#include "search/votes.h"
#include "tests/check.h"
#include "tests/games/noughts/noughts.h"

using namespace kibitz;
using kibitz::test::Noughts;

namespace {

using Search = TreeSearch<Noughts>;
constexpr const char* kRules[] = {"ucb1", "puct", "katago", "classic"};

Voter voter(float value, float prior, std::int64_t visits, std::int64_t guaranteed = 0) {
  Voter out;
  out.child = {value, 0, prior, 1.0f, true};
  out.visits = visits;
  out.guaranteed = guaranteed;
  return out;
}

/// A root whose search has made `own` visits of its own.
NodeView root_of(std::uint32_t own) {
  NodeView node{};
  node.visits = node.tries = own;
  node.value = 0.5f;
  node.is_root = node.root_side = true;
  node.iterations = own;
  node.mass = static_cast<float>(own);
  node.mass_below = node.mass - 1.0f;
  node.value_square = 0.1f;
  return node;
}

std::vector<Voter> counted(const char* name, std::uint32_t own, std::vector<Voter> voters) {
  Options options;
  set_option(options, "rule", name);
  with_rule(options, [&](auto type) {
    using Rule = typename decltype(type)::type;
    count_votes(Rule(options), root_of(own), std::span(voters));
  });
  return voters;
}

void visits_are_votes_without_a_guarantee() {
  for (const char* rule : kRules)
    for (const Voter& v : counted(rule, 150, {voter(0.6f, 0.5f, 100), voter(0.2f, 0.5f, 50)}))
      CHECK_EQ(v.votes, v.visits);
}

void guaranteed_visits_count_as_far_as_the_rule_would_have_gone() {
  for (const char* rule : kRules) {
    const auto bad = counted(rule, 100, {voter(0.6f, 0.5f, 100), voter(0.3f, 0.5f, 900, 900)});
    CHECK(bad[1].votes < 100);
    const auto close = counted(rule, 100, {voter(0.6f, 0.5f, 100), voter(0.58f, 0.5f, 900, 900)});
    const auto good = counted(rule, 100, {voter(0.6f, 0.5f, 100), voter(0.9f, 0.5f, 900, 900)});
    if (std::string_view(rule) == "classic") {
      // Values rise with visits alone: nothing proves better than moves of fewer visits.
      CHECK_EQ(close[1].votes + good[1].votes, 0);
    } else {
      CHECK(close[1].votes > bad[1].votes && close[1].votes <= 100);
      CHECK_EQ(good[1].votes, 900);
    }
    // Better, but by less than two standard errors: not sure enough.
    std::vector<Voter> doubtful{voter(0.6f, 0.5f, 100), voter(0.61f, 0.5f, 900, 900)};
    doubtful[1].deviation = 0.5;
    CHECK(counted(rule, 100, doubtful)[1].votes < 100);
    // What was learned for the asking drew the search's own visits too: hindsight counts them.
    const auto drawn = counted(rule, 300, {voter(0.6f, 0.5f, 100), voter(0.1f, 0.5f, 900, 700)});
    CHECK(drawn[1].votes < (std::string_view(rule) == "classic" ? 201 : 100));
    // A doubt is no reason to take visits of its own from a move that is as good as it looks.
    std::vector<Voter> liked{voter(0.5f, 0.5f, 50), voter(0.6f, 0.5f, 250, 100)};
    liked[1].deviation = 0.5;
    CHECK(counted(rule, 200, liked)[1].votes > 50);
  }
}

void halving_finds_what_a_loop_finds() {
  Rng rng(3);
  for (const char* rule : kRules) {
    Options options;
    set_option(options, "rule", rule);
    with_rule(options, [&](auto type) {
      using Rule = typename decltype(type)::type;
      const Rule one(options);
      const auto view = one.view(root_of(200));
      for (int i = 0; i < 200; ++i) {
        const Voter v = voter(static_cast<float>(rng.unit()), static_cast<float>(rng.unit()),
                              1 + rng.below(300));
        const auto score = static_cast<float>(2.0 * rng.unit() - 0.5);
        std::int64_t loop = 0;
        while (loop < v.visits && score_at(one, view, v, loop + 1) >= score) ++loop;
        CHECK_EQ(justified_visits(one, view, v, score, v.visits), loop);
      }
    });
  }
}

void a_forbidden_move_has_no_votes() {
  for (const char* rule : kRules) {
    std::vector<Voter> voters{voter(0.4f, 0.5f, 100), voter(0.9f, 0.5f, 900, 900)};
    voters[1].permitted = false;
    CHECK_EQ(counted(rule, 100, voters)[1].votes, 0);
  }
}

void without_a_search_there_are_no_votes() {
  for (const char* rule : kRules)
    for (const Voter& v : counted(rule, 0, {voter(0.6f, 0.5f, 30, 30), voter(0.2f, 0.5f, 50, 50)}))
      CHECK_EQ(v.votes, 0);
}

std::shared_ptr<Evaluator<Noughts>> playouts() {
  return std::make_shared<PlayoutEvaluator<Noughts>>(false);
}

SearchReport searched(const Options& options, const Plan& plan, std::int64_t simulations,
                      const Noughts& position = {}) {
  Search search(position, playouts(), options);
  Budget budget;
  budget.simulations = simulations;
  search.start(plan, budget);
  while (!search.wait(1.0)) {
  }
  return search.report();
}

Options plain(const char* rule, const char* choice) {
  Options options;
  set_option(options, "rule", rule);
  set_option(options, "choice", choice);
  options.proofs = false;
  return options;
}

/// One rule says which moves are bad: the classic one's values rise with visits.
void a_question_is_no_recommendation() {
  Noughts middle;  // a corner loses, an edge does not
  for (const Move move : {0, 4, 8}) middle.play(move);
  for (const Noughts& position : {Noughts{}, middle})
    for (const char* rule : kRules)
      for (const char* choice : {"visits", "winrate", "lcb", "katago"}) {
        auto known = searched(plain("ucb1", "visits"), {}, 20000, position).moves;
        std::stable_sort(known.begin(), known.end(), [](const MoveReport& a, const MoveReport& b) {
          return a.value < b.value;
        });
        const Move worst = known[0].move, next = known[1].move;
        for (const std::int64_t each : {150, 3000}) {
          Plan plan;
          plan.include = {{worst, each}, {next, each}};
          const auto report = searched(plain(rule, choice), plan, 2 * each / 3, position);
          CHECK_EQ(report.visits, 2 * each + 2 * each / 3);
          CHECK(report.moves[0].move != worst && report.moves[0].move != next);
        }
      }
}

void a_move_that_proves_better_wins() {
  for (const char* choice : {"visits", "winrate", "lcb", "katago"}) {
    Plan plan;
    plan.include = {{4, 1500}};
    CHECK_EQ(searched(plain("ucb1", choice), plan, 2000).moves[0].move, Move{4});
    // A win at once that the search would not have found by itself: its prior is next to nothing.
    Noughts position;
    for (const Move move : {0, 3, 1, 4}) position.play(move);
    plan.include = {{2, 150}};
    plan.weights = {{2, 0.001, false}};
    const auto report = searched(plain("puct", choice), plan, 200, position);
    CHECK_EQ(report.moves[0].move, Move{2});
    CHECK(report.moves[0].votes > report.moves[1].votes);
  }
}

void all_that_was_asked_is_best_by_value() {
  for (const char* choice : {"visits", "winrate", "lcb", "katago"}) {
    Plan plan;
    plan.include = {{1, 4000}, {4, 1000}};
    plan.avoid = {{0, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8}}};
    const auto report = searched(plain("ucb1", choice), plan, 100);
    CHECK_EQ(report.visits, 5000);
    CHECK_EQ(report.moves[0].move, Move{4});
    CHECK_EQ(report.moves[0].votes, 0);
  }
}

/// An evaluator that stops the search after some evaluations.
class Stopper final : public Evaluator<Noughts> {
 public:
  explicit Stopper(int after) : after_(after) {}
  void evaluate(std::span<Leaf<Noughts>> leaves, Rng& rng) override {
    playouts_.evaluate(leaves, rng);
    if ((seen_ += static_cast<int>(leaves.size())) >= after_ && search) search->stop();
  }
  Search* search = nullptr;

 private:
  PlayoutEvaluator<Noughts> playouts_{false};
  int after_, seen_ = 0;
};

void an_early_stop_is_fair() {
  for (const int after : {5, 60, 900}) {
    Options options = plain("ucb1", "visits");
    auto stopper = std::make_shared<Stopper>(after);
    Search search(Noughts{}, stopper, options);
    stopper->search = &search;
    Plan plan;
    plan.include = {{1, 100000}, {3, 50000}, {5, 70000}};
    plan.avoid = {{0, 1, {1, 3, 5}}};
    search.start(plan, {});
    while (!search.wait(1.0)) {
    }
    const auto report = search.report();
    std::map<Move, std::int64_t> visits;
    for (const auto& move : report.moves) visits[move.move] = move.visits;
    const auto [least, most] = std::minmax({visits[1], visits[3], visits[5]});
    CHECK(most - least <= 1);
    const std::int64_t asked = visits[1] + visits[3] + visits[5];
    CHECK(std::abs(2 * asked - report.visits) <= 1);  // the other half is the search's own
    CHECK_EQ(report.guaranteed, asked);
  }
}

void served_visits_are_remembered_at_the_same_root() {
  Options options = plain("ucb1", "visits");
  Search search(Noughts{}, playouts(), options);
  const auto run = [&](const Plan& plan, std::int64_t visits) {
    Budget budget;
    budget.visits = visits;
    search.start(plan, budget);
    while (!search.wait(1.0)) {
    }
    return search.report();
  };
  const auto of = [](const SearchReport& report, Move move) {
    return *std::find_if(report.moves.begin(), report.moves.end(),
                         [&](const MoveReport& m) { return m.move == move; });
  };
  const std::int64_t own = of(run({}, 1000), 4).visits;
  Plan plan;
  plan.include = {{4, 100}, {1, 800}};
  const auto after = run(plan, 1500);
  // What the search had found before it was asked stays its own.
  CHECK_EQ(of(after, 4).guaranteed, 0);
  CHECK(of(after, 4).votes >= own);
  CHECK(of(after, 1).visits >= 800);
  CHECK(of(after, 1).guaranteed > 0 && of(after, 1).guaranteed < 800);
  const auto again = run({}, 3000);
  CHECK_EQ(of(again, 1).guaranteed, of(after, 1).guaranteed);
  search.advance(4);
  for (const auto& move : run({}, 3000).moves) CHECK_EQ(move.votes, move.visits);
}

}  // namespace

int main() {
  visits_are_votes_without_a_guarantee();
  guaranteed_visits_count_as_far_as_the_rule_would_have_gone();
  halving_finds_what_a_loop_finds();
  a_forbidden_move_has_no_votes();
  without_a_search_there_are_no_votes();
  a_question_is_no_recommendation();
  a_move_that_proves_better_wins();
  all_that_was_asked_is_best_by_value();
  an_early_stop_is_fair();
  served_visits_are_remembered_at_the_same_root();
  return kibitz::test::report();
}
