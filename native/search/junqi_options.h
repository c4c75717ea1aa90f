// The options of Junqi's search, in one table like those of the tree search (search/options.h).
#pragma once

#include <string>
#include <vector>

#include "evaluate/junqi_weights.h"
#include "search/junqi_search.h"
#include "search/option_table.h"

namespace kibitz::junqi {

// clang-format off
#define KIBITZ_JUNQI_OPTIONS(INT, REAL, FLAG, WORD)                                                     \
  WORD(mode, "search", "search|classic|greedy|one-ply|random",                                          \
       "search; classic (the search this one grew from); greedy (the attack with the best expected "    \
       "gain, else any move); one-ply (the best immediate score); random")                              \
  INT (depth, 12, 1, 24, "plies of the deepest iteration")                                              \
  INT (beam_width, 8, 0, 512, "moves kept at a node, the best for its mover; 0 keeps all")              \
  INT (reply_width, 4, 0, 512, "the same at the other side's nodes; 0 is beam_width")                    \
  INT (root_width, 16, 0, 512, "root moves that are searched, besides included and vital ones; 0 is all") \
  REAL(discount, 0.95, 0.01, 1, "factor on the value of what follows a move")                           \
  FLAG(use_alpha_beta, true, "prune; never changes a value")                                            \
  FLAG(use_table, true, "a transposition table with depth, bound and history; never changes a value")   \
  FLAG(iterative, true, "deepen step by step; otherwise straight to the depth")                         \
  INT (quiescence, 4, 0, 12, "plies of winning captures searched after the last ply")                   \
  INT (worlds, 8, 1, 256, "sampled worlds, each searched with the same root moves")                     \
  INT (samples, 96, 1, 100000, "sampled assignments behind the beliefs")                                \
  WORD(style, "none", "none|aggressive|balanced|defensive|probing",                                     \
       "behaviour preferred at the first ply; vital moves are never filtered out")                      \
  FLAG(apply_style_filter_first_ply, true, "let the style filter the first ply")                        \
  WORD(prune, "none", "none|progressive|statistical",                                                   \
       "root moves set aside between iterations: progressive (the worse half) or statistical (two "     \
       "standard deviations below the best)")                                                           \
  WORD(weights, "", "", "a file of weights over the defaults, as games/junqi/weights.ini is written")   \
  WORD(evaluator, "scoring", "scoring", "what judges a leaf")                                           \
  FLAG(reuse, false, "nothing is kept between requests: a view is all a search may know")               \
  INT (threads, 1, 1, 256, "threads; worlds are shared out among them")                                 \
  INT (seed, 1, 0, 9223372036854775807, "random seed")
// clang-format on

struct JunqiOptions {
  KIBITZ_OPTION_FIELDS(KIBITZ_JUNQI_OPTIONS)
  Weights values;  // of the weights file, or the defaults

  SearchConfig config() const;
};

std::vector<OptionInfo> junqi_option_table();
/// Throws std::invalid_argument that says what was expected; `weights` reads the file.
void set_junqi_option(JunqiOptions& options, const std::string& name, const std::string& text);

}  // namespace kibitz::junqi
