#include "search/ownership.h"

#include <algorithm>
#include <cmath>

namespace kibitz {

namespace {

/// Adds the evaluations below a node. The last number of `sums` counts the shares, since nodes
/// evaluated before anybody asked for ownership have none.
void add_ownership(const SearchParts& search, const Node& node, const Extras* extras, int mover,
                   double share, std::vector<double>& sums, std::vector<double>& squares) {
  if (!extras) return;
  std::vector<WeighedChild> kids;
  const bool is_root = &node == &search.tree.root();
  const double total =
      node.expanded() ? search.backup.weigh_children(node, mover, is_root, kids) : 0.0;
  const double weighs = extras->own_weight.load(std::memory_order_relaxed);
  const double each = share / (weighs + total);
  if (const float* own = extras->ownership.load(std::memory_order_acquire)) {
    for (std::size_t p = 0; p < squares.size(); ++p) {
      sums[p] += each * weighs * own[p];
      squares[p] += each * weighs * own[p] * own[p];
    }
    sums[squares.size()] += each * weighs;
  }
  // What is too small to be seen is not worth the walk.
  for (const WeighedChild& kid : kids)
    if (each * kid.weight > 1e-5)
      add_ownership(search, *kid.node, kid.extras, 1 - mover, each * kid.weight, sums, squares);
}

}  // namespace

void mean_ownership(const SearchParts& search, const Node& node, const Extras* extras, int mover,
                    std::vector<float>& mean, std::vector<float>& stdev) {
  const auto points = static_cast<std::size_t>(search.tree.shape().ownership_points);
  std::vector<double> sums(points + 1, 0.0), squares(points, 0.0);
  add_ownership(search, node, extras, mover, 1.0, sums, squares);
  const double share = sums[points];
  if (share <= 0) return;
  for (std::size_t p = 0; p < points; ++p) {
    const double average = sums[p] / share;
    mean.push_back(static_cast<float>(average));
    stdev.push_back(
        static_cast<float>(std::sqrt(std::max(0.0, squares[p] / share - average * average))));
  }
}

}  // namespace kibitz
