// The classic Junqi search as its authors wrote it, kept for comparison: one world, fixed depth,
// beam cut by the searching side's order (so minimum nodes keep the mover's worst moves), a window
// passed on as it is, a table that knows no depth, a leaf that is the difference of best immediate
// scores.
#pragma once

#include <unordered_map>

#include "games/junqi/search/world.h"

namespace kibitz::junqi {

class ClassicSearch {
 public:
  ClassicSearch(const Junqi& world, int team, const JunqiOptions& options, const Scorer& scorer,
                const Knowledge& knowledge, const HistoryRecorder& history,
                const Deadline& deadline);

  /// The value after `move`, searched `depth - 1` plies on. A passed deadline ends in static
  /// values.
  double after(Move move, int depth);
  /// The position as a leaf: our side's best immediate score less the other side's.
  double static_value() const { return evaluate_state(world_); }
  std::int64_t nodes() const { return nodes_; }

 private:
  double search(const Junqi& board, int depth, double alpha, double beta);
  double evaluate_state(const Junqi& board) const;
  double best_immediate(const Junqi& board, int seat) const;

  Junqi world_;
  WorldFacts facts_;
  int team_;
  const JunqiOptions& options_;
  const Scorer& scorer_;
  const Knowledge& knowledge_;
  HistoryRecorder history_;
  const Deadline& deadline_;
  std::unordered_map<std::uint64_t, double> table_;
  std::int64_t nodes_ = 0;
};

/// `static_value` for the view's side, on average over the worlds it believes in.
double classic_state_value(const View& view, const JunqiOptions& options);

}  // namespace kibitz::junqi
