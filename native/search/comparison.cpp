#include "search/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "search/value_error.h"

namespace kibitz {

namespace {

/// Visits that every move gets before anything is said of it: the error needs three doublings.
constexpr std::uint32_t kLeastVisits = 64;

}  // namespace

void Comparison::open(const Node& node, int mover, const Plan& plan) {
  const auto kids = node.children();
  std::vector<std::unique_ptr<Compared>> moves;
  for (const Move wanted : plan.compare) {
    const auto kid = std::find_if(kids.begin(), kids.end(),
                                  [wanted](const Node& one) { return one.move == wanted; });
    if (kid == kids.end()) continue;
    const auto index = static_cast<std::size_t>(kid - kids.begin());
    const auto known = std::find_if(moves_.begin(), moves_.end(), [index](const auto& move) {
      return move && move->index == index;
    });
    if (known != moves_.end()) {
      moves.push_back(std::move(*known));
    } else {
      moves.push_back(std::make_unique<Compared>());
      moves.back()->index = index;
    }
  }
  node_ = &node;
  mover_ = mover;
  within_ = plan.compare_within;
  errors_ = plan.compare_errors;
  equal_shares_ = plan.compare_equal_shares;
  moves_ = std::move(moves);
  next_check_ = 0;
}

bool Comparison::compares(std::size_t index) const {
  return std::any_of(moves_.begin(), moves_.end(),
                     [index](const auto& move) { return move->index == index; });
}

double Comparison::error(std::size_t index) const {
  for (const auto& move : moves_)
    if (move->index == index) return estimate(*move).error;
  return 1.0;
}

Comparison::Estimate Comparison::estimate(const Compared& move) const {
  const Node& kid = node_->children()[move.index];
  const std::uint32_t visits = kid.visits();
  if (kid.bounds().settled()) {
    const double value = kid.bounds().value();
    return {mover_ == 0 ? value : 1.0 - value, 0.0, true};
  }
  if (visits == 0) return {0.5, 1.0, false};
  const std::size_t level = MeanHistory::level_of(visits);
  const double now = kid.mean();
  const double value = mover_value(kid, mover_);
  std::array<double, kErrorDoublings> changes{};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (level < i + 1) return {value, 1.0, false};
    const auto after = move.means.at(level - i), before = move.means.at(level - i - 1);
    if (!after || !before) return {value, 1.0, false};
    changes[i] = *after - *before;
  }
  const double since = now - move.means.at(level).value_or(now);
  // Visits under way will narrow it, so that threads do not all choose the same move.
  const double tries = static_cast<double>(visits) + kid.pending();
  return {value, value_error(changes, since, tries), false};
}

/// Of the moves without a verdict against the best, the one that needs the fewest visits for it; -1
/// once all have one. So a search that is stopped leaves the hard ones open and no others.
int Comparison::rival(const std::vector<Estimate>& all, std::size_t best) const {
  int next = -1;
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == best) continue;
    const double by = all[best].value - all[i].value;
    const double margin = errors_ * std::hypot(all[best].error, all[i].error);
    if (relation(by, margin, within_) != Relation::kUndecided) continue;
    // An error falls with the root of the visits.
    const double times = margin / std::max({by, within_ - by, 1e-6});
    const double visits = node_->children()[moves_[i]->index].visits();
    if (next >= 0 && visits * times * times >= fewest) continue;
    fewest = visits * times * times;
    next = static_cast<int>(i);
  }
  return next;
}

int Comparison::choose() {
  const auto kids = node_->children();
  std::vector<Estimate> all;
  std::int64_t total = 0;
  int neediest = -1;
  std::uint32_t least = equal_shares_ ? std::numeric_limits<std::uint32_t>::max() : kLeastVisits;
  bool enough = true;
  for (const auto& move : moves_) {
    const Node& kid = kids[move->index];
    move->means.note(kid);
    total += kid.visits();
    all.push_back(estimate(*move));
    if (all.back().settled) continue;
    enough = enough && kid.visits() >= kLeastVisits;
    const std::uint32_t tries = kid.visits() + kid.pending();
    if (tries < least) {
      least = tries;
      neediest = static_cast<int>(move->index);
    }
  }
  if (!enough && neediest >= 0) return neediest;
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].value > all[best].value) best = i;
  const int other = rival(all, best);
  // To look after every visit would find a verdict by chance sooner or later.
  if (total >= next_check_.load(std::memory_order_relaxed)) {
    if (other < 0) return -1;
    next_check_.store(total + total / 8 + 1, std::memory_order_relaxed);
  }
  if (neediest >= 0) return neediest;
  std::size_t next = best;
  if (other >= 0) {
    const auto against = static_cast<std::size_t>(other);
    if (all[best].settled || (!all[against].settled && all[against].error > all[best].error))
      next = against;
  }
  return all[next].settled ? -1 : static_cast<int>(moves_[next]->index);
}

}  // namespace kibitz
