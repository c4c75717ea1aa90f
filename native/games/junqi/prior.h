// Where players put pieces, what their behaviour tells, and the beliefs of a view made from both.
#pragma once

#include <array>

#include "games/junqi/beliefs.h"
#include "games/junqi/conduct.h"
#include "games/junqi/view.h"

namespace kibitz::junqi {

/// How strongly behaviour shifts beliefs (the `[behaviour]` part of the weights file).
struct Behaviour {
  double prior = 0.7;      // power of the layout statistics; 0 ignores them
  double attack = 0.45;    // an attack speaks for strength, a kind's strength being 0 to 1
  double restless = 0.15;  // so does each level of activity
  double unmoved_back =
      0.06;              // per turn that a piece in the back two rows has stood still: mine, flag
  double conduct = 0.6;  // power of what else a piece did and left undone; 0 ignores it
  const ConductTable* table = &learned_conduct();
};

/// Expected number of each kind at each of the 25 places, from recorded layouts, scaled to whole
/// armies.
const std::array<std::array<double, kKinds>, kArmy>& layout_prior();

/// A kind's strength for behaviour: 1 for the commander down to 0.1 for an engineer.
double strength(Kind kind);

/// The units are the 100 pieces (with two players the seats that exist have pieces, the others'
/// units belong to no group and are left out: `piece` of unit i is `pieces[i]`).
struct ViewBeliefs {
  Beliefs beliefs;
  std::vector<int> pieces;
};
ViewBeliefs beliefs_of(const View& view, const Behaviour& behaviour);

}  // namespace kibitz::junqi
