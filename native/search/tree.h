// The tree: its memory, its nodes, and what is kept of it when a move is played.
//
// Ownership: the tree owns every node, extras and ownership map that it hands out, and the value
// biases that extras point to. All of them die with `reset` and `advance`.
//
// Threads: `new_family`, `publish`, `extras_at` and `keep_ownership` may be called by all search
// threads at once, each with a ThreadArena of its own; they block only for a new block of memory.
// `reset` and `advance` may be called only while no search runs. Everything else may be read at any
// time.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <span>

#include "search/arena.h"
#include "search/node.h"
#include "search/value_bias.h"

namespace kibitz {

/// What is kept for every node, and how. Trees of different shapes cannot be joined.
struct TreeShape {
  bool extras = false;       // sums beyond the value (see Extras)
  int ownership_points = 0;  // numbers kept for each evaluated node
  bool weighted = false;     // sums are made as backup=weighted does
  bool human = false;        // what the human model says of each child (see HumanEdge)
  bool operator==(const TreeShape&) const = default;
};

class Tree {
 public:
  /// Drops everything; the tree that grows now may take `memory_bytes`.
  void reset(std::size_t memory_bytes, const TreeShape& shape);
  /// The child behind `move` becomes the root with all that is known below it, in fresh memory of
  /// `memory_bytes`; a blank root where there is no such child, or `keep` is false.
  void advance(Move move, bool keep, std::size_t memory_bytes);

  const TreeShape& shape() const { return shape_; }
  Node& root() { return root_; }
  const Node& root() const { return root_; }
  /// Null where none are kept, as for every node.
  Extras* root_extras() { return shape_.extras ? &root_extras_ : nullptr; }
  const Extras* root_extras() const { return shape_.extras ? &root_extras_ : nullptr; }

  /// What is kept of a node's children for the human model; null where nothing is.
  HumanEdge* human_edges(const Node& node) const {
    return shape_.human && node.expanded() ? node.human_edges() : nullptr;
  }

  /// Room for the children of one node, to be filled and published; null when memory is used up.
  Node* new_family(std::size_t count, ThreadArena& thread_arena) {
    Node* family = new_family(count, thread_arena, *arena_);
    if (!family) full_.store(true, std::memory_order_relaxed);
    return family;
  }
  /// Shows a node's children to everybody.
  void publish(Node& node, Node* children, std::size_t count, bool exclusive) {
    node.publish_children(children, count);
    bump(nodes_, static_cast<std::int64_t>(count), exclusive);
  }

  /// The extras of a child, made at its first visit; null when memory is used up.
  Extras* extras_at(std::atomic<Extras*>& slot, ThreadArena& thread_arena) {
    Extras* known = slot.load(std::memory_order_acquire);
    if (known) return known;
    std::byte* memory = thread_arena.take(*arena_, sizeof(Extras));
    if (!memory) return nullptr;
    Extras* fresh = new (memory) Extras;
    // Another thread may have been quicker; then ours is left unused.
    return slot.compare_exchange_strong(known, fresh, std::memory_order_acq_rel) ? fresh : known;
  }
  /// Keeps what a node's own evaluation says of ownership, the first time.
  void keep_ownership(Extras* extras, std::span<const float> ownership, ThreadArena& thread_arena);
  /// The value bias of a local sequence.
  ValueBias* bias_at(std::uint64_t key) { return biases_->at(key); }

  /// True once a family did not fit: from then on nothing is expanded.
  bool full() const { return full_.load(std::memory_order_relaxed); }
  std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  std::size_t memory_used() const { return arena_->used(); }

 private:
  Node* new_family(std::size_t count, ThreadArena& thread_arena, Arena& arena) const;
  void clear_root();
  void clear_root_extras();
  void copy_families(const Node& from, Node& to, ThreadArena& thread_arena, Arena& arena);
  void copy_extras(const Node& from, const Node& to, ThreadArena& thread_arena, Arena& arena);
  float* copied_ownership(const Extras& from, ThreadArena& thread_arena, Arena& arena) const;

  std::unique_ptr<Arena> arena_;
  std::unique_ptr<ValueBiasTable> biases_;
  TreeShape shape_;
  Node root_;
  Extras root_extras_;
  std::atomic<std::int64_t> nodes_{0};
  std::atomic<bool> full_{false};
};

}  // namespace kibitz
