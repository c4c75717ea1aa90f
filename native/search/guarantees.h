// Guaranteed visits: which root moves have some, and how many were made.
//
// Threads: `open` and `clear` before a search, by one thread; everything else may be called by all
// search threads and by a reporting thread at once. Nothing blocks.
// Ownership: the node given to `open` must outlive the search.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "search/mean_history.h"
#include "search/node.h"
#include "steering/plan.h"

namespace kibitz {

class Guarantees {
 public:
  /// Before another root: nothing was served there.
  void clear() { moves_.clear(); }
  /// Takes the plan's guarantees for the children of `node`. Visits that earlier searches at this
  /// root served stay known as guaranteed.
  void open(const Node& node, const Plan& plan);

  /// Takes a visit for the guaranteed move that was served least, so that a search stopped at any
  /// time has given each a fair share; -1 when all have theirs.
  int take();
  void give_back(int index);
  /// Takes no more visits for `move`. Only where one thread takes visits.
  void waive(Move move);
  bool left() const { return left_.load(std::memory_order_relaxed) > 0; }
  /// Guaranteed visits and the search's own, of which `claimed` were begun, alternate while both
  /// are left.
  bool is_due(std::int64_t claimed) const { return served_now() <= claimed; }

  /// As many as were asked for; 0 for a move that nobody asked about.
  std::int64_t min_visits(std::size_t index) const { return moves_[index].min_visits; }
  /// Of a move's visits, the guaranteed ones that were served.
  std::int64_t visits(std::size_t index) const;
  /// Handed out for a move at this root, those under way included.
  std::int64_t handed_out(std::size_t index) const {
    return moves_[index].before + moves_[index].now.load(std::memory_order_relaxed);
  }
  /// The first side's mean value of a move when it had about so many visits: for rules whose values
  /// rise with visits, so that visits of equal number can be compared.
  double value_at(std::size_t index, std::int64_t visits) const;
  /// Handed out at this root, by earlier searches too.
  std::int64_t served() const { return served_.load(std::memory_order_relaxed); }
  /// Handed out by this search.
  std::int64_t served_now() const { return served() - served_before_; }
  /// Visits that the moves asked about had already, as far as they were asked for.
  std::int64_t had_already() const { return had_already_; }

 private:
  struct Served {
    std::int64_t min_visits = 0;
    std::int64_t to_serve = 0;         // visits that this search has to make
    std::int64_t before = 0;           // those made by earlier searches at this root
    std::atomic<std::int64_t> now{0};  // those handed out by this search
    MeanHistory means;
  };

  const Node* node_ = nullptr;
  std::vector<Served> moves_;    // of all children
  std::vector<int> guaranteed_;  // indices of those that have a guarantee
  std::int64_t had_already_ = 0, served_before_ = 0;
  std::atomic<std::int64_t> left_{0};    // not yet handed out
  std::atomic<std::int64_t> served_{0};  // handed out, earlier searches' included
};

}  // namespace kibitz
