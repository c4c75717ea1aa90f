// A tree search of noughts and crosses, for tests that run one to its end.
#pragma once

#include <memory>

#include "evaluate/playout.h"
#include "search/tree_search.h"
#include "tests/games/noughts/noughts.h"

namespace kibitz::test {

using NoughtsSearch = TreeSearch<Noughts>;

inline void wait_for(NoughtsSearch& search) {
  while (!search.wait(1.0)) {
  }
}

inline SearchReport finish(NoughtsSearch& search, const Plan& plan, const Budget& budget) {
  search.start(plan, budget);
  wait_for(search);
  return search.report();
}

inline std::shared_ptr<Evaluator<Noughts>> playouts() {
  return std::make_shared<PlayoutEvaluator<Noughts>>(false);
}

}  // namespace kibitz::test
