#include "search/admit.h"

#include <algorithm>
#include <string>

namespace kibitz {

bool uses_priors(const Options& options) {
  switch (options.rule) {
    case SelectionRule::kPuct:
    case SelectionRule::kKatago:
    case SelectionRule::kGumbel:
      return true;
    case SelectionRule::kUcb1:
      return options.bias > 0;
    case SelectionRule::kClassic:
      return false;
  }
  return false;
}

namespace {

/// A search that looks one ply ahead never lets the other side choose.
void admit_restrictions(std::vector<Restriction>& rules, const char* kind, int mover,
                        std::vector<Refusal>& refused) {
  for (const Restriction& rule : rules)
    for (const Move move : rule.moves)
      if (rule.side != mover) refused.push_back({kind, move, {"search.onePly"}});
  std::erase_if(rules, [&](const Restriction& rule) { return rule.side != mover; });
}

}  // namespace

std::vector<Refusal> admit(Plan& plan, const Options& options, int mover, bool predicts_style) {
  std::vector<Refusal> refused;
  if (options.tree_depth == 1) {
    admit_restrictions(plan.allow, "allow", mover, refused);
    admit_restrictions(plan.avoid, "avoid", mover, refused);
  }
  std::erase_if(plan.weights, [&](const Weight& weight) {
    if (weight.everywhere || plan.permits(mover, weight.move, 0)) return false;
    refused.push_back({"weights", weight.move, {"search.notChosen"}});
    return true;
  });
  if (plan.style_scale != 0.0 && !predicts_style) {
    const bool alone = plan.style_bonuses.empty() && plan.prior_factors.empty();
    refused.push_back({alone ? "style_prediction" : "style_head", kNoMove, {"search.noStyleHead"}});
    plan.style_scale = 0.0;
  }
  if (!uses_priors(options)) {
    // A budget also acts on values and on the choice of the move, so it is obeyed without priors.
    if (!plan.styled() && (!plan.prior_factors.empty() || plan.style_moves())) {
      refused.push_back(
          {"prior_factors", kNoMove, {"search.noPriors", {{"rule", word_of(options.rule)}}}});
      plan.style_bonuses.clear();
      plan.style_scale = plan.style_price = 0.0;
    }
    plan.prior_factors.clear();
  }
  return refused;
}

}  // namespace kibitz
