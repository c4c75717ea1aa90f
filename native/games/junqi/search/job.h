// Junqi's search as an engine uses it: one search at a time on a thread of its own, with options,
// a plan and a budget; the contract of the tree search's handle.
//
// Threads: used from one thread, except `stop` and `report`.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "base/background_work.h"
#include "games/junqi/search/report.h"
#include "games/junqi/table.h"

namespace kibitz::junqi {

struct JunqiBudget {
  std::int64_t simulations = std::numeric_limits<std::int64_t>::max();  // nodes
  std::int64_t visits = std::numeric_limits<std::int64_t>::max();       // worlds
  double seconds = std::numeric_limits<double>::infinity();
};

class JunqiJob : public BackgroundWork {
 public:
  /// Of the table only the view of the seat to move is kept: the search is given nothing else.
  JunqiJob(const Table& table, const JunqiOptions& options);
  JunqiJob(const View& view, const JunqiOptions& options);
  ~JunqiJob() { finish(); }

  void configure(const JunqiOptions& options) { options_ = options; }
  void reset(const Table& table) { reset(table.view(table.board().to_move())); }
  void reset(const View& view);

  /// Leaves out of the plan what `admit` takes out.
  void start(const Plan& plan, const JunqiBudget& budget);
  JunqiSearchReport report();

 private:
  void think(const JunqiOptions& options, const JunqiLimits& limits, const RootWishes& wishes);
  /// The modes that do not search.
  JunqiReport judged(JunqiSearch& search, const RootWishes& wishes, JunqiMode mode) const;

  JunqiOptions options_;
  std::optional<View> view_;
  JunqiSearchReport report_;
};

}  // namespace kibitz::junqi
