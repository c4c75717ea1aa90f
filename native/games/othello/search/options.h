// Options of Othello alone, in one table like those of the tree search (search/options.h). They
// become parts of a plan.
#pragma once

#include <string>
#include <vector>

#include "search/option_table.h"

namespace kibitz {

// clang-format off
#define KIBITZ_OTHELLO_OPTIONS(INT, REAL, FLAG, WORD, TEXT)                                        \
  REAL(corner_weight, 1.0, 0, 1000, kValues, none, "factor of a corner move's UCB score at every node")
// clang-format on

struct OthelloOptions {
  KIBITZ_OPTION_FIELDS(KIBITZ_OTHELLO_OPTIONS)
};

std::vector<OptionInfo> othello_option_table();
/// Throws std::invalid_argument that says what was expected.
void set_othello_option(OthelloOptions& options, const std::string& name, const std::string& text);
Cost cost_of_change(const OthelloOptions& before, const OthelloOptions& after);

}  // namespace kibitz
