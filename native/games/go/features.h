// KataGo's network inputs, version 7: 22 planes and 19 numbers, from the side to move's view.
#pragma once

#include "games/go/state.h"
#include "games/sample.h"

namespace kibitz::go {

inline constexpr int kPlanes = 22, kGlobals = 19;

FeatureShape feature_shape(const State& s);
void write_features(const State& s, float* planes, float* globals);
/// How many of the last moves a network is shown.
int history_shown(const State& s, bool pass_hidden);

}  // namespace kibitz::go
