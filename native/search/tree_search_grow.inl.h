// How a tree grows: the children of a node are made all at once, likeliest first. Included by
// tree_search.h.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include "search/tree_search.h"

namespace kibitz {

template <Game G>
Node* TreeSearch<G>::new_family(std::size_t count, Shelf& shelf, Arena& arena) const {
  const std::size_t each = sizeof(Node) + (extras_ ? sizeof(std::atomic<Extras*>) : 0);
  std::byte* memory = shelf.take(arena, count * each);
  if (!memory) return nullptr;
  Node* first = reinterpret_cast<Node*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (first + i) Node;
  if (extras_)
    for (std::size_t i = 0; i < count; ++i)
      new (reinterpret_cast<std::atomic<Extras*>*>(first + count) + i)
          std::atomic<Extras*>{nullptr};
  return first;
}

template <Game G>
bool TreeSearch<G>::expand(Node& node, const G& position, Worker& worker) {
  if (node.claimed.exchange(true, std::memory_order_relaxed)) return node.expanded();
  MoveList<G> moves;
  position.legal_moves(moves);
  const auto size = static_cast<std::size_t>(moves.size());
  // Moves of equal prior are tried in random order: the board's geometry must not decide for us.
  for (int i = moves.size() - 1; i > 0; --i)
    std::swap(moves[i],
              moves[static_cast<int>(worker.rng.below(static_cast<std::uint32_t>(i + 1)))]);
  std::array<float, static_cast<std::size_t>(G::kMaxMoves)> priors;
  std::fill_n(priors.begin(), size, 1.0f / static_cast<float>(size));
  if (priors_) priors_(position, {moves.begin(), size}, {priors.data(), size});
  if (make_children(node, {moves.begin(), size}, {priors.data(), size}, worker)) return true;
  node.claimed.store(false, std::memory_order_relaxed);
  return false;
}

template <Game G>
bool TreeSearch<G>::make_children(Node& node, std::span<const Move> moves,
                                  std::span<const float> priors, Worker& worker) {
  Node* kids = new_family(moves.size(), worker.shelf, *arena_);
  if (!kids) {
    full_.store(true, std::memory_order_relaxed);
    return false;
  }
  std::array<std::uint16_t, static_cast<std::size_t>(G::kMaxMoves)> order;
  if (priors_ || evaluator_->gives_priors())
    order_descending(priors, order);
  else
    std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(moves.size()), 0);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    kids[i].move = moves[order[i]];
    kids[i].prior = priors[order[i]];
  }
  node.publish_children(kids, moves.size());
  bump(nodes_, static_cast<std::int64_t>(moves.size()), exclusive_);
  return true;
}

}  // namespace kibitz
