// The options of the alpha-beta family, for every game that has it.
#pragma once

#include <string>
#include <vector>

#include "search/option_table.h"

namespace kibitz {

// clang-format off
#define KIBITZ_ALPHA_BETA_OPTIONS(INT, REAL, FLAG, WORD, TEXT)                                     \
  WORD(search, SearchFamily, kAuto, (kAuto, kTree, kAlphabeta), kEvaluator, none,                  \
       "search family: tree, alphabeta (with the game's evaluation and solver), or auto: "         \
       "alphabeta unless the request asks for what only a tree has (simulations, visits, "         \
       "weights, style, pruning, a network that only judges leaves)")                                                      \
  INT (depth, 0, 0, 120, kEvaluator, none, "alphabeta: plies to search; 0 no limit")               \
  INT (multi_pv, 1, 1, 64, kEvaluator, none,                                                       \
       "alphabeta: moves that get exact scores; of the others only bounds are known")              \
  INT (table_mb, 0, 0, 65536, kEvaluator, none,                                                    \
       "alphabeta: megabytes of the transposition table; 0 is the game's own choice")
// clang-format on

KIBITZ_OPTION_WORDS(KIBITZ_ALPHA_BETA_OPTIONS)

struct AlphaBetaOptions {
  KIBITZ_OPTION_FIELDS(KIBITZ_ALPHA_BETA_OPTIONS)
};

std::vector<OptionInfo> alpha_beta_option_table();
/// Throws std::invalid_argument that says what was expected.
void set_alpha_beta_option(AlphaBetaOptions& options, const std::string& name,
                           const std::string& text);
Cost cost_of_change(const AlphaBetaOptions& before, const AlphaBetaOptions& after);

}  // namespace kibitz
