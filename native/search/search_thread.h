// One thread of a search: it descends to leaves, has them evaluated together, and backs them up.
//
// Threads: an object belongs to the thread that made it. It shares the search's state with the
// other threads, by the rules in the headers of its parts; a node is expanded by the thread that
// claims it first. `round` blocks only inside the evaluator and the oracle.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/descending.h"
#include "base/rng.h"
#include "games/sample.h"
#include "search/human_policy.h"
#include "search/recommendation.h"
#include "search/search_state.h"

namespace kibitz {

/// Priors at a softmax temperature; above 1 flattens them.
inline void apply_temperature(std::span<float> priors, double temperature) {
  if (temperature == 1.0) return;
  const auto power = static_cast<float>(1.0 / temperature);
  float sum = 0.0f;
  for (float& prior : priors) sum += prior = std::pow(prior, power);
  if (sum > 0.0f)
    for (float& prior : priors) prior /= sum;
}

/// The child that a descent goes on to from `at`, `depth` plies below the root.
template <class Rule>
ChosenChild choose_child(const Rule& rule, const SearchParts& search,
                         const SelectionContext& selection, const Step& at, int depth, Rng& rng) {
  const Root& root = search.root;
  if (search.tree.shape().human) {
    const ChosenChild chosen =
        choose_as_human(search.options, selection, *at.node, at.extras, at.mover, depth, root, rng);
    if (chosen.index >= 0) return chosen;
  }
  if (depth == 0) return {select_at_root(rule, selection, *at.node, at.extras, root, rng)};
  return {select_below_root(rule, selection, *at.node, at.extras, at.mover, depth, root)};
}

template <Game G>
class SearchThread {
 public:
  SearchThread(SearchState<G>& search, int index)
      : search_(search),
        evaluator_(*search.evaluator),
        rng_(static_cast<std::uint64_t>(search.options.seed), static_cast<std::uint64_t>(index)),
        human_(search),
        batch_(static_cast<std::size_t>(search.options.batch), Pending(search.position)) {
    if (search.oracle && search.options.solve_leaves > 0) oracle_ = search.oracle->clone();
  }

  /// Makes the root's children and compiles the plan for them. One thread does this, before any
  /// other goes on; throws std::bad_alloc when there is no memory for them.
  void open_root() {
    if (const auto leaves = begin_root(); !leaves.empty()) evaluator_.evaluate(leaves, rng_);
    finish_root();
  }
  /// Gathers a batch of leaves and evaluates it.
  template <class Rule>
  void round(const Rule& rule) {
    const auto leaves = gather(rule);
    if (leaves.empty()) return;
    evaluator_.evaluate(leaves, rng_);
    if (human_.asked_below()) {
      for (std::size_t i = 0; i < asked_; ++i)
        if (Pending& pending = batch_[i]; pending.expands)
          human_.add(pending.position, pending.path, leaves_[i].moves, pending.human);
      human_.ask(rng_);
    }
    absorb();
  }

  /// The same in steps, for whoever evaluates the leaves of several searches together: leaves to be
  /// evaluated, which stay where they are until they are absorbed. Empty leaves need no absorbing.
  std::span<Leaf<G>> begin_root();
  void finish_root();
  template <class Rule>
  std::span<Leaf<G>> gather(const Rule& rule);
  void absorb();
  /// Lets this search's own random numbers decide in which symmetry leaves are shown, so that it
  /// does not matter with whose they are evaluated.
  void draw_symmetries(std::span<Leaf<G>> leaves);
  Rng& rng() { return rng_; }

  /// True when this thread found no budget left; the others may still have some.
  bool spent() const { return spent_; }
  /// Adds what it has finished to the counters that all share.
  void flush();

 private:
  /// A descent waiting for its evaluation.
  struct Pending {
    G position;
    Path path;
    MoveList<G> moves;
    std::vector<float> priors, ownership;
    std::vector<float> human;  // the human model's priors; empty where it was not asked
    bool expands = false;
    explicit Pending(const G& at) : position(at) {}
    void list_moves() {
      moves.clear();
      position.legal_moves(moves);
    }
  };
  enum class Descent { kLeaf, kDone, kCollision, kNoBudget };
  /// Visits beyond which one more under way changes nothing, so threads need not tell each other.
  static constexpr std::uint32_t kMuchVisited = 1024;

  template <class Rule>
  Descent descend(const Rule& rule, Pending& pending);
  Descent arrive_settled(Pending& pending);
  bool settle_leaf(Pending& pending);
  bool repeats_itself(const G& position, int depth) const;
  void settle_from(const Path& path, std::size_t last);

  std::span<Leaf<G>> prepare(std::size_t count);
  void prepare_leaf(Pending& pending, Leaf<G>& leaf);
  void evaluate_root_again();

  bool expand(Node& node, Pending& pending);
  bool make_children(Node& node, std::span<const Move> moves, std::span<const float> priors,
                     std::span<const float> human = {});

  void back_up(const Path& path, const Outcome& outcome);
  void check_time();

  SearchState<G>& search_;
  Evaluator<G>& evaluator_;
  Rng rng_;
  HumanPolicy<G> human_;
  std::unique_ptr<Oracle<G>> oracle_;
  std::vector<Pending> batch_;
  std::vector<Leaf<G>> leaves_;
  std::size_t asked_ = 0;  // of the leaves, those to be backed up
  ThreadArena thread_arena_;
  Backup::PendingStats pending_;
  int max_depth_ = 0;
  unsigned ticks_ = 0;
  bool spent_ = false;
  std::int64_t granted_ = 0;  // iterations claimed and not yet begun
};

template <Game G>
std::span<Leaf<G>> SearchThread<G>::begin_root() {
  asked_ = 0;
  Node& root = search_.tree.root();
  Extras* extras = search_.tree.root_extras();
  if (!root.expanded()) {
    Pending& first = batch_.front();
    first.position = search_.position;
    first.path.assign(1, Step{&root, extras, search_.mover});
    if (evaluator_.gives_priors()) {
      first.list_moves();
      first.expands = true;
      return prepare(1);
    }
    expand(root, first);
  } else if (extras && root.visits()) {
    evaluate_root_again();
    search_.utility.center_on(extras->mean(kScore, root.visits()));
  }
  return {};
}

template <Game G>
void SearchThread<G>::finish_root() {
  Node& root = search_.tree.root();
  absorb();
  if (!root.expanded()) throw std::bad_alloc();
  if (search_.tree.shape().human) human_.ask_about_root(rng_);
  std::vector<Move> images;
  if constexpr (requires { twin(search_.position, Move{}); }) {
    if (search_.options.root_symmetry)
      for (const Node& kid : root.children()) images.push_back(twin(search_.position, kid.move));
  }
  search_.root.open(root, search_.tree.root_extras(), search_.mover, search_.plan, search_.options,
                    images, search_.position.hash(), search_.tree.human_edges(root));
  // A proof made where this node was an inner one may rest on an oracle that left no best move, so
  // the root's own bounds are always those of its children.
  root.set_bounds(Bounds{});
  search_.root_settled =
      search_.proofs && search_.backup.combined(root, search_.mover, true).settled();
  search_.budget.set_limit(root.visits() - search_.root.guarantees().had_already(),
                           search_.root.may_choose());
}

/// A node that becomes the root may look otherwise to a network than it did inside the tree, and
/// the raw network output that is reported is the root's.
template <Game G>
void SearchThread<G>::evaluate_root_again() {
  if constexpr (requires { typename G::History; }) {
    if (!evaluator_.gives_priors()) return;
    Pending& again = batch_.front();
    again.position = search_.position;
    again.path.assign(1, Step{&search_.tree.root(), search_.tree.root_extras(), search_.mover});
    again.moves.clear();
    const auto kids = search_.tree.root().children();
    for (const Node& kid : kids) again.moves.push(kid.move);
    again.expands = true;
    Leaf<G> leaf;
    prepare_leaf(again, leaf);
    evaluator_.evaluate({&leaf, 1}, rng_);
    apply_temperature(again.priors, search_.options.policy_temperature);
    for (std::size_t i = 0; i < kids.size(); ++i) kids[i].prior = again.priors[i];
    search_.root_outcome = leaf.outcome;
    Extras& extras = *search_.tree.root_extras();
    const double value = search_.utility.value(leaf.outcome);
    extras.set_own(quantities_of(leaf.outcome, value), value,
                   search_.backup.weight_of(leaf.outcome));
    if (float* kept = extras.ownership.load())
      std::copy(again.ownership.begin(), again.ownership.end(), kept);
    else
      search_.tree.keep_ownership(&extras, again.ownership, thread_arena_);
  }
}

template <Game G>
template <class Rule>
std::span<Leaf<G>> SearchThread<G>::gather(const Rule& rule) {
  std::size_t count = 0;
  std::size_t collisions = 0;
  const Node* met = nullptr;
  bool spent = false;
  while (count < batch_.size() && !search_.budget.stopping()) {
    Pending& pending = batch_[count];
    const Descent end = descend(rule, pending);
    if (end == Descent::kLeaf) ++count;
    if (end == Descent::kDone) check_time();
    spent = end == Descent::kNoBudget;
    if (spent) break;
    if (end != Descent::kCollision) continue;
    // A collision leaves the tree as it was, so the next descent ends at the same leaf unless
    // another thread changes something meanwhile, or chance plays a part.
    const Node* leaf = pending.path.back().node;
    const bool chance = search_.root.noisy() || search_.tree.shape().human;
    const bool again = !chance && (search_.exclusive || leaf == met);
    if (again || ++collisions >= batch_.size()) break;
    met = leaf;
  }
  spent_ = spent;
  if (count == 0 && met) std::this_thread::yield();
  return prepare(count);
}

// -- descending -----------------------------------------------------------------------------------

template <Game G>
template <class Rule>
typename SearchThread<G>::Descent SearchThread<G>::descend(const Rule& rule, Pending& pending) {
  Guarantees& guarantees = search_.root.guarantees();
  const bool guarantees_left = guarantees.left();
  const bool due = guarantees_left && guarantees.is_due(search_.budget.claimed());
  int guaranteed = due ? guarantees.take() : -1;
  if (guaranteed < 0 &&
      (search_.root_settled.load(std::memory_order_relaxed) || !search_.budget.claim(granted_))) {
    if (guarantees_left) guaranteed = guarantees.take();
    if (guaranteed < 0) return Descent::kNoBudget;
  }

  pending.position = search_.position;
  pending.path.clear();
  pending.expands = false;
  pending.human.clear();
  Node* node = &search_.tree.root();
  Extras* extras = search_.tree.root_extras();
  pending.path.push_back({node, extras, search_.mover});
  const SelectionContext selection = search_.selection();
  const bool wants_priors = evaluator_.gives_priors();
  ChosenChild chosen{guaranteed};
  if (guaranteed < 0 && search_.root.comparison().active()) {
    chosen.index = search_.root.comparison().choose();
    if (chosen.index < 0) {
      search_.budget.give_back();
      search_.budget.stop(StopReason::kDecided);
      return Descent::kNoBudget;
    }
  } else if (guaranteed < 0) {
    chosen = choose_child(rule, search_, selection, pending.path.back(), 0, rng_);
  }
  for (int depth = 1;; ++depth) {
    const int index = chosen.index;
    if (index < 0) {  // every child is settled, though a race kept the news from this node
      settle_from(pending.path, pending.path.size());
      return arrive_settled(pending);
    }
    const bool made = search_.tree.shape().human && chosen.counted && index != guaranteed &&
                      take_weightless(*node, index);
    if (made) {
      search_.backup.add_made(pending_, pending.path, static_cast<std::size_t>(index));
      flush();
      return Descent::kDone;
    }
    if (search_.tree.shape().extras)
      extras = search_.tree.extras_at(node->extras_of_children()[index], thread_arena_);
    node = &node->children()[static_cast<std::size_t>(index)];
    pending.position.play(node->move);
    const int mover = pending.position.to_move();
    pending.path.push_back({node, extras, mover, false, chosen.counted});
    if (search_.count_pending && (search_.exclusive || node->visits() < kMuchVisited)) {
      bump(node->counts, Node::kPendingOne, search_.exclusive);
      pending.path.back().pending = true;
    }
    if (node->bounds().settled()) return arrive_settled(pending);
    if (!node->expanded()) {
      const bool unknown = node->visits() == 0 || search_.utility.differs();
      if (unknown && settle_leaf(pending)) return Descent::kDone;
      if (depth > max_depth_) {
        max_depth_ = depth;
        search_.budget.note_depth(depth);
      }
      if (repeats_itself(pending.position, depth)) {
        back_up(pending.path, Outcome{0.5f, 1.0f, 0.0f});
        return Descent::kDone;
      }
      const bool full = search_.tree.full();
      // The same evaluation again and again would favour leaves that were never looked into. A
      // search apart makes its guaranteed visits all the same.
      if (full && !search_.separate_tree && !evaluator_.varies())
        search_.budget.stop(StopReason::kMemory);
      const bool may_expand =
          !full && (search_.options.tree_depth == 0 || depth < search_.options.tree_depth);
      if (wants_priors && may_expand) {
        if (node->claimed.exchange(true, std::memory_order_relaxed)) {
          search_.backup.abandon(pending.path);
          if (guaranteed < 0)
            search_.budget.give_back();
          else
            guarantees.give_back(guaranteed);
          return Descent::kCollision;
        }
        pending.list_moves();
        pending.expands = true;
        return Descent::kLeaf;
      }
      if (wants_priors || !may_expand || node->visits() == 0 || !expand(*node, pending))
        return Descent::kLeaf;
    }
    chosen = choose_child(rule, search_, selection, pending.path.back(), depth, rng_);
  }
}

template <Game G>
typename SearchThread<G>::Descent SearchThread<G>::arrive_settled(Pending& pending) {
  const Node& node = *pending.path.back().node;
  const Bounds known = node.bounds();
  Outcome outcome;
  outcome.value = static_cast<float>(
      known.settled() || node.visits() == 0 ? known.clamp(0.5) : known.clamp(node.mean()));
  outcome.draw = known.settled() && known.low == 1 ? 1.0f : 0.0f;
  back_up(pending.path, outcome);
  return Descent::kDone;
}

/// A new leaf that is the end of the game, or that the oracle knows, needs no evaluation ever.
template <Game G>
bool SearchThread<G>::settle_leaf(Pending& pending) {
  const G& position = pending.position;
  Outcome outcome;
  if (position.is_over()) {
    outcome.value = position.result();
    if constexpr (requires { position.score(); })
      outcome.score = outcome.lead = static_cast<float>(position.score());
  } else if (oracle_) {
    const auto result = oracle_->result(position);
    if (!result) return false;
    outcome.value = 0.5f * static_cast<float>(*result);
  } else {
    return false;
  }
  outcome.draw = outcome.value == 0.5f ? 1.0f : 0.0f;
  // Where margins count, a proven result does not say all there is to say about a move; where draws
  // are weighed, a proven draw is not worth half a point.
  const Step& leaf = pending.path.back();
  const auto half_points = static_cast<std::uint8_t>(2.0f * outcome.value + 0.5f);
  if (!search_.utility.counts() && !(half_points == 1 && search_.utility.weighs_draws()))
    leaf.node->set_bounds({half_points, half_points});
  if constexpr (requires { write_owners(position, nullptr); }) {
    const int points = search_.tree.shape().ownership_points;
    if (points && position.is_over()) {
      pending.ownership.resize(static_cast<std::size_t>(points));
      write_owners(position, pending.ownership.data());
      search_.tree.keep_ownership(leaf.extras, pending.ownership, thread_arena_);
    }
  }
  back_up(pending.path, outcome);
  if (search_.proofs && pending.path.back().node->bounds().settled())
    settle_from(pending.path, pending.path.size() - 1);
  return true;
}

/// A line that comes back to where it was has found nothing. That is a draw here and now, but no
/// proof: once the game has moved on, the first of the two positions may lie outside the tree.
template <Game G>
bool SearchThread<G>::repeats_itself(const G& position, int depth) const {
  if constexpr (requires { position.repeats_within(depth); })
    return search_.options.two_fold_draws && position.repeats_within(depth);
  return false;
}

template <Game G>
void SearchThread<G>::settle_from(const Path& path, std::size_t last) {
  if (search_.backup.settle_from(path, last))
    search_.root_settled.store(true, std::memory_order_relaxed);
}

// -- evaluating -----------------------------------------------------------------------------------

/// The first `count` of the batch as leaves.
template <Game G>
std::span<Leaf<G>> SearchThread<G>::prepare(std::size_t count) {
  asked_ = count;
  leaves_.resize(count);
  for (std::size_t i = 0; i < count; ++i) prepare_leaf(batch_[i], leaves_[i]);
  return leaves_;
}

template <Game G>
void SearchThread<G>::draw_symmetries(std::span<Leaf<G>> leaves) {
  if constexpr (requires { Sample<G>::symmetry_count(search_.position); }) {
    for (Leaf<G>& leaf : leaves)
      if (leaf.turned || leaf.symmetries > 1)
        leaf.symmetry = static_cast<int>(
            rng_.below(static_cast<std::uint32_t>(Sample<G>::symmetry_count(*leaf.position))));
  }
}

template <Game G>
void SearchThread<G>::absorb() {
  const std::size_t asked = std::exchange(asked_, 0);
  for (std::size_t i = 0; i < asked; ++i) {
    Pending& pending = batch_[i];
    const Step& leaf = pending.path.back();
    Outcome& outcome = leaves_[i].outcome;
    if (search_.rescale.changes()) search_.rescale.apply(outcome);
    if (pending.expands) {
      apply_temperature(pending.priors, search_.options.policy_temperature);
      if (!make_children(*leaf.node, leaves_[i].moves, pending.priors, pending.human))
        leaf.node->claimed.store(false, std::memory_order_relaxed);
    }
    if (pending.path.size() == 1) {  // the root itself
      search_.utility.center_on(outcome.score);
      search_.root_outcome = outcome;
    }
    search_.tree.keep_ownership(leaf.extras, pending.ownership, thread_arena_);
    if constexpr (requires { local_key(pending.position); })
      if (pending.path.size() > 1)
        search_.backup.attach_bias(leaf.extras, local_key(pending.position));
    back_up(pending.path, outcome);
    check_time();
  }
}

template <Game G>
void SearchThread<G>::prepare_leaf(Pending& pending, Leaf<G>& leaf) {
  const Options& options = search_.options;
  const bool at_root = pending.path.size() == 1;
  leaf.position = &pending.position;
  leaf.outcome = Outcome{};
  leaf.turned = options.symmetry == SymmetryUse::kRandom;
  leaf.symmetry = -1;
  leaf.symmetries = at_root ? static_cast<int>(options.root_symmetries) : 1;
  leaf.remembered = !search_.separate_tree || (!leaf.turned && leaf.symmetries == 1);
  leaf.policy_optimism =
      static_cast<float>(at_root ? options.root_policy_optimism : options.policy_optimism);
  leaf.moves = {};
  leaf.priors = {};
  pending.ownership.resize(static_cast<std::size_t>(search_.tree.shape().ownership_points));
  leaf.ownership = pending.ownership;
  if (!pending.expands) return;
  const auto size = static_cast<std::size_t>(pending.moves.size());
  pending.priors.assign(size, 1.0f / static_cast<float>(size));
  leaf.moves = {pending.moves.begin(), size};
  leaf.priors = pending.priors;
}

// -- growing --------------------------------------------------------------------------------------

template <Game G>
bool SearchThread<G>::expand(Node& node, Pending& pending) {
  const G& position = pending.position;
  if (node.claimed.exchange(true, std::memory_order_relaxed)) return node.expanded();
  MoveList<G> moves;
  position.legal_moves(moves);
  const auto size = static_cast<std::size_t>(moves.size());
  // Moves of equal prior are tried in random order: the board's geometry must not decide for us.
  for (int i = moves.size() - 1; i > 0; --i)
    std::swap(moves[i], moves[static_cast<int>(rng_.below(static_cast<std::uint32_t>(i + 1)))]);
  std::array<float, static_cast<std::size_t>(G::kMaxMoves)> priors;
  std::fill_n(priors.begin(), size, 1.0f / static_cast<float>(size));
  if (search_.priors) search_.priors(position, {moves.begin(), size}, {priors.data(), size});
  if (human_.asked_below() && pending.path.size() > 1) {
    human_.add(position, pending.path, {moves.begin(), size}, pending.human);
    human_.ask(rng_);
  }
  if (make_children(node, {moves.begin(), size}, {priors.data(), size}, pending.human)) return true;
  node.claimed.store(false, std::memory_order_relaxed);
  return false;
}

/// Makes a node's children all at once, likeliest first.
template <Game G>
bool SearchThread<G>::make_children(Node& node, std::span<const Move> moves,
                                    std::span<const float> priors, std::span<const float> human) {
  Node* kids = search_.tree.new_family(moves.size(), thread_arena_);
  if (!kids) return false;
  std::array<std::uint16_t, static_cast<std::size_t>(G::kMaxMoves)> order;
  if (search_.priors || evaluator_.gives_priors())
    order_descending(priors, order);
  else
    std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(moves.size()), 0);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    kids[i].move = moves[order[i]];
    kids[i].prior = priors[order[i]];
    if (!human.empty()) human_edges_before(kids, moves.size())[i].prior = human[order[i]];
  }
  search_.tree.publish(node, kids, moves.size(), search_.exclusive);
  return true;
}

// -- counting -------------------------------------------------------------------------------------

template <Game G>
void SearchThread<G>::back_up(const Path& path, const Outcome& outcome) {
  search_.backup.add(pending_, path, outcome);
  // Alone, or with a network, the counters are as good as private: they are kept to the visit.
  if (search_.exclusive || evaluator_.gives_priors() || pending_.finished >= 16) flush();
}

template <Game G>
void SearchThread<G>::flush() {
  if (pending_.finished == 0) return;
  const std::int64_t count = pending_.finished;
  const std::int64_t before = search_.budget.add_finished(count, pending_.depths);
  const std::int64_t after = before + count;
  search_.backup.flush(pending_);
  if (!search_.root.is_open()) return;
  const auto passed = [&](std::int64_t period) { return before / period != after / period; };
  const Options& options = search_.options;
  if (options.early_stop > 0 && passed(64) && Recommendation(search_).decided())
    search_.budget.stop(StopReason::kDecided);
  if (options.prune != RootPruning::kNone && passed(options.prune_period))
    search_.root.prune(after);
}

template <Game G>
void SearchThread<G>::check_time() {
  // Reading the clock is expensive beside a playout and nothing beside a network's batch.
  const bool due = evaluator_.gives_priors() || (++ticks_ & 15) == 0;
  if (due && search_.budget.out_of_time()) search_.budget.stop(StopReason::kTime);
}

}  // namespace kibitz
