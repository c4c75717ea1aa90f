// One game of self-play, played step by step: it hands out leaves to be evaluated, so that many
// games share a network's batches. A game has its own tree and its own random numbers; what it
// plays does not depend on the other games.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "search/selfplay_record.h"
#include "search/tree_search.h"

namespace kibitz {

template <Game G>
class SelfplayGame {
 public:
  /// Gives a search what the game brings to it (oracle, priors).
  using Equip = std::function<void(TreeSearch<G>&)>;

  /// `opening` are the moves the game begins with, all of them legal. The rules must outlive it.
  SelfplayGame(const SelfplayRules& rules, std::shared_ptr<Evaluator<G>> evaluator,
               const Equip& equip, std::int64_t id, const G& start, std::span<const Move> opening,
               std::uint64_t seed)
      : rules_(rules), seed_(seed), rng_(seed, kGameStream), record_{id, start, start, {},
                                                                     -1, -1,    false} {
    for (const Move move : opening) {
      record_.plies.push_back({move, false, 0.5f, {}});
      record_.last.play(move);
    }
    record_.played_out = rng_.unit() < rules_.play_out;
    search_ = std::make_unique<TreeSearch<G>>(record_.last, std::move(evaluator), rules_.options);
    if (equip) equip(*search_);
    if (!is_over()) begin_search();
  }

  /// Leaves to be evaluated before `absorb`; empty when the game is over.
  std::span<Leaf<G>> gather() {
    while (!is_over()) {
      if (const auto leaves = search_->gather(); !leaves.empty()) return leaves;
      play_move();
      if (!is_over()) begin_search();
    }
    return {};
  }
  void absorb() { search_->absorb(); }
  /// The random numbers of the search under way, for evaluators that want some.
  Rng& rng() { return search_->rng(); }

  bool is_over() const {
    return record_.gave_up() || record_.last.is_over() ||
           (rules_.plies > 0 && ply() >= static_cast<std::size_t>(rules_.plies));
  }
  SelfplayRecord<G>&& take_record() { return std::move(record_); }

 private:
  /// Streams of a game's seed: this one draws moves; search number n has the seed n further on.
  static constexpr std::uint64_t kGameStream = 0x67616d65;

  std::size_t ply() const { return record_.plies.size(); }
  double temperature() const {
    const bool drawn =
        rules_.temperature_plies == 0 || ply() < static_cast<std::size_t>(rules_.temperature_plies);
    return drawn ? rules_.temperature : 0.0;
  }

  void begin_search() {
    full_ = rules_.fast_visits <= 0 || rng_.unit() < rules_.full_share;
    Options options = rules_.options;
    options.threads = 1;
    options.reuse = options.reuse && options.rule != SelectionRule::kGumbel;
    options.seed = static_cast<std::int64_t>(mix64(seed_ + ply()) >> 1);
    options.gumbel_noise *= temperature();
    Budget budget = rules_.budget;
    if (!full_) {
      options.root_dirichlet = options.root_noise = options.gumbel_noise = 0.0;
      budget = Budget{};
      budget.visits = rules_.fast_visits;
    } else if (rules_.fast_visits > 0) {
      // Where few moves are searched in full, those begin anew, so that noise reaches all of them.
      search_->reset(record_.last);
    }
    search_->set_options(options);
    search_->begin(Plan{}, budget);
  }

  void play_move() {
    const SearchReport report = search_->report(1);
    SearchedPly ply{report.moves.front().move, full_, static_cast<float>(report.value), {}};
    double total = 0.0;
    for (const MoveReport& move : report.moves)
      total += move.improved ? *move.improved : static_cast<double>(move.visits);
    for (const MoveReport& move : report.moves) {
      const double weight = move.improved ? *move.improved : static_cast<double>(move.visits);
      if (move.visits == 0 && weight <= 0.0) continue;
      ply.entries.push_back({move.move, static_cast<std::uint32_t>(move.visits),
                             static_cast<float>(move.value),
                             static_cast<float>(total > 0 ? weight / total : 0.0)});
    }
    if (const double t = temperature(); t > 0 && rules_.options.rule != SelectionRule::kGumbel)
      ply.move = drawn(report, t);
    const int mover = record_.last.to_move();
    consider_resigning(mover, report.value);
    record_.last.play(ply.move);
    search_->advance(ply.move);
    record_.plies.push_back(std::move(ply));
  }

  /// A move by its visits; one that is proven to lose, or not searched, only if all are.
  Move drawn(const SearchReport& report, double temperature) {
    const MoveReport& best = report.moves.front();
    double most = 0.0, total = 0.0;
    for (const MoveReport& move : report.moves)
      most = std::max(most, static_cast<double>(move.visits));
    if (most == 0.0 || best.proven.low == 2) return best.move;
    std::vector<double> weights;
    for (const MoveReport& move : report.moves) {
      const bool loses = move.proven.high == 0 && best.proven.high > 0;
      const double share = static_cast<double>(move.visits) / most;
      weights.push_back(share > 0 && !loses ? std::pow(share, 1.0 / temperature) : 0.0);
      total += weights.back();
    }
    double left = rng_.unit() * total;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      left -= weights[i];
      if (weights[i] > 0 && left < 0) return report.moves[i].move;
    }
    return best.move;
  }

  void consider_resigning(int mover, double value) {
    if (rules_.resign <= 0 || record_.resigned >= 0) return;
    int& low = low_[static_cast<std::size_t>(mover)];
    low = value <= rules_.resign ? low + 1 : 0;
    if (low < rules_.resign_plies) return;
    record_.resigned = mover;
    record_.resigned_ply = static_cast<int>(ply());
  }

  const SelfplayRules& rules_;
  std::uint64_t seed_;
  Rng rng_;
  SelfplayRecord<G> record_;
  std::unique_ptr<TreeSearch<G>> search_;
  bool full_ = true;
  int low_[2] = {0, 0};  // moves in a row at which each side's value was at most `resign`
};

}  // namespace kibitz
