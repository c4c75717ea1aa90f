// The recommendation: the votes for each root move, and the order of moves that follows. Included
// by tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/tree_search.h"

namespace kibitz {

/// The root's moves, in the order of its children, with their votes.
template <Game G>
std::vector<Voter> TreeSearch<G>::voters() const {
  const auto kids = root_.children();
  const int mover = root_position_.to_move();
  std::vector<Voter> out(kids.size());
  std::int64_t guaranteed = 0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const RootMove& move = root_moves_[i];
    Voter& voter = out[i];
    voter.visits = kids[i].visits();
    // The visits are those read above: a search that runs may have made more since.
    voter.guaranteed = std::min(voter.visits, guaranteed_visits(i));
    voter.permitted = move.permitted;
    voter.settled = proofs_ && kids[i].bounds().settled();
    voter.votes = voter.visits;
    guaranteed += voter.guaranteed;
    if (voter.visits == 0) continue;
    voter.child = {mover_value(kids[i], mover), 0, move.widened, move.weight, true};
    voter.deviation = std::sqrt(value_variance(i, voter.visits));
    if (weighted_)
      voter.mass_per_visit = mass_of(kids[i], root_.extras_of_children()[i].load(), 0) /
                             static_cast<double>(voter.visits);
  }
  if (guaranteed == 0) return out;
  with_rule(options_, [&](auto type) {
    using Rule = typename decltype(type)::type;
    const Extras* extras = extras_ ? &root_extras_ : nullptr;
    count_votes(Rule(options_), node_view<Rule, true>(root_, extras, mover, 0), std::span(out));
  });
  return out;
}

/// How far the values of a root move's visits are spread, with a doubt that `count` visits leave.
template <Game G>
double TreeSearch<G>::value_variance(std::size_t index, std::int64_t count) const {
  const Node& kid = root_.children()[index];
  const double n = static_cast<double>(std::max<std::int64_t>(count, 1));
  const Extras* extras = extras_ ? root_.extras_of_children()[index].load() : nullptr;
  if (extras && kid.visits()) {
    const double mean = kid.mean();
    return std::max(extras->mean(kValueSquare, kid.visits()) - mean * mean, 0.25 / n);
  }
  const double value = kid.visits() ? mover_value(kid, root_position_.to_move()) : 0.5;
  return std::max(value * (1 - value), 0.25 / n);
}

/// Sorts the moves, the one to play first. They come in the order of the root's children.
template <Game G>
void TreeSearch<G>::order(std::vector<MoveReport>& moves) const {
  if (options_.choice == MoveChoice::kKatago && extras_) {
    const auto shown = select_as_katago(moves, false);
    const bool asked = std::any_of(moves.begin(), moves.end(),
                                   [](const MoveReport& move) { return move.guaranteed > 0; });
    const auto voted = asked ? select_as_katago(moves, true) : shown;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      moves[i].selection = shown[i].value;
      moves[i].preference = voted[i].value;
      if (moves[i].visits == 0) continue;
      moves[i].utility_lcb = moves[i].utility - shown[i].radius;
      moves[i].lcb = moves[i].value - 0.5 * shown[i].radius / utility_.radius();
    }
  }
  // A forbidden move that the user asked about is what there is to recommend only if the search
  // had no other. A reused tree may know moves that are forbidden now and that nobody asked about.
  const bool searched = std::any_of(moves.begin(), moves.end(), [](const MoveReport& move) {
    return move.permitted && move.visits > 0;
  });
  for (MoveReport& move : moves)
    move.standing = move.permitted ? 0 : move.min_visits == 0 ? 2 : searched ? 1 : -1;
  std::stable_sort(moves.begin(), moves.end(),
                   [this](const MoveReport& a, const MoveReport& b) { return better(a, b); });
}

template <Game G>
bool TreeSearch<G>::better(const MoveReport& a, const MoveReport& b) const {
  if (a.standing != b.standing) return a.standing < b.standing;
  // A proven win beats everything and a proven loss nothing, whatever their visits.
  const auto rank = [](const MoveReport& m) {
    return m.proven.low == 2 ? 1 : m.proven.high == 0 ? -1 : 0;
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  // A move that has guaranteed visits only, and no votes, was asked about and no more.
  const auto supported = [](const MoveReport& m) {
    return m.votes > 0 || (m.visits > 0 && m.proven.settled()) ? 2 : m.visits > 0 ? 1 : 0;
  };
  if (supported(a) != supported(b)) return supported(a) > supported(b);
  // Visits to a move that was proven while they were few say less than what is known of it.
  if (a.proven.settled() != b.proven.settled() && a.value != b.value) return a.value > b.value;
  switch (options_.choice) {
    case MoveChoice::kVisits:
      break;
    case MoveChoice::kWinrate:
      if (a.value != b.value) return a.value > b.value;
      break;
    case MoveChoice::kLcb:
      if (a.lcb != b.lcb) return a.lcb > b.lcb;
      break;
    case MoveChoice::kKatago:
      if (a.preference != b.preference) return a.preference > b.preference;
      break;
  }
  if (a.votes != b.votes) return a.votes > b.votes;
  return a.value != b.value ? a.value > b.value : a.prior > b.prior;
}

}  // namespace kibitz
