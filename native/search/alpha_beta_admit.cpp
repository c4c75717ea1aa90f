#include "search/alpha_beta_admit.h"

#include <string>

namespace kibitz {

std::vector<Refusal> admit_alpha_beta(Plan& plan) {
  const std::string visits = "search=alphabeta has no visits to share out; search=tree has";
  std::vector<Refusal> refused;
  for (const Weight& weight : plan.weights)
    if (!weight.everywhere) refused.push_back({"weights", weight.move, visits});
  plan.weights.clear();
  if (!plan.prior_factors.empty() || plan.style_moves())
    refused.push_back({"prior_factors", kNoMove, "search=alphabeta has no style; search=tree has"});
  plan.prior_factors.clear();
  plan.style_bonuses.clear();
  refuse_others(plan, {"include", "avoid", "allow"}, "search=alphabeta does not obey it", refused);
  return refused;
}

}  // namespace kibitz
