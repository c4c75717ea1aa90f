#include "games/junqi/search/wishes.h"

#include <optional>
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

/// Why something is not obeyed; nothing when it is.
using Why = std::optional<Sentence>;

Sentence in_mode(const char* code, const JunqiOptions& options) {
  return {code, {{"mode", word_of(options.mode)}}};
}

Why refusal_of(const Restriction& rule, int team) {
  if (rule.side != team) return Sentence{"junqi.ownSide"};
  if (rule.until_depth > 1) return Sentence{"junqi.firstPlyOnly"};
  return std::nullopt;
}

Why refusal_of(const Guarantee& guarantee, const JunqiOptions& options) {
  if (!deepens(options.mode)) return in_mode("junqi.noLook", options);
  if (guarantee.min_visits > kMostGuaranteed)
    return Sentence{"junqi.mostWorlds", {{"count", std::to_string(kMostGuaranteed)}}};
  return std::nullopt;
}

Why refusal_of(const Weight& weight, const JunqiOptions& options, bool permitted) {
  if (!weighs(options.mode)) return in_mode("junqi.noWeights", options);
  if (weight.everywhere) return Sentence{"junqi.weighsFirstPly"};
  if (!permitted) return Sentence{"search.notChosen"};
  return std::nullopt;
}

}  // namespace

std::vector<Refusal> admit(Plan& plan, const View& view, const JunqiOptions& options) {
  std::vector<Refusal> refused;
  const int team = view.team(view.seat());
  const auto restrictions = [&](std::vector<Restriction>& rules, const char* kind) {
    std::erase_if(rules, [&](const Restriction& rule) {
      const Why why = refusal_of(rule, team);
      if (why)
        for (const Move move : rule.moves) refused.push_back({kind, move, *why});
      return why.has_value();
    });
  };
  restrictions(plan.allow, "allow");
  restrictions(plan.avoid, "avoid");
  const auto refuse = [&](const char* kind, Move move, const Why& why) {
    if (why) refused.push_back({kind, move, *why});
    return why.has_value();
  };
  std::erase_if(plan.include, [&](const Guarantee& guarantee) {
    return refuse("include", guarantee.move, refusal_of(guarantee, options));
  });
  std::erase_if(plan.weights, [&](const Weight& weight) {
    const bool permitted = plan.permits(team, weight.move, 0);
    return refuse("weights", weight.move, refusal_of(weight, options, permitted));
  });
  if (options.prune != JunqiPruning::kNone && !deepens(options.mode))
    refuse("prune", kNoMove, in_mode("junqi.noPruning", options));
  if (!plan.prior_factors.empty() || plan.styled())
    refuse("prior_factors", kNoMove, Sentence{"junqi.noPriors"});
  plan.prior_factors.clear();
  plan.style_bonuses.clear();
  refuse_others(plan, {"include", "avoid", "allow", "weights"}, "junqi.notObeyed", refused);
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
