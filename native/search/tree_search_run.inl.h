// How the tree search runs: threads, descents, expansion, backing up. Included by tree_search.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
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
}

/// Some games end, or show themselves to a network, otherwise at the root than below it.
template <Game G>
void TreeSearch<G>::enthrone() {
  if constexpr (requires { root_position_.become_root(options_.history); })
    root_position_.become_root(options_.history);
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
  const bool shaped =
      options_.root_temperature != 1 || options_.root_noise > 0 || options_.root_symmetry;
  if (prunes_ || shaped) plan_reach_ = std::max(plan_reach_, 1);
  exclusive_ = options_.threads == 1;
  count_pending_ = !exclusive_ || options_.batch > 1;
  may_prefetch_ = options_.prefetch > 0 && evaluator_->remembers();
  const int owned = options_.ownership ? evaluator_->ownership_points(root_position_) : 0;
  const bool weighs = options_.backup == "weighted" && evaluator_->gives_extras();
  if (extras_ != evaluator_->gives_extras() || ownership_points_ != owned || weighted_ != weighs) {
    reset(root_position_);  // families of another shape
    extras_ = evaluator_->gives_extras();
    ownership_points_ = owned;
    weighted_ = weighs;
  }
  utility_ = ScoreUtility(options_, score_unit());
  rescale_ = WdlRescale(options_);
  proofs_ = options_.proofs && !utility_.counts();
  reused_ = root_.visits();
  claimed_ = 0;
  finished_ = 0;
  depth_ = 0;
  depth_sum_ = 0;
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
      else if (options_.rule == "katago")
        run<KataGoPuct>(i);
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
    // A thread without budget leaves the others to finish theirs.
    while (!worker.spent && !stopping_.load(std::memory_order_relaxed))
      gather_and_evaluate(rule, worker);
    hand_in(worker);
  } catch (...) {
    finish(StopReason::kStopped);
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  evaluator_->leave();
  const std::lock_guard lock(mutex_);
  if (--active_ == 0) {
    finish(root_settled_ ? StopReason::kProven : limit_reason_);
    seconds_ = watch_.seconds();
    running_.store(false, std::memory_order_release);
    ended_.notify_all();
  }
}

// ---- one descent ------------------------------------------------------------------------------

template <Game G>
void TreeSearch<G>::after_iteration(Worker& worker) {
  // Reading the clock is dear beside a playout and nothing beside a network's batch.
  const bool due = evaluator_->gives_priors() || (++worker.ticks & 15) == 0;
  if (due && watch_.seconds() >= budget_.seconds) finish(StopReason::kTime);
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
bool TreeSearch<G>::claim_iteration(Worker& worker) {
  if (worker.granted > 0) {
    --worker.granted;
    return true;
  }
  // Several at a time while there are many, so that the threads meet less often at the counter.
  std::int64_t claimed = claimed_.load(std::memory_order_relaxed);
  std::int64_t share = 0;
  do {
    if (claimed >= limit_) return false;
    const std::int64_t fair = (limit_ - claimed) / (4 * options_.threads);
    share = exclusive_ ? 1 : std::clamp<std::int64_t>(fair, 1, 32);
  } while (!claimed_.compare_exchange_weak(claimed, claimed + share, std::memory_order_relaxed));
  worker.granted = share - 1;
  return true;
}

template <Game G>
template <class Rule>
typename TreeSearch<G>::Descent TreeSearch<G>::descend(const Rule& rule, Worker& worker,
                                                       Pending& pending) {
  const int guaranteed = take_guarantee();
  if (guaranteed < 0 && (root_settled_.load(std::memory_order_relaxed) || !claim_iteration(worker)))
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
    if (count_pending_ && depth > 0 && (exclusive_ || node->visits() < kMuchVisited)) {
      bump(node->counts, Node::kPendingOne, exclusive_);
      pending.path.back().pending = true;
    }
    if (depth > 0) {
      if (node->bounds().settled()) return arrive_settled(worker, pending);
      if (!node->expanded()) {
        const bool unknown = node->visits() == 0 || utility_.differs();
        if (unknown && settle_leaf(worker, pending)) return Descent::kDone;
        if (depth > worker.max_depth) note_depth(worker, depth);
        if (repeats_itself(pending.position, depth)) {
          back_up(worker, pending.path, Outcome{0.5f, 1.0f, 0.0f});
          return Descent::kDone;
        }
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
    const int index = depth == 0 && guaranteed >= 0
                          ? guaranteed
                          : choose(rule, pending.path.back(), depth, worker.rng);
    if (index < 0) {  // every child is settled, though a race kept the news from this node
      settle_from(pending.path, pending.path.size());
      return arrive_settled(worker, pending);
    }
    if (extras_) extras = extras_at(node->extras_of_children()[index], worker);
    node = &node->children()[static_cast<std::size_t>(index)];
    pending.position.play(node->move);
  }
}

/// Reports ask for the depth while the search runs, so news of it is spread when there is some.
template <Game G>
void TreeSearch<G>::note_depth(Worker& worker, int depth) {
  worker.max_depth = depth;
  int known = depth_.load(std::memory_order_relaxed);
  while (known < depth && !depth_.compare_exchange_weak(known, depth, std::memory_order_relaxed)) {
  }
}

template <Game G>
typename TreeSearch<G>::Descent TreeSearch<G>::arrive_settled(Worker& worker, Pending& pending) {
  const Node& node = *pending.path.back().node;
  const Bounds known = node.bounds();
  Outcome outcome;
  outcome.value = static_cast<float>(
      known.settled() || node.visits() == 0 ? known.clamp(0.5) : known.clamp(node.mean()));
  outcome.draw = known.settled() && known.low == 1 ? 1.0f : 0.0f;
  back_up(worker, pending.path, outcome);
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
      outcome.score = outcome.lead = static_cast<float>(position.score());
  } else if (worker.oracle) {
    const auto result = worker.oracle->result(position);
    if (!result) return false;
    outcome.value = 0.5f * static_cast<float>(*result);
  } else {
    return false;
  }
  outcome.draw = outcome.value == 0.5f ? 1.0f : 0.0f;
  // Where margins count, a proven result does not say all there is to say about a move; where draws
  // are weighed, a proven draw is not worth half a point.
  const auto half_points = static_cast<std::uint8_t>(2.0f * outcome.value + 0.5f);
  if (!utility_.counts() && !(half_points == 1 && utility_.weighs_draws()))
    pending.path.back().node->set_bounds({half_points, half_points});
  if constexpr (requires { position.write_owners(nullptr); }) {
    if (ownership_points_ && position.is_over()) {
      pending.ownership.resize(static_cast<std::size_t>(ownership_points_));
      position.write_owners(pending.ownership.data());
      keep_ownership(pending.path.back().extras, pending.ownership, worker);
    }
  }
  back_up(worker, pending.path, outcome);
  if (proofs_ && pending.path.back().node->bounds().settled())
    settle_from(pending.path, pending.path.size() - 1);
  return true;
}

/// A line that comes back to where it was has found nothing. That is a draw here and now, but no
/// proof: once the game has moved on, the first of the two positions may lie outside the tree.
template <Game G>
bool TreeSearch<G>::repeats_itself(const G& position, int depth) const {
  if constexpr (requires { position.repeats_within(depth); })
    return options_.two_fold_draws && position.repeats_within(depth);
  return false;
}

// ---- choosing --------------------------------------------------------------------------------

template <Game G>
template <class Rule>
int TreeSearch<G>::choose(const Rule& rule, const Step& at, int depth, Rng& rng) const {
  if (depth >= plan_reach_) return choose_among<Rule, false>(rule, at, depth, rng);
  const int index = choose_among<Rule, true>(rule, at, depth, rng);
  // Restrictions below the root may leave a side nothing at all; then they do not bind there.
  if (index < 0 && depth > 0) return choose_among<Rule, false>(rule, at, depth, rng);
  return index;
}

template <Game G>
template <class Rule, bool kSteered>
int TreeSearch<G>::choose_among(const Rule& rule, const Step& at, int depth, Rng& rng) const {
  const Node& node = *at.node;
  const int mover = at.mover;
  const auto kids = node.children();
  const std::uint64_t counts = node.counts.load(std::memory_order_relaxed);
  NodeView about{};
  about.visits = static_cast<std::uint32_t>(counts);
  about.tries = about.visits + static_cast<std::uint32_t>(counts >> 32);
  if constexpr (kSteered) {
    // Guaranteed visits are not the rule's own: they must not make it explore more.
    if (depth == 0) {
      const auto guaranteed = guaranteed_.load(std::memory_order_relaxed);
      about.visits -= static_cast<std::uint32_t>(std::min<std::int64_t>(about.visits, guaranteed));
      about.tries -= static_cast<std::uint32_t>(std::min<std::int64_t>(about.tries, guaranteed));
    }
  }
  about.is_root = depth == 0;
  about.root_side = mover == root_position_.to_move();
  about.iterations = static_cast<std::uint64_t>(claimed_.load(std::memory_order_relaxed));
  const bool losing = options_.virtual_loss;
  const auto* slots = weighted_ ? node.extras_of_children() : nullptr;
  about.mass = static_cast<float>(about.tries);
  about.mass_below = about.tries > 1 ? about.mass - 1.0f : 0.0f;
  if constexpr (Rule::kNeedsTriedPrior) {
    about.value = node.visits() ? mover_value(node, mover) : 0.5f;
    double below = 0.0;
    for (std::size_t i = 0; i < kids.size(); ++i) {
      const std::uint64_t tally = kids[i].counts.load(std::memory_order_relaxed);
      if (tally == 0) continue;
      if (losing || static_cast<std::uint32_t>(tally) != 0)
        about.tried_prior += kSteered && depth == 0 ? root_moves_[i].prior : kids[i].prior;
      // Guaranteed visits must not make the rule explore more.
      if (slots)
        below += mass_of(kids[i], slots[i].load(std::memory_order_acquire),
                         kSteered && depth == 0 ? guaranteed_visits(i) : 0);
    }
    if (slots) {
      about.mass_below = static_cast<float>(below);
      about.mass = 1.0f + about.mass_below;
    }
  }
  if (at.extras && node.visits()) {
    const double first = at.extras->own_value.load(std::memory_order_relaxed);
    about.own_value = static_cast<float>(mover == 0 ? first : 1.0 - first);
    const double square = at.extras->mean(kValueSquare, node.visits());
    about.value_square = static_cast<float>(4.0 * (square - node.mean()) + 1.0);
  }
  const auto view = rule.view(about);
  const bool proofs = proofs_;
  const Bounds own = node.bounds().of(mover);

  int best = -1;
  float best_score = -std::numeric_limits<float>::infinity();
  float untried_prior = -1.0f;  // the greatest so far
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Node& kid = kids[i];
    const std::uint64_t tally = kid.counts.load(std::memory_order_relaxed);
    // Most children were never tried, and of those only the likeliest can be chosen.
    if constexpr (Rule::kNeedsTriedPrior && !kSteered)
      if (tally == 0 && kid.prior <= untried_prior && view.explore >= 0.0f) continue;
    ChildView child{0.0f, 0, kid.prior, 1.0f, false};
    if constexpr (kSteered) {
      if (depth == 0) {
        const RootMove& steer = root_moves_[i];
        if (!steer.permitted || steer.pruned.load(std::memory_order_relaxed)) continue;
        child.weight = steer.weight;
        child.prior = steer.widened;
      } else {
        if (!plan_.permits(mover, kid.move, depth)) continue;
        child.weight = static_cast<float>(plan_.weight(kid.move, depth));
      }
    }
    const Bounds bounds = kid.bounds().of(mover);
    if (proofs && (bounds.settled() || bounds.high <= own.low)) continue;
    if (tally == 0) untried_prior = std::max(untried_prior, kid.prior);
    const auto visits = static_cast<std::uint32_t>(tally);
    child.tries = visits + static_cast<std::uint32_t>(tally >> 32);
    child.mass = static_cast<float>(child.tries);
    if (const std::uint32_t counted = losing ? child.tries : visits) {
      const double sum = from_fixed(kid.value_sum.load(std::memory_order_relaxed));
      const double own_sum = mover == 0 ? sum : visits - sum;
      child.value = static_cast<float>(own_sum) / static_cast<float>(counted);
      child.judged = true;
      if (slots && visits) {
        const double weight = mass_of(kid, slots[i].load(std::memory_order_acquire), 0);
        const double under_way = static_cast<double>(child.tries - visits);
        const double mean = own_sum / visits, lost = 0.5 - 0.5 * utility_.radius();
        child.value = static_cast<float>(losing ? mean + (lost - mean) * under_way /
                                                             (under_way + std::max(0.25, weight))
                                                : mean);
        child.mass = static_cast<float>(weight + under_way);
      }
      if (bounds.known()) child.value = static_cast<float>(bounds.clamp(child.value));
      if constexpr (kSteered)
        if (depth == 0 && options_.root_noise > 0) child.value += root_bonus(rng);
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
