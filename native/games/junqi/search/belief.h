// What a view's seat believes: sets, marginals, samples. Everything later follows from it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "games/junqi/evaluate/scoring.h"

namespace kibitz::junqi {

/// A kind for every piece: one way the truth could be.
using WorldKinds = std::array<Kind, kPieces>;

struct Belief {
  std::array<KindSet, kPieces> possible{};
  std::array<std::array<float, kKinds>, kPieces> chance{};
  std::vector<WorldKinds> worlds;
  Knowledge knowledge;
};

/// `conduct` replaces the learned table of what behaviour tells, to fit another.
Belief believe(const View& view, const Weights& weights, int samples, std::uint64_t seed,
               const ConductTable* conduct = nullptr);

/// More assignments that fit the view, for who needs more than a belief holds.
std::vector<WorldKinds> more_worlds(const View& view, const Weights& weights, int count,
                                    std::uint64_t seed);

/// What the seat believes of a node's piece: `engineer 41%, platoon 22%, mine 15%`.
std::string belief_text(const View& view, const Belief& belief, int node);

}  // namespace kibitz::junqi
