// What a search has found, copied out of the tree: plain numbers, safe to keep and to pass on.
#pragma once

#include <cstdint>
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
  kTime,
  kProven,
  kDecided,
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
    case StopReason::kTime:
      return "time";
    case StopReason::kProven:
      return "proven";
    case StopReason::kDecided:
      return "decided";
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
  std::int64_t guaranteed = 0;  // of those, visits owed to `include`
  double value = 0.5;
  double prior = 0.0;
  double lcb = 0.0;
  double draw = 0.0;
  double score = 0.0;
  double score_stdev = 0.0;
  Bounds proven;  // from the root mover's side
  bool permitted = true;
  bool pruned = false;
  std::vector<Move> line;  // starts with the move itself
};

struct SearchReport {
  std::vector<MoveReport> moves;  // best first
  std::int64_t visits = 0;        // of the root, a reused tree's included
  std::int64_t guaranteed = 0;    // of those, owed to `include`
  std::int64_t simulations = 0;   // made by this search
  std::int64_t reused = 0;        // visits the tree had before it
  double value = 0.5;
  double draw = 0.0;
  double score = 0.0;
  double score_stdev = 0.0;
  Bounds proven;
  double seconds = 0.0;
  std::int64_t nodes = 0;
  std::int64_t memory_bytes = 0;
  int depth = 0;
  bool tree_full = false;
  StopReason stop = StopReason::kNone;
};

}  // namespace kibitz
