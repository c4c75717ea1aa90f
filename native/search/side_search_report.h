// What looks found (search/side_search.h), joined with what the search itself found.
//
// Threads: plain functions of values.
#pragma once

#include <vector>

#include "search/report.h"
#include "search/tree_rows.h"
#include "steering/plan.h"

namespace kibitz {

/// The guarantees of `plan` that are to be served apart (or, without `separate_tree`, the others).
std::vector<Guarantee> guarantees_of(const Plan& plan, bool separate_tree);

/// Adds what looks found to the report of a search. The order of the moves stays, and so does the
/// recommendation, unless a move was proven a win or a loss: a proof counts whoever found it. A
/// move's numbers are those of the tree that visited it more; its visits are counted together.
/// `asked` are the guarantees, also where no look was made yet.
void add_side_search(SearchReport& report, const SearchReport& looks,
                     const std::vector<Guarantee>& asked);

/// The rows of both trees, parents before their children; a root move's are those of the tree that
/// visited it more.
std::vector<TreeRow> join_rows(std::vector<TreeRow> rows, const std::vector<TreeRow>& looks);

}  // namespace kibitz
