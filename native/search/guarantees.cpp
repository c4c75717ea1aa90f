#include "search/guarantees.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace kibitz {

void Guarantees::open(const Node& node, const Plan& plan) {
  node_ = &node;
  const auto kids = node.children();
  const auto before = std::exchange(moves_, std::vector<Served>(kids.size()));
  served_before_ = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    moves_[i].before = before[i].before + before[i].now;
    served_before_ += moves_[i].before;
  }
  guaranteed_.clear();
  had_already_ = 0;
  std::int64_t to_serve = 0;
  for (const auto& guarantee : plan.include) {
    for (std::size_t i = 0; i < kids.size(); ++i) {
      Served& move = moves_[i];
      if (kids[i].move != guarantee.move || move.min_visits > 0) continue;
      const std::int64_t had = std::min<std::int64_t>(kids[i].visits(), guarantee.min_visits);
      move.min_visits = guarantee.min_visits;
      move.to_serve = guarantee.min_visits - had;
      had_already_ += had;
      to_serve += move.to_serve;
      guaranteed_.push_back(static_cast<int>(i));
    }
  }
  left_ = to_serve;
  served_ = served_before_;
}

double Guarantees::value_at(std::size_t index, std::int64_t visits) const {
  const auto count = static_cast<std::uint32_t>(std::max<std::int64_t>(visits, 1));
  for (std::size_t level = MeanHistory::level_of(count) + 1; level > 0; --level)
    if (const auto mean = moves_[index].means.at(level - 1)) return *mean;
  return node_->children()[index].mean();
}

int Guarantees::take() {
  for (;;) {
    int next = -1;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const int index : guaranteed_) {
      const Served& move = moves_[static_cast<std::size_t>(index)];
      const std::int64_t served = move.now.load(std::memory_order_relaxed);
      if (served < move.to_serve && served < least) {
        least = served;
        next = index;
      }
    }
    if (next < 0) return -1;
    moves_[static_cast<std::size_t>(next)].means.note(
        node_->children()[static_cast<std::size_t>(next)]);
    auto& served = moves_[static_cast<std::size_t>(next)].now;
    if (!served.compare_exchange_strong(least, least + 1, std::memory_order_relaxed)) continue;
    served_.fetch_add(1, std::memory_order_relaxed);
    left_.fetch_sub(1, std::memory_order_relaxed);
    return next;
  }
}

void Guarantees::give_back(int index) {
  moves_[static_cast<std::size_t>(index)].now.fetch_sub(1, std::memory_order_relaxed);
  served_.fetch_sub(1, std::memory_order_relaxed);
  left_.fetch_add(1, std::memory_order_relaxed);
}

void Guarantees::waive(Move move) {
  for (const int index : guaranteed_) {
    if (node_->children()[static_cast<std::size_t>(index)].move != move) continue;
    Served& served = moves_[static_cast<std::size_t>(index)];
    const std::int64_t now = served.now.load(std::memory_order_relaxed);
    left_.fetch_sub(served.to_serve - now, std::memory_order_relaxed);
    served.to_serve = now;
  }
}

std::int64_t Guarantees::visits(std::size_t index) const {
  const Served& move = moves_[index];
  return std::min<std::int64_t>(node_->children()[index].visits(),
                                move.before + move.now.load(std::memory_order_relaxed));
}

}  // namespace kibitz
