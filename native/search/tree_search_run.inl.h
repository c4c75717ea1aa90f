// How the tree search runs: threads, descents, expansion, backing up. Included by tree_search.h.
#pragma once

#include <algorithm>
#include <numeric>

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
  root_position_ = position;
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
  root_open_.store(false, std::memory_order_release);
}

template <Game G>
void TreeSearch<G>::advance(Move move) {
  Node* kept = nullptr;
  Extras* kept_extras = nullptr;
  const auto kids = root_.children();
  for (auto& kid : kids) {
    if (kid.move != move) continue;
    kept = &kid;
    if (extras_) kept_extras = root_.extras_of_children() + (&kid - kids.data());
  }
  root_position_.play(move);
  auto fresh = std::make_unique<Arena>(static_cast<std::size_t>(options_.memory_mb) << 20);
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
    if (kept_extras) root_extras_.take(*kept_extras);
    root_open_.store(false, std::memory_order_release);
  }
  arena_ = std::move(fresh);
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
    if (extras_)
      for (std::size_t i = 0; i < kids.size(); ++i)
        target->extras_of_children()[i].take(source->extras_of_children()[i]);
  }
}

template <Game G>
Node* TreeSearch<G>::new_family(std::size_t count, Shelf& shelf, Arena& arena) const {
  const std::size_t each = sizeof(Node) + (extras_ ? sizeof(Extras) : 0);
  std::byte* memory = shelf.take(arena, count * each);
  if (!memory) return nullptr;
  Node* first = reinterpret_cast<Node*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (first + i) Node;
  if (extras_)
    for (std::size_t i = 0; i < count; ++i)
      new (reinterpret_cast<Extras*>(first + count) + i) Extras;
  return first;
}

// ---- starting and stopping -------------------------------------------------------------------

template <Game G>
void TreeSearch<G>::start(const Plan& plan, const Budget& budget) {
  wait(0);
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  plan_ = plan;
  budget_ = budget;
  plan_reach_ = plan.reach();
  prunes_ = options_.prune != "none";
  if (prunes_) plan_reach_ = std::max(plan_reach_, 1);
  exclusive_ = options_.threads == 1;
  count_pending_ = !exclusive_ || options_.batch > 1;
  if (extras_ != evaluator_->gives_extras()) {
    reset(root_position_);  // families of another shape
    extras_ = evaluator_->gives_extras();
  }
  reused_ = root_.visits();
  claimed_ = 0;
  finished_ = 0;
  depth_ = 0;
  stopping_ = false;
  root_settled_ = false;
  owing_ = false;
  root_open_.store(false, std::memory_order_release);
  error_ = nullptr;
  reason_ = StopReason::kRunning;
  watch_.restart();
  active_ = static_cast<int>(options_.threads);
  running_.store(true, std::memory_order_release);
  for (int i = 0; i < options_.threads; ++i)
    threads_.emplace_back([this, i] {
      if (options_.rule == "puct")
        run<Puct>(i);
      else if (options_.rule == "classic")
        run<ClassicUcb>(i);
      else
        run<Ucb1>(i);
    });
}

template <Game G>
bool TreeSearch<G>::wait(double seconds) {
  std::unique_lock lock(mutex_);
  const auto done = [this] { return active_ == 0; };
  if (!ended_.wait_for(lock, std::chrono::duration<double>(seconds), done)) return false;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return true;
}

template <Game G>
void TreeSearch<G>::stop() {
  finish(StopReason::kStopped);
}

template <Game G>
void TreeSearch<G>::finish(StopReason reason) {
  auto expected = StopReason::kRunning;
  reason_.compare_exchange_strong(expected, reason);
  stopping_.store(true, std::memory_order_relaxed);
}

template <Game G>
template <class Rule>
void TreeSearch<G>::run(int index) {
  try {
    const Rule rule(options_);
    Worker worker(root_position_, static_cast<std::uint64_t>(options_.seed), index,
                  static_cast<int>(options_.batch));
    if (oracle_ && options_.solve_leaves > 0) worker.oracle = oracle_->clone();
    {
      // The first thread to come opens the root; the others wait here until it is open.
      const std::lock_guard lock(opening_);
      if (!root_open_.load(std::memory_order_acquire)) open_root(worker);
    }
    while (!stopping_.load(std::memory_order_relaxed)) gather_and_evaluate(rule, worker);
    const std::lock_guard lock(mutex_);
    depth_ = std::max(depth_.load(), worker.max_depth);
  } catch (...) {
    finish(StopReason::kStopped);
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  if (--active_ == 0) {
    seconds_ = watch_.seconds();
    running_.store(false, std::memory_order_release);
    ended_.notify_all();
  }
}

template <Game G>
void TreeSearch<G>::open_root(Worker& worker) {
  if (!root_.expanded()) {
    Pending& first = worker.batch.front();
    first.position = root_position_;
    first.path.assign(1, Step{&root_, extras_ ? &root_extras_ : nullptr, root_position_.to_move()});
    if (evaluator_->gives_priors()) {
      list_moves(first);
      first.expands = true;
      if (count_pending_) bump(root_.counts, Node::kPendingOne, exclusive_);
      evaluate(worker, 1);
    } else {
      expand(root_, root_position_, worker);
    }
    if (!root_.expanded()) throw std::bad_alloc();
  }
  const auto kids = root_.children();
  const int mover = root_position_.to_move();
  root_moves_ = std::vector<RootMove>(kids.size());
  guarantees_.clear();
  bool any_permitted = false;
  std::int64_t guaranteed_already = 0;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    root_moves_[i].permitted = plan_.permits(mover, kids[i].move, 0);
    root_moves_[i].weight = static_cast<float>(plan_.weight(kids[i].move, 0));
    any_permitted |= root_moves_[i].permitted;
  }
  for (const auto& guarantee : plan_.include) {
    for (std::size_t i = 0; i < kids.size(); ++i) {
      if (kids[i].move != guarantee.move || root_moves_[i].min_visits > 0) continue;
      const std::int64_t had = std::min<std::int64_t>(kids[i].visits(), guarantee.min_visits);
      root_moves_[i].min_visits = guarantee.min_visits;
      root_moves_[i].owed = guarantee.min_visits - had;
      guaranteed_already += had;
      guarantees_.emplace_back(static_cast<int>(i), guarantee.min_visits);
    }
  }
  owing_ = !guarantees_.empty();
  guaranteed_ = guaranteed_already;
  // A proof made where this node was an inner one may rest on an oracle that left no best move, so
  // the root's own bounds are always those of its children.
  root_.set_bounds(Bounds{});
  root_settled_ = options_.proofs && combined(root_, mover, true).settled();

  const auto by_visits = budget_.visits == std::numeric_limits<std::int64_t>::max()
                             ? budget_.visits
                             : budget_.visits - (root_.visits() - guaranteed_already);
  const auto by_simulations = budget_.simulations == std::numeric_limits<std::int64_t>::max()
                                  ? budget_.simulations
                                  : budget_.simulations - finished_.load();
  limit_ = any_permitted ? std::min(by_visits, by_simulations) : 0;
  limit_reason_ = by_visits < by_simulations ? StopReason::kVisits : StopReason::kSimulations;
  root_open_.store(true, std::memory_order_release);
}

// ---- one round of a thread -------------------------------------------------------------------

template <Game G>
template <class Rule>
void TreeSearch<G>::gather_and_evaluate(const Rule& rule, Worker& worker) {
  std::size_t count = 0;
  std::size_t collisions = 0;
  bool spent = false;
  while (count < worker.batch.size() && !stopping_.load(std::memory_order_relaxed)) {
    const Descent end = descend(rule, worker, worker.batch[count]);
    if (end == Descent::kLeaf) ++count;
    if (end == Descent::kNoBudget) spent = true;
    if (spent || (end == Descent::kCollision && ++collisions >= worker.batch.size())) break;
    if (end == Descent::kDone) after_iteration(worker);
  }
  if (count > 0) evaluate(worker, count);
  if (spent) finish(root_settled_ ? StopReason::kProven : limit_reason_);
  if (count == 0 && collisions > 0) std::this_thread::yield();
}

template <Game G>
void TreeSearch<G>::evaluate(Worker& worker, std::size_t count) {
  worker.leaves.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Pending& pending = worker.batch[i];
    Leaf<G>& leaf = worker.leaves[i];
    leaf.position = &pending.position;
    leaf.outcome = Outcome{};
    leaf.moves = {};
    leaf.priors = {};
    if (pending.expands) {
      const auto size = static_cast<std::size_t>(pending.moves.size());
      pending.priors.assign(size, 1.0f / static_cast<float>(size));
      leaf.moves = {pending.moves.begin(), size};
      leaf.priors = pending.priors;
    }
  }
  evaluator_->evaluate(worker.leaves, worker.rng);
  for (std::size_t i = 0; i < count; ++i) {
    Pending& pending = worker.batch[i];
    if (pending.expands) {
      Node& node = *pending.path.back().node;
      if (!make_children(node, worker.leaves[i].moves, pending.priors, worker))
        node.claimed.store(false, std::memory_order_relaxed);
    }
    back_up(pending.path, worker.leaves[i].outcome);
    after_iteration(worker);
  }
}

template <Game G>
void TreeSearch<G>::after_iteration(Worker& worker) {
  // Reading the clock is dear beside a playout and nothing beside a network's batch.
  const bool due = evaluator_->gives_priors() || (++worker.ticks & 15) == 0;
  if (due && watch_.seconds() >= budget_.seconds) finish(StopReason::kTime);
  const std::int64_t iteration = finished_.load(std::memory_order_relaxed);
  if (options_.early_stop && iteration % 64 == 0 && root_decided()) finish(StopReason::kDecided);
  if (prunes_ && iteration % options_.prune_period == 0) prune_root(iteration);
}

template <Game G>
int TreeSearch<G>::take_guarantee() {
  if (!owing_.load(std::memory_order_relaxed)) return -1;
  for (const auto& [index, minimum] : guarantees_) {
    auto& owed = root_moves_[static_cast<std::size_t>(index)].owed;
    if (owed.load(std::memory_order_relaxed) <= 0) continue;
    if (owed.fetch_sub(1, std::memory_order_relaxed) > 0) {
      guaranteed_.fetch_add(1, std::memory_order_relaxed);
      return index;
    }
    owed.fetch_add(1, std::memory_order_relaxed);
  }
  owing_.store(false, std::memory_order_relaxed);
  return -1;
}

template <Game G>
bool TreeSearch<G>::claim_iteration() {
  if (claimed_.load(std::memory_order_relaxed) >= limit_) return false;
  if (exclusive_) {
    claimed_.store(claimed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return true;
  }
  return claimed_.fetch_add(1, std::memory_order_relaxed) < limit_;
}

template <Game G>
template <class Rule>
typename TreeSearch<G>::Descent TreeSearch<G>::descend(const Rule& rule, Worker& worker,
                                                       Pending& pending) {
  const int guaranteed = take_guarantee();
  if (guaranteed < 0 && (root_settled_.load(std::memory_order_relaxed) || !claim_iteration()))
    return Descent::kNoBudget;

  pending.position = root_position_;
  pending.path.clear();
  pending.expands = false;
  Node* node = &root_;
  Extras* extras = extras_ ? &root_extras_ : nullptr;
  const bool wants_priors = evaluator_->gives_priors();
  for (int depth = 0;; ++depth) {
    const int mover = pending.position.to_move();
    pending.path.push_back({node, extras, mover});
    if (count_pending_) bump(node->counts, Node::kPendingOne, exclusive_);
    if (depth > 0) {
      if (node->bounds().settled()) return arrive_settled(pending);
      if (!node->expanded()) {
        if (node->visits() == 0 && settle_leaf(worker, pending)) return Descent::kDone;
        worker.max_depth = std::max(worker.max_depth, depth);
        const bool may_expand = !full_.load(std::memory_order_relaxed) &&
                                (options_.tree_depth == 0 || depth < options_.tree_depth);
        if (wants_priors && may_expand) {
          if (node->claimed.exchange(true, std::memory_order_relaxed)) {
            abandon(pending.path);
            give_back(guaranteed);
            return Descent::kCollision;
          }
          list_moves(pending);
          pending.expands = true;
          return Descent::kLeaf;
        }
        if (wants_priors || !may_expand || node->visits() == 0 ||
            !expand(*node, pending.position, worker))
          return Descent::kLeaf;
      }
    }
    const int index =
        depth == 0 && guaranteed >= 0 ? guaranteed : choose(rule, *node, mover, depth);
    if (index < 0) {  // every child is settled, though a race kept the news from this node
      settle_from(pending.path, pending.path.size());
      return arrive_settled(pending);
    }
    if (extras_) extras = node->extras_of_children() + index;
    node = &node->children()[static_cast<std::size_t>(index)];
    pending.position.play(node->move);
  }
}

template <Game G>
typename TreeSearch<G>::Descent TreeSearch<G>::arrive_settled(Pending& pending) {
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
bool TreeSearch<G>::settle_leaf(Worker& worker, Pending& pending) {
  const G& position = pending.position;
  Outcome outcome;
  if (position.is_over()) {
    outcome.value = position.result();
    if constexpr (requires { position.score(); })
      outcome.score = static_cast<float>(position.score());
  } else if (worker.oracle) {
    const auto result = worker.oracle->result(position);
    if (!result) return false;
    outcome.value = 0.5f * static_cast<float>(*result);
  } else {
    return false;
  }
  outcome.draw = outcome.value == 0.5f ? 1.0f : 0.0f;
  const auto half_points = static_cast<std::uint8_t>(2.0f * outcome.value + 0.5f);
  pending.path.back().node->set_bounds({half_points, half_points});
  back_up(pending.path, outcome);
  if (options_.proofs) settle_from(pending.path, pending.path.size() - 1);
  return true;
}

// ---- choosing --------------------------------------------------------------------------------

template <Game G>
template <class Rule>
int TreeSearch<G>::choose(const Rule& rule, const Node& node, int mover, int depth) const {
  if (depth >= plan_reach_) return choose_among<Rule, false>(rule, node, mover, depth);
  const int index = choose_among<Rule, true>(rule, node, mover, depth);
  // Restrictions below the root may leave a side nothing at all; then they do not bind there.
  if (index < 0 && depth > 0) return choose_among<Rule, false>(rule, node, mover, depth);
  return index;
}

template <Game G>
template <class Rule, bool kSteered>
int TreeSearch<G>::choose_among(const Rule& rule, const Node& node, int mover, int depth) const {
  const auto kids = node.children();
  const std::uint64_t counts = node.counts.load(std::memory_order_relaxed);
  NodeView about{};
  about.tries = static_cast<std::uint32_t>(counts) + static_cast<std::uint32_t>(counts >> 32);
  if constexpr (kSteered) {
    // Guaranteed visits are not the rule's own: they must not make it explore more.
    if (depth == 0)
      about.tries -= static_cast<std::uint32_t>(
          std::min<std::int64_t>(about.tries, guaranteed_.load(std::memory_order_relaxed)));
  }
  about.is_root = depth == 0;
  about.root_side = mover == root_position_.to_move();
  about.iterations = static_cast<std::uint64_t>(claimed_.load(std::memory_order_relaxed));
  if constexpr (Rule::kNeedsTriedPrior) {
    about.value = node.visits() ? mover_value(node, mover) : 0.5f;
    for (const Node& kid : kids)
      if (kid.counts.load(std::memory_order_relaxed)) about.tried_prior += kid.prior;
  }
  const auto view = rule.view(about);
  const bool proofs = options_.proofs;
  const Bounds own = node.bounds().of(mover);

  int best = -1;
  float best_score = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Node& kid = kids[i];
    ChildView child{0.0f, 0, kid.prior, 1.0f};
    if constexpr (kSteered) {
      if (depth == 0) {
        const RootMove& steer = root_moves_[i];
        if (!steer.permitted || steer.pruned.load(std::memory_order_relaxed)) continue;
        child.weight = steer.weight;
      } else {
        if (!plan_.permits(mover, kid.move, depth)) continue;
        child.weight = static_cast<float>(plan_.weight(kid.move, depth));
      }
    }
    const Bounds bounds = kid.bounds().of(mover);
    if (proofs && (bounds.settled() || bounds.high <= own.low)) continue;
    const std::uint64_t tally = kid.counts.load(std::memory_order_relaxed);
    const auto visits = static_cast<std::uint32_t>(tally);
    child.tries = visits + static_cast<std::uint32_t>(tally >> 32);
    if (child.tries) {
      const double sum = from_fixed(kid.value_sum.load(std::memory_order_relaxed));
      const double own_sum = mover == 0 ? sum : visits - sum;
      child.value = static_cast<float>(own_sum) / static_cast<float>(child.tries);
      if (bounds.known()) child.value = static_cast<float>(bounds.clamp(child.value));
    }
    const float score = rule.score(view, child);
    if (score > best_score) {
      best_score = score;
      best = static_cast<int>(i);
      if (score == kTryFirst) break;
    }
  }
  return best;
}

// ---- growing the tree ------------------------------------------------------------------------

template <Game G>
void TreeSearch<G>::list_moves(Pending& pending) const {
  pending.moves.clear();
  pending.position.legal_moves(pending.moves);
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
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(moves.size());
  std::iota(order.begin(), last, std::uint16_t{0});
  if (priors_ || evaluator_->gives_priors())
    std::stable_sort(order.begin(), last,
                     [&](std::uint16_t a, std::uint16_t b) { return priors[a] > priors[b]; });
  for (std::size_t i = 0; i < moves.size(); ++i) {
    kids[i].move = moves[order[i]];
    kids[i].prior = priors[order[i]];
  }
  node.publish_children(kids, moves.size());
  bump(nodes_, static_cast<std::int64_t>(moves.size()), exclusive_);
  return true;
}

// ---- backing up ------------------------------------------------------------------------------

template <Game G>
void TreeSearch<G>::back_up(const std::vector<Step>& path, const Outcome& outcome) {
  const std::uint64_t one = count_pending_ ? 1 - Node::kPendingOne : 1;
  const std::int64_t value = to_fixed(outcome.value);
  for (const Step& step : path) {
    bump(step.node->counts, one, exclusive_);
    bump(step.node->value_sum, value, exclusive_);
    if (step.extras) step.extras->add(outcome.value, outcome.draw, outcome.score, exclusive_);
  }
  bump(finished_, std::int64_t{1}, exclusive_);
}

template <Game G>
void TreeSearch<G>::abandon(const std::vector<Step>& path) {
  for (const Step& step : path) bump(step.node->counts, ~Node::kPendingOne + 1, exclusive_);
}

template <Game G>
void TreeSearch<G>::give_back(int guaranteed) {
  if (guaranteed < 0) {
    claimed_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  root_moves_[static_cast<std::size_t>(guaranteed)].owed.fetch_add(1, std::memory_order_relaxed);
  guaranteed_.fetch_sub(1, std::memory_order_relaxed);
  owing_.store(true, std::memory_order_relaxed);
}

/// Carries proven bounds from path[last] up to the root, as far as they change anything.
template <Game G>
void TreeSearch<G>::settle_from(const std::vector<Step>& path, std::size_t last) {
  for (std::size_t i = last; i-- > 0;) {
    Node& node = *path[i].node;
    const Bounds fresh = combined(node, path[i].mover, i == 0);
    if (i == 0) {
      if (fresh.settled()) root_settled_.store(true, std::memory_order_relaxed);
      if (!plan_.restricts(0)) node.set_bounds(fresh);
      return;
    }
    // What is proven among the permitted moves only would be wrong in a later, freer search.
    if (plan_.restricts(static_cast<int>(i))) return;
    const Bounds old = node.bounds();
    const Bounds merged{std::max(old.low, fresh.low), std::min(old.high, fresh.high)};
    if (merged == old) return;
    node.set_bounds(merged);
  }
}

template <Game G>
Bounds TreeSearch<G>::combined(const Node& node, int mover, bool is_root) const {
  // The mover takes its best child: the greatest of both ends, seen from its own side.
  Bounds own{0, 0};
  const auto kids = node.children();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (is_root && !root_moves_[i].permitted && root_moves_[i].min_visits == 0) continue;
    const Bounds kid = kids[i].bounds().of(mover);
    own.low = std::max(own.low, kid.low);
    own.high = std::max(own.high, kid.high);
  }
  return own.of(mover);  // turning is its own inverse
}

// ---- looking after the root ------------------------------------------------------------------

template <Game G>
void TreeSearch<G>::prune_root(std::int64_t iteration) {
  const auto kids = root_.children();
  const int mover = root_position_.to_move();
  if (options_.prune == "progressive") {
    // As in the classic program: once dropped, never looked at again.
    const double average = static_cast<double>(iteration) / static_cast<double>(kids.size());
    std::size_t most = 0;
    for (std::size_t i = 1; i < kids.size(); ++i)
      if (kids[i].visits() > kids[most].visits()) most = i;
    for (std::size_t i = 0; i < kids.size(); ++i)
      if (i != most && static_cast<double>(kids[i].visits()) < average)
        root_moves_[i].pruned.store(true, std::memory_order_relaxed);
    return;
  }
  const auto spread = [&](const Node& kid) {
    const double p = mover_value(kid, mover), n = kid.visits();
    return options_.prune_z * std::sqrt(std::max(p * (1 - p), 0.25 / n) / n);
  };
  double best_low = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (root_moves_[i].permitted && kids[i].visits())
      best_low = std::max(best_low, mover_value(kids[i], mover) - spread(kids[i]));
  for (std::size_t i = 0; i < kids.size(); ++i)
    if (kids[i].visits())
      root_moves_[i].pruned.store(mover_value(kids[i], mover) + spread(kids[i]) < best_low,
                                  std::memory_order_relaxed);
}

template <Game G>
bool TreeSearch<G>::root_decided() const {
  if (owing_.load(std::memory_order_relaxed) || options_.choice != "visits") return false;
  double best = -1, second = -1;
  const auto kids = root_.children();
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!root_moves_[i].permitted) continue;
    const double visits = kids[i].visits();
    second = std::max(second, std::min(best, visits));
    best = std::max(best, visits);
  }
  if (second < 0) return true;  // a single move needs no thought
  double left = static_cast<double>(limit_) - static_cast<double>(claimed_.load());
  const double elapsed = watch_.seconds();
  if (budget_.seconds < 1e9 && elapsed > 0)
    left =
        std::min(left, static_cast<double>(finished_.load()) * (budget_.seconds / elapsed - 1.0));
  return (best - second) * options_.early_stop_factor > left;
}

}  // namespace kibitz
