// Votes: which of a root move's visits speak for it when a move is recommended.
//
// A visit the search chose to make is a vote. A guaranteed visit is the user's question and is
// none, unless hindsight shows that the selection rule would have made it anyway: with the value
// the move surely has, the rule would have gone on visiting it until its score fell to that of the
// move the search liked best. (KataGo prunes forced playouts from its policy targets in the same
// way.) So a question never becomes a recommendation, and a move that proves better still wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "search/selection.h"

namespace kibitz {

/// A root move as votes are counted.
struct Voter {
  ChildView child;              // value, prior and weight as the rule is given them
  std::int64_t visits = 0;      // finished
  std::int64_t guaranteed = 0;  // of those, guaranteed visits that were served
  double mass_per_visit = 1.0;  // what a visit weighs; 1 unless backup=weighted
  double deviation = 0.0;       // standard deviation of the values of its visits
  bool permitted = true;        // may the rule choose it?
  bool settled = false;         // proven, so that the rule has no more use for it
  std::int64_t votes = 0;       // the answer
  std::int64_t own() const { return visits - guaranteed; }
};

/// Standard errors by which the value of a guaranteed move is lowered: it got its visits for the
/// asking, so in doubt the move that the search found by itself stays.
inline constexpr double kDoubt = 2.0;

/// The rule's score of a move had it `visits` visits of the value it has now.
template <class Rule>
float score_at(const Rule& rule, const typename Rule::View& view, const Voter& voter,
               std::int64_t visits) {
  ChildView child = voter.child;
  if (voter.guaranteed > 0)
    child.value -=
        static_cast<float>(kDoubt * voter.deviation / std::sqrt(static_cast<double>(voter.visits)));
  child.tries = static_cast<std::uint32_t>(visits);
  child.mass = static_cast<float>(voter.mass_per_visit * static_cast<double>(visits));
  child.judged = true;
  return rule.score(view, child);
}

/// The most visits, up to those it has, at which the move's score still reaches `score`. Every
/// rule's score falls as visits grow, so halving finds it.
template <class Rule>
std::int64_t justified_visits(const Rule& rule, const typename Rule::View& view, const Voter& voter,
                              float score) {
  std::int64_t enough = 0, most = voter.visits;
  while (enough < most) {
    const std::int64_t middle = most - (most - enough) / 2;
    if (score_at(rule, view, voter, middle) >= score)
      enough = middle;
    else
      most = middle - 1;
  }
  return enough;
}

/// The move the others are measured against: the most visited one that nobody asked about; where
/// there is none, the one with the most visits of the search's own. Null when the search made none.
inline const Voter* reference_of(std::span<const Voter> voters) {
  const Voter* best = nullptr;
  const auto better = [](const Voter& a, const Voter& b) {
    if ((a.guaranteed > 0) != (b.guaranteed > 0)) return b.guaranteed > 0;
    return a.own() != b.own() ? a.own() > b.own() : a.child.value > b.child.value;
  };
  for (const Voter& voter : voters)
    if (voter.permitted && !voter.settled && voter.own() > 0 && (!best || better(voter, *best)))
      best = &voter;
  return best;
}

/// Fills in everybody's votes. `node` describes the root without its guaranteed visits.
template <class Rule>
void count_votes(const Rule& rule, const NodeView& node, std::span<Voter> voters) {
  const auto view = rule.view(node);
  const Voter* reference = reference_of(voters);
  const float score = reference ? score_at(rule, view, *reference, reference->own()) : 0.0f;
  for (Voter& voter : voters) {
    voter.votes = voter.permitted ? voter.own() : 0;
    if (reference && voter.guaranteed > 0 && voter.permitted)
      voter.votes = std::max(voter.votes, justified_visits(rule, view, voter, score));
  }
}

}  // namespace kibitz
