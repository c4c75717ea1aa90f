// What the user asked of a search, checked against the position and compiled for the hot loop.
//
// The plan is made before a search starts and does not change while it runs; only the counts of
// guaranteed visits do, and those are kept by the search. Every move in a plan is legal at the
// root: illegal and unknown ones were refused, with a reason, before it was made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/sentence.h"
#include "games/game.h"

namespace kibitz {

/// A move the search must look at: it gets `min_visits` whatever the rule thinks of it.
/// `separate_tree`: the visits are made in a tree of their own, so that the search is the same as
/// without them (search/side_search.h); a search that has no such tree makes them like the others.
struct Guarantee {
  Move move = kNoMove;
  std::int64_t min_visits = 1;
  bool separate_tree = false;
};

/// Moves a side may not (avoid) or may only (allow) choose while the tree is shallower than
/// `until_depth`; 1 means at the root only.
struct Restriction {
  int side = 0;
  int until_depth = 1;
  std::vector<Move> moves;

  bool names(Move move) const { return std::find(moves.begin(), moves.end(), move) != moves.end(); }
};

/// How much a move counts: the whole UCB score is multiplied by it; with PUCT, the prior is.
struct Weight {
  Move move = kNoMove;
  double factor = 1.0;
  bool everywhere = false;  // at every depth, not only at the root
};

/// Multiplies the prior of a root move; then all priors are scaled to keep their sum. The tree
/// itself stays as it was, so that nothing is left of it once the root moves on.
struct PriorFactor {
  Move move = kNoMove;
  double factor = 1.0;
};

/// How much a style likes a root move, from -1 to 1.
struct StyleBonus {
  Move move = kNoMove;
  double bonus = 0.0;
};

/// A part of a plan that a search cannot obey, and why. `kind` is the name of the part (see
/// Plan::each_part); `move` is kNoMove where the whole part is meant.
struct Refusal {
  std::string kind;
  Move move = kNoMove;
  Sentence why;
};

struct Plan {
  std::vector<Guarantee> include;
  /// Moves between which it is to be decided: the root's visits go to them alone, where they
  /// decide soonest, until it is (search/comparison.h).
  std::vector<Move> compare;
  /// Values that differ by less are equal.
  double compare_within = 0.0;
  /// Standard errors that a verdict takes.
  double compare_errors = 0.0;
  /// Visits in equal shares instead: what the choice is measured against.
  bool compare_equal_shares = false;
  std::vector<Restriction> avoid;
  std::vector<Restriction> allow;
  std::vector<Weight> weights;
  std::vector<PriorFactor> prior_factors;
  /// The move to play is the one with the greatest bonus among those whose value is within
  /// `style_budget`, a win probability, of the best.
  std::vector<StyleBonus> style_bonuses;
  double style_budget = 0.0;
  /// Where the evaluator predicts style: a root move whose predicted style is so much above the
  /// mean of the root has a bonus of 1 for it (below 0: the style is disliked). 0 asks for none.
  double style_scale = 0.0;
  /// Exponent of that bonus in the priors of root moves.
  double style_strength = 0.0;
  /// The style is inactive while the move it likes most is so much win probability behind the best;
  /// 0 never takes it away.
  double style_price = 0.0;

  /// May `side` choose `move` at `depth`? Guaranteed moves pass at the root before this is asked.
  bool permits(int side, Move move, int depth) const {
    for (const auto& rule : avoid)
      if (rule.side == side && depth < rule.until_depth && rule.names(move)) return false;
    bool restricted = false;
    for (const auto& rule : allow) {
      if (rule.side != side || depth >= rule.until_depth) continue;
      restricted = true;
      if (rule.names(move)) return true;
    }
    return !restricted;
  }

  double weight(Move move, int depth) const {
    double factor = 1.0;
    for (const auto& w : weights)
      if (w.move == move && (depth == 0 || w.everywhere)) factor *= w.factor;
    return factor;
  }

  double prior_factor(Move move) const {
    double factor = 1.0;
    for (const auto& part : prior_factors)
      if (part.move == move) factor *= part.factor;
    return factor;
  }

  /// Does a style choose by a budget?
  bool styled() const {
    return style_budget > 0.0 && (!style_bonuses.empty() || style_scale != 0.0);
  }
  /// Does the style depend on what the search finds?
  bool style_moves() const { return styled() || style_scale != 0.0 || style_price > 0.0; }
  double style_bonus(Move move) const {
    for (const auto& part : style_bonuses)
      if (part.move == move) return part.bonus;
    return 0.0;
  }

  /// Depth below which nothing here applies any more, so that selection can take its plain path.
  int reach() const {
    const bool at_root = !include.empty() || !compare.empty() || !prior_factors.empty();
    int depth = at_root || style_moves() ? 1 : 0;
    for (const auto& rule : avoid) depth = std::max(depth, rule.until_depth);
    for (const auto& rule : allow) depth = std::max(depth, rule.until_depth);
    for (const auto& w : weights) depth = std::max(depth, w.everywhere ? kEverywhere : 1);
    return depth;
  }

  /// True where a restriction hides moves, so that what is proven there is proven of a smaller
  /// game.
  bool restricts(int depth) const {
    const auto applies = [depth](const Restriction& rule) { return depth < rule.until_depth; };
    return std::any_of(avoid.begin(), avoid.end(), applies) ||
           std::any_of(allow.begin(), allow.end(), applies);
  }

  /// Every part, by its name.
  template <class Visit>
  void each_part(Visit&& visit) {
    visit("include", include);
    visit("compare", compare);
    visit("avoid", avoid);
    visit("allow", allow);
    visit("weights", weights);
    visit("prior_factors", prior_factors);
    visit("style", style_bonuses);
  }

  static constexpr int kEverywhere = 1 << 30;
};

/// Takes the parts that `obeyed` does not name out of `plan`, so that a search refuses what it was
/// not written for.
inline void refuse_others(Plan& plan, std::initializer_list<std::string_view> obeyed,
                          const char* code, std::vector<Refusal>& refused) {
  plan.each_part([&](const char* kind, auto& part) {
    if (part.empty() || std::find(obeyed.begin(), obeyed.end(), kind) != obeyed.end()) return;
    refused.push_back({kind, kNoMove, {code}});
    part.clear();
  });
}

}  // namespace kibitz
