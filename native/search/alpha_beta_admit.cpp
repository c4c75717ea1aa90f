#include "search/alpha_beta_admit.h"

#include <string>

namespace kibitz {

std::vector<Refusal> admit_alpha_beta(Plan& plan) {
  std::vector<Refusal> refused;
  for (const Weight& weight : plan.weights)
    if (!weight.everywhere) refused.push_back({"weights", weight.move, {"alphabeta.noVisits"}});
  plan.weights.clear();
  if (plan.style_scale != 0.0)
    refused.push_back({plan.style_bonuses.empty() ? "style_prediction" : "style_head",
                       kNoMove,
                       {"alphabeta.noStyleHead"}});
  plan.style_scale = 0.0;
  // The budget chooses among scores; without one a style only changes priors.
  if (!plan.styled() && (!plan.prior_factors.empty() || plan.style_moves())) {
    refused.push_back({"prior_factors", kNoMove, {"alphabeta.noPriors"}});
    plan.style_bonuses.clear();
    plan.style_price = 0.0;
  }
  plan.prior_factors.clear();
  refuse_others(plan, {"include", "avoid", "allow", "style"}, "alphabeta.notObeyed", refused);
  return refused;
}

}  // namespace kibitz
