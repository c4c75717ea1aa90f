#include "search/tree.h"

#include <utility>
#include <vector>

namespace kibitz {

void Tree::reset(std::size_t memory_bytes, const TreeShape& shape) {
  arena_ = std::make_unique<Arena>(memory_bytes);
  biases_ = std::make_unique<ValueBiasTable>();
  shape_ = shape;
  clear_root();
  full_ = false;
  nodes_ = 0;
}

void Tree::clear_root() {
  Node blank;
  root_.take_numbers(blank);
  root_.family.store(0, std::memory_order_relaxed);
  root_.claimed.store(false, std::memory_order_relaxed);
  clear_root_extras();
}

void Tree::clear_root_extras() {
  root_extras_.take(Extras{});
  root_extras_.bias.store(nullptr, std::memory_order_relaxed);
  root_extras_.ownership.store(nullptr, std::memory_order_relaxed);
}

void Tree::advance(Move move, bool keep, std::size_t memory_bytes) {
  Node* kept = nullptr;
  Extras* kept_extras = nullptr;
  const auto kids = root_.children();
  for (Node& kid : kids) {
    if (!keep || kid.move != move) continue;
    kept = &kid;
    if (shape_.extras) kept_extras = root_.extras_of_children()[&kid - kids.data()].load();
  }
  auto fresh = std::make_unique<Arena>(memory_bytes);
  // The copies point into the new table; the old one lives until they are made.
  const auto old_biases = std::exchange(biases_, std::make_unique<ValueBiasTable>());
  nodes_ = 0;
  if (!kept) {
    clear_root();
  } else {
    // The old root's numbers are overwritten last: `kept` lies in the old arena.
    ThreadArena thread_arena;
    Node moved;
    moved.take_numbers(*kept);
    copy_families(*kept, moved, thread_arena, *fresh);
    root_.take_numbers(moved);
    root_.family.store(moved.family.load());
    root_.claimed.store(moved.expanded());
    if (kept_extras) {
      root_extras_.take(*kept_extras);
      root_extras_.bias.store(nullptr);  // the root's own error matters to nobody
      root_extras_.ownership.store(copied_ownership(*kept_extras, thread_arena, *fresh));
    } else {
      clear_root_extras();  // they are the old root's, and point into the old arena
    }
  }
  arena_ = std::move(fresh);
  full_ = false;
}

Node* Tree::new_family(std::size_t count, ThreadArena& thread_arena, Arena& arena) const {
  const std::size_t before = shape_.human ? count * sizeof(HumanEdge) : 0;
  const std::size_t each = sizeof(Node) + (shape_.extras ? sizeof(std::atomic<Extras*>) : 0);
  std::byte* memory = thread_arena.take(arena, before + count * each);
  if (!memory) return nullptr;
  for (std::size_t i = 0; shape_.human && i < count; ++i)
    new (reinterpret_cast<HumanEdge*>(memory) + i) HumanEdge;
  Node* first = reinterpret_cast<Node*>(memory + before);
  for (std::size_t i = 0; i < count; ++i) new (first + i) Node;
  if (shape_.extras)
    for (std::size_t i = 0; i < count; ++i)
      new (reinterpret_cast<std::atomic<Extras*>*>(first + count) + i)
          std::atomic<Extras*>{nullptr};
  return first;
}

void Tree::copy_families(const Node& from, Node& to, ThreadArena& thread_arena, Arena& arena) {
  // An explicit stack: a line of a long game may be deeper than the machine's own.
  std::vector<std::pair<const Node*, Node*>> todo{{&from, &to}};
  while (!todo.empty()) {
    const auto [source, target] = todo.back();
    todo.pop_back();
    const auto kids = source->children();
    if (kids.empty()) continue;
    Node* copies = new_family(kids.size(), thread_arena, arena);
    if (!copies) continue;  // cannot happen: a part of a tree is no larger than the tree
    nodes_ += static_cast<std::int64_t>(kids.size());
    for (std::size_t i = 0; i < kids.size(); ++i) {
      copies[i].take_numbers(kids[i]);
      todo.emplace_back(&kids[i], &copies[i]);
    }
    target->publish_children(copies, kids.size());
    target->claimed.store(true, std::memory_order_relaxed);
    for (std::size_t i = 0; shape_.human && i < kids.size(); ++i) {
      const HumanEdge& old = source->human_edges()[i];
      target->human_edges()[i].prior = old.prior;
      target->human_edges()[i].weightless.store(old.weightless.load(std::memory_order_relaxed),
                                                std::memory_order_relaxed);
    }
    if (shape_.extras) copy_extras(*source, *target, thread_arena, arena);
  }
}

void Tree::copy_extras(const Node& from, const Node& to, ThreadArena& thread_arena, Arena& arena) {
  const std::size_t count = from.children().size();
  for (std::size_t i = 0; i < count; ++i) {
    const Extras* old = from.extras_of_children()[i].load(std::memory_order_relaxed);
    std::byte* memory = old ? thread_arena.take(arena, sizeof(Extras)) : nullptr;
    if (!memory) continue;
    Extras* copy = new (memory) Extras;
    copy->take(*old);
    // Only what is kept goes on telling of the evaluator's errors.
    if (const ValueBias* bias = old->bias.load(std::memory_order_relaxed)) {
      ValueBias* same = biases_->at(bias->key());
      same->add(old->told_difference, old->told_weight);
      copy->bias.store(same, std::memory_order_relaxed);
    }
    copy->ownership.store(copied_ownership(*old, thread_arena, arena));
    to.extras_of_children()[i].store(copy, std::memory_order_relaxed);
  }
}

float* Tree::copied_ownership(const Extras& from, ThreadArena& thread_arena, Arena& arena) const {
  const float* old = from.ownership.load(std::memory_order_relaxed);
  if (!old || shape_.ownership_points == 0) return nullptr;
  const auto size = static_cast<std::size_t>(shape_.ownership_points) * sizeof(float);
  std::byte* memory = thread_arena.take(arena, size);
  if (memory) std::memcpy(memory, old, size);
  return reinterpret_cast<float*>(memory);
}

void Tree::keep_ownership(Extras* extras, std::span<const float> ownership,
                          ThreadArena& thread_arena) {
  if (!extras || ownership.empty() || extras->ownership.load(std::memory_order_relaxed)) return;
  std::byte* memory = thread_arena.take(*arena_, ownership.size() * sizeof(float));
  if (!memory) return;
  std::memcpy(memory, ownership.data(), ownership.size() * sizeof(float));
  extras->ownership.store(reinterpret_cast<float*>(memory), std::memory_order_release);
}

}  // namespace kibitz
