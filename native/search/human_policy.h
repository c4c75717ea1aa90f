// Asks the human model about positions of a search that explores with its policy
// (search/human_explore.h): the root before the search runs, nodes below it as they are expanded.
//
// Threads: an object belongs to one search thread. `ask` blocks inside the human model's evaluator.
// Ownership: the search's state must outlive it; positions and moves are those of the caller until
// `ask` returns.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <vector>

#include "base/rng.h"
#include "search/human_explore.h"
#include "search/search_state.h"

namespace kibitz {

template <Game G>
class HumanPolicy {
 public:
  explicit HumanPolicy(const SearchState<G>& search) : search_(search) {}

  /// Do nodes below the root need its word?
  bool asked_below() const { return search_.tree.shape().human && explores_below(search_.options); }
  /// To be asked about the moves at the end of `path`; the answer goes to `priors`.
  void add(const G& position, const Path& path, std::span<const Move> moves,
           std::vector<float>& priors) {
    Leaf<G>& leaf = leaves_.emplace_back();
    leaf.position = &shown_.emplace_back(shown(position, path));
    leaf.turned = search_.options.symmetry == SymmetryUse::kRandom;
    if (path.size() == 1) leaf.symmetries = static_cast<int>(search_.options.root_symmetries);
    priors.assign(moves.size(), 0.0f);
    leaf.moves = moves;
    leaf.priors = priors;
  }
  /// The model is one network for each side to move, as the players' ranks may differ.
  void ask(Rng& rng) {
    const auto first = [](const Leaf<G>& leaf) { return leaf.position->to_move() == 0; };
    const auto second = std::stable_partition(leaves_.begin(), leaves_.end(), first);
    const auto count = static_cast<std::size_t>(second - leaves_.begin());
    const std::span<Leaf<G>> all(leaves_);
    if (count > 0) search_.human[0]->evaluate(all.first(count), rng);
    if (count < all.size()) search_.human[1]->evaluate(all.subspan(count), rng);
    leaves_.clear();
    shown_.clear();
  }
  /// The root may look otherwise to a network than inside the tree, so it is always asked about.
  void ask_about_root(Rng& rng) {
    const Node& root = search_.tree.root();
    std::vector<Move> moves;
    for (const Node& kid : root.children()) moves.push_back(kid.move);
    std::vector<float> priors;
    add(search_.position, Path(1), moves, priors);
    ask(rng);
    for (std::size_t i = 0; i < priors.size(); ++i) root.human_edges()[i].prior = priors[i];
  }

 private:
  /// The position at the end of a descent, written for networks as the human model wants it.
  G shown(const G& position, const Path& path) const {
    if (!search_.human_position) return position;
    G out = *search_.human_position;
    for (std::size_t i = 1; i < path.size(); ++i) out.play(path[i].node->move);
    return out;
  }

  const SearchState<G>& search_;
  std::deque<G> shown_;  // what the leaves point to
  std::vector<Leaf<G>> leaves_;
};

}  // namespace kibitz
