// From the options of style to factors of root priors, which a plan carries.
#pragma once

#include <vector>

#include "games/chess/game.h"
#include "games/chess/style/bonus.h"
#include "games/chess/style/options.h"
#include "steering/plan.h"

namespace kibitz::style {

BonusWeights bonus_weights(const StyleOptions& options);

/// What the style does to each legal move at `position`; empty when it is off, or once the game is
/// past `style_plies` and `style_chain_plies`.
std::vector<PriorFactor> prior_factors(const Chess& position, const StyleOptions& options);

/// B of each legal move, for a search that plays by a budget; empty where the style is off.
std::vector<StyleBonus> style_bonuses(const Chess& position, const StyleOptions& options);

}  // namespace kibitz::style
