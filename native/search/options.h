// Every option of the tree search, in one table. The struct, its checks, its Python face, the
// command line's `--option NAME=VALUE`, presets, what a change does to a search under way, KataGo's
// and Lc0's names in their protocols, and docs/options.md all come from these rows, by
// search/option_table.h, which says what stands in a row.
#pragma once

#include <string>
#include <vector>

#include "search/option_table.h"

namespace kibitz {

// clang-format off
#define KIBITZ_SEARCH_OPTIONS(INT, REAL, FLAG, WORD, TEXT)                                         \
  WORD(rule, SelectionRule, kUcb1, (kUcb1, kPuct, kKatago, kGumbel, kClassic), kValues, none,      \
       "selection rule: ucb1; puct (AlphaZero's, with priors); katago (puct whose exploration "    \
       "grows with the spread of values); gumbel (sequential halving of the root's moves with "    \
       "Gumbel noise, improved policy with completed values below: strong at few visits); classic (minimum of mean plus exploration at the "       \
       "opponent's nodes, log of all iterations; kept for comparison)")                            \
  REAL(c, 1.414, 0, 100, kSelection, none, "exploration constant of ucb1 and classic")             \
  REAL(bias, 0, 0, 100, kValues, none,                                                             \
       "weight of the progressive bias prior / (visits + 1) in ucb1")                              \
  REAL(cpuct, 1.745, 0, 100, kSelection, peers(katago("cpuctExploration", 0, 10), lc0("CPuct")),   \
       "exploration constant of puct and katago")                                                  \
  REAL(cpuct_base, 38739, 1, 1e9, kSelection,                                                      \
       peers(katago("cpuctExplorationBase", 10, 100000), lc0("CPuctBase")),                        \
       "visits at which the exploration of puct starts to grow")                                   \
  REAL(cpuct_factor, 3.894, 0, 100, kSelection,                                                    \
       peers(katago("cpuctExplorationLog", 0, 10), lc0("CPuctFactor")),                            \
       "how fast the exploration of puct grows with the log of visits; 0 keeps it constant")       \
  REAL(fpu_reduction, 0.33, -10, 10, kSelection,                                                   \
       peers(katago("fpuReductionMax", 0, 2), lc0("FpuValue")),                                    \
       "puct: first-play urgency (FPU): an unvisited child counts as its parent's value less "     \
       "this times the square root of the visited share of the priors (values in [-1, 1])")        \
  REAL(fpu_reduction_root, 0.33, -10, 10, kSelection,                                              \
       peers(katago("rootFpuReductionMax", 0, 2), lc0("FpuValue")), "FPU reduction at the root")   \
  WORD(fpu, FpuStrategy, kReduction, (kReduction, kAbsolute), kSelection,                          \
       peers(lc0("FpuStrategy")),                                                                  \
       "puct: fpu_reduction is subtracted from the parent's value, or is itself the value")        \
  INT (gumbel_moves, 16, 1, 1000, kSelection, none,                                                \
       "gumbel: root moves that sequential halving starts with")                                   \
  REAL(gumbel_noise, 1, 0, 10, kSelection, none,                                                   \
       "gumbel: factor of the Gumbel noise of the root's moves; 0 always gives the best move")     \
  REAL(policy_temperature, 1.0, 0.01, 100, kValues,                                                \
       peers(katago("nnPolicyTemperature"), lc0("PolicyTemperature", 0.1, 10, "1.359")),           \
       "softmax temperature of the priors; above 1 flattens them")                                 \
  REAL(policy_optimism, 1, 0, 1, kValues, peers(katago("policyOptimism")),                         \
       "share of the optimistic policy, in networks with two policies (KataGo's version 12 on)")   \
  REAL(root_policy_optimism, 0.2, 0, 1, kValues, peers(katago("rootPolicyOptimism")),              \
       "share of the optimistic policy at the root")                                               \
  REAL(human_root_weightless, 0, 0, 1, kValues,                                                    \
       peers(katago("humanSLRootExploreProbWeightless")),                                          \
       "human model: share of root visits that choose by its policy and count below the move "     \
       "only, not in the root's value nor for the move")                                           \
  REAL(human_root_weightful, 0, 0, 1, kValues,                                                     \
       peers(katago("humanSLRootExploreProbWeightful")),                                           \
       "human model: share of root visits that choose by its policy and count like others")        \
  REAL(human_pla_weightless, 0, 0, 1, kValues, peers(katago("humanSLPlaExploreProbWeightless")),   \
       "human_root_weightless below the root, where the root's mover moves")                       \
  REAL(human_pla_weightful, 0, 0, 1, kValues, peers(katago("humanSLPlaExploreProbWeightful")),     \
       "human_root_weightful below the root, where the root's mover moves")                        \
  REAL(human_opp_weightless, 0, 0, 1, kValues, peers(katago("humanSLOppExploreProbWeightless")),   \
       "human_root_weightless where the opponent moves")                                           \
  REAL(human_opp_weightful, 0, 0, 1, kValues, peers(katago("humanSLOppExploreProbWeightful")),     \
       "human_root_weightful where the opponent moves")                                            \
  REAL(human_cpuct, 1, 0, 1000, kSelection, peers(katago("humanSLCpuctExploration")),              \
       "exploration constant of those visits")                                                     \
  REAL(human_cpuct_permanent, 0, 0, 1000, kSelection, peers(katago("humanSLCpuctPermanent")),      \
       "the same, times the square root of the visits: exploration that never ends")               \
  FLAG(virtual_loss, true, kSelection, none,                                                       \
       "visits in flight count as losses, which spreads threads; off counts them as visits "       \
       "only")                                                                                     \
  FLAG(two_fold_draws, false, kValues, peers(lc0("TwoFoldDraws", "true")),                         \
       "a position repeated within the searched line counts as a draw")                            \
  REAL(draw_score, 0, -1, 1, kValues, peers(lc0("DrawScore")),                                     \
       "value of a draw for the first side, from -1 (a loss) to 1 (a win)")                        \
  REAL(wdl_shift, 0, -100, 100, kValues, none,                                                     \
       "contempt: shifts a network's win, draw and loss probabilities towards the first side")     \
  REAL(wdl_ratio, 1, 0.01, 100, kValues, none,                                                     \
       "above 1 lowers a network's draw probability, below 1 raises it")                           \
  WORD(backup, BackupRule, kMean, (kMean, kWeighted), kValues,                                     \
       peers(katago_flag("useNoisePruning", "weighted", "mean")),                                  \
       "how children make their parent's value: mean of all visits, or weighted as in KataGo, "    \
       "with less weight for bad moves and for visits beyond a bad move's prior")                  \
  REAL(value_bias, 0, 0, 1, kValues, peers(katago("subtreeValueBiasFactor")),                      \
       "backup=weighted: strength of KataGo's subtree value bias correction (0 disables)")         \
  FLAG(uncertainty, false, kValues, peers(katago("useUncertainty")),                               \
       "backup=weighted: evaluations weigh more the surer the network is of them, where it tells") \
  REAL(score_static, 0, 0, 1, kValues, peers(katago("staticScoreUtilityFactor")),                  \
       "utility of the score, centred on zero, as a share of a win")                               \
  REAL(score_dynamic, 0, 0, 1, kValues, peers(katago("dynamicScoreUtilityFactor")),                \
       "utility of the score, centred on the root's expected score, as a share of a win")          \
  REAL(root_temperature, 1, 0.01, 100, kSelection, peers(katago("rootPolicyTemperature")),         \
       "softmax temperature of the root's priors; above 1 flattens them")                          \
  REAL(root_noise, 0, 0, 5, kSelection, peers(katago("wideRootNoise")),                            \
       "widens the search at the root by random bonuses of about this size")                       \
  REAL(root_dirichlet, 0, 0, 1, kSelection, none,                                                  \
       "share of Dirichlet noise in the priors that choose at the root, for self-play")            \
  FLAG(root_symmetry, false, kSelection, peers(katago("rootSymmetryPruning")),                     \
       "search only one of the root moves that are equal by symmetry")                             \
  FLAG(ownership, false, kValues, none,                                                            \
       "keep the ownership of each point, where the network predicts it")                          \
  INT (tree_depth, 0, 0, 100000, kValues, none,                                                    \
       "depth beyond which nodes are not expanded; 0 no limit, 1 is flat UCB")                     \
  FLAG(proofs, true, kValues, none,                                                                \
       "back up proven results (MCTS-Solver) and skip moves that cannot change the outcome")       \
  WORD(choice, MoveChoice, kVisits, (kVisits, kWinrate, kLcb, kKatago), kSelection,                \
       peers(katago_flag("useLcbForSelection", "katago", "visits")),                               \
       "how the best move is chosen: visits, winrate (mean value), lcb (lower confidence "         \
       "bound), or katago (visits in hindsight, corrected by LCB)")                                \
  REAL(lcb_z, 1.96, 0, 10, kSelection, peers(katago("lcbStdevs", 1, 10)),                          \
       "standard errors between the mean and the LCB")                                             \
  WORD(prune, RootPruning, kNone, (kNone, kProgressive, kStatistical), kSelection, none,           \
       "root moves pruned while searching: progressive (fewer visits than iterations / moves) "    \
       "or statistical (upper bound below the best move's lower bound; reversible)")               \
  INT (prune_period, 1000, 1, 1000000000, kSelection, none, "iterations between two prunings")     \
  REAL(early_stop, 0, 0, 10, kSelection, peers(lc0("SmartPruningFactor", "1.33")),                 \
       "smart pruning: stop when the best move leads by more than the remaining visits divided "   \
       "by this; above 1 stops sooner; 0 never")                                                   \
  FLAG(guaranteed_in_root_value, false, kValues, peers(katago("includeMovesInRootValue")),      \
       "let guaranteed visits count in the root's value")                                          \
  WORD(evaluator, EvaluatorKind, kPlayout, (kPlayout, kUniform, kNetwork, kHand), kEvaluator,      \
       none,                                                                                       \
       "what evaluates a leaf: playouts, uniform (no evaluation), a network, or the game's "       \
       "hand-written evaluation")                                                                  \
  INT (leaf_depth, 0, 0, 8, kEvaluator, none,                                                     \
       "evaluations that are a score of the core (hand-written, or a network of the layout "       \
       "accumulator): plies of alpha-beta that judge a leaf; 0 resolves captures only")            \
  WORD(playout, PlayoutPolicy, kRandom, (kRandom, kPolicy), kEvaluator, none,                      \
       "moves in playouts: uniformly random, or the game's playout policy")                        \
  WORD(history, HistoryShown, kRoot, (kRoot, kFull, kNone), kValues,                               \
       peers(katago_flag("ignorePreRootHistory", "root", "full"),                                  \
             katago_flag("ignoreAllHistory", "none", "")),                                         \
       "moves in a network's input, for networks that see moves: since the root, all, or none")    \
  WORD(symmetry, SymmetryUse, kFixed, (kFixed, kRandom), kEvaluator,                               \
       peers(katago_flag("nnRandomize", "random", "fixed")),                                       \
       "orientation of the board in a network's input: as it stands, or a random symmetry")        \
  INT (root_symmetries, 1, 1, 8, kEvaluator, peers(katago("rootNumSymmetriesToSample")),           \
       "symmetries over which a network's evaluation of the root is averaged")                     \
  INT (batch, 1, 1, 4096, kSelection,                                                              \
       peers(katago("searchBatchSize"), lc0("MinibatchSize", 0, 1024, "0")),                       \
       "leaves a thread gathers for one batch of evaluations")                                     \
  INT (threads, 1, 1, 256, kSelection,                                                             \
       peers(katago("numSearchThreads"), katago("numSearchThreadsPerAnalysisThread"),              \
             lc0("Threads", 0, 128, "0")),                                                         \
       "search threads; one thread and one seed always give the same result")                      \
  INT (seed, 1, 0, 9223372036854775807, kSelection,                                                \
       peers(katago("searchRandSeed"), katago("nnRandSeed")), "random seed")                       \
  INT (cache_mb, 0, 0, 1048576, kEvaluator,                                                        \
       peers(katago("nnCacheSizePowerOfTwo", 1, 40), lc0("NNCacheSize", 0, 999999999, "2000000")), \
       "memory for the cache of network evaluations; 0 none")                                      \
  INT (cache_history, 7, 0, 7, kEvaluator, peers(lc0("CacheHistoryLength", "0")),                  \
       "networks that see earlier boards: how many are in the key of the evaluation cache; 7 is "  \
       "exact, with 0, as in Lc0, transpositions share an entry")                                  \
  INT (memory_mb, 1024, 1, 1048576, kMemory, peers(lc0("RamLimitMb", 0, 100000000, "0")),          \
       "memory for the tree; when it is full, a search with playouts goes on without expanding, "  \
       "others end")                                                                               \
  FLAG(reuse, true, kSelection, peers(katago("reuseTree")),                                        \
       "tree reuse: keep the subtree of the moves played")                                         \
  INT (solve_leaves, 0, 0, 64, kValues, none,                                                      \
       "solve a new leaf exactly at this many empty squares or fewer; 0 never")                    \
  INT (solve_root, 0, 0, 64, kSelection, none,                                                     \
       "before searching, try to solve the root at this many empty squares or fewer")              \
  FLAG(solve_all, false, kSelection, none, "score every move of a solved root, not only the best")
// clang-format on

KIBITZ_OPTION_WORDS(KIBITZ_SEARCH_OPTIONS)

struct Options {
  KIBITZ_OPTION_FIELDS(KIBITZ_SEARCH_OPTIONS)
};

std::vector<OptionInfo> option_table();

/// What becomes of a search when `after` is in force instead of `before`.
Cost cost_of_change(const Options& before, const Options& after);

/// Sets one option from text; throws std::invalid_argument that says what was expected.
void set_option(Options& options, const std::string& name, const std::string& text);

}  // namespace kibitz
