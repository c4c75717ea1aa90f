// The options of chess style, in one table like those of the tree search (search/options.h).
#pragma once

#include <string>
#include <vector>

#include "search/option_table.h"

namespace kibitz::style {

// clang-format off
#define KIBITZ_STYLE_OPTIONS(INT, REAL, FLAG, WORD, TEXT)                                              \
  REAL(style_beta, 0, 0, 10, kSelection, none,                                                                           \
       "strength of the hypermodern style: root priors become p * exp(style_beta * B); 0 is off")      \
  WORD(style_mode, StyleMode, kBudget, (kPriors, kBudget), kSelection, none,                                             \
       "priors: style changes root priors only; budget: the best value plus style_budget * B is played")                 \
  REAL(style_budget, 0.03, 0, 1, kSelection, none,                                                                       \
       "style_mode=budget: win probability that a move with 1 more of B may cost, at strength 1")      \
  REAL(style_scale, 1, 0, 10, kSelection, none,                                                                          \
       "factor of style_budget; where it is not set, measured for the network: what style costs by its values")          \
  WORD(style_source, StyleSource, kHeuristic, (kHeuristic, kHead, kBoth), kSelection, none,                              \
       "what B is made of: heuristic, the parts below; head, the style that the network predicts; both, their sum")      \
  REAL(style_price, 0, 0, 1, kSelection, none,                                                                           \
       "win probability that the most stylish move may be behind before the style gives way; 0 never does")              \
  REAL(style_fianchetto, 1.0, -10, 10, kSelection, none, "what a fianchetto adds to B, which is clipped to [-1, 1]")     \
  REAL(style_prepare, 1.0, -10, 10, kSelection, none, "the same for the pawn's step that prepares a fianchetto")         \
  REAL(style_quiet, 0.5, -10, 10, kSelection, none, "for an early move that makes no contact of central pawns")          \
  REAL(style_control, 0.3, -10, 10, kSelection, none, "for more control of the centre from afar")                        \
  REAL(style_flank, 0.1, -10, 10, kSelection, none, "for a step of an a or h pawn")                                      \
  REAL(style_chain, 0.8, -10, 10, kSelection, none, "for locking pawns; taken off for unlocking them")                   \
  REAL(style_occupation, -1.0, -10, 10, kSelection, none, "for a pawn's advance to the centre")                          \
  REAL(style_attack, 0, -10, 10, kSelection, none, "for more attacks at the enemy king; taken off for fewer")            \
  REAL(style_trade, 0, -10, 10, kSelection, none, "for taking a piece, or attacking one of the same kind")               \
  REAL(style_contact_prior, 1.0, 0, 1, kSelection, none,                                                                 \
       "factor of the root prior of an early move that makes contact of central pawns")                \
  INT (style_plies, 24, 0, 100000, kSelection, none, "the last ply of the game at which style counts; 0 has no end")     \
  INT (style_chain_plies, 0, 0, 100000, kSelection, none, "the same for style_chain, where that is later")
// clang-format on

KIBITZ_OPTION_WORDS(KIBITZ_STYLE_OPTIONS)

struct StyleOptions {
  KIBITZ_OPTION_FIELDS(KIBITZ_STYLE_OPTIONS)
};

std::vector<OptionInfo> style_option_table();
/// Throws std::invalid_argument that says what was expected.
void set_style_option(StyleOptions& options, const std::string& name, const std::string& text);
Cost cost_of_change(const StyleOptions& before, const StyleOptions& after);

}  // namespace kibitz::style
