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
  const double mean = node.bounds().clamp(node.mean());
  return static_cast<float>(mover == 0 ? mean : 1.0 - mean);
}

template <Game G>
MoveReport TreeSearch<G>::report_move(std::size_t index, int line_length) const {
  const int mover = root_position_.to_move();
  const Node& kid = root_.children()[index];
  MoveReport out;
  out.move = kid.move;
  out.visits = kid.visits();
  out.prior = kid.prior;
  out.proven = kid.bounds().of(mover);
  out.permitted = root_moves_[index].permitted;
  out.pruned = root_moves_[index].pruned.load(std::memory_order_relaxed);
  out.guaranteed = std::min<std::int64_t>(out.visits, root_moves_[index].min_visits);
  out.value = out.visits ? mover_value(kid, mover) : out.proven.clamp(0.5);
  const double n = static_cast<double>(std::max<std::int64_t>(out.visits, 1));
  double variance = std::max(out.value * (1 - out.value), 0.25 / n);
  if (extras_) {
    const Extras& extras = root_.extras_of_children()[index];
    const double raw = kid.visits() ? kid.mean() : 0.5;
    variance = std::max(from_fixed(extras.value_squares.load()) / n - raw * raw, 0.25 / n);
    out.draw = from_fixed(extras.draws.load()) / n;
    const double score = from_fixed(extras.scores.load()) / n;
    out.score = mover == 0 ? score : -score;
    out.score_stdev =
        std::sqrt(std::max(0.0, from_fixed(extras.score_squares.load()) / n - score * score));
  }
  out.lcb = out.proven.settled() ? out.value : out.value - options_.lcb_z * std::sqrt(variance / n);
  out.line = line_from(kid, line_length);
  return out;
}

template <Game G>
bool TreeSearch<G>::better(const MoveReport& a, const MoveReport& b) const {
  // A proven win beats everything and a proven loss nothing, whatever their visits.
  const auto rank = [](const MoveReport& m) {
    return m.proven.low == 2 ? 1 : m.proven.high == 0 ? -1 : 0;
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  if ((a.visits == 0) != (b.visits == 0)) return a.visits > 0;
  // Visits to a move that was proven while they were few say less than what is known of it.
  if (a.proven.settled() != b.proven.settled() && a.value != b.value) return a.value > b.value;
  if (options_.choice == "winrate" && a.value != b.value) return a.value > b.value;
  if (options_.choice == "lcb" && a.lcb != b.lcb) return a.lcb > b.lcb;
  if (a.visits != b.visits) return a.visits > b.visits;
  return a.value != b.value ? a.value > b.value : a.prior > b.prior;
}

template <Game G>
SearchReport TreeSearch<G>::report(int line_length) const {
  SearchReport out;
  out.stop = reason_.load();
  out.simulations = finished_.load(std::memory_order_relaxed);
  out.reused = reused_;
  out.nodes = nodes_.load(std::memory_order_relaxed);
  out.memory_bytes = static_cast<std::int64_t>(arena_->used());
  out.tree_full = full_.load();
  out.depth = depth_.load();
  out.seconds = running() ? watch_.seconds() : seconds_;
  out.visits = root_.visits();
  if (!root_open_.load(std::memory_order_acquire)) return out;

  const int mover = root_position_.to_move();
  const auto kids = root_.children();
  double set_aside = 0.0, set_aside_visits = 0.0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    MoveReport move = report_move(i, line_length);
    out.guaranteed += move.guaranteed;
    if (!options_.forced_in_root_value && move.guaranteed) {
      set_aside += static_cast<double>(move.guaranteed) * kids[i].mean();
      set_aside_visits += static_cast<double>(move.guaranteed);
    }
    out.moves.push_back(std::move(move));
  }
  std::stable_sort(out.moves.begin(), out.moves.end(),
                   [this](const MoveReport& a, const MoveReport& b) { return better(a, b); });
  out.proven = combined(root_, mover, true).of(mover);
  if (out.visits > 0) {
    // Guaranteed visits are the user's question, not the search's opinion: the root's value is the
    // mean of the others, unless there are none.
    const double n = static_cast<double>(out.visits);
    double mean = root_.mean();
    if (n - set_aside_visits >= 1.0) mean = (mean * n - set_aside) / (n - set_aside_visits);
    const double own = mover == 0 ? mean : 1.0 - mean;
    out.value = out.proven.clamp(std::clamp(own, 0.0, 1.0));
    if (extras_) {
      out.draw = from_fixed(root_extras_.draws.load()) / n;
      const double score = from_fixed(root_extras_.scores.load()) / n;
      out.score = mover == 0 ? score : -score;
      out.score_stdev = std::sqrt(
          std::max(0.0, from_fixed(root_extras_.score_squares.load()) / n - score * score));
    }
  }
  return out;
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
std::vector<Move> TreeSearch<G>::line_from(const Node& node, int length) const {
  std::vector<Move> line{node.move};
  G position = root_position_;
  position.play(node.move);
  const Node* at = &node;
  while (static_cast<int>(line.size()) < length && at->expanded()) {
    at = favourite(*at, position.to_move());
    if (!at) break;
    line.push_back(at->move);
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
