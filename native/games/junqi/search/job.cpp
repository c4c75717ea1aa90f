#include "games/junqi/search/job.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/clock.h"
#include "base/core_turns.h"

namespace kibitz::junqi {
namespace {

/// Nodes that a world is worth having for: where moves are set aside, the later ones cost little.
constexpr std::int64_t kNodesPerWorld = 500, kNodesPerLaterWorld = 150;

}  // namespace

JunqiJob::JunqiJob(const Table& table, const JunqiOptions& options) : options_(options) {
  reset(table);
}

JunqiJob::JunqiJob(const View& view, const JunqiOptions& options) : options_(options) {
  reset(view);
}

void JunqiJob::reset(const View& view) {
  settle();
  view_.emplace(view);
  report_ = {};
}

void JunqiJob::start(const Plan& plan, const JunqiBudget& budget) {
  settle();
  JunqiOptions options = options_;
  JunqiLimits limits;
  if (budget.simulations < std::numeric_limits<std::int64_t>::max()) {
    limits.nodes = budget.simulations;
    // Few nodes are better spent on fewer worlds.
    options.worlds = std::min(
        options.worlds,
        1 + budget.simulations / (options.narrowing ? kNodesPerLaterWorld : kNodesPerWorld));
  }
  options.worlds = std::min(options.worlds, std::max<std::int64_t>(1, budget.visits));
  if (budget.visits < std::numeric_limits<std::int64_t>::max())
    limits.worlds = std::max<std::int64_t>(1, budget.visits);
  if (std::isfinite(budget.seconds)) limits.seconds = std::max(0.001, budget.seconds);
  const RootWishes wishes = wishes_of(plan, *view_, options);
  report_ = {};
  const bool urgent = take_urgency();
  run([this, options, limits, wishes, urgent, seconds = budget.seconds] {
    const CoreTurn turn(stop_, seconds, urgent);
    think(options, limits, wishes);
  });
}

JunqiSearchReport JunqiJob::report() {
  const std::lock_guard lock(mutex_);
  return report_;
}

void JunqiJob::think(const JunqiOptions& options, const JunqiLimits& limits,
                     const RootWishes& wishes) {
  JunqiSearch search(*view_, options, limits);
  const auto publish = [&](const JunqiReport& report) {
    JunqiSearchReport search_report(*view_, search.belief(), report);
    const std::lock_guard lock(mutex_);
    report_ = std::move(search_report);
  };
  switch (const JunqiMode mode = options.mode) {
    case JunqiMode::kSearch:
    case JunqiMode::kClassic:
      return publish(search.run(wishes, &stop_, publish));
    case JunqiMode::kGreedy:
    case JunqiMode::kOnePly:
    case JunqiMode::kRandom:
      return publish(judged(search, wishes, mode));
  }
}

JunqiReport JunqiJob::judged(JunqiSearch& search, const RootWishes& wishes, JunqiMode mode) const {
  const Stopwatch watch;
  JunqiReport report = search.judge(wishes);
  auto& moves = report.moves;
  if (moves.empty()) throw std::invalid_argument("the seat has no move to choose from");
  if (mode != JunqiMode::kOnePly) {
    Rng rng(static_cast<std::uint64_t>(options_.seed) ^ view_->hash());
    auto chosen = moves.begin() + rng.below(static_cast<std::uint32_t>(moves.size()));
    if (mode == JunqiMode::kGreedy) {
      const auto best = std::max_element(
          moves.begin(), moves.end(),
          [](const RootMove& a, const RootMove& b) { return a.parts.exchange < b.parts.exchange; });
      if (best->parts.exchange > 0) chosen = best;
    }
    std::rotate(moves.begin(), chosen, chosen + 1);
    report.value = moves[0].value;
  }
  report.nodes = static_cast<std::int64_t>(moves.size());
  report.stop = StopReason::kDecided;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace kibitz::junqi
