// What the tree search cannot obey of a plan is taken out of it and named; the rest stays.
#include "search/admit.h"
#include "tests/check.h"

using namespace kibitz;

namespace {

void prior_factors_need_priors() {
  for (const SelectionRule rule : {SelectionRule::kUcb1, SelectionRule::kPuct,
                                   SelectionRule::kKatago, SelectionRule::kClassic}) {
    for (const double bias : {0.0, 1.0}) {
      Options options;
      options.rule = rule;
      options.bias = bias;
      Plan plan;
      plan.prior_factors = {{3, 2.0}};
      const auto refused = admit(plan, options, 0);
      const bool obeyed = rule == SelectionRule::kPuct || rule == SelectionRule::kKatago ||
                          (rule == SelectionRule::kUcb1 && bias > 0);
      CHECK_EQ(refused.empty(), obeyed);
      CHECK_EQ(plan.prior_factors.empty(), !obeyed);
      if (!obeyed) CHECK(refused[0].why.values.at(0).second == word_of(rule));
    }
  }
}

void a_flat_search_never_lets_the_other_side_choose() {
  Options options;
  Plan plan;
  plan.avoid = {{0, 3, {1, 2}}, {1, 3, {4}}};
  CHECK(admit(plan, options, 0).empty());
  CHECK_EQ(plan.avoid.size(), std::size_t{2});
  options.tree_depth = 1;
  const auto refused = admit(plan, options, 0);
  CHECK_EQ(refused.size(), std::size_t{1});
  CHECK_EQ(refused[0].kind, std::string("avoid"));
  CHECK_EQ(refused[0].move, Move{4});
  CHECK_EQ(plan.avoid.size(), std::size_t{1});
}

void a_weight_on_a_forbidden_move_is_refused() {
  Plan plan;
  plan.avoid = {{0, 1, {1}}};
  plan.weights = {{1, 2.0, false}, {2, 2.0, false}, {1, 3.0, true}};
  const auto refused = admit(plan, Options{}, 0);
  CHECK_EQ(refused.size(), std::size_t{1});
  CHECK_EQ(refused[0].kind, std::string("weights"));
  CHECK_EQ(plan.weights.size(), std::size_t{2});
}

void guarantees_are_always_obeyed() {
  Plan plan;
  plan.include = {{1, 5}};
  plan.avoid = {{0, 1, {1}}};
  CHECK(admit(plan, Options{}, 0).empty());
  CHECK_EQ(plan.include.size(), std::size_t{1});
}

void a_search_refuses_parts_it_was_not_written_for() {
  Plan plan;
  plan.include = {{1, 5}};
  plan.weights = {{1, 2.0, false}, {2, 2.0, false}};
  std::vector<Refusal> refused;
  refuse_others(plan, {"include", "avoid"}, "not known", refused);
  CHECK_EQ(refused.size(), std::size_t{1});
  CHECK_EQ(refused[0].kind, std::string("weights"));
  CHECK_EQ(refused[0].move, kNoMove);
  CHECK(plan.weights.empty());
  CHECK_EQ(plan.include.size(), std::size_t{1});
}

}  // namespace

int main() {
  prior_factors_need_priors();
  a_flat_search_never_lets_the_other_side_choose();
  a_weight_on_a_forbidden_move_is_refused();
  guarantees_are_always_obeyed();
  a_search_refuses_parts_it_was_not_written_for();
  return kibitz::test::report();
}
