// Every option of the tree search, in one table. The struct, its Python face, the command line's
// `--option NAME=VALUE`, presets, the checks and docs/options.md all come from these rows, by
// search/option_table.h, which says what stands in a row.
#pragma once

#include <string>
#include <vector>

#include "search/option_table.h"

namespace kibitz {

// clang-format off
#define KIBITZ_SEARCH_OPTIONS(INT, REAL, FLAG, WORD)                                                   \
  WORD(rule, "ucb1", "ucb1|puct|katago|classic",                                                              \
       "how a child is chosen: ucb1, puct (priors), katago (puct that explores more where values are " \
       "spread, as KataGo has it), or classic (the minimum of mean plus exploration " \
       "at the opponent's nodes, log of all iterations; kept for comparison)")                         \
  REAL(c, 1.414, 0, 100, "exploration constant of ucb1 and classic")                                   \
  REAL(bias, 0, 0, 100, "weight of the progressive bias prior / (visits + 1) in ucb1")                 \
  REAL(cpuct, 1.745, 0, 100, "exploration constant of puct")                                           \
  REAL(cpuct_base, 38739, 1, 1e9, "visits at which puct's exploration starts to grow")                 \
  REAL(cpuct_factor, 3.894, 0, 100, "how fast puct's exploration grows; 0 keeps it constant")          \
  REAL(fpu_reduction, 0.33, -10, 10,                                                                   \
       "puct: a child not yet visited counts as its parent's value less this times the square root "   \
       "of the visited share of the priors (values in [-1, 1])")                                       \
  REAL(fpu_reduction_root, 0.33, -10, 10, "the same for children of the root")                         \
  WORD(fpu, "reduction", "reduction|absolute",                                                         \
       "puct: fpu_reduction is taken from the parent's value, or is itself the value")                 \
  REAL(policy_temperature, 1.0, 0.01, 100,                                                             \
       "priors are raised to the power of one over this; above 1 they become more even")               \
  REAL(policy_optimism, 1, 0, 1,                                                                       \
       "networks with two policies (KataGo's version 12 on): 0 takes the plain one, 1 the optimistic "  \
       "one, below the root")                                                                          \
  REAL(root_policy_optimism, 0.2, 0, 1, "the same at the root")                                        \
  FLAG(virtual_loss, true,                                                                             \
       "visits under way count as lost, which spreads threads; off counts them as visits only")        \
  FLAG(two_fold_draws, false,                                                                          \
       "a position that stood before within the line being searched counts as a draw")                 \
  REAL(draw_score, 0, -1, 1,                                                                           \
       "what a draw is worth to the first side, from -1 (a loss) to 1 (a win)")                        \
  REAL(wdl_shift, 0, -100, 100,                                                                        \
       "chess: contempt; moves a network's wins, draws and losses towards the first side")             \
  REAL(wdl_ratio, 1, 0.01, 100, "chess: above 1 makes a network's draws fewer, below 1 more")          \
  REAL(spread_scale, 0.85, 0, 1,                                                                       \
       "katago: how much of the exploration follows the spread of the values below a node")            \
  REAL(spread_prior, 0.4, 1e-6, 10, "katago: the spread that changes nothing (values in [-1, 1])")       \
  WORD(backup, "mean", "mean|weighted",                                                                \
       "how children make their parent's value: each visit alike, or weighted as KataGo does, with "   \
       "less for moves that turned out bad and for visits beyond a bad move's prior")                  \
  REAL(value_bias, 0, 0, 1,                                                                            \
       "backup=weighted: share of what searching found wrong with evaluations after a local sequence "  \
       "that is taken off other evaluations after it")                                                 \
  REAL(score_static, 0, 0, 1, "part of a win that margins count for, around zero")                     \
  REAL(score_dynamic, 0, 0, 1, "part of a win that margins count for, around the root's expectation")  \
  REAL(score_center_zero, 0.2, 0, 1, "how far that expectation is drawn to zero")                      \
  REAL(score_scale, 0.75, 0.2, 5, "width of score_dynamic, in square roots of the board")               \
  REAL(root_temperature, 1, 0.01, 100, "above 1 evens out the priors of the root's moves")              \
  REAL(root_noise, 0, 0, 5, "widens the search at the root by random bonuses of about this size")        \
  FLAG(root_symmetry, false, "search only one of the root moves that a symmetry makes equal")            \
  FLAG(ownership, false, "keep who owns each point, where a network tells it")                          \
  INT (tree_depth, 0, 0, 100000, "depth beyond which nothing is expanded; 0 no limit, 1 is flat UCB")  \
  FLAG(proofs, true, "back up proven results (MCTS-Solver) and skip what cannot change the outcome")   \
  WORD(choice, "visits", "visits|winrate|lcb|katago",                                                  \
       "what makes a move the best: visits, mean, lower bound, or katago (visits as far as they were " \
       "worth it in hindsight, corrected by lower bounds)")                                            \
  REAL(lcb_share, 0.15, 0, 1, "choice=katago: share of the most visits below which a bound does not count") \
  REAL(lcb_z, 1.96, 0, 10, "standard errors below the mean at which choice=lcb compares")              \
  WORD(prune, "none", "none|progressive|statistical",                                                  \
       "root moves set aside while searching: progressive (fewer visits than iterations / moves) or "  \
       "statistical (upper bound below the best move's lower bound; reversible)")                      \
  INT (prune_period, 1000, 1, 1000000000, "iterations between two prunings")                           \
  REAL(prune_z, 2.0, 0, 10, "standard errors of statistical pruning")                                  \
  FLAG(early_stop, false, "stop when the best move can no longer be overtaken within the budget")      \
  REAL(early_stop_factor, 1.0, 0.1, 10,                                                                \
       "the lead must exceed the visits left divided by this; above 1 stops sooner")                   \
  FLAG(guaranteed_in_root_value, false, "let guaranteed visits count in the root's value")             \
  REAL(corner_weight, 1.0, 0, 1000, "Othello: factor of a corner move's UCB score at every node")         \
  REAL(style_beta, 0, 0, 10,                                                                           \
       "chess: the root's priors lean to the hypermodern style, p * exp(style_beta * B); 0 is off")    \
  REAL(style_fianchetto, 1.0, -10, 10, "what a fianchetto adds to B, which is clipped to [-1, 1]")     \
  REAL(style_prepare, 1.0, -10, 10, "the same for the pawn's step that prepares a fianchetto")         \
  REAL(style_quiet, 0.5, -10, 10, "for an early move that makes no contact of central pawns")          \
  REAL(style_control, 0.3, -10, 10, "for more control of the centre from afar")                        \
  REAL(style_flank, 0.1, -10, 10, "for a step of an a or h pawn")                                      \
  REAL(style_chain, 0.8, -10, 10, "for locking pawns; taken off for unlocking them")                   \
  REAL(style_occupation, -1.0, -10, 10, "for a pawn's advance to the centre")                          \
  REAL(style_contact_prior, 1.0, 0, 1,                                                                 \
       "chess: factor of the root prior of an early move that makes contact of central pawns")         \
  INT (style_contact_ply, 8, 0, 1000, "chess: early is before this ply")                               \
  INT (style_plies, 24, 0, 100000, "chess: the last ply of the game at which style counts; 0 has no end") \
  WORD(evaluator, "playout", "playout|uniform|network|hand",                                             \
       "what judges a leaf: playouts, nothing, a network, or the game's hand-written judgement")         \
  WORD(playout, "random", "random|policy", "moves in playouts: uniformly random, or the game's policy") \
  WORD(history, "root", "root|full|none",                                                               \
       "moves before the root that a network is shown, in games whose networks see moves: those since " \
       "the root only, all, or none at all")                                                           \
  WORD(symmetry, "fixed", "fixed|random",                                                              \
       "how a network is shown a board that has symmetries: as it stands, or turned at random")         \
  INT (root_symmetries, 1, 1, 8, "symmetries over which a network's answer at the root is averaged")     \
  INT (batch, 1, 1, 4096, "leaves gathered by a thread before they are evaluated together")            \
  INT (threads, 1, 1, 256, "search threads; one thread and one seed always give the same result")      \
  INT (seed, 1, 0, 9223372036854775807, "random seed")                                                 \
  INT (cache_mb, 0, 0, 1048576, "memory for evaluations of a network that may be needed again; 0 none") \
  INT (prefetch, 0, 0, 1024,                                                                           \
       "positions likely to be met soon that fill a batch when other leaves are under way already; "    \
       "needs cache_mb")                                                                               \
  INT (cache_history, 7, 0, 7,                                                                         \
       "chess: boards before a position that tell it apart from others in that memory; 7 is exact, at "  \
       "0, as in Lc0, a position reached in another order of moves is known already")                   \
  INT (memory_mb, 1024, 1, 1048576, "memory for the tree; when it is full the search goes on without expanding") \
  FLAG(reuse, true, "keep the part of the tree that the moves played have led to")                     \
  INT (solve_leaves, 0, 0, 64, "solve a new leaf exactly at this many empty squares or fewer; 0 never") \
  INT (solve_root, 0, 0, 64, "before searching, try to solve the root at this many empty squares or fewer") \
  FLAG(solve_all, false, "score every move of a root that was solved, not only the best")
// clang-format on

struct Options {
  KIBITZ_OPTION_FIELDS(KIBITZ_SEARCH_OPTIONS)
};

std::vector<OptionInfo> option_table();

/// Sets one option from text; throws std::invalid_argument that says what was expected.
void set_option(Options& options, const std::string& name, const std::string& text);

}  // namespace kibitz
