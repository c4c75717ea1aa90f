// From the options of a search to the leans of its plan: style as root priors.
#pragma once

#include "games/chess/game.h"
#include "search/options.h"
#include "steering/plan.h"
#include "style/bonus.h"

namespace kibitz::style {

BonusWeights bonus_weights(const Options& options);

/// Adds what the style options ask for at `position`; nothing when they are off, or once the game
/// is past `style_plies`.
void lean(Plan& plan, const Options& options, const Chess& position);

}  // namespace kibitz::style
