#include "search/junqi_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "base/clock.h"
#include "search/junqi_classic.h"

namespace kibitz::junqi {
namespace {

constexpr std::size_t u(int i) { return static_cast<std::size_t>(i); }

bool named(const std::vector<Move>& moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

void rank(std::vector<RootMove>& roots) {
  std::stable_sort(roots.begin(), roots.end(), [](const RootMove& a, const RootMove& b) {
    // A forbidden move that was asked about is told of, and recommended only if there is no other.
    if (a.permitted != b.permitted) return a.permitted;
    if (a.value != b.value) return a.value > b.value;
    if (a.parts.score != b.parts.score) return a.parts.score > b.parts.score;
    return a.move < b.move;
  });
}

}  // namespace

Belief believe(const View& view, const Weights& weights, int samples, std::uint64_t seed) {
  ViewBeliefs made = beliefs_of(view, weights.behaviour());
  Belief out;
  // A view is made of true events, so something always fits.
  if (!made.beliefs.propagate()) throw std::invalid_argument("the view contradicts itself");
  Rng rng(seed, 0x6a71);
  const auto drawn = made.beliefs.sample(rng, std::max(samples, 1), 120, 2);
  if (drawn.empty()) throw std::invalid_argument("no assignment of pieces fits the view");
  const Marginals marginals = marginals_of(drawn);
  for (std::size_t i = 0; i < made.pieces.size(); ++i) {
    const int piece = made.pieces[i];
    out.possible[u(piece)] = made.beliefs.possible(static_cast<int>(i));
    for (std::size_t k = 0; k < kKinds; ++k)
      out.chance[u(piece)][k] = static_cast<float>(marginals[i][k]);
  }
  for (const Sample& sample : drawn) {
    std::array<Kind, kPieces> kinds;
    kinds.fill(Kind::kUnknown);
    for (std::size_t i = 0; i < made.pieces.size(); ++i) kinds[u(made.pieces[i])] = sample.kinds[i];
    out.worlds.push_back(kinds);
  }
  out.knowledge = Knowledge::of(view, out.chance);
  return out;
}

JunqiSearch::JunqiSearch(const View& view, const SearchConfig& config, const Weights& weights)
    : view_(view), config_(config), scorer_(weights) {
  if (config.depth < 0 || config.depth > 24)
    throw std::invalid_argument("depth must be from 0 to 24");
  if (!(config.discount > 0 && config.discount <= 1))
    throw std::invalid_argument("discount must be above 0 and at most 1");
  if (config.beam_width < 0 || config.root_width < 0)
    throw std::invalid_argument("a width must be 0 (all) or more");
  if (config.worlds < 1 || config.worlds > 256)
    throw std::invalid_argument("worlds must be from 1 to 256");
}

const Belief& JunqiSearch::belief() {
  if (!belief_) {
    belief_ =
        believe(view_, scorer_.weights(), std::max(config_.samples, config_.worlds), config_.seed);
    stage_ = scorer_.stage(view_, belief_->knowledge);
  }
  return *belief_;
}

std::vector<RootMove> JunqiSearch::candidates(const RootWishes& wishes, JunqiReport& report) {
  const Belief& known = belief();
  MoveList<Junqi> moves;
  view_.legal_moves(moves);
  std::vector<RootMove> all;
  for (const Move move : moves) {
    RootMove root;
    root.move = move;
    root.included = named(wishes.include, move);
    root.permitted = (wishes.first_ply_moves.empty() || named(wishes.first_ply_moves, move)) &&
                     !named(wishes.avoid, move);
    if (!root.included && !root.permitted) continue;
    root.parts = scorer_.evaluate_move(view_, stage_, move, known.knowledge);
    for (const auto& [weighed, factor] : wishes.weights)
      if (weighed == move) root.bonus += factor > 0 ? 20.0 * std::log(factor) : -1e6;
    root.value = root.mean = root.parts.score + root.bonus;
    root.category = classify_move(view_, known.knowledge, stage_, move);
    root.vital = is_vital(view_, known.knowledge, move);
    root.line = {move};
    all.push_back(std::move(root));
  }
  const auto style = wishes.preferred_category;
  if (config_.apply_style_filter_first_ply && style && *style != Category::kBalanced) {
    const auto fits = [&](const RootMove& root) { return root.category == *style; };
    if (std::any_of(all.begin(), all.end(), fits)) {
      std::erase_if(
          all, [&](const RootMove& root) { return !fits(root) && !root.vital && !root.included; });
      report.style_applied = true;
    }
  }
  rank(all);
  return all;
}

JunqiReport JunqiSearch::judge(const RootWishes& wishes) {
  JunqiReport report;
  report.moves = candidates(wishes, report);
  if (!report.moves.empty()) report.value = report.moves[0].value;
  return report;
}

bool JunqiSearch::deepen(std::vector<RootMove>& roots, int depth, const Deadline& deadline,
                         JunqiReport& report) {
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
                            root.parts.exchange - config_.discount * unseen;
        values[w][i] = root.parts.score + root.bonus +
                       config_.discount * search.after(root.move, depth, unseen);
        lucks[w][i] = luck;
        if (search.aborted()) return;
        if (w == 0) lines[i] = search.line();
      }
  };
  const std::size_t threads = std::min<std::size_t>(u(std::max(1, config_.threads)), worlds);
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < threads; ++t) pool.emplace_back(work, t, threads);
  work(0, threads);
  for (auto& thread : pool) thread.join();
  (void)deadline;
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
  std::size_t keep = roots.size();
  if (config_.prune == Prune::kProgressive) keep = std::max(kLeast, (roots.size() + 1) / 2);
  std::vector<RootMove> kept;
  for (RootMove& root : roots) {
    const bool hopeless = config_.prune == Prune::kStatistical &&
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
  ClassicSearch search(world, view_.team(view_.seat()), config_, scorer_, belief_->knowledge,
                       view_.history(), deadline);
  for (RootMove& root : roots) {
    root.value = root.mean =
        root.parts.score + root.bonus + config_.discount * search.after(root.move, config_.depth);
    root.worlds = 1;
  }
  report.nodes = search.nodes();
  report.depth = config_.depth;
}

JunqiReport JunqiSearch::run(const RootWishes& wishes, std::atomic<bool>* stop,
                             const std::function<void(const JunqiReport&)>& progress) {
  const Stopwatch watch;
  Deadline deadline;
  deadline.stop = stop;
  if (config_.time_limit_ms > 0)
    deadline.at = Clock::now() + std::chrono::milliseconds(config_.time_limit_ms);
  JunqiReport report;
  std::vector<RootMove> roots = candidates(wishes, report);
  if (roots.empty()) throw std::invalid_argument("the seat has no move to choose from");
  report.moves = roots;
  report.value = roots[0].value;
  const int width = config_.classic ? config_.beam_width : config_.root_width;
  if (width > 0 && static_cast<int>(roots.size()) > width) {
    std::vector<RootMove> kept(roots.begin(), roots.begin() + width);
    for (std::size_t i = u(width); i < roots.size(); ++i)
      if (!config_.classic && (roots[i].included || roots[i].vital)) kept.push_back(roots[i]);
    roots = std::move(kept);
  }

  if (config_.classic) {
    classic(roots, deadline, report);
    rank(roots);
    report.stop = deadline.passed() ? StopReason::kTime : StopReason::kDepth;
    report.moves = roots;
  } else {
    searches_.clear();
    const int worlds = std::min<int>(config_.worlds, static_cast<int>(belief_->worlds.size()));
    const std::size_t stride = belief_->worlds.size() / u(worlds);
    searches_.reserve(u(worlds));
    for (int w = 0; w < worlds; ++w)
      searches_.emplace_back(
          view_.world(belief_->worlds[u(w) * stride]), view_.team(view_.seat()), config_, scorer_,
          belief_->knowledge, view_.history(), deadline,
          config_.nodes > 0 ? std::max<std::int64_t>(1, config_.nodes / worlds) : 0);
    std::vector<RootMove> pruned;
    report.worlds = worlds;
    report.stop = StopReason::kDepth;
    for (int depth = config_.iterative ? 1 : config_.depth; depth <= config_.depth && depth > 0;
         ++depth) {
      if (!deepen(roots, depth, deadline, report)) {
        report.stop = stop && stop->load() ? StopReason::kStopped
                      : deadline.passed()  ? StopReason::kTime
                                           : StopReason::kSimulations;
        break;
      }
      rank(roots);
      report.depth = depth;
      report.moves = roots;
      report.moves.insert(report.moves.end(), pruned.begin(), pruned.end());
      report.value = roots[0].value;
      report.seconds = watch.seconds();
      if (config_.prune != Prune::kNone && depth > 1) set_aside(roots, pruned);
      if (progress && depth < config_.depth) progress(report);
    }
    searches_.clear();
  }
  report.value = report.moves[0].value;
  report.seconds = watch.seconds();
  return report;
}

double open_value(const Junqi& board, const SearchConfig& config, const Weights& weights,
                  std::int64_t* nodes) {
  const Scorer scorer(weights);
  const Knowledge knowledge = Knowledge::of(board);
  const HistoryRecorder history;
  const Deadline never;
  WorldSearch search(board, board.team(board.to_move()), config, scorer, knowledge, history, never,
                     0);
  double value = 0;
  for (int depth = config.iterative ? 1 : config.depth; depth <= config.depth; ++depth)
    value = search.value(depth);
  if (nodes) *nodes = search.nodes();
  return value;
}

}  // namespace kibitz::junqi
