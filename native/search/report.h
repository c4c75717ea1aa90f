// What a search has found, copied out of the tree: plain numbers, safe to keep and to pass on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/game.h"
#include "search/node.h"

namespace kibitz {

/// Why a search ended; kRunning while it has not.
enum class StopReason {
  kRunning,
  kSimulations,
  kVisits,
  kDepth,
  kTime,
  kProven,
  kDecided,
  kMemory,
  kStopped,
  kNone
};

inline const char* stop_reason_name(StopReason reason) {
  switch (reason) {
    case StopReason::kRunning:
      return "running";
    case StopReason::kSimulations:
      return "simulations";
    case StopReason::kVisits:
      return "visits";
    case StopReason::kDepth:
      return "depth";
    case StopReason::kTime:
      return "time";
    case StopReason::kProven:
      return "proven";
    case StopReason::kDecided:
      return "decided";
    case StopReason::kMemory:
      return "memory";
    case StopReason::kStopped:
      return "stopped";
    case StopReason::kNone:
      return "none";
  }
  return "none";
}

/// A root move. Values are the root mover's: the expected result in [0, 1].
struct MoveReport {
  Move move = kNoMove;
  std::int64_t visits = 0;
  std::int64_t guaranteed = 0;  // of those, guaranteed visits
  std::int64_t weightless = 0;  // those that the root does not count (search/human_explore.h)
  std::int64_t min_visits = 0;  // as many as `include` asks for; 0 when it does not name the move
  std::int64_t votes = 0;       // of the visits, those that speak for the move (search/votes.h)
  double value = 0.5;
  std::optional<double> first_value;  // what the evaluator said at the first visit, if still known
  double prior = 0.0;
  std::optional<double> improved;  // share of the improved policy, where rule=gumbel
  double lcb = 0.0;
  std::optional<double> error;  // standard error of the value, of compared moves
  double draw = 0.0;
  double score = 0.0;
  double score_stdev = 0.0;
  double lead = 0.0;
  std::optional<double> style;  // predicted of the game, the mean of the lines that follow the move
  double bonus = 0.0;           // how much the plan's style likes it
  double utility = 0.0;      // what the search maximizes: -1 loss, 1 win, a little more for points
  double utility_lcb = 0.0;  // its lower bound
  double weight = 0.0;       // what the visits count for; their number unless backup=weighted
  double selection = 0.0;    // KataGo's play selection value, where choice=katago
  double preference = 0.0;   // what orders moves where choice is katago or winrate
  Bounds proven;             // from the root mover's side
  bool permitted = true;
  bool pruned = false;
  /// A look apart (search/side_search.h) found it better than the recommended move, by its lower
  /// bound.
  bool looks_better = false;
  int standing = 0;        // moves of a greater one come after all others: forbidden ones
  Move twin = kNoMove;     // the move searched instead, which a symmetry makes equal to this one
  std::vector<Move> line;  // starts with the move itself
  std::vector<std::int64_t> line_visits;
  std::vector<float> ownership, ownership_stdev;  // the first side's; empty unless asked for
};

struct SearchReport {
  /// Win probability that the first move costs for its style, where the plan has a budget for that.
  std::optional<double> style_spent;
  /// What the style would cost, where the plan takes it away for that.
  std::optional<double> style_price;
  /// Predicted style of the game: the mean of the tree.
  std::optional<double> style;
  std::vector<MoveReport> moves;  // best first
  std::int64_t visits = 0;        // of the root, a reused tree's included
  std::int64_t guaranteed = 0;    // of those, guaranteed ones
  std::int64_t simulations = 0;   // made by this search
  std::int64_t reused = 0;        // visits the tree had before it
  double value = 0.5;
  std::optional<double> first_value;  // what the evaluator said of the root itself, if still known
  double draw = 0.0;
  double score = 0.0;
  double score_stdev = 0.0;
  double lead = 0.0;
  double utility = 0.0;
  double weight = 0.0;
  Outcome own;  // what the evaluator says about the root itself, for the root's mover
  std::vector<float> ownership, ownership_stdev;  // the first side's; empty unless asked for
  Bounds proven;
  double seconds = 0.0;
  std::int64_t nodes = 0;
  std::int64_t memory_bytes = 0;
  int depth = 0;            // of the deepest line
  double mean_depth = 0.0;  // of this search's lines
  bool tree_full = false;
  StopReason stop = StopReason::kNone;
};

}  // namespace kibitz
