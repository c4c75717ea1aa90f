// What the tree search tells: reports, principal lines, the tree as text. Included by
// tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
float TreeSearch<G>::mover_value(const Node& node, int mover) const {
  const Bounds bounds = node.bounds();
  const double mean = bounds.known() ? bounds.clamp(node.mean()) : node.mean();
  return static_cast<float>(mover == 0 ? mean : 1.0 - mean);
}

/// A node's sum is its own evaluation and its children's sums, so the difference is what the
/// evaluator said of it. Unknown where the node was visited again without going on to a child.
template <Game G>
std::optional<double> TreeSearch<G>::first_opinion(const Node& node, int mover) const {
  std::int64_t sum = node.value_sum.load(std::memory_order_relaxed);
  std::int64_t visits = node.visits();
  for (const Node& kid : node.children()) {
    sum -= kid.value_sum.load(std::memory_order_relaxed);
    visits -= kid.visits();
  }
  if (visits != 1) return std::nullopt;
  const double value = from_fixed(sum);
  return mover == 0 ? value : 1.0 - value;
}

template <Game G>
MoveReport TreeSearch<G>::report_move(std::size_t index, const Voter& voter,
                                      int line_length) const {
  const int mover = root_position_.to_move();
  const Node& kid = root_.children()[index];
  MoveReport out;
  out.move = kid.move;
  out.visits = kid.visits();
  out.prior = root_moves_[index].prior;
  out.proven = kid.bounds().of(mover);
  out.permitted = root_moves_[index].permitted;
  out.twin = root_moves_[index].twin;
  out.pruned = root_moves_[index].pruned.load(std::memory_order_relaxed);
  out.guaranteed = voter.guaranteed;
  out.min_visits = root_moves_[index].min_visits;
  out.votes = voter.votes;
  out.value = out.visits ? mover_value(kid, mover) : out.proven.clamp(0.5);
  if (out.visits) out.first_value = first_opinion(kid, mover);
  out.utility = 2.0 * out.value - 1.0;
  // A bound that is narrow because the user asked for visits is no recommendation either.
  const double n = static_cast<double>(std::max<std::int64_t>(out.votes, 1));
  const double variance = value_variance(index, out.votes);
  const Extras* extras = extras_ ? root_.extras_of_children()[index].load() : nullptr;
  if (extras && out.visits) fill_extras(out, kid, *extras);
  out.weight = weighted_ ? mass_of(kid, extras, 0) : static_cast<double>(out.visits);
  out.lcb = out.proven.settled() ? out.value : out.value - options_.lcb_z * std::sqrt(variance / n);
  out.utility_lcb = 2.0 * out.lcb - 1.0;
  out.line = line_from(kid, line_length, out.line_visits);
  return out;
}

template <Game G>
void TreeSearch<G>::fill_extras(MoveReport& out, const Node& kid, const Extras& extras) const {
  const int mover = root_position_.to_move();
  const double n = kid.visits(), sign = mover == 0 ? 1.0 : -1.0;
  const double score = extras.mean(kScore, n), win = extras.mean(kWin, n);
  // Where points count or draws are weighed, the expected result is another thing than what the
  // search maximises.
  if (utility_.differs())
    out.value = out.proven.clamp(std::clamp(mover == 0 ? win : 1.0 - win, 0.0, 1.0));
  out.draw = extras.mean(kDraw, n);
  out.score = sign * score;
  out.score_stdev = std::sqrt(std::max(0.0, extras.mean(kScoreSquare, n) - score * score));
  out.lead = sign * extras.mean(kLead, n);
}

template <Game G>
SearchReport TreeSearch<G>::report(int line_length, bool move_ownership) const {
  SearchReport out;
  out.stop = reason_.load();
  out.simulations = finished_.load(std::memory_order_relaxed);
  out.reused = reused_;
  out.nodes = nodes_.load(std::memory_order_relaxed);
  out.memory_bytes = static_cast<std::int64_t>(arena_->used());
  out.tree_full = full_.load();
  out.depth = depth_.load();
  if (out.simulations > 0)
    out.mean_depth = static_cast<double>(depth_sum_.load(std::memory_order_relaxed)) /
                     static_cast<double>(out.simulations);
  out.seconds = running() ? watch_.seconds() : seconds_;
  out.visits = root_.visits();
  if (!root_open_.load(std::memory_order_acquire)) return out;

  const int mover = root_position_.to_move();
  const auto kids = root_.children();
  const std::vector<Voter> votes = voters();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    out.moves.push_back(report_move(i, votes[i], line_length));
    out.guaranteed += out.moves.back().guaranteed;
    if (move_ownership && ownership_points_ && kids[i].visits())
      report_ownership(kids[i], root_.extras_of_children()[i].load(), 1 - mover,
                       out.moves.back().ownership, out.moves.back().ownership_stdev);
  }
  if (ownership_points_)
    report_ownership(root_, &root_extras_, mover, out.ownership, out.ownership_stdev);
  order(out.moves);
  out.proven = combined(root_, mover, true).of(mover);
  if (out.visits > 0) report_root(out);
  return out;
}

/// Guaranteed visits are the user's question, not the search's opinion: the root's numbers are the
/// means of the others, unless there are none. (Weighted sums leave them out from the start.)
template <Game G>
void TreeSearch<G>::report_root(SearchReport& out) const {
  const int mover = root_position_.to_move();
  const auto kids = root_.children();
  const double n = static_cast<double>(out.visits), sign = mover == 0 ? 1.0 : -1.0;
  double kept = n, value = root_.mean() * n;
  Quantities sums{};
  for (std::size_t q = 0; extras_ && q < kQuantities; ++q)
    sums[q] = root_extras_.mean(static_cast<Quantity>(q), n) * n;
  for (std::size_t i = 0; !weighted_ && i < kids.size(); ++i) {
    const double aside = static_cast<double>(set_aside_visits(i));
    if (aside == 0) continue;
    kept -= aside;
    value -= aside * kids[i].mean();
    const Extras* extras = extras_ ? root_.extras_of_children()[i].load() : nullptr;
    for (std::size_t q = 0; extras && q < kQuantities; ++q)
      sums[q] -= aside * extras->mean(static_cast<Quantity>(q), kids[i].visits());
  }
  if (kept < 1.0) {
    kept = n;
    value = root_.mean() * n;
    for (std::size_t q = 0; extras_ && q < kQuantities; ++q)
      sums[q] = root_extras_.mean(static_cast<Quantity>(q), n) * n;
  }
  const double own = mover == 0 ? value / kept : 1.0 - value / kept;
  out.utility = 2.0 * own - 1.0;
  out.value = out.proven.clamp(std::clamp(own, 0.0, 1.0));
  out.first_value = first_opinion(root_, mover);
  out.weight = weighted_ ? root_extras_.weight.load(std::memory_order_relaxed) : n;
  if (!extras_) return;
  const double win = sums[kWin] / kept, score = sums[kScore] / kept;
  if (utility_.differs())
    out.value = out.proven.clamp(std::clamp(mover == 0 ? win : 1.0 - win, 0.0, 1.0));
  out.draw = sums[kDraw] / kept;
  out.score = sign * score;
  out.score_stdev = std::sqrt(std::max(0.0, sums[kScoreSquare] / kept - score * score));
  out.lead = sign * sums[kLead] / kept;
  out.own = root_own_;
  if (mover == 1) {
    out.own.value = 1.0f - out.own.value;
    out.own.score = -out.own.score;
    out.own.lead = -out.own.lead;
  }
}

template <Game G>
const Node* TreeSearch<G>::favourite(const Node& node, int mover) const {
  const Node* best = nullptr;
  const auto key = [&](const Node& kid) {
    const Bounds b = kid.bounds().of(mover);
    return std::pair(b.low == 2 ? 1 : b.high == 0 ? -1 : 0, kid.visits());
  };
  for (const Node& kid : node.children())
    if (kid.visits() && (!best || key(kid) > key(*best))) best = &kid;
  return best;
}

template <Game G>
std::vector<Move> TreeSearch<G>::line_from(const Node& node, int length,
                                           std::vector<std::int64_t>& visits) const {
  std::vector<Move> line{node.move};
  visits.assign(1, node.visits());
  G position = root_position_;
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
std::string TreeSearch<G>::dump(int depth, std::int64_t min_visits) const {
  std::string out;
  if (root_open_.load(std::memory_order_acquire))
    dump_node(out, root_, root_position_, 0, depth, min_visits);
  return out;
}

template <Game G>
void TreeSearch<G>::dump_node(std::string& out, const Node& node, G position, int indent, int depth,
                              std::int64_t min_visits) const {
  if (depth <= 0) return;
  const int mover = position.to_move();
  std::vector<const Node*> kids;
  for (const Node& kid : node.children())
    if (kid.visits() >= min_visits) kids.push_back(&kid);
  std::stable_sort(kids.begin(), kids.end(),
                   [](const Node* a, const Node* b) { return a->visits() > b->visits(); });
  for (const Node* kid : kids) {
    const Bounds b = kid->bounds().of(mover);
    const char* proof = !b.settled() ? "" : b.low == 2 ? " win" : b.low == 1 ? " draw" : " loss";
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, " %u visits, value %.4f, prior %.4f%s\n", kid->visits(),
                  kid->visits() ? static_cast<double>(mover_value(*kid, mover)) : 0.5,
                  static_cast<double>(kid->prior), proof);
    out.append(static_cast<std::size_t>(2 * indent), ' ').append(position.move_text(kid->move));
    out += numbers;
    G next = position;
    next.play(kid->move);
    dump_node(out, *kid, next, indent + 1, depth - 1, min_visits);
  }
}

}  // namespace kibitz
