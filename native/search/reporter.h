// What a tree search tells: the report, principal variations, the tree.
//
// Threads: reads only, so it may run beside the search; then the numbers of a report are those of
// slightly different moments. Nothing blocks. It keeps nothing: one is made for each report.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "search/ownership.h"
#include "search/recommendation.h"
#include "search/report.h"
#include "search/search_state.h"
#include "search/tree_rows.h"

namespace kibitz {

template <Game G>
class Reporter {
 public:
  explicit Reporter(const SearchState<G>& search)
      : search_(search), tree_(search.tree), root_(search.tree.root()), mover_(search.mover) {}

  /// `move_ownership` tells who owns what after each move too, where ownership is kept at all.
  SearchReport report(int line_length, bool move_ownership) const;
  /// The nodes of the first plies that have so many visits.
  std::vector<TreeRow> tree(int depth, std::int64_t min_visits) const;

 private:
  MoveReport report_move(std::size_t index, const Voter& voter, int line_length) const;
  void fill_extras(MoveReport& out, const Node& kid, const Extras& extras) const;
  void report_root(SearchReport& out) const;
  std::optional<double> first_opinion(const Node& node) const;
  const Node* favourite(const Node& node, int mover) const;
  std::vector<Move> line_from(const Node& node, int length,
                              std::vector<std::int64_t>& visits) const;
  void add_rows(std::vector<TreeRow>& out, const Node& node, const G& position, int depth,
                int most_depth, std::int64_t min_visits) const;
  const Extras* extras_of(std::size_t index) const {
    return tree_.shape().extras ? root_.extras_of_children()[index].load() : nullptr;
  }

  const SearchState<G>& search_;
  const Tree& tree_;
  const Node& root_;
  int mover_;
};

template <Game G>
SearchReport Reporter<G>::report(int line_length, bool move_ownership) const {
  SearchReport out;
  out.stop = search_.budget.reason();
  out.simulations = search_.budget.finished();
  out.reused = search_.reused;
  out.nodes = tree_.nodes();
  out.memory_bytes = static_cast<std::int64_t>(tree_.memory_used());
  out.tree_full = tree_.full();
  out.depth = search_.budget.depth();
  out.mean_depth = search_.budget.mean_depth();
  out.visits = root_.visits();
  if (!search_.root.is_open()) return out;

  const auto kids = root_.children();
  const bool owned = tree_.shape().ownership_points > 0;
  const auto votes = Recommendation(search_).voters();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    out.moves.push_back(report_move(i, votes[i], line_length));
    out.guaranteed += out.moves.back().guaranteed;
    if (move_ownership && owned && kids[i].visits())
      mean_ownership(search_, kids[i], extras_of(i), 1 - mover_, out.moves.back().ownership,
                     out.moves.back().ownership_stdev);
  }
  if (owned)
    mean_ownership(search_, root_, tree_.root_extras(), mover_, out.ownership, out.ownership_stdev);
  Recommendation(search_).order(out.moves);
  if (search_.root.plan().style_price > 0.0) out.style_price = style_lift(search_.root).price;
  out.style_spent = Recommendation(search_).spend_style_budget(out.moves);
  out.proven = search_.backup.combined(root_, mover_, true).of(mover_);
  if (out.visits > 0) report_root(out);
  return out;
}

/// A node's sum is its own evaluation and its children's sums, so the difference is what the
/// evaluator said of it. Unknown where the node was visited again without going on to a child.
template <Game G>
std::optional<double> Reporter<G>::first_opinion(const Node& node) const {
  if (tree_.shape().human) return std::nullopt;  // the sums have visits that the node has not
  std::int64_t sum = node.value_sum.load(std::memory_order_relaxed);
  std::int64_t visits = node.visits();
  for (const Node& kid : node.children()) {
    sum -= kid.value_sum.load(std::memory_order_relaxed);
    visits -= kid.visits();
  }
  if (visits != 1) return std::nullopt;
  const double value = from_fixed(sum);
  return mover_ == 0 ? value : 1.0 - value;
}

template <Game G>
MoveReport Reporter<G>::report_move(std::size_t index, const Voter& voter, int line_length) const {
  const Node& kid = root_.children()[index];
  const RootMove& steered = search_.root[index];
  MoveReport out;
  out.move = kid.move;
  out.visits = kid.visits();
  out.weightless = out.visits - search_.root.place().counted(index);
  out.prior = steered.prior;
  out.proven = kid.bounds().of(mover_);
  out.permitted = steered.permitted;
  out.twin = steered.twin;
  out.pruned = steered.pruned.load(std::memory_order_relaxed);
  out.guaranteed = voter.guaranteed;
  out.min_visits = search_.root.guarantees().min_visits(index);
  out.votes = voter.votes;
  if (search_.root.comparison().compares(index)) out.error = search_.root.comparison().error(index);
  if (search_.root.plan().style_moves()) out.bonus = style_bonus(search_.root, index);
  out.value = out.visits ? mover_value(kid, mover_) : out.proven.clamp(0.5);
  if (out.visits) out.first_value = first_opinion(kid);
  out.utility = 2.0 * out.value - 1.0;
  // A bound that is narrow because the user asked for visits is no recommendation either. Looks
  // recommend nothing.
  const std::int64_t counted = search_.separate_tree ? out.visits : out.votes;
  const double n = static_cast<double>(std::max<std::int64_t>(counted, 1));
  const double variance = Recommendation(search_).value_variance(index, counted);
  const Extras* extras = extras_of(index);
  if (extras && out.visits) fill_extras(out, kid, *extras);
  out.weight = tree_.shape().weighted ? mass_of(kid, extras, 0) : static_cast<double>(out.visits);
  out.lcb = out.proven.settled() ? out.value
                                 : out.value - search_.options.lcb_z * std::sqrt(variance / n);
  out.utility_lcb = 2.0 * out.lcb - 1.0;
  out.line = line_from(kid, line_length, out.line_visits);
  return out;
}

template <Game G>
void Reporter<G>::fill_extras(MoveReport& out, const Node& kid, const Extras& extras) const {
  const double n = kid.visits(), sign = mover_ == 0 ? 1.0 : -1.0;
  const double score = extras.mean(kScore, n), win = extras.mean(kWin, n);
  // Where points count or draws are weighed, the expected result is another thing than what the
  // search maximizes.
  if (search_.utility.differs())
    out.value = out.proven.clamp(std::clamp(mover_ == 0 ? win : 1.0 - win, 0.0, 1.0));
  out.draw = extras.mean(kDraw, n);
  out.score = sign * score;
  out.score_stdev = std::sqrt(std::max(0.0, extras.mean(kScoreSquare, n) - score * score));
  out.lead = sign * extras.mean(kLead, n);
  if (search_.evaluator->predicts_style()) out.style = extras.mean(kStyle, n);
}

/// Guaranteed visits are the user's question, not the search's opinion: the root's numbers are the
/// means of the others, unless there are none. (Weighted sums leave them out from the start.)
template <Game G>
void Reporter<G>::report_root(SearchReport& out) const {
  const auto kids = root_.children();
  const Extras* root_extras = tree_.root_extras();
  const double n = static_cast<double>(out.visits), sign = mover_ == 0 ? 1.0 : -1.0;
  const auto sum_of = [&](std::size_t q) {
    return root_extras->mean(static_cast<Quantity>(q), n) * n;
  };
  double kept = n, value = root_.mean() * n;
  Quantities sums{};
  for (std::size_t q = 0; root_extras && q < kQuantities; ++q) sums[q] = sum_of(q);
  for (std::size_t i = 0; !tree_.shape().weighted && i < kids.size(); ++i) {
    const double aside = static_cast<double>(search_.root.set_aside_visits(i));
    if (aside == 0) continue;
    kept -= aside;
    value -= aside * kids[i].mean();
    const Extras* extras = extras_of(i);
    for (std::size_t q = 0; extras && q < kQuantities; ++q)
      sums[q] -= aside * extras->mean(static_cast<Quantity>(q), kids[i].visits());
  }
  if (kept < 1.0) {
    kept = n;
    value = root_.mean() * n;
    for (std::size_t q = 0; root_extras && q < kQuantities; ++q) sums[q] = sum_of(q);
  }
  const double own = mover_ == 0 ? value / kept : 1.0 - value / kept;
  out.utility = 2.0 * own - 1.0;
  out.value = out.proven.clamp(std::clamp(own, 0.0, 1.0));
  out.first_value = first_opinion(root_);
  out.weight = tree_.shape().weighted ? root_extras->weight.load(std::memory_order_relaxed) : n;
  if (!root_extras) return;
  const double win = sums[kWin] / kept, score = sums[kScore] / kept;
  if (search_.utility.differs())
    out.value = out.proven.clamp(std::clamp(mover_ == 0 ? win : 1.0 - win, 0.0, 1.0));
  out.draw = sums[kDraw] / kept;
  out.score = sign * score;
  out.score_stdev = std::sqrt(std::max(0.0, sums[kScoreSquare] / kept - score * score));
  out.lead = sign * sums[kLead] / kept;
  if (search_.evaluator->predicts_style()) out.style = sums[kStyle] / kept;
  out.own = search_.root_outcome;
  if (mover_ == 1) {
    out.own.value = 1.0f - out.own.value;
    out.own.score = -out.own.score;
    out.own.lead = -out.own.lead;
  }
}

template <Game G>
const Node* Reporter<G>::favourite(const Node& node, int mover) const {
  const Node* best = nullptr;
  const HumanEdge* edges = tree_.human_edges(node);
  const auto key = [&](const Node& kid) {
    const Bounds b = kid.bounds().of(mover);
    const auto index = static_cast<std::size_t>(&kid - node.children().data());
    return std::tuple(b.low == 2    ? 1
                      : b.high == 0 ? -1
                                    : 0,
                      counted_visits(kid.visits(), weightless_visits(edges, index)), kid.visits());
  };
  for (const Node& kid : node.children())
    if (kid.visits() && (!best || key(kid) > key(*best))) best = &kid;
  return best;
}

template <Game G>
std::vector<Move> Reporter<G>::line_from(const Node& node, int length,
                                         std::vector<std::int64_t>& visits) const {
  std::vector<Move> line{node.move};
  visits.assign(1, node.visits());
  G position = search_.position;
  position.play(node.move);
  const Node* at = &node;
  while (static_cast<int>(line.size()) < length && at->expanded()) {
    at = favourite(*at, position.to_move());
    if (!at) break;
    line.push_back(at->move);
    visits.push_back(at->visits());
    position.play(at->move);
  }
  return line;
}

template <Game G>
std::vector<TreeRow> Reporter<G>::tree(int depth, std::int64_t min_visits) const {
  std::vector<TreeRow> out;
  if (search_.root.is_open()) add_rows(out, root_, search_.position, 0, depth, min_visits);
  return out;
}

template <Game G>
void Reporter<G>::add_rows(std::vector<TreeRow>& out, const Node& node, const G& position,
                           int depth, int most_depth, std::int64_t min_visits) const {
  if (depth >= most_depth) return;
  const int mover = position.to_move();
  std::vector<const Node*> kids;
  for (const Node& kid : node.children())
    if (kid.visits() >= min_visits) kids.push_back(&kid);
  std::stable_sort(kids.begin(), kids.end(),
                   [](const Node* a, const Node* b) { return a->visits() > b->visits(); });
  for (const Node* kid : kids) {
    const double value = kid->visits() ? static_cast<double>(mover_value(*kid, mover)) : 0.5;
    out.push_back({depth, position.move_text(kid->move), kid->visits(), value,
                   static_cast<double>(kid->prior), kid->bounds().of(mover)});
    G next = position;
    next.play(kid->move);
    add_rows(out, *kid, next, depth + 1, most_depth, min_visits);
  }
}

}  // namespace kibitz
