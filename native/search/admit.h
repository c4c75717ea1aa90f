// What the tree search cannot obey of a plan, reported before it runs.
#pragma once

#include <vector>

#include "search/options.h"
#include "steering/plan.h"

namespace kibitz {

/// Whether the selection of moves looks at priors at all.
bool uses_priors(const Options& options);

/// Takes out of `plan` what a search with these options cannot obey at a root where `mover` is to
/// move, and says why. What is left is obeyed.
std::vector<Refusal> admit(Plan& plan, const Options& options, int mover,
                           bool predicts_style = false);

}  // namespace kibitz
