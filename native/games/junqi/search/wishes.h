// Steering as Junqi's search obeys it: a plan becomes wishes for the root, and what the search
// cannot do is refused with a reason.
#pragma once

#include <optional>
#include <vector>

#include "games/junqi/evaluate/behaviors.h"
#include "games/junqi/search/options.h"
#include "steering/plan.h"

namespace kibitz::junqi {

/// What the user wants of the root.
struct RootWishes {
  std::vector<Move> first_ply_moves;  // only these; empty is all
  std::vector<Move> avoid;
  std::vector<Guarantee> include;  // never cut by the beam; a visit is a sampled world
  std::optional<Category> preferred_category;
  std::vector<std::pair<Move, double>> weights;  // factors; a move of factor f gains 20 ln f points
};

/// The most worlds a move can be guaranteed.
inline constexpr std::int64_t kMostGuaranteed = 4096;

/// Takes out of a plan what a search with these options cannot obey at this view, and says why.
std::vector<Refusal> admit(Plan& plan, const View& view, const JunqiOptions& options);

/// The part of the plan that `admit` leaves.
RootWishes wishes_of(Plan plan, const View& view, const JunqiOptions& options);

}  // namespace kibitz::junqi
