#include "search/junqi_wishes.h"

#include <string>

namespace kibitz::junqi {
namespace {

/// Whether a mode searches deeper, step by step, so that it can look again and set moves aside; the
/// others cut by a beam or not at all.
bool deepens(JunqiMode mode) {
  switch (mode) {
    case JunqiMode::kSearch:
      return true;
    case JunqiMode::kClassic:
    case JunqiMode::kGreedy:
    case JunqiMode::kOnePly:
    case JunqiMode::kRandom:
      return false;
  }
  return false;
}

/// Whether a mode lets a factor on a move change what it plays.
bool weighs(JunqiMode mode) {
  switch (mode) {
    case JunqiMode::kSearch:
    case JunqiMode::kClassic:
    case JunqiMode::kOnePly:
      return true;
    case JunqiMode::kGreedy:
    case JunqiMode::kRandom:
      return false;
  }
  return false;
}

/// Why a restriction is not obeyed, "" when it is.
std::string refusal_of(const Restriction& rule, int team) {
  if (rule.side != team) return "Junqi's search restricts its own side only";
  if (rule.until_depth > 1) return "Junqi's search restricts the first ply only";
  return "";
}

std::string refusal_of(const Guarantee& guarantee, const JunqiOptions& options) {
  if (!deepens(options.mode)) return "mode=" + word_of(options.mode) + " guarantees no look";
  if (guarantee.min_visits > kMostGuaranteed)
    return "a visit is a sampled world in Junqi, and a move is searched in at most " +
           std::to_string(kMostGuaranteed) + " of them";
  return "";
}

std::string refusal_of(const Weight& weight, const JunqiOptions& options, bool permitted) {
  if (!weighs(options.mode)) return "mode=" + word_of(options.mode) + " weighs no moves";
  if (weight.everywhere) return "Junqi's search weighs moves of the first ply only";
  if (!permitted) return "the move may not be chosen, so nothing weighs it";
  return "";
}

}  // namespace

std::vector<Refusal> admit(Plan& plan, const View& view, const JunqiOptions& options) {
  std::vector<Refusal> refused;
  const int team = view.team(view.seat());
  const auto restrictions = [&](std::vector<Restriction>& rules, const char* kind) {
    std::erase_if(rules, [&](const Restriction& rule) {
      const std::string reason = refusal_of(rule, team);
      if (!reason.empty())
        for (const Move move : rule.moves) refused.push_back({kind, move, reason});
      return !reason.empty();
    });
  };
  restrictions(plan.allow, "allow");
  restrictions(plan.avoid, "avoid");
  const auto refuse = [&](const char* kind, Move move, const std::string& reason) {
    if (!reason.empty()) refused.push_back({kind, move, reason});
    return !reason.empty();
  };
  std::erase_if(plan.include, [&](const Guarantee& guarantee) {
    return refuse("include", guarantee.move, refusal_of(guarantee, options));
  });
  std::erase_if(plan.weights, [&](const Weight& weight) {
    const bool permitted = plan.permits(team, weight.move, 0);
    return refuse("weights", weight.move, refusal_of(weight, options, permitted));
  });
  if (options.prune != JunqiPruning::kNone && !deepens(options.mode))
    refuse("prune", kNoMove, "mode=" + word_of(options.mode) + " searches no tree to prune");
  if (!plan.prior_factors.empty() || plan.styled())
    refuse("prior_factors", kNoMove, "Junqi's search has no priors");
  plan.prior_factors.clear();
  plan.style_bonuses.clear();
  refuse_others(plan, {"include", "avoid", "allow", "weights"}, "Junqi's search does not obey it",
                refused);
  return refused;
}

RootWishes wishes_of(Plan plan, const View& view, const JunqiOptions& options) {
  admit(plan, view, options);
  RootWishes wishes;
  for (const Restriction& rule : plan.allow)
    wishes.first_ply_moves.insert(wishes.first_ply_moves.end(), rule.moves.begin(),
                                  rule.moves.end());
  for (const Restriction& rule : plan.avoid)
    wishes.avoid.insert(wishes.avoid.end(), rule.moves.begin(), rule.moves.end());
  wishes.include = plan.include;
  for (const Weight& weight : plan.weights) wishes.weights.emplace_back(weight.move, weight.factor);
  wishes.preferred_category = options.preferred_category();
  return wishes;
}

}  // namespace kibitz::junqi
