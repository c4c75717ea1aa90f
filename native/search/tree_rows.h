// The tree of a search as data: its nodes in the order of a walk, parents before their children.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/node.h"

namespace kibitz {

struct TreeRow {
  int depth = 0;  // 0 for the moves of the root
  std::string move;
  std::int64_t visits = 0;
  double value = 0.5;  // for the side that plays the move
  double prior = 0.0;
  Bounds proven;  // for the same side
};

/// A line for each row, indented, for people who want to see what the search thought.
std::string tree_text(const std::vector<TreeRow>& rows);

}  // namespace kibitz
