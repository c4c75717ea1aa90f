// The part of a plan that holds below the root moves of an alpha-beta search.
#pragma once

#include <algorithm>

#include "games/game.h"
#include "steering/plan.h"

namespace kibitz {

class PlanBelow {
 public:
  /// Obeys the restrictions of `plan`, which must outlive the search: nodes they reach are searched
  /// without table and cuts, which know nothing of them.
  void obey(const Plan& plan) {
    plan_ = &plan;
    reach_ = 0;
    for (const auto* rules : {&plan.avoid, &plan.allow})
      for (const Restriction& rule : *rules) reach_ = std::max(reach_, rule.until_depth);
  }

 protected:
  /// Does a restriction hold so many plies below the root?
  bool reaches(int from_root) const { return from_root < reach_; }
  /// Leaves the moves that the plan permits `side` there.
  template <class List>
  void permit(List& moves, int side, int from_root) const {
    List kept;
    for (const Move move : moves)
      if (plan_->permits(side, move, from_root)) kept.push(move);
    moves = kept;
  }

 private:
  const Plan* plan_ = nullptr;
  int reach_ = 0;
};

}  // namespace kibitz
