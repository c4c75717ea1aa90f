#include "search/junqi_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "base/clock.h"
#include "search/junqi_classic.h"
#include "search/junqi_guarantees.h"

namespace kibitz::junqi {
namespace {

/// A counter-attack may be worth so many points less than the best move and still be played.
constexpr double kCounterMargin = 5.0;

constexpr std::size_t u(std::int64_t i) { return static_cast<std::size_t>(i); }

bool named(const std::vector<Move>& moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

/// Worlds that a move is guaranteed; 0 when it is not.
std::int64_t asked_of(const std::vector<Guarantee>& moves, Move move) {
  for (const Guarantee& guarantee : moves)
    if (guarantee.move == move) return guarantee.min_visits;
  return 0;
}

/// By value; a move that the user forbade, but asked about, is never above one that may be played.
void rank(std::vector<RootMove>& roots) {
  std::stable_sort(roots.begin(), roots.end(), [](const RootMove& a, const RootMove& b) {
    if (a.permitted != b.permitted) return a.permitted;
    if (a.value != b.value) return a.value > b.value;
    if (a.parts.score != b.parts.score) return a.parts.score > b.parts.score;
    return a.move < b.move;
  });
}

/// A counter-attack goes first unless another move is clearly better, or decides about a flag.
void prefer_counter(std::vector<RootMove>& roots) {
  if (roots.empty() || roots[0].counter || roots[0].vital) return;
  const auto found = std::find_if(roots.begin(), roots.end(), [](const RootMove& root) {
    return root.counter && root.permitted;
  });
  if (found != roots.end() && found->value >= roots[0].value - kCounterMargin)
    std::rotate(roots.begin(), found, found + 1);
}

}  // namespace

JunqiSearch::JunqiSearch(const View& view, const JunqiOptions& options, const JunqiLimits& limits)
    : view_(view), options_(options), limits_(limits), scorer_(options.values) {}

const Belief& JunqiSearch::belief() {
  if (!belief_) {
    belief_ = believe(view_, scorer_.weights(),
                      static_cast<int>(std::max(options_.samples, options_.worlds)),
                      static_cast<std::uint64_t>(options_.seed));
    stage_ = scorer_.stage(view_, belief_->knowledge);
  }
  return *belief_;
}

std::vector<RootMove> JunqiSearch::candidates(const RootWishes& wishes, JunqiReport& report) {
  const Belief& known = belief();
  const auto style = wishes.preferred_category;
  std::vector<int> invaders;
  if (style && options_.counterattack) invaders = counterattack_targets(view_, scorer_.weights());
  MoveList<Junqi> moves;
  view_.legal_moves(moves);
  std::vector<RootMove> all;
  for (const Move move : moves) {
    RootMove root;
    root.move = move;
    root.asked = asked_of(wishes.include, move);
    root.included = root.asked > 0;
    root.permitted = (wishes.first_ply_moves.empty() || named(wishes.first_ply_moves, move)) &&
                     !named(wishes.avoid, move);
    if (!root.included && !root.permitted) continue;
    root.parts = scorer_.evaluate_move(view_, stage_, move, known.knowledge);
    for (const auto& [weighed, factor] : wishes.weights)
      if (weighed == move) root.bonus += factor > 0 ? 20.0 * std::log(factor) : -1e6;
    root.value = root.mean = root.parts.score + root.bonus;
    root.category = classify_move(view_, known.knowledge, stage_, move);
    root.vital = is_vital(view_, known.knowledge, move);
    root.counter =
        std::find(invaders.begin(), invaders.end(), view_.piece_at(to_of(move))) != invaders.end();
    root.line = {move};
    all.push_back(std::move(root));
  }
  if (style && *style != Category::kBalanced) {
    const auto fits = [&](const RootMove& root) { return root.category == *style; };
    report.style_applied =
        options_.apply_style_filter_first_ply && std::any_of(all.begin(), all.end(), fits);
    if (report.style_applied)
      std::erase_if(all, [&](const RootMove& root) {
        return !fits(root) && !root.vital && !root.included && !root.counter;
      });
    else  // a style that is not applied changes nothing
      for (RootMove& root : all) root.counter = false;
  }
  rank(all);
  return all;
}

JunqiReport JunqiSearch::judge(const RootWishes& wishes) {
  JunqiReport report;
  report.moves = candidates(wishes, report);
  prefer_counter(report.moves);
  if (!report.moves.empty()) report.value = report.moves[0].value;
  return report;
}

void JunqiSearch::narrow(std::vector<RootMove>& roots) const {
  const bool classic = options_.mode == JunqiMode::kClassic;
  const std::size_t width = u(classic ? options_.beam_width : options_.root_width);
  if (width == 0 || roots.size() <= width) return;
  std::vector<RootMove> kept(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(width));
  for (std::size_t i = width; i < roots.size(); ++i)
    if (roots[i].counter || (!classic && (roots[i].included || roots[i].vital)))
      kept.push_back(roots[i]);
  roots = std::move(kept);
}

bool JunqiSearch::deepen(std::vector<RootMove>& roots, int depth, JunqiReport& report) {
  const std::size_t worlds = searches_.size();
  std::vector<std::vector<double>> values(worlds, std::vector<double>(roots.size()));
  auto lucks = values;  // how much better the fight ends in a world than it is believed to
  std::vector<std::vector<Move>> lines(roots.size());
  const auto work = [&](std::size_t first, std::size_t step) {
    for (std::size_t w = first; w < worlds; w += step)
      for (std::size_t i = 0; i < roots.size(); ++i) {
        WorldSearch& search = searches_[w];
        const RootMove& root = roots[i];
        const Stage stage =
            scorer_.stage(search.world(), view_.seat(), search.facts(), belief_->knowledge);
        // The fight itself counts as it is believed to end: a handful of worlds would tell it
        // badly.
        const double unseen = search.surprise(search.world(), root.move);
        const double luck = scorer_.exchange(search.world(), stage, root.move) -
                            root.parts.exchange - options_.discount * unseen;
        values[w][i] = root.parts.score + root.bonus +
                       options_.discount * search.after(root.move, depth, unseen);
        lucks[w][i] = luck;
        if (search.aborted()) return;
        if (w == 0) lines[i] = search.line();
      }
  };
  const std::size_t threads = std::min<std::size_t>(u(options_.threads), worlds);
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < threads; ++t) pool.emplace_back(work, t, threads);
  work(0, threads);
  for (auto& thread : pool) thread.join();
  report.nodes = 0;
  bool complete = true;
  for (const WorldSearch& search : searches_) {
    report.nodes += search.nodes();
    complete = complete && !search.aborted();
  }
  if (!complete) return false;
  const double n = static_cast<double>(worlds);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    double sum = 0, squares = 0;
    for (std::size_t w = 0; w < worlds; ++w) sum += values[w][i];
    const double mean = sum / n;
    for (std::size_t w = 0; w < worlds; ++w)
      squares += std::pow(values[w][i] + lucks[w][i] - mean, 2);
    roots[i].mean = mean;
    roots[i].deviation = std::sqrt(squares / n);
    roots[i].value = mean - scorer_.weights().worlds_caution * roots[i].deviation;
    roots[i].worlds = static_cast<int>(worlds);
    roots[i].line = lines[i];
  }
  return true;
}

void JunqiSearch::set_aside(std::vector<RootMove>& roots, std::vector<RootMove>& pruned) const {
  constexpr std::size_t kLeast = 3;
  const JunqiPruning prune = options_.prune;
  std::size_t keep = roots.size();
  if (prune == JunqiPruning::kProgressive) keep = std::max(kLeast, (roots.size() + 1) / 2);
  std::vector<RootMove> kept;
  for (RootMove& root : roots) {
    const bool hopeless = prune == JunqiPruning::kStatistical &&
                          root.mean + 2 * root.deviation < roots[0].mean - 2 * roots[0].deviation;
    if (root.included || kept.size() < kLeast || (kept.size() < keep && !hopeless)) {
      kept.push_back(std::move(root));
    } else {
      root.pruned = true;
      pruned.push_back(std::move(root));
    }
  }
  roots = std::move(kept);
}

void JunqiSearch::classic(std::vector<RootMove>& roots, const Deadline& deadline,
                          JunqiReport& report) {
  const Junqi world = view_.world(belief_->worlds[0]);
  const int depth = static_cast<int>(options_.depth);
  ClassicSearch search(world, view_.team(view_.seat()), options_, scorer_, belief_->knowledge,
                       view_.history(), deadline);
  for (RootMove& root : roots) {
    root.value = root.mean =
        root.parts.score + root.bonus + options_.discount * search.after(root.move, depth);
    root.worlds = 1;
  }
  rank(roots);
  report.nodes = search.nodes();
  report.depth = depth;
  report.stop = deadline.passed() ? StopReason::kTime : StopReason::kDepth;
  report.moves = roots;
}

void JunqiSearch::sampled(std::vector<RootMove>& roots, const RootWishes& wishes,
                          const Deadline& deadline, JunqiReport& report,
                          const std::function<void(const JunqiReport&)>& progress) {
  const Stopwatch watch;
  searches_.clear();
  const std::size_t worlds = std::min(u(options_.worlds), belief_->worlds.size());
  const std::size_t stride = belief_->worlds.size() / worlds;
  const auto share = static_cast<std::int64_t>(worlds);
  searches_.reserve(worlds);
  for (std::size_t w = 0; w < worlds; ++w)
    searches_.emplace_back(
        view_.world(belief_->worlds[w * stride]), view_.team(view_.seat()), options_, scorer_,
        belief_->knowledge, view_.history(), deadline,
        limits_.nodes > 0 ? std::max<std::int64_t>(1, limits_.nodes / share) : 0);
  Guarantees guarantees(view_, options_, scorer_, *belief_, wishes.include, deadline);
  std::vector<RootMove> pruned;
  report.worlds = static_cast<int>(worlds);
  const int last = static_cast<int>(options_.depth);
  int depth = options_.iterative ? 1 : last;
  bool searching = true;
  // In turns with the search: whoever had fewer nodes so far is next.
  while (searching || guarantees.pending()) {
    if (guarantees.pending() && (!searching || guarantees.nodes() < report.nodes)) {
      guarantees.serve_round();
      continue;
    }
    if (!deepen(roots, depth, report)) {
      report.stop = deadline.stopped()  ? StopReason::kStopped
                    : deadline.passed() ? StopReason::kTime
                                        : StopReason::kSimulations;
      searching = false;
      continue;
    }
    guarantees.credit(worlds);
    rank(roots);
    report.depth = depth;
    report.moves = roots;
    report.moves.insert(report.moves.end(), pruned.begin(), pruned.end());
    report.value = roots[0].value;
    report.seconds = watch.seconds();
    if (options_.prune != JunqiPruning::kNone && depth > 1) set_aside(roots, pruned);
    if (progress && depth < last) progress(report);
    if (++depth > last) {
      report.stop = StopReason::kDepth;
      searching = false;
    }
  }
  // A move that needed more worlds than the search gives has them whatever became of the search.
  for (RootMove& root : report.moves)
    if (root.included) root.extra = guarantees.given(root.move);
  searches_.clear();
}

JunqiReport JunqiSearch::run(const RootWishes& wishes, std::atomic<bool>* stop,
                             const std::function<void(const JunqiReport&)>& progress) {
  const Stopwatch watch;
  Deadline deadline;
  deadline.stop = stop;
  if (limits_.seconds > 0)
    deadline.at = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(limits_.seconds));
  JunqiReport report;
  std::vector<RootMove> roots = candidates(wishes, report);
  if (roots.empty()) throw std::invalid_argument("the seat has no move to choose from");
  report.moves = roots;
  report.value = roots[0].value;
  narrow(roots);
  // Counter-attacks are searched first.
  std::stable_partition(roots.begin(), roots.end(), [](const RootMove& r) { return r.counter; });
  if (options_.mode == JunqiMode::kClassic)
    classic(roots, deadline, report);
  else
    sampled(roots, wishes, deadline, report, progress);
  prefer_counter(report.moves);
  report.value = report.moves[0].value;
  report.seconds = watch.seconds();
  return report;
}

double open_value(const Junqi& board, const JunqiOptions& options, std::int64_t* nodes) {
  const Scorer scorer(options.values);
  const Knowledge knowledge = Knowledge::of(board);
  const HistoryRecorder history;
  const Deadline never;
  WorldSearch search(board, board.team(board.to_move()), options, scorer, knowledge, history, never,
                     0);
  double value = 0;
  const int last = static_cast<int>(options.depth);
  for (int depth = options.iterative ? 1 : last; depth <= last; ++depth)
    value = search.value(depth);
  if (nodes) *nodes = search.nodes();
  return value;
}

}  // namespace kibitz::junqi
