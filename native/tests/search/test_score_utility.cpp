// Points as part of what a search wants, and the memory of evaluations.
#include <algorithm>
#include <cmath>

#include "evaluate/cache.h"
#include "games/go/position.h"
#include "search/score_utility.h"
#include "tests/check.h"

namespace {

using namespace kibitz;

Outcome outcome(float value, float score, float stdev) {
  Outcome made;
  made.value = value;
  made.score = score;
  made.score_stdev = stdev;
  return made;
}

void utilities() {
  Options options;
  CHECK(!ScoreUtility(options, 19).counts());
  CHECK_EQ(ScoreUtility(options, 19).value(outcome(0.25f, 50, 5)), 0.25);
  options.score_static = 0.1;
  options.score_dynamic = 0.3;
  ScoreUtility utility(options, 19);
  utility.center_on(0);
  CHECK(std::fabs(utility.value(outcome(0.5f, 0, 10)) - 0.5) < 1e-9);
  const double ahead = utility.value(outcome(0.5f, 10, 10)),
               behind = utility.value(outcome(0.5f, -10, 10));
  CHECK(std::fabs(ahead + behind - 1.0) < 1e-9);
  CHECK(ahead > 0.5 && ahead < 0.5 + 0.5 * 0.4);
  // The mean of a squashed normal distribution, by brute force.
  double sum = 0, weight = 0;
  for (double x = -8; x <= 8; x += 0.001) {
    const double w = std::exp(-0.5 * x * x), score = 10 + 10 * x;
    sum += w * (0.1 * std::atan(score / 38.0) + 0.3 * std::atan(score / (0.75 * 19))) * 2 /
           3.14159265358979;
    weight += w;
  }
  CHECK(std::fabs(ahead - (0.5 + 0.5 * sum / weight)) < 1e-4);
  utility.center_on(20);
  CHECK(utility.value(outcome(0.5f, 10, 10)) < ahead);
}

/// Counts how often it is asked.
struct Counting final : Evaluator<Go> {
  int asked = 0;
  bool gives_priors() const override { return true; }
  void evaluate(std::span<Leaf<Go>> leaves, Rng&) override {
    for (auto& leaf : leaves) {
      ++asked;
      leaf.outcome.value = 0.7f;
      for (std::size_t i = 0; i < leaf.priors.size(); ++i) leaf.priors[i] = leaf.moves[i];
    }
  }
};

void caching() {
  auto inner = std::make_shared<Counting>();
  auto table = std::make_shared<EvaluationTable>(std::size_t{1} << 20, 82);
  CachedEvaluator<Go> cached(inner, table, 7, false);
  Rng rng(1);
  const Go first(go::empty_board(9, 9, go::Rules{}, 7.5f)),
      second(go::empty_board(9, 9, go::Rules{}, 6.5f));
  const auto ask = [&](const Go& position, bool turned = false) {
    MoveList<Go> moves;
    position.legal_moves(moves);
    if (turned) std::reverse(moves.begin(), moves.end());
    std::vector<float> priors(static_cast<std::size_t>(moves.size()));
    Leaf<Go> leaf;
    leaf.position = &position;
    leaf.moves = {moves.begin(), priors.size()};
    leaf.priors = priors;
    cached.evaluate({&leaf, 1}, rng);
    CHECK_EQ(leaf.outcome.value, 0.7f);
    for (const int i : {0, 5, 60})
      CHECK_EQ(priors[static_cast<std::size_t>(i)], static_cast<float>(moves[i]));
  };
  ask(first);
  ask(first);
  ask(first, true);  // the same moves in another order, as a node's children have them
  CHECK_EQ(inner->asked, 1);
  ask(second);  // another komi is another question
  CHECK_EQ(inner->asked, 2);
  table->clear();
  ask(first);
  CHECK_EQ(inner->asked, 3);
}

void keys() {
  // Two orders of moves lead to one board and share an evaluation, but not with the board alone.
  Go a(go::empty_board(9, 9, go::Rules{}, 7.5f)), b = a;
  for (const char* move : {"C3", "D4", "E5"}) a.play(a.parse_move(move));
  for (const char* move : {"E5", "D4", "C3"}) b.play(b.parse_move(move));
  CHECK(a == b);
  CHECK_EQ(a.hash(), b.hash());
  CHECK_EQ(cache_key(a), cache_key(b));
  Go c = a;
  c.become_root(Go::History::kSinceRoot);
  CHECK(cache_key(a) != cache_key(c));
  a.become_root(Go::History::kNone);
  b.become_root(Go::History::kNone);
  CHECK_EQ(cache_key(a), cache_key(b));
}

}  // namespace

int main() {
  utilities();
  caching();
  keys();
  return kibitz::test::report();
}
