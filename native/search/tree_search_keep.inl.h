// A tree between searches: made, kept when a move is played, dropped. Included by tree_search.h.
#pragma once

#include <cstring>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
TreeSearch<G>::TreeSearch(const G& position, std::shared_ptr<Evaluator<G>> evaluator,
                          const Options& options)
    : options_(options), evaluator_(std::move(evaluator)), root_position_(position) {
  reset(position);
}

template <Game G>
TreeSearch<G>::~TreeSearch() {
  stop();
  for (auto& thread : threads_) thread.join();
}

template <Game G>
void TreeSearch<G>::reset(const G& position) {
  arena_ = std::make_unique<Arena>(static_cast<std::size_t>(options_.memory_mb) << 20);
  biases_ = std::make_unique<ValueBiasTable>();
  root_position_ = position;
  enthrone();
  forget_root();
  full_ = false;
  nodes_ = 0;
}

template <Game G>
void TreeSearch<G>::forget_root() {
  Node blank;
  root_.take_numbers(blank);
  root_.family.store(0, std::memory_order_relaxed);
  root_.claimed.store(false, std::memory_order_relaxed);
  root_extras_.take(Extras{});
  root_extras_.bias.store(nullptr, std::memory_order_relaxed);
  root_extras_.ownership.store(nullptr, std::memory_order_relaxed);
  root_open_.store(false, std::memory_order_release);
  root_moves_.clear();
}

/// Some games end, or show themselves to a network, otherwise at the root than below it.
template <Game G>
void TreeSearch<G>::enthrone() {
  if constexpr (requires { typename G::History; }) {
    switch (options_.history) {
      case HistoryShown::kRoot:
        return root_position_.become_root(G::History::kSinceRoot);
      case HistoryShown::kFull:
        return root_position_.become_root(G::History::kFull);
      case HistoryShown::kNone:
        return root_position_.become_root(G::History::kNone);
    }
  }
}

template <Game G>
void TreeSearch<G>::advance(Move move) {
  Node* kept = nullptr;
  Extras* kept_extras = nullptr;
  const auto kids = root_.children();
  for (auto& kid : kids) {
    if (kid.move != move) continue;
    kept = &kid;
    if (extras_) kept_extras = root_.extras_of_children()[&kid - kids.data()].load();
  }
  root_position_.play(move);
  enthrone();
  auto fresh = std::make_unique<Arena>(static_cast<std::size_t>(options_.memory_mb) << 20);
  biases_kept_ = std::move(biases_);
  biases_ = std::make_unique<ValueBiasTable>();
  // The old root's numbers are overwritten last: `kept` lies in the old arena.
  if (!kept || !options_.reuse) {
    forget_root();
  } else {
    Shelf shelf;
    Node moved;
    moved.take_numbers(*kept);
    nodes_ = 0;
    copy_family(*kept, moved, shelf, *fresh);
    root_.take_numbers(moved);
    root_.family.store(moved.family.load());
    root_.claimed.store(moved.expanded());
    if (kept_extras) {
      root_extras_.take(*kept_extras);
      root_extras_.bias.store(nullptr);  // the root's own error matters to nobody
      root_extras_.ownership.store(copied_ownership(*kept_extras, shelf, *fresh));
      root_own_ = Outcome{};
    }
    root_open_.store(false, std::memory_order_release);
    root_moves_.clear();
  }
  arena_ = std::move(fresh);
  biases_kept_.reset();
  full_ = false;
}

template <Game G>
void TreeSearch<G>::copy_family(const Node& from, Node& to, Shelf& shelf, Arena& arena) {
  // An explicit stack: a line of a long game may be deeper than the machine's own.
  std::vector<std::pair<const Node*, Node*>> todo{{&from, &to}};
  while (!todo.empty()) {
    const auto [source, target] = todo.back();
    todo.pop_back();
    const auto kids = source->children();
    if (kids.empty()) continue;
    Node* copies = new_family(kids.size(), shelf, arena);
    if (!copies) continue;  // cannot happen: a part of a tree is no larger than the tree
    nodes_ += static_cast<std::int64_t>(kids.size());
    for (std::size_t i = 0; i < kids.size(); ++i) {
      copies[i].take_numbers(kids[i]);
      todo.emplace_back(&kids[i], &copies[i]);
    }
    target->publish_children(copies, kids.size());
    target->claimed.store(true, std::memory_order_relaxed);
    for (std::size_t i = 0; extras_ && i < kids.size(); ++i) {
      const Extras* old = source->extras_of_children()[i].load(std::memory_order_relaxed);
      std::byte* memory = old ? shelf.take(arena, sizeof(Extras)) : nullptr;
      if (!memory) continue;
      Extras* copy = new (memory) Extras;
      copy->take(*old);
      // Only what is kept goes on telling of the evaluator's errors.
      if (const ValueBias* bias = old->bias.load(std::memory_order_relaxed)) {
        ValueBias* same = biases_->at(bias->key());
        same->add(old->told_difference, old->told_weight);
        copy->bias.store(same, std::memory_order_relaxed);
      }
      copy->ownership.store(copied_ownership(*old, shelf, arena));
      target->extras_of_children()[i].store(copy, std::memory_order_relaxed);
    }
  }
}

template <Game G>
float* TreeSearch<G>::copied_ownership(const Extras& from, Shelf& shelf, Arena& arena) const {
  const float* old = from.ownership.load(std::memory_order_relaxed);
  if (!old || ownership_points_ == 0) return nullptr;
  const auto size = static_cast<std::size_t>(ownership_points_) * sizeof(float);
  std::byte* memory = shelf.take(arena, size);
  if (memory) std::memcpy(memory, old, size);
  return reinterpret_cast<float*>(memory);
}

}  // namespace kibitz
