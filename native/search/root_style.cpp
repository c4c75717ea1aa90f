#include "search/root_style.h"

#include <algorithm>
#include <cmath>

namespace kibitz {
namespace {

/// By how much the predicted style of the lines after a move is above the root's, as a bonus.
float predicted_bonus(const Root& root, std::size_t index) {
  const RootPlace& place = root.place();
  const double visits = place.node->children()[index].visits(), all = place.node->visits();
  if (!place.extras || visits == 0 || all == 0) return 0.0f;
  const Extras* extras = place.node->extras_of_children()[index].load(std::memory_order_acquire);
  if (!extras) return 0.0f;
  const double above = extras->mean(kStyle, visits) - place.extras->mean(kStyle, all);
  return static_cast<float>(std::clamp(above / root.plan().style_scale, -1.0, 1.0));
}

}  // namespace

float style_bonus(const Root& root, std::size_t index) {
  const float known = root[index].bonus;
  if (root.plan().style_scale == 0.0) return known;
  return std::clamp(known + predicted_bonus(root, index), -1.0f, 1.0f);
}

float biased_prior(const Root& root, std::size_t index, const StyleLift& style) {
  if (style.price) return root[index].plain;
  const float prior = root[index].widened;
  const Plan& plan = root.plan();
  if (plan.style_scale == 0.0 || plan.style_strength == 0.0) return prior;
  return prior * std::exp(static_cast<float>(plan.style_strength) * predicted_bonus(root, index));
}

StyleLift style_lift(const Root& root) {
  const Plan& plan = root.plan();
  if (!plan.styled() && plan.style_price == 0.0) return {};
  constexpr double kLeastShare = 0.1;  // values of few visits are too rough to compare with
  const auto kids = root.place().node->children();
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (root.admits(i)) most = std::max(most, kids[i].visits());
  StyleLift lift{static_cast<float>(plan.style_budget), 1.0f};
  float best = -1.0f, liked = -2.0f, liked_value = 0.0f;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!root.admits(i) || kids[i].visits() == 0 || kids[i].visits() < kLeastShare * most) continue;
    const float value = mover_value(kids[i], root.place().mover), likes = style_bonus(root, i);
    if (value > best) best = value, lift.bonus = likes;
    if (likes > liked || (likes == liked && value > liked_value))
      liked = likes, liked_value = value;
  }
  // Values of few visits say nothing of what the style costs here.
  constexpr std::uint32_t kLeastVisits = 32;
  const double behind = static_cast<double>(best - liked_value);
  if (plan.style_price > 0.0 && root.place().node->visits() >= kLeastVisits &&
      behind > plan.style_price)
    lift.price = behind;
  return lift;
}

}  // namespace kibitz
