// KataGo's play selection values, and who owns what. Included by tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/tree_search.h"

namespace kibitz {

/// KataGo's order of moves: visits, less those that hindsight would not have spent, and more for
/// the move with the best lower bound; `by_votes` counts votes in the place of visits. The moves
/// are in the order of the root's children. The radius is how far the lower bound of the utility is
/// from its mean.
template <Game G>
std::vector<typename TreeSearch<G>::Selection> TreeSearch<G>::select_as_katago(
    const std::vector<MoveReport>& moves, bool by_votes) const {
  const double range = utility_.radius();
  std::vector<Selection> out(moves.size());
  std::vector<double> bounds(moves.size(), 0.0);
  std::size_t best = moves.size();
  double most = -1.0, best_visits = 0.0, below = 0.0;
  const auto counted = [&](std::size_t i) { return by_votes ? moves[i].votes : moves[i].visits; };
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const MoveReport& move = moves[i];
    const double n = static_cast<double>(counted(i));
    if (n == 0) continue;
    const double visits = static_cast<double>(move.visits), share = n / visits;
    const Extras* extras = root_.extras_of_children()[i].load();
    const double weight = weighted_ ? mass_of(root_.children()[i], extras, 0) * share : n;
    const double squares = weighted_ && extras ? extras->weight_square.load() * share : n;
    below += weight;
    out[i].value = weight;
    // A prior with little weight that the spread is the largest there can be keeps bounds of few
    // visits wide.
    const double few = weight * weight / std::max(1e-10, squares);
    const double value = move.utility, prior = weight / (few * few * few);
    const double first = root_.children()[i].mean();
    double square =
        extras ? 4.0 * (extras->mean(kValueSquare, visits) - first) + 1.0 : value * value;
    square = std::max(square, value * value + 1e-8);
    square = (square * weight + (square + range * range) * prior) / (weight + prior);
    const double sample = (weight + prior) * (weight + prior) / (squares + prior * prior);
    out[i].radius = options_.lcb_z * std::sqrt(std::max(0.0, square - value * value) / sample);
    bounds[i] = value - out[i].radius;
    // The latest visit may be an outlier, and the prior breaks ties among few visits. Visits that
    // the user asked for are no sign that the search likes a move.
    const double own = by_votes ? n : n - static_cast<double>(move.guaranteed);
    const double good = weight * std::max(0.0, own - 1.0) / n + 2.0 * move.prior;
    if (good > most) most = good, best = i, best_visits = weight;
  }
  if (best == moves.size()) return out;

  NodeView about{};
  about.is_root = true;
  about.value = mover_value(root_, root_position_.to_move());
  about.value_square = static_cast<float>(
      4.0 * (root_extras_.mean(kValueSquare, root_.visits()) - root_.mean()) + 1.0);
  about.mass_below = static_cast<float>(below);
  about.mass = weighted_ ? static_cast<float>(root_extras_.weight.load()) : 1.0f + about.mass_below;
  const double explore = KataGoPuct(options_).view(about).explore;
  const double reached = explore * moves[best].prior / (1.0 + best_visits) + moves[best].utility;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (i == best || counted(i) == 0) continue;
    const double gap = reached - moves[i].utility;
    const double wanted = gap <= 0 ? 1e100 : std::max(0.0, explore * moves[i].prior / gap - 1.0);
    out[i].value = std::ceil(std::min(out[i].value, wanted));
  }

  std::size_t surest = moves.size();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool counts = out[i].value > 0 && out[i].value >= options_.lcb_share * best_visits;
    if (counts && (surest == moves.size() || bounds[i] > bounds[surest])) surest = i;
  }
  if (surest == moves.size()) return out;
  double raised = out[surest].value;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const double excess = bounds[surest] - bounds[i];
    if (i == surest || counted(i) == 0 || excess < 0) continue;
    // As many more visits as would make the other's bound as wide as the difference, within reason.
    const double factor = (out[i].radius + excess) / (out[i].radius + 0.20 * excess);
    raised = std::max(raised, factor * factor * out[i].value);
  }
  out[surest].value = raised;
  return out;
}

template <Game G>
void TreeSearch<G>::report_ownership(const Node& node, const Extras* extras, int mover,
                                     std::vector<float>& mean, std::vector<float>& stdev) const {
  const auto points = static_cast<std::size_t>(ownership_points_);
  std::vector<double> sums(points + 1, 0.0), squares(points, 0.0);
  add_ownership(node, extras, mover, 1.0, sums, squares);
  const double share = sums[points];
  if (share <= 0) return;
  for (std::size_t p = 0; p < points; ++p) {
    const double average = sums[p] / share;
    mean.push_back(static_cast<float>(average));
    stdev.push_back(
        static_cast<float>(std::sqrt(std::max(0.0, squares[p] / share - average * average))));
  }
}

/// Adds the evaluations below a node in the shares that its value is made of. The last number of
/// `sums` counts the shares, since nodes evaluated before anybody asked for owners have none.
template <Game G>
void TreeSearch<G>::add_ownership(const Node& node, const Extras* extras, int mover, double share,
                                  std::vector<double>& sums, std::vector<double>& squares) const {
  if (!extras) return;
  std::vector<Weighing> kids;
  const double total = node.expanded() ? weigh_children(node, mover, &node == &root_, kids) : 0.0;
  const double each = share / (1.0 + total);
  if (const float* own = extras->ownership.load(std::memory_order_acquire)) {
    for (std::size_t p = 0; p < squares.size(); ++p) {
      sums[p] += each * own[p];
      squares[p] += each * own[p] * own[p];
    }
    sums[squares.size()] += each;
  }
  // What is too small to be seen is not worth the walk.
  for (const Weighing& kid : kids)
    if (each * kid.weight > 1e-5)
      add_ownership(*kid.kid, kid.extras, 1 - mover, each * kid.weight, sums, squares);
}

}  // namespace kibitz
