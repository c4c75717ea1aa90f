// Ownership below a node: the evaluations of its subtree in the shares that its value is made of.
#pragma once

#include <vector>

#include "search/search_state.h"

namespace kibitz {

/// Appends the mean ownership of each point and its standard deviation; nothing where no node below
/// was evaluated with ownership. Reads only, and may run beside the search.
void mean_ownership(const SearchParts& search, const Node& node, const Extras* extras, int mover,
                    std::vector<float>& mean, std::vector<float>& stdev);

}  // namespace kibitz
