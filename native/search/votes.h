// Votes: which of a root move's visits speak for it when a move is recommended.
//
// A visit the search chose to make is a vote. A guaranteed visit is the user's question and is
// none, unless hindsight shows that the selection rule would have made it anyway: with the value
// the move surely has, the rule would have gone on visiting it until its score fell to the best
// score among the moves nobody asked about. (KataGo prunes forced playouts from its policy targets
// in the same way.) What guaranteed visits found may have drawn the search's own visits to a move
// too, so these count as far as hindsight agrees with the value the move has. So a question never
// becomes a recommendation, and a move that proves better still wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
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

/// How far a move's value may be from what it is worth.
inline double error_of(const Voter& voter) {
  return voter.deviation / std::sqrt(static_cast<double>(std::max<std::int64_t>(voter.visits, 1)));
}

/// The rule's score of a move had it `visits` visits of the value it has now, less `doubt`.
template <class Rule>
float score_at(const Rule& rule, const typename Rule::View& view, const Voter& voter,
               std::int64_t visits, double doubt = 0.0) {
  ChildView child = voter.child;
  child.value -= static_cast<float>(doubt);
  child.tries = static_cast<std::uint32_t>(visits);
  child.mass = static_cast<float>(voter.mass_per_visit * static_cast<double>(visits));
  child.judged = true;
  return rule.score(view, child);
}

/// The most visits, up to `most`, at which the move's score still reaches `score`. Every rule's
/// score falls as visits grow, so halving finds it.
template <class Rule>
std::int64_t justified_visits(const Rule& rule, const typename Rule::View& view, const Voter& voter,
                              float score, std::int64_t most, double doubt = 0.0) {
  std::int64_t enough = 0;
  while (enough < most) {
    const std::int64_t middle = most - (most - enough) / 2;
    if (score_at(rule, view, voter, middle, doubt) >= score)
      enough = middle;
    else
      most = middle - 1;
  }
  return enough;
}

/// What the guaranteed moves are measured against: the best score, and how far the values of the
/// moves that have it can be trusted.
struct Level {
  float score = 0.0f;
  double error = 0.0;
};

/// The level of the moves nobody asked about; where the search visited none of these, that of the
/// move with the most visits of the search's own. Nothing when the search made no visit.
template <class Rule>
std::optional<Level> level_of(const Rule& rule, const typename Rule::View& view,
                              std::span<const Voter> voters) {
  std::optional<Level> level;
  const Voter *asked = nullptr, *most = nullptr;
  for (const Voter& voter : voters) {
    if (!voter.permitted || voter.settled || voter.own() <= 0) continue;
    if (voter.guaranteed == 0) {
      const float score = score_at(rule, view, voter, voter.visits);
      if (!most || voter.visits > most->visits) most = &voter;
      level = {level ? std::max(level->score, score) : score, error_of(*most)};
    } else if (!asked || voter.own() > asked->own() ||
               (voter.own() == asked->own() && voter.child.value > asked->child.value)) {
      asked = &voter;
    }
  }
  if (!level && asked) level = {score_at(rule, view, *asked, asked->own()), error_of(*asked)};
  return level;
}

/// Fills in everybody's votes. `node` describes the root without its guaranteed visits.
template <class Rule>
void count_votes(const Rule& rule, const NodeView& node, std::span<Voter> voters) {
  const auto view = rule.view(node);
  const std::optional<Level> level = level_of(rule, view, voters);
  for (Voter& voter : voters) {
    voter.votes = voter.permitted ? voter.own() : 0;
    // A value that rises with visits says nothing beside values of fewer visits.
    if (Rule::kValuesRise || !level || voter.guaranteed == 0 || !voter.permitted) continue;
    const double doubt = kDoubt * std::hypot(error_of(voter), level->error);
    voter.votes = std::max(justified_visits(rule, view, voter, level->score, voter.own()),
                           justified_visits(rule, view, voter, level->score, voter.visits, doubt));
  }
}

}  // namespace kibitz
