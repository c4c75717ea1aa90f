#include "games/junqi/search/search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "base/clock.h"
#include "base/index.h"
#include "games/junqi/search/classic.h"
#include "games/junqi/search/guarantees.h"

namespace kibitz::junqi {
namespace {

/// A counter-attack may be worth so many points less than the best move and still be played.
constexpr double kCounterMargin = 5.0;

/// Worlds of the first iteration that are searched before moves are set aside again.
constexpr std::size_t kBatch = 4;

/// With time left there are twice as many worlds a ply from this depth on, up to so many times as
/// many; a search to the last ply takes further ones until the time is up or there are
/// `kMostWorlds`.
constexpr int kMoreWorldsFrom = 4;
constexpr std::size_t kMostTimesWorlds = 8, kMostWorlds = 1024;

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
  const auto counter = std::find_if(roots.begin(), roots.end(), [](const RootMove& root) {
    return root.counter && root.permitted;
  });
  if (counter != roots.end() && counter->value >= roots[0].value - kCounterMargin)
    std::rotate(roots.begin(), counter, counter + 1);
}

}  // namespace

JunqiSearch::JunqiSearch(const View& view, const JunqiOptions& options, const JunqiLimits& limits)
    : view_(view),
      options_(options),
      limits_(limits),
      scorer_(options.values_for(view.players())) {}

const Belief& JunqiSearch::belief() {
  if (!belief_) {
    belief_ =
        believe(view_, scorer_.weights(),
                static_cast<int>(std::max(options_.samples_for(view_.players()), options_.worlds)),
                static_cast<std::uint64_t>(options_.seed));
    stage_ = scorer_.stage(view_, belief_->knowledge);
    expected_ = scorer_.expected_exchanges(belief_->knowledge);
  }
  return *belief_;
}

std::vector<RootMove> JunqiSearch::candidates(const RootWishes& wishes) {
  const Belief& known = belief();
  std::vector<int> invaders;
  if (wishes.preferred_category && options_.counterattack)
    invaders = counterattack_targets(view_, scorer_.weights());
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
  rank(all);
  return all;
}

/// Leaves the moves of the preferred category and those that a style never cuts: vital ones (what
/// decides a race for a flag among them, once races are solved), included ones, counter-attacks.
void JunqiSearch::apply_style(std::vector<RootMove>& roots, const RootWishes& wishes,
                              JunqiReport& report) const {
  const auto style = wishes.preferred_category;
  if (!style || *style == Category::kBalanced) return;
  const auto fits = [&](const RootMove& root) { return root.category == *style; };
  report.style_applied =
      options_.apply_style_filter_first_ply && std::any_of(roots.begin(), roots.end(), fits);
  if (report.style_applied)
    std::erase_if(roots, [&](const RootMove& root) {
      return !fits(root) && !root.vital && !root.included && !root.counter;
    });
  else  // a style that is not applied changes nothing
    for (RootMove& root : roots) root.counter = false;
}

JunqiReport JunqiSearch::judge(const RootWishes& wishes) {
  JunqiReport report;
  report.moves = candidates(wishes);
  apply_style(report.moves, wishes, report);
  prefer_counter(report.moves);
  if (!report.moves.empty()) report.value = report.moves[0].value;
  return report;
}

void JunqiSearch::narrow(std::vector<RootMove>& roots) const {
  const bool classic = options_.mode == JunqiMode::kClassic;
  if (options_.narrowing && !classic) return;
  const std::size_t width = as_index(classic ? options_.beam_width : options_.root_width);
  if (width == 0 || roots.size() <= width) return;
  std::vector<RootMove> kept(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(width));
  for (std::size_t i = width; i < roots.size(); ++i)
    if (roots[i].counter || (!classic && (roots[i].included || roots[i].vital)))
      kept.push_back(roots[i]);
  roots = std::move(kept);
}

std::int64_t JunqiSearch::nodes_spent() const {
  std::int64_t nodes = 0;
  for (const WorldSearch& search : searches_) nodes += search.nodes();
  return dropped_nodes_ + nodes;
}

std::vector<InWorld> JunqiSearch::look(const std::vector<RootMove>& roots, std::size_t world,
                                       int depth) {
  WorldSearch& search = searches_[world - dropped_];
  const Stage stage =
      scorer_.stage(search.world(), view_.seat(), search.facts(), belief_->knowledge);
  const double share = scorer_.weights().worlds_trust * options_.discount;
  std::vector<InWorld> seen;
  for (const RootMove& root : roots) {
    // The fight itself counts as it is believed to end: a handful of worlds would tell it badly.
    const double unseen = search.surprise(search.world(), root.move);
    const double luck = scorer_.exchange(search.world(), stage, root.move) - root.parts.exchange -
                        options_.discount * unseen;
    const double base = root.parts.score + root.bonus;
    const double value = base + share * search.after(root.move, depth, unseen);
    if (search.aborted()) return {};
    seen.push_back({races_ ? races_->corrected(world, root.move, base, value) : value, luck});
    if (world == 0) first_lines_[root.move] = search.line();
  }
  return seen;
}

/// Searches the worlds from `first` to `last`; those before are counted already at this depth.
/// False when not all of them could be; with `narrowing` those that were searched count all the
/// same.
bool JunqiSearch::deepen(std::vector<RootMove>& roots, int depth, std::size_t first,
                         std::size_t last, JunqiReport& report) {
  const std::size_t worlds = last - first;
  std::vector<std::vector<InWorld>> by_world(worlds);
  first_lines_.clear();
  const std::size_t threads = std::min<std::size_t>(as_index(options_.threads), worlds);
  // One thread alone knows what is left: what a world does not use is for the next.
  const bool rest = options_.narrowing && limits_.nodes > 0 && threads == 1;
  const auto work = [&](std::size_t from, std::size_t step) {
    for (std::size_t w = from; w < worlds; w += step) {
      if (rest)
        searches_[first + w - dropped_].allow(
            std::max<std::int64_t>(1, limits_.nodes - nodes_spent()));
      by_world[w] = look(roots, first + w, depth);
      if (by_world[w].empty()) return;
    }
  };
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < threads; ++t) pool.emplace_back(work, t, threads);
  work(0, threads);
  for (auto& thread : pool) thread.join();
  report.nodes = nodes_spent();
  const bool complete =
      std::none_of(by_world.begin(), by_world.end(), [](const auto& seen) { return seen.empty(); });
  if (!complete && !options_.narrowing) return false;
  // A world counts whole, so that all moves were searched as deep in it.
  for (std::size_t w = 0; w < worlds; ++w) {
    // Worlds that were never searched count from the first on, without a gap.
    const std::size_t world = first + w;
    if (by_world[w].empty() || world > roots[0].seen.size()) continue;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      auto& seen = roots[i].seen;
      if (world == seen.size()) seen.emplace_back();
      seen[world] = by_world[w][i];
    }
  }
  for (RootMove& root : roots)
    if (const auto line = first_lines_.find(root.move); first == 0 && line != first_lines_.end())
      if (!by_world[0].empty()) root.line = line->second;
  if (roots[0].seen.empty()) return false;
  combine(roots);
  return complete;
}

void JunqiSearch::combine(std::vector<RootMove>& roots) const {
  for (RootMove& root : roots) {
    const double n = static_cast<double>(root.seen.size());
    double sum = 0, squares = 0;
    for (const InWorld& seen : root.seen) sum += seen.value;
    root.mean = sum / n;
    for (const InWorld& seen : root.seen) {
      const double off = seen.value + seen.luck - root.mean;
      squares += off * off;
    }
    root.deviation = std::sqrt(squares / n);
    root.value = root.mean - scorer_.weights().worlds_caution * root.deviation;
    root.worlds = static_cast<int>(root.seen.size());
  }
}

void JunqiSearch::pick_worlds() {
  const std::size_t count = std::min(as_index(options_.worlds), belief_->worlds.size());
  const std::size_t stride = belief_->worlds.size() / count;
  worlds_.clear();
  for (std::size_t w = 0; w < count; ++w)
    worlds_.push_back(view_.world(belief_->worlds[w * stride]));
}

bool JunqiSearch::wants_worlds(int depth, std::size_t moves) const {
  if (!options_.narrowing || moves < 2 || depth < kMoreWorldsFrom) return false;
  if (limits_.nodes == 0 && limits_.seconds == 0) return false;
  std::size_t most = limits_.worlds > 0 ? as_index(limits_.worlds) : kMostWorlds;
  if (depth < static_cast<int>(options_.depth)) {
    const auto times = std::size_t{2} << std::min(depth - kMoreWorldsFrom, 8);
    most = std::min(most, std::min(times, kMostTimesWorlds) * as_index(options_.worlds));
  }
  return worlds_.size() < most;
}

void JunqiSearch::add_worlds(std::vector<RootMove>& roots, const Deadline& deadline) {
  std::int64_t count = options_.worlds;
  if (limits_.worlds > 0)
    count = std::min(count, limits_.worlds - static_cast<std::int64_t>(worlds_.size()));
  const auto seed = static_cast<std::uint64_t>(options_.seed) + worlds_.size();
  for (const WorldKinds& kinds :
       more_worlds(view_, scorer_.weights(), static_cast<int>(count), seed))
    worlds_.push_back(view_.world(kinds));
  if (!races_) return;
  races_->run_added(deadline);
  for (RootMove& root : roots) root.vital = root.vital || races_->decides(root.move);
}

void JunqiSearch::solve_races(std::vector<RootMove>& roots, const Deadline& deadline) {
  races_.reset();
  if (options_.race_plies == 0) return;
  std::vector<Move> moves;
  for (const RootMove& root : roots) moves.push_back(root.move);
  races_.emplace(view_, worlds_, scorer_, options_);
  races_->run(moves, deadline);
  for (RootMove& root : roots) {
    root.vital = root.vital || races_->decides(root.move);
    root.value += races_->outlook(root.move);
  }
  rank(roots);
}

void JunqiSearch::set_aside(std::vector<RootMove>& roots, std::size_t worlds,
                            std::vector<RootMove>& pruned) const {
  constexpr std::size_t kLeast = 3, kNarrowest = 6;
  const JunqiPruning prune = options_.prune;
  std::size_t keep = roots.size();
  if (prune == JunqiPruning::kProgressive) keep = std::max(kLeast, (roots.size() + 1) / 2);
  if (options_.narrowing) {
    const std::size_t wide = options_.root_width > 0 ? as_index(options_.root_width) : roots.size();
    keep = std::min(keep, worlds <= kBatch ? wide : std::max(kNarrowest, 3 * roots.size() / 4));
  }
  std::vector<RootMove> kept;
  for (RootMove& root : roots) {
    const bool hopeless = prune == JunqiPruning::kStatistical &&
                          root.mean + 2 * root.deviation < roots[0].mean - 2 * roots[0].deviation;
    if (root.included || (options_.narrowing && root.vital) || kept.size() < kLeast ||
        (kept.size() < keep && !hopeless)) {
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

/// Opens the worlds up to `last` and shares what is left of the nodes out among those from `first`.
void JunqiSearch::open_worlds(std::size_t first, std::size_t last, const Deadline& deadline,
                              std::int64_t spent) {
  // Some million nodes a second, for the sizes of tables.
  const double most = limits_.nodes > 0     ? static_cast<double>(limits_.nodes)
                      : limits_.seconds > 0 ? 1e6 * limits_.seconds
                                            : 1e9;
  const auto table = static_cast<std::int64_t>(4 * most / static_cast<double>(worlds_.size()));
  while (dropped_ + searches_.size() < last)
    searches_.emplace_back(worlds_[dropped_ + searches_.size()], view_.team(view_.seat()), options_,
                           scorer_, belief_->knowledge, expected_, view_.history(), deadline,
                           table);
  if (limits_.nodes == 0) return;
  const auto share = static_cast<std::int64_t>(last - first);
  const std::int64_t left = std::max<std::int64_t>(1, (limits_.nodes - spent) / share);
  for (std::size_t w = first; w < last; ++w) searches_[w - dropped_].allow(left);
}

void JunqiSearch::sampled(std::vector<RootMove>& roots, const RootWishes& wishes,
                          const Deadline& deadline, JunqiReport& report,
                          const std::function<void(const JunqiReport&)>& progress) {
  const Stopwatch watch;
  searches_.clear();
  dropped_ = 0;
  dropped_nodes_ = 0;
  std::size_t worlds = worlds_.size();
  Guarantees guarantees(view_, options_, scorer_, *belief_, expected_, wishes.include, deadline);
  std::vector<RootMove> pruned;
  const int deepest = static_cast<int>(options_.depth);
  int depth = options_.iterative ? 1 : deepest;
  // A few worlds tell the moves apart badly, so that the first iteration takes them a batch at a
  // time and ever fewer moves; a deeper one counts only when it has seen all of them.
  const std::size_t batch = options_.narrowing ? kBatch : worlds;
  report.worlds = options_.narrowing ? 0 : static_cast<int>(worlds);
  std::size_t first = 0;
  bool searching = true, added = false;
  // In turns with the search: whoever had fewer nodes so far is next.
  while (searching || guarantees.pending()) {
    if (guarantees.pending() && (!searching || guarantees.nodes() < report.nodes)) {
      guarantees.serve_round();
      continue;
    }
    const std::size_t last = depth > 1 || added ? worlds : std::min(worlds, first + batch);
    // The former way gives every world its share at once, for all iterations.
    if (options_.narrowing || searches_.empty()) open_worlds(first, last, deadline, report.nodes);
    const bool complete = deepen(roots, depth, first, last, report);
    if (complete) {
      guarantees.credit(std::max(last, as_index(report.worlds)));
      report.depth = depth;
    } else {
      report.stop = deadline.stopped()  ? StopReason::kStopped
                    : deadline.passed() ? StopReason::kTime
                                        : StopReason::kSimulations;
      searching = false;
      if (!options_.narrowing || roots[0].worlds == 0) continue;
      guarantees.credit(as_index(roots[0].worlds));
    }
    rank(roots);
    report.worlds = roots[0].worlds;
    report.moves = roots;
    report.moves.insert(report.moves.end(), pruned.begin(), pruned.end());
    report.value = roots[0].value;
    report.seconds = watch.seconds();
    if (!complete) continue;
    if ((options_.narrowing && !added) || (options_.prune != JunqiPruning::kNone && depth > 1))
      set_aside(roots, last, pruned);
    if (progress && (depth < deepest || added)) progress(report);
    first = last < worlds ? last : 0;
    if (first != 0) continue;
    if ((added = wants_worlds(depth, roots.size()))) {
      if (depth == deepest) {  // these worlds are searched to the end
        dropped_nodes_ = nodes_spent();
        dropped_ = worlds;
        searches_.clear();
      }
      add_worlds(roots, deadline);
      first = worlds;
      worlds = worlds_.size();
    } else if (++depth > deepest) {
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
  std::vector<RootMove> roots = candidates(wishes);
  if (roots.empty()) throw std::invalid_argument("the seat has no move to choose from");
  if (options_.mode == JunqiMode::kSearch) {
    pick_worlds();
    solve_races(roots, deadline);
  }
  apply_style(roots, wishes, report);
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
  const Scorer scorer(options.values_for(board.players()));
  const Knowledge knowledge = Knowledge::of(board);
  const HistoryRecorder history;
  const Deadline never;
  const Scorer::Expected expected = scorer.expected_exchanges(knowledge);
  WorldSearch search(board, board.team(board.to_move()), options, scorer, knowledge, expected,
                     history, never, 1 << 14);
  double value = 0;
  const int last = static_cast<int>(options.depth);
  for (int depth = options.iterative ? 1 : last; depth <= last; ++depth)
    value = search.value(depth);
  if (nodes) *nodes = search.nodes();
  return value;
}

}  // namespace kibitz::junqi
