#include "games/junqi/search/belief.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

std::vector<Sample> drawn_from(const ViewBeliefs& made, Rng& rng, int count) {
  auto drawn = made.beliefs.sample(rng, std::max(count, 1), 120, 2);
  if (drawn.empty()) throw std::invalid_argument("no assignment of pieces fits the view");
  return drawn;
}

std::vector<WorldKinds> assignments(const ViewBeliefs& made, const std::vector<Sample>& drawn) {
  std::vector<WorldKinds> out;
  for (const Sample& sample : drawn) {
    WorldKinds kinds;
    kinds.fill(Kind::kUnknown);
    for (std::size_t i = 0; i < made.pieces.size(); ++i)
      kinds[as_index(made.pieces[i])] = sample.kinds[i];
    out.push_back(kinds);
  }
  return out;
}

ViewBeliefs propagated(const View& view, const Weights& weights,
                       const ConductTable* conduct = nullptr) {
  Behaviour behaviour = weights.behaviour();
  if (conduct) behaviour.table = conduct;
  ViewBeliefs made = beliefs_of(view, behaviour);
  // A view is made of true events, so something always fits.
  if (!made.beliefs.propagate()) throw std::invalid_argument("the view contradicts itself");
  return made;
}

}  // namespace

Belief believe(const View& view, const Weights& weights, int samples, std::uint64_t seed,
               const ConductTable* conduct) {
  const ViewBeliefs made = propagated(view, weights, conduct);
  Rng rng(seed, 0x6a71);
  const auto drawn = drawn_from(made, rng, samples);
  Belief out;
  const Marginals marginals = marginals_of(drawn);
  for (std::size_t i = 0; i < made.pieces.size(); ++i) {
    const int piece = made.pieces[i];
    out.possible[as_index(piece)] = made.beliefs.possible(static_cast<int>(i));
    for (std::size_t k = 0; k < kKinds; ++k)
      out.chance[as_index(piece)][k] = static_cast<float>(marginals[i][k]);
  }
  out.worlds = assignments(made, drawn);
  out.knowledge = Knowledge::of(view, out.chance);
  return out;
}

std::vector<WorldKinds> more_worlds(const View& view, const Weights& weights, int count,
                                    std::uint64_t seed) {
  const ViewBeliefs made = propagated(view, weights);
  Rng rng(seed, 0x6a72);
  return assignments(made, drawn_from(made, rng, count));
}

std::string belief_text(const View& view, const Belief& belief, int node) {
  const int piece = view.piece_at(node);
  if (piece == kNowhere) return "";
  std::vector<std::pair<float, int>> order;
  for (int k = 0; k < kKinds; ++k)
    order.emplace_back(-belief.chance[as_index(piece)][as_index(k)], k);
  std::sort(order.begin(), order.end());
  std::string out;
  for (std::size_t i = 0; i < 3 && order[i].first < -0.005f; ++i) {
    const auto [minus, k] = order[i];
    if (i) out += ", ";
    out += std::string(kind_name(static_cast<Kind>(k))) + " " +
           std::to_string(static_cast<int>(std::lround(-100 * minus))) + "%";
  }
  return out;
}

}  // namespace kibitz::junqi
