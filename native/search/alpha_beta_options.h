// The options of the alpha-beta family: rows for the own options of each game that has it.
#pragma once

#include "search/option_table.h"

// clang-format off
#define KIBITZ_ALPHA_BETA_OPTIONS(INT, REAL, FLAG, WORD, TEXT)                                     \
  WORD(search, SearchFamily, kAuto, (kAuto, kTree, kAlphabeta), kEvaluator, none,                  \
       "search family: tree, alphabeta (with the game's evaluation and solver), or auto: "         \
       "alphabeta unless the request asks for what only a tree has (simulations, visits, "         \
       "weights, style, pruning, a network)")                                                      \
  INT (depth, 0, 0, 120, kEvaluator, none, "alphabeta: plies to search; 0 no limit")               \
  INT (multi_pv, 1, 1, 64, kEvaluator, none,                                                       \
       "alphabeta: moves that get exact scores; of the others only bounds are known")
// clang-format on
