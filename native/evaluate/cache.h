// Remembers what an expensive evaluator said, so that a position met again (by another order of
// moves, in another query, after a tree was dropped) costs nothing.
//
// Threads: guarded by one mutex for each group of slots. A slot is replaced by whatever comes
// later.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/evaluator.h"

namespace kibitz {

/// The table itself; several searches may share one.
class EvaluationTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    Outcome outcome;
    std::vector<float> priors, ownership;  // priors by ascending moves, however they were asked for
  };

  /// `bytes` is what the table may grow to when every entry holds `floats` numbers.
  EvaluationTable(std::size_t bytes, std::size_t floats)
      : slots_(std::max<std::size_t>(1, bytes / (sizeof(Entry) + 4 * floats + 32))) {}

  /// Copies an entry that answers the leaf whole.
  template <class G>
  bool find(std::uint64_t key, Leaf<G>& leaf) {
    const std::size_t at = key % slots_.size();
    const std::lock_guard lock(mutexes_[at % mutexes_.size()]);
    const auto& entry = slots_[at];
    const bool answers =
        entry && entry->key == key && entry->priors.size() == leaf.priors.size() &&
        (leaf.ownership.empty() || entry->ownership.size() == leaf.ownership.size());
    if (!answers) return false;
    leaf.outcome = entry->outcome;
    const auto& places = places_of(leaf.moves);
    for (std::size_t i = 0; i < places.size(); ++i) leaf.priors[places[i]] = entry->priors[i];
    if (!leaf.ownership.empty())
      std::copy(entry->ownership.begin(), entry->ownership.end(), leaf.ownership.begin());
    return true;
  }

  template <class G>
  void store(std::uint64_t key, const Leaf<G>& leaf) {
    auto entry = std::make_unique<Entry>();
    entry->key = key;
    entry->outcome = leaf.outcome;
    for (const std::size_t place : places_of(leaf.moves))
      entry->priors.push_back(leaf.priors[place]);
    entry->ownership.assign(leaf.ownership.begin(), leaf.ownership.end());
    const std::size_t at = key % slots_.size();
    const std::lock_guard lock(mutexes_[at % mutexes_.size()]);
    std::swap(slots_[at], entry);
  }

  void clear() {
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      const std::lock_guard lock(mutexes_[at % mutexes_.size()]);
      slots_[at].reset();
    }
  }

 private:
  /// Where the moves stand, lowest first: a search asks in the order of the rules, and again in the
  /// order of a node's children.
  static const std::vector<std::size_t>& places_of(std::span<const Move> moves) {
    thread_local std::vector<std::size_t> places;
    places.resize(moves.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (!std::ranges::is_sorted(moves))
      std::ranges::sort(places, {}, [moves](std::size_t place) { return moves[place]; });
    return places;
  }

  std::vector<std::unique_ptr<Entry>> slots_;
  std::array<std::mutex, 64> mutexes_;
};

/// An evaluator with a memory. Positions are distinguished by `cache_key`, where a game has one,
/// else by their hash: a key covers everything the evaluator looks at, but for the past beyond
/// `history` in games that can leave it out. With `optimistic` evaluators the policy optimism is
/// part of it.
template <Game G>
class CachedEvaluator final : public Evaluator<G> {
 public:
  CachedEvaluator(std::shared_ptr<Evaluator<G>> inner, std::shared_ptr<EvaluationTable> table,
                  int history, bool optimistic)
      : inner_(std::move(inner)),
        table_(std::move(table)),
        history_(history),
        optimistic_(optimistic) {}

  bool gives_priors() const override { return inner_->gives_priors(); }
  bool gives_extras() const override { return inner_->gives_extras(); }
  bool predicts_style() const override { return inner_->predicts_style(); }
  void leave() override { inner_->leave(); }
  int ownership_points(const G& position) const override {
    return inner_->ownership_points(position);
  }

  void evaluate(std::span<Leaf<G>> leaves, Rng& rng) override {
    thread_local std::vector<Leaf<G>> unknown;
    thread_local std::vector<std::pair<std::size_t, std::uint64_t>> places;
    unknown.clear();
    places.clear();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const std::uint64_t key = key_of(leaves[i]);
      // What was judged once is no average.
      if (leaves[i].symmetries == 1 && table_->find(key, leaves[i])) continue;
      unknown.push_back(leaves[i]);
      places.emplace_back(i, key);
    }
    if (unknown.empty()) return;
    inner_->evaluate(unknown, rng);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      leaves[places[i].first].outcome = unknown[i].outcome;  // the spans were written in place
      if (unknown[i].remembered) table_->store(places[i].second, unknown[i]);
    }
  }

 private:
  std::uint64_t key_of(const Leaf<G>& leaf) const {
    const std::uint64_t key = key_of(*leaf.position);
    if (!optimistic_ || leaf.policy_optimism == 0.0f) return key;
    return mix64(key + std::bit_cast<std::uint32_t>(leaf.policy_optimism));
  }
  std::uint64_t key_of(const G& position) const {
    if constexpr (requires { position.cache_key(history_); })
      return position.cache_key(history_);
    else if constexpr (requires { cache_key(position); })
      return cache_key(position);
    else
      return position.hash();
  }
  std::shared_ptr<Evaluator<G>> inner_;
  std::shared_ptr<EvaluationTable> table_;
  int history_;
  bool optimistic_;
};

}  // namespace kibitz
