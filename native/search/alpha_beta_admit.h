// What the alpha-beta family cannot obey of a plan, reported before it runs.
#pragma once

#include <vector>

#include "steering/plan.h"

namespace kibitz {

/// Takes out of `plan` what alpha-beta cannot obey, and says why. What is left is obeyed:
/// guaranteed moves get exact scores at every depth, restrictions hold at the root and below it.
std::vector<Refusal> admit_alpha_beta(Plan& plan);

}  // namespace kibitz
