#include "search/root.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "search/gumbel.h"

namespace kibitz {

void Root::close() {
  reopen();
  moves_.clear();
  guarantees_.clear();
  comparison_.clear();
}

void Root::open(const Node& node, const Extras* extras, int mover, const Plan& plan,
                const Options& options, std::span<const Move> images, std::uint64_t seed,
                const HumanEdge* edges) {
  place_ = {&node, extras, mover, edges};
  plan_ = &plan;
  options_ = &options;
  const bool shaped = options.root_temperature != 1 || options.root_noise > 0 ||
                      options.root_dirichlet > 0 || options.root_symmetry ||
                      options.prune != RootPruning::kNone;
  reach_ = std::max(plan.reach(), shaped ? 1 : 0);
  const auto kids = node.children();
  moves_ = std::vector<RootMove>(kids.size());
  for (std::size_t i = 0; i < kids.size(); ++i) moves_[i].obey(plan, mover, kids[i].move);
  if (!images.empty()) drop_twins(images);
  may_choose_ = std::any_of(moves_.begin(), moves_.end(),
                            [](const RootMove& move) { return move.permitted; });
  set_priors();
  guarantees_.open(node, plan);
  comparison_.open(node, mover, plan);
  for (std::size_t i = 0; i < kids.size(); ++i)
    moves_[i].before = static_cast<std::uint32_t>(
        std::max<std::int64_t>(0, place_.counted(i) - guarantees_.handed_out(i)));
  const auto permitted = std::count_if(moves_.begin(), moves_.end(),
                                       [](const RootMove& move) { return move.permitted; });
  considered_ = std::min<std::int64_t>(options.gumbel_moves, permitted);
  Rng rng(static_cast<std::uint64_t>(options.seed), seed);
  draw_noise(rng);
  open_.store(true, std::memory_order_release);
}

/// Of moves that a symmetry makes equal only the first is searched, unless the plan forbids that
/// one.
void Root::drop_twins(std::span<const Move> images) {
  const auto kids = place_.node->children();
  std::vector<std::size_t> searched;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!moves_[i].permitted) continue;
    const auto twin = std::find_if(searched.begin(), searched.end(),
                                   [&](std::size_t j) { return images[j] == images[i]; });
    if (twin == searched.end()) {
      searched.push_back(i);
    } else {
      moves_[i].permitted = false;
      moves_[i].twin = kids[*twin].move;
    }
  }
}

/// The priors at the root's temperature, times the plan's factors, and evened out by noise.
void Root::set_priors() {
  const auto kids = place_.node->children();
  double sum = 0.0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const double prior = kids[i].prior;
    moves_[i].prior = kids[i].prior;
    if (options_->root_temperature == 1) continue;
    moves_[i].prior = static_cast<float>(std::pow(prior, 1.0 / options_->root_temperature));
    sum += moves_[i].prior;
  }
  if (sum > 0)
    for (RootMove& move : moves_) move.prior = static_cast<float>(move.prior / sum);
  for (RootMove& move : moves_) move.plain = move.prior;
  if (!plan_->prior_factors.empty()) {
    double before = 0.0, after = 0.0;
    for (std::size_t i = 0; i < kids.size(); ++i) {
      RootMove& move = moves_[i];
      before += static_cast<double>(move.prior);
      move.prior =
          static_cast<float>(static_cast<double>(move.prior) * plan_->prior_factor(kids[i].move));
      after += static_cast<double>(move.prior);
    }
    for (RootMove& move : moves_)
      if (after > 0.0)
        move.prior = static_cast<float>(static_cast<double>(move.prior) * (before / after));
  }
  const double power = 1.0 / (4.0 * options_->root_noise + 1.0);
  const auto widened = [&](float prior) {
    return noisy() ? static_cast<float>(std::pow(static_cast<double>(prior), power)) : prior;
  };
  for (RootMove& move : moves_) {
    move.widened = widened(move.prior);
    move.plain = widened(move.plain);
  }
}

/// Noise that stays the same for a whole search.
void Root::draw_noise(Rng& rng) {
  if (options_->rule == SelectionRule::kGumbel && options_->gumbel_noise > 0)
    for (RootMove& move : moves_)
      move.gumbel = static_cast<float>(options_->gumbel_noise) * gumbel_number(rng);
  if (options_->root_dirichlet <= 0) return;
  double total = 0.0;
  std::vector<double> drawn;
  constexpr double kConcentration = 10.83;  // over all moves together, as in KataGo
  const double alpha = kConcentration / static_cast<double>(moves_.size());
  for (const RootMove& move : moves_) {
    drawn.push_back(move.permitted ? std::max(gamma_number(rng, alpha), 1e-300) : 0.0);
    total += drawn.back();
  }
  const double share = total > 0 ? options_->root_dirichlet : 0.0;
  for (std::size_t i = 0; i < moves_.size() && share > 0; ++i)
    moves_[i].widened = static_cast<float>((1.0 - share) * static_cast<double>(moves_[i].widened) +
                                           share * drawn[i] / total);
}

float Root::noise(Rng& rng) const {
  if (rng.unit() < 0.5) return 0.0f;
  const double u = std::max(rng.unit(), 1e-12), v = rng.unit();
  const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  return static_cast<float>(0.5 * options_->root_noise * std::fabs(normal));
}

void Root::prune(std::int64_t iteration) {
  switch (options_->prune) {
    case RootPruning::kNone:
      return;
    case RootPruning::kProgressive:
      return prune_progressively(iteration);
    case RootPruning::kStatistical:
      return prune_statistically();
  }
}

/// As in the classic program: once dropped, never looked at again. Guaranteed visits make no move
/// look good, nor others bad.
void Root::prune_progressively(std::int64_t iteration) {
  const auto kids = place_.node->children();
  const auto own = [&](std::size_t i) { return place_.counted(i) - guarantees_.visits(i); };
  const std::int64_t chosen = iteration - guarantees_.served_now();
  const double average = static_cast<double>(chosen) / static_cast<double>(kids.size());
  std::size_t most = 0;
  for (std::size_t i = 1; i < kids.size(); ++i)
    if (own(i) > own(most)) most = i;
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (i != most && static_cast<double>(own(i)) < average)
      moves_[i].pruned.store(true, std::memory_order_relaxed);
}

void Root::prune_statistically() {
  constexpr double kPruneErrors = 2.0;  // standard errors
  const auto kids = place_.node->children();
  const auto spread = [&](const Node& kid) {
    const double p = mover_value(kid, place_.mover), n = kid.visits();
    return kPruneErrors * std::sqrt(std::max(p * (1 - p), 0.25 / n) / n);
  };
  double best_low = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (moves_[i].permitted && kids[i].visits())
      best_low = std::max(best_low, mover_value(kids[i], place_.mover) - spread(kids[i]));
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (kids[i].visits())
      moves_[i].pruned.store(mover_value(kids[i], place_.mover) + spread(kids[i]) < best_low,
                             std::memory_order_relaxed);
}

}  // namespace kibitz
