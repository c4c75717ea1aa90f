// The root of the alpha-beta family: deepens step by step, obeys a plan, and reports as the tree
// search does. Steps: depth after depth with cuts; then to the end of the game with cuts of growing
// confidence; then proofs, first of the outcome, then of the score.
//
// Threads: `start` spawns the search threads and returns; `wait`, `stop` and `report` may be called
// from any thread meanwhile. `advance`, `reset`, `start` only while nothing runs. Helper threads
// search the same steps and share the table only, so one thread and one seed give one result;
// several may not.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/core_turns.h"
#include "search/alpha_beta.h"
#include "search/alpha_beta_admit.h"
#include "search/alpha_beta_moves.h"
#include "search/alpha_beta_style.h"
#include "search/report.h"
#include "search/search_budget.h"
#include "steering/plan.h"

namespace kibitz {

struct AlphaBetaSettings {
  int threads = 1;
  int depth = 0;     // deepest step; 0 has no limit
  int multi_pv = 1;  // moves whose scores are exact at every depth, guaranteed ones beside them
  std::size_t table_bytes = std::size_t{64} << 20;
};

template <RootJudge J>
class AlphaBetaSearch {
 public:
  using G = typename J::Game;
  using Board = typename J::Board;

  AlphaBetaSearch(const G& position, std::function<J()> judge, const AlphaBetaSettings& settings)
      : make_judge_(std::move(judge)),
        settings_(settings),
        table_(settings.table_bytes),
        position_(position) {
    judges_.push_back(make_judge_());
  }
  ~AlphaBetaSearch() {
    stop();
    join();
  }
  AlphaBetaSearch(const AlphaBetaSearch&) = delete;
  AlphaBetaSearch& operator=(const AlphaBetaSearch&) = delete;

  void set_threads(int threads) { settings_.threads = threads; }
  /// What the table knows stays true, so nothing is forgotten.
  void reset(const G& position) { position_ = position; }
  void advance(Move move) { position_.play(move); }
  void clear() {
    table_.clear();
    searches_.clear();
  }
  const G& position() const { return position_; }

  void start(const Plan& plan, const Budget& budget);
  /// True when the search has ended; waits up to `seconds` for it. Rethrows an error of it.
  bool wait(double seconds);
  void stop() { finish(StopReason::kStopped); }
  bool running() const { return running_.load(std::memory_order_acquire); }
  SearchReport report(int line_length = 32) const;
  /// The moves with their scores and lines as text, for people who want to see what it thought.
  std::string dump() const;

 private:
  enum class Goal { kDepth, kOutcome, kScore };
  struct Step {
    Goal goal;
    int depth, selectivity;
  };
  using RootMove = AlphaBetaMove<J>;
  using Node = typename NodeSearch<J>::Type;
  /// Does the search want to know which root move it is below, and reduce late ones?
  static constexpr bool kReducesLate = requires(Node& node, const Board& board) {
    node.enter(board, Move{});
    { Node::late(1, 1) } -> std::same_as<int>;
  };
  /// Plies that moves beside the best get their exact scores less deep, where the search says so.
  static constexpr int aside() {
    if constexpr (requires { Node::kAside; })
      return Node::kAside;
    else
      return 0;
  }
  /// Do repetitions matter?
  static constexpr bool kHasPast = requires(Node& node, const G& game) { node.remember(game); };

  std::vector<Step> steps() const;
  int exact_score(Node& search, const RootMove& move, const Step& step, int floor);
  void run(bool urgent);
  void help(int index, bool urgent);
  bool deepen(Node& search, const Step& step);
  /// Is a move above `floor`? The n-th one is searched less deep at first, unless it is `whole`.
  int scout(Node& search, const RootMove& move, const Step& step, int floor, int n, bool whole);
  bool prove(Node& search, const Step& step)
    requires ProvingJudge<J>;
  std::vector<Move> line_from(const Board& board, Move first) const;
  double seconds_left() const { return budget_.seconds - watch_.seconds(); }
  void finish(StopReason reason);
  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  std::function<J()> make_judge_;
  std::vector<J> judges_;  // one a thread; they keep tables from search to search
  std::vector<std::unique_ptr<Node>> searches_;  // the same; what they have learned stays too
  AlphaBetaSettings settings_;
  AlphaBetaTable table_;
  G position_;
  Plan plan_;
  Budget budget_;
  std::vector<RootMove> moves_;  // best first; guarded by mutex_ once a search runs
  int depth_ = 0, step_ = 0;
  bool solved_ = false, restricted_below_ = false;
  Stopwatch watch_;
  double seconds_ = 0.0;
  std::atomic<std::uint64_t> nodes_{0};  // of all threads
  std::atomic<bool> stopping_{false}, running_{false};
  std::atomic<StopReason> reason_{StopReason::kNone};
  std::vector<std::thread> threads_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::exception_ptr error_;
};

template <RootJudge J>
void AlphaBetaSearch<J>::start(const Plan& plan, const Budget& budget) {
  wait(0);
  join();
  plan_ = plan;
  budget_ = budget;
  moves_.clear();
  depth_ = step_ = 0;
  solved_ = false;
  nodes_ = 0;
  error_ = nullptr;
  stopping_ = false;
  reason_ = StopReason::kRunning;
  watch_.restart();
  table_.new_search();
  while (judges_.size() < static_cast<std::size_t>(settings_.threads))
    judges_.push_back(make_judge_());
  while (searches_.size() < judges_.size()) {
    searches_.push_back(std::make_unique<Node>(judges_[searches_.size()], table_, stopping_));
    searches_.back()->share(nodes_);
  }
  const J& judge = judges_.front();
  MoveList<G> legal;
  position_.legal_moves(legal);
  for (const Move move : legal) {
    RootMove entry(move, judge.board(position_));
    entry.board.play(move);
    for (const Guarantee& guarantee : plan_.include)
      if (guarantee.move == move) entry.min_visits = guarantee.min_visits;
    entry.permitted = plan_.permits(position_.to_move(), move, 0);
    if (entry.permitted || entry.min_visits > 0) moves_.push_back(std::move(entry));
  }
  restricted_below_ = plan_.restricts(1);
  running_.store(true, std::memory_order_release);
  const bool urgent = take_urgency();
  threads_.emplace_back([this, urgent] { run(urgent); });
  for (int i = 1; i < settings_.threads; ++i)
    threads_.emplace_back([this, i, urgent] { help(i, urgent); });
}

template <RootJudge J>
bool AlphaBetaSearch<J>::wait(double seconds) {
  std::unique_lock lock(mutex_);
  const auto done = [this] { return !running(); };
  if (!ended_.wait_for(lock, std::chrono::duration<double>(seconds), done)) return false;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return true;
}

template <RootJudge J>
void AlphaBetaSearch<J>::finish(StopReason reason) {
  auto expected = StopReason::kRunning;
  reason_.compare_exchange_strong(expected, reason);
  stopping_.store(true, std::memory_order_relaxed);
  wake_core_turn(stopping_);  // helpers that wait for a core have nothing to do any more
}

/// Where the end of the game is within reach of a selective search, depths just below it are left
/// out.
template <RootJudge J>
std::vector<typename AlphaBetaSearch<J>::Step> AlphaBetaSearch<J>::steps() const {
  constexpr int kMidSelectivity = 0, kEndJump = 8;
  const int remaining = J::remaining(moves_.front().board);
  const int deepest = settings_.depth > 0 ? settings_.depth - 1 : remaining;
  std::vector<Step> steps;
  for (int depth = 0; depth < remaining - kEndJump && depth <= deepest; ++depth)
    steps.push_back({Goal::kDepth, depth, kMidSelectivity});
  if (deepest < remaining || !ProvingJudge<J>) return steps;
  if (restricted_below_) {
    // Solvers and cuts know nothing of restrictions, so the last steps are plain.
    for (int depth = std::max(remaining - kEndJump, 0); depth <= remaining; ++depth)
      steps.push_back({Goal::kDepth, depth, kMidSelectivity});
    return steps;
  }
  for (int selectivity = 0; selectivity < kNoCuts - 1; ++selectivity)
    steps.push_back({Goal::kDepth, remaining, selectivity});
  steps.push_back({Goal::kOutcome, remaining, kNoCuts});
  steps.push_back({Goal::kScore, remaining, kNoCuts});
  return steps;
}

template <RootJudge J>
void AlphaBetaSearch<J>::run(bool urgent) {
  try {
    const CoreTurn turn(stopping_, seconds_left(), urgent);
    Node& search = *searches_.front();
    search.begin(most_nodes(budget_), budget_.seconds, watch_);
    search.obey(plan_);
    if constexpr (kHasPast) search.remember(position_);
    const auto all = moves_.empty() ? std::vector<Step>{} : steps();
    for (const Step& step : all) {
      {
        const std::lock_guard lock(mutex_);  // a report reads it
        ++step_;
      }
      bool done = false;
      if constexpr (ProvingJudge<J>)
        done = step.goal == Goal::kDepth ? deepen(search, step) : prove(search, step);
      else
        done = deepen(search, step);
      if (!done) break;
      const std::lock_guard lock(mutex_);
      depth_ = step.depth + 1;
      solved_ |= step.goal == Goal::kScore;
      if constexpr (EndJudge<J>) solved_ |= moves_.front().proven.low == 2 && !restricted_below_;
      if (solved_) break;
    }
    finish(solved_                                       ? StopReason::kProven
           : search.out_of_time() || seconds_left() <= 0 ? StopReason::kTime
           : search.stopped()                            ? limit_reason(budget_)
           : settings_.depth > 0 && !all.empty()         ? StopReason::kDepth
                                                         : StopReason::kDecided);
  } catch (...) {
    finish(StopReason::kStopped);
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  searches_.front()->publish();
  const std::lock_guard lock(mutex_);
  seconds_ = watch_.seconds();
  running_.store(false, std::memory_order_release);
  ended_.notify_all();
}

/// Helpers only fill the table; every other one is a ply ahead, so that they do not all do the
/// same.
template <RootJudge J>
void AlphaBetaSearch<J>::help(int index, bool urgent) {
  if (moves_.empty()) return;
  const CoreTurn turn(stopping_, seconds_left(), urgent);
  Node& search = *searches_[static_cast<std::size_t>(index)];
  search.begin(most_nodes(budget_), budget_.seconds, watch_);
  // Without the plan: what helpers write to the table is true under any.
  if constexpr (kHasPast) search.remember(position_);
  const Board root = search.judge().board(position_);
  constexpr int kAll = Node::kInfinity;
  std::vector<Step> all;
  {
    const std::lock_guard lock(mutex_);  // the first thread sorts the moves
    all = steps();
  }
  for (const Step& step : all) {
    if (step.goal != Goal::kDepth) break;
    const int depth = std::min(step.depth + 1 + index % 2, J::remaining(root));
    search.search(root, -kAll, kAll, depth, step.selectivity);
    if (search.stopped()) break;
  }
  search.publish();
}

/// A move's score, searched in a small window around the one before first. It is above `floor`, or
/// exact too if that is below all scores.
template <RootJudge J>
int AlphaBetaSearch<J>::exact_score(Node& search, const RootMove& move, const Step& step,
                                    int floor) {
  constexpr int kAll = Node::kInfinity;
  int low = floor, high = kAll;
  if (step.depth > 3 && move.exact) {
    low = std::max(floor, move.score - J::kWindow);
    high = std::max(low + 1, move.score + J::kWindow);
  }
  for (;;) {
    const int score = -search.search(move.board, -high, -low, step.depth, step.selectivity);
    if (search.stopped()) return 0;
    if (score <= low && low > floor)
      low = floor;
    else if (score >= high && high < kAll)
      high = kAll;
    else
      return score;
  }
}

template <RootJudge J>
int AlphaBetaSearch<J>::scout(Node& search, const RootMove& move, const Step& step, int floor,
                              int n, bool whole) {
  const auto below = [&](int depth) {
    return -search.search(move.board, -floor - 1, -floor, depth, step.selectivity);
  };
  int less = 0;
  if constexpr (kReducesLate) less = whole ? 0 : Node::late(step.depth, n);
  const int score = below(step.depth - less);
  return less > 0 && score > floor && !search.stopped() ? below(step.depth) : score;
}

/// One step over the root moves: the first `multi_pv` and the guaranteed ones exactly, the others
/// only as far as to know that they are not better, or that a style cannot pay for them. False when
/// it was cut short.
template <RootJudge J>
bool AlphaBetaSearch<J>::deepen(Node& search, const Step& step) {
  constexpr int kAll = Node::kInfinity;
  std::vector<int> best;  // the exact scores of this step, best first
  double best_value = 0.0;
  const auto wanted = static_cast<std::size_t>(std::max(settings_.multi_pv, 1));
  std::vector<RootMove> order = moves_;
  if (plan_.styled()) put_liked_first(order, plan_);
  double best_worth = 0.0;  // value and budget times bonus of the move that the style would play
  const double best_bonus = plan_.style_bonus(order.front().move);
  const Board root = search.judge().board(position_);
  int number = 0;
  for (const RootMove& known : order) {
    const std::uint64_t before = search.nodes();
    if constexpr (kReducesLate) search.enter(root, known.move);
    const bool asked = known.min_visits > 0;
    int floor = best.size() < wanted ? -kAll : best[wanted - 1];
    const double paid = plan_.style_budget * plan_.style_bonus(known.move);
    const bool liked = plan_.styled() && known.permitted && !best.empty() &&
                       plan_.style_bonus(known.move) > best_bonus;
    if (liked) {
      double least = best_worth - paid;
      if (plan_.style_price > 0.0) least = std::min(least, best_value - plan_.style_price);
      floor = std::min(floor, lowest_worth(search.judge(), known, least, best.front()) - 1);
    }
    // Is it better than the best? Only then is the exact score of a move beside it worth all plies.
    const bool beside = aside() > 0 && !best.empty() && !liked;
    const int bar = beside ? best.front() : floor;
    bool exact = true;
    int score = 0;
    if (bar > -kAll && (beside || !asked)) {
      score = scout(search, known, step, bar, number, liked);
      exact = score > bar;
    }
    if (exact && !search.stopped())
      score = exact_score(search, known, step, asked && !beside ? -kAll : bar);
    if (!exact && beside && (asked || floor < bar) && !search.stopped()) {
      const Step shallow{step.goal, std::max(step.depth - aside(), 0), step.selectivity};
      if (floor > -kAll && !asked) score = scout(search, known, shallow, floor, number, false);
      exact = asked || floor == -kAll || score > floor;
      if (exact && !search.stopped())
        score = std::min(exact_score(search, known, shallow, asked ? -kAll : floor), bar - 1);
    }
    ++number;
    if (search.stopped()) return false;
    if (exact && known.permitted) {
      best.push_back(score);
      std::sort(best.begin(), best.end(), std::greater<>());
      const double value = root_value(search.judge(), known, score);
      if (score == best.front()) best_value = value;
      if (best.size() == 1 || value + paid > best_worth) best_worth = value + paid;
    }
    const std::lock_guard lock(mutex_);
    RootMove& entry = entry_of(moves_, known.move);
    entry.score = score;
    entry.exact = exact;
    entry.step = step_;
    entry.nodes += search.nodes() - before;
    if (exact) entry.line = line_from(entry.board, known.move);
    if constexpr (EndJudge<J>) entry.proven = exact ? bounds_of(entry, position_) : Bounds{};
    sort_moves(moves_, step_);
  }
  return true;
}

/// The outcome or the exact score of every move that can still matter. False when it was cut short.
template <RootJudge J>
bool AlphaBetaSearch<J>::prove(Node& search, const Step& step)
  requires ProvingJudge<J>
{
  const bool outcome = step.goal == Goal::kOutcome;
  int best = -J::kMostScore - 1;
  const std::vector<RootMove> order = moves_;
  for (const RootMove& known : order) {
    const bool asked = known.min_visits > 0;
    const int low = outcome ? -J::kScoreUnit : asked ? -J::kMostScore - 1 : best;
    const int high = outcome ? J::kScoreUnit : J::kMostScore + 1;
    if (best >= J::kMostScore && !asked) break;
    if (seconds_left() <= 0) return false;
    ProofLimits limits{seconds_left(), search.nodes_left(), &stopping_};
    const auto proven = search.judge().prove(known.board, -high, -low, -known.score, limits);
    search.count(limits.used);
    const std::lock_guard lock(mutex_);
    RootMove& entry = entry_of(moves_, known.move);
    entry.nodes += limits.used;
    if (!proven) return false;
    const int score = -*proven;
    entry.step = step_;
    entry.exact = outcome || score > low;
    if (outcome) entry.overrated = score < 0 && known.score >= 0;
    if (!outcome) entry.score = score;
    const auto half = static_cast<std::uint8_t>(score > 0 ? 2 : score == 0 ? 1 : 0);
    if (entry.exact) entry.proven = {half, half};
    if (known.permitted) best = std::max(best, score);
    sort_moves(moves_, step_);
    if (outcome && best > 0 && plan_.include.empty()) break;
  }
  return true;
}

/// The line that the table remembers; it may stop short. The game with its past says where it ends:
/// boards know of no repetition.
template <RootJudge J>
std::vector<Move> AlphaBetaSearch<J>::line_from(const Board& after, Move first) const {
  std::vector<Move> line{first};
  Board board = after;
  G game = position_;
  for (MoveList<G> moves; line.size() < 64; board.play(line.back())) {
    game.play(line.back());
    if (game.is_over()) break;
    J::moves(board, moves);
    if (moves.size() == 1 && J::plies(moves[0]) == 0) {
      line.push_back(moves[0]);
      continue;
    }
    const auto known = table_.find(J::key(board));
    if (known && restricted_below_ &&
        !plan_.permits(J::mover(board), known->move, static_cast<int>(line.size())))
      break;
    if (!known || std::find(moves.begin(), moves.end(), known->move) == moves.end()) break;
    line.push_back(known->move);
  }
  return line;
}

template <RootJudge J>
SearchReport AlphaBetaSearch<J>::report(int line_length) const {
  SearchReport out;
  const std::lock_guard lock(mutex_);
  out.stop = reason_.load();
  out.simulations = out.nodes = static_cast<std::int64_t>(nodes_.load());
  out.depth = depth_;
  out.mean_depth = depth_;
  out.seconds = running() ? watch_.seconds() : seconds_;
  for (const RootMove& known : moves_) {
    out.moves.push_back(report_of(known, judges_.front(), line_length));
    out.moves.back().bonus = plan_.style_bonus(known.move);
    out.visits += out.moves.back().visits;
  }
  if (!out.moves.empty()) {
    out.value = out.moves.front().value;
    out.score = out.lead = out.moves.front().score;
    out.utility = out.moves.front().utility;
    out.draw = out.moves.front().draw;
    // Under a restriction a smaller game was proven.
    const bool whole = !plan_.restricts(0);
    if (whole && moves_.front().proven.settled()) out.proven = moves_.front().proven;
    const StyleChoice style = choose_styled(moves_, plan_, judges_.front(), step_);
    out.style_spent = style.spent;
    out.style_price = style.price;
    const auto chosen = out.moves.begin() + static_cast<std::ptrdiff_t>(style.index);
    std::rotate(out.moves.begin(), chosen, chosen + 1);
  }
  return out;
}

template <RootJudge J>
std::string AlphaBetaSearch<J>::dump() const {
  const std::lock_guard lock(mutex_);
  return described(moves_, position_);
}

}  // namespace kibitz
