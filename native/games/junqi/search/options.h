// The options of Junqi's search, in one table like those of the tree search (search/options.h). A
// search keeps nothing, so no change costs anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games/junqi/evaluate/behaviors.h"
#include "games/junqi/evaluate/weights.h"
#include "search/option_table.h"

namespace kibitz::junqi {

// clang-format off
#define KIBITZ_JUNQI_OPTIONS(INT, REAL, FLAG, WORD, TEXT)                                          \
  WORD(mode, JunqiMode, kSearch, (kSearch, kClassic, kGreedy, kOnePly, kRandom), kSelection, none, \
       "search; classic (the search this one grew from); greedy (the attack with the best "        \
       "expected gain, else any move); one-ply (the best immediate score); random")                \
  INT (depth, 12, 1, 24, kSelection, none, "plies of the deepest iteration")                       \
  INT (beam_width, 3, 0, 512, kSelection, none,                                                    \
       "moves kept at a node, the best for its mover; 0 keeps all")                                \
  INT (reply_width, 3, 0, 512, kSelection, none,                                                   \
       "the same at the other side's nodes; 0 is beam_width")                                      \
  INT (root_width, 32, 0, 512, kSelection, none,                                                   \
       "root moves that are searched, besides included and vital ones; 0 is all")                  \
  FLAG(narrowing, true, kSelection, none,                                                          \
       "all root moves are searched one ply deep in a few worlds; then, the more worlds and the "  \
       "deeper, the fewer of them, root_width at first, besides included and vital ones")          \
  REAL(discount, 0.95, 0.01, 1, kSelection, none, "factor on the value of what follows a move")    \
  FLAG(use_alpha_beta, true, kSelection, none, "prune; never changes a value")                     \
  INT (quiescence, 4, 0, 12, kSelection, none,                                                     \
       "plies of winning captures searched after the last ply")                                    \
  INT (race_plies, 8, 0, 16, kSelection, none,                                                     \
       "plies of the races for flags that are solved in every world; 0 is none")                   \
  INT (worlds, 9, 1, 256, kSelection, none,                                                        \
       "sampled worlds, each searched with the same root moves")                                   \
  INT (samples, 0, 0, 100000, kSelection, none,                                                    \
       "sampled assignments behind the beliefs; 0 is 48 with four players and 96 with two")        \
  WORD(style, JunqiStyle, kNone, (kNone, kAggressive, kBalanced, kDefensive, kProbing),            \
       kSelection, none,                                                                           \
       "behaviour preferred at the first ply; vital moves are never filtered out")                 \
  FLAG(apply_style_filter_first_ply, true, kSelection, none, "let the style filter the first ply") \
  FLAG(counterattack, true, kSelection, none,                                                      \
       "with a style: search attacks on pieces that took one of ours lately first and prefer "     \
       "them unless another move is clearly better")                                               \
  WORD(prune, JunqiPruning, kNone, (kNone, kProgressive, kStatistical), kSelection, none,          \
       "root moves set aside between iterations: progressive (the worse half) or statistical "     \
       "(two standard deviations below the best)")                                                 \
  TEXT(weights, "", kSelection, none,                                                              \
       "a file of weights over the defaults, as games/junqi/weights.ini is written")               \
  INT (threads, 1, 1, 256, kSelection, none, "threads; worlds are shared out among them")          \
  INT (seed, 1, 0, 9223372036854775807, kSelection, none, "random seed")
// clang-format on

KIBITZ_OPTION_WORDS(KIBITZ_JUNQI_OPTIONS)

/// The one configuration of Junqi's search: the table's rows, and the weights.
struct JunqiOptions {
  KIBITZ_OPTION_FIELDS(KIBITZ_JUNQI_OPTIONS)
  // Neither changes a value; off only in tests of that.
  bool use_table = true;  // the transposition table
  bool iterative = true;  // deepen step by step; otherwise straight to the depth
  // Of the weights file, or the defaults, for games of four players and of two.
  Weights values, values_two = two_player_weights();

  const Weights& values_for(int players) const { return players == 2 ? values_two : values; }
  std::int64_t samples_for(int players) const {
    return samples > 0 ? samples : players == 2 ? 96 : 48;
  }
  void set_values(const Weights& both) { values = values_two = both; }
  /// The category of moves that the style prefers.
  std::optional<Category> preferred_category() const;
};

std::vector<OptionInfo> junqi_option_table();
Cost cost_of_change(const JunqiOptions& before, const JunqiOptions& after);
/// Throws std::invalid_argument that says what was expected; `weights` reads the file.
void set_junqi_option(JunqiOptions& options, const std::string& name, const std::string& text);

}  // namespace kibitz::junqi
