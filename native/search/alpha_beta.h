// Alpha-beta with an evaluation, written once for every game that has one: principal variation
// search with a transposition table, multi-ProbCut and a hand-over to an exact solver near the end.
// What a game brings is a judge (below). The root (deepening, steering, threads, reports) is
// alpha_beta_root.h.
//
// Threads: one AlphaBeta a thread; the table and the judge's weights are shared.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluate/prob_cut.h"
#include "games/game.h"
#include "search/alpha_beta_limits.h"
#include "search/alpha_beta_table.h"
#include "search/plan_below.h"

namespace kibitz {

/// What alpha-beta needs of a game beyond its rules. Scores are the mover's, in units of the judge.
/// - `Board` is a position with whatever the evaluation keeps up to date; copied, then played on.
/// - `remaining` bounds the plies left; a search of that depth is exact. A move that brings the
///   end no nearer (a forced pass) takes no `plies`.
/// - `finish` is the exact score of a board near its end if it lies inside (alpha, beta), else a
///   bound; nothing where the board is out of reach. Each thread has a judge of its own, so it may
///   keep a table.
/// - `cut` are the ProbCut parameters for a search of a depth, or null.
/// - `evaluate_moves` (optional) evaluates all moves of a board at once, for the side that plays
///   them, ends of the game included.
template <class J>
concept BoardJudge =
    requires(J& judge, typename J::Board& board, const typename J::Board& at,
             const typename J::Game& game, MoveList<typename J::Game>& list, int n) {
      requires Game<typename J::Game>;
      { judge.board(game) } -> std::same_as<typename J::Board>;
      { board.play(Move{}) } -> std::same_as<void>;
      { J::key(at) } -> std::same_as<std::uint64_t>;
      { J::mover(at) } -> std::same_as<int>;
      { J::moves(at, list) } -> std::same_as<void>;
      { J::remaining(at) } -> std::same_as<int>;
      { J::plies(Move{}) } -> std::same_as<int>;
      { J::kMostScore } -> std::convertible_to<int>;
    };
template <class J>
concept Judge = BoardJudge<J> && requires(J& judge, const typename J::Board& at, int n) {
  { J::freedom(at) } -> std::same_as<int>;
  { judge.evaluate(at) } -> std::same_as<int>;
  { judge.result(at) } -> std::same_as<int>;
  { judge.cut(n, n) } -> std::same_as<const ProbCut*>;
  { judge.finish(at, n, n) } -> std::same_as<std::optional<int>>;
};

/// How sure a cut must be, in standard errors; the last never cuts.
inline constexpr std::array<double, 6> kCutConfidence = {0.8, 1.1, 1.5, 2.2, 3.0, 1e9};
inline constexpr int kNoCuts = static_cast<int>(kCutConfidence.size()) - 1;

template <Judge J>
class AlphaBeta : public AlphaBetaLimits, public PlanBelow {
 public:
  using Board = typename J::Board;
  using G = typename J::Game;
  static constexpr int kInfinity = J::kMostScore + 1;

  AlphaBeta(J judge, AlphaBetaTable& table, const std::atomic<bool>& stop)
      : AlphaBetaLimits(stop), judge_(std::move(judge)), table_(&table) {}

  J& judge() { return judge_; }
  /// What the evaluation says of each move, for the side that plays it.
  using Scores = std::array<int, static_cast<std::size_t>(G::kMaxMoves)>;
  void evaluate_moves(const Board& board, const MoveList<G>& moves, Scores& scores);

  /// The score if it is inside (alpha, beta), else a bound on that side; void once stopped().
  /// `from_root` is how many plies below the root of a plan the board is.
  int search(const Board& board, int alpha, int beta, int depth, int selectivity,
             int from_root = 1);

 private:
  /// Made in its place: boards with what a judge keeps of them are large.
  struct Candidate {
    Candidate(const Board& before, Move played) : board(before), move(played) {}

    Board board;
    Move move;
  };
  /// Places in the list of children, sorted instead of the children themselves, which are large.
  struct Rank {
    int order;
    std::uint32_t at;
  };
  using Ranks = std::array<Rank, static_cast<std::size_t>(G::kMaxMoves)>;
  /// Children of the node under way at each depth; kept, so that a node allocates nothing.
  using Family = std::vector<Candidate>;

  static constexpr bool kAllAtOnce =
      requires(J& judge, const Board& board, std::span<const Move> moves, std::span<int> scores) {
        judge.evaluate_moves(board, moves, scores);
      };
  /// From this depth on moves are ordered by the evaluation, and the table is asked about children.
  static constexpr int kOrderDepth = 3, kChildCutDepth = 5;
  static constexpr int kFreedomWeight = 48;

  int leaf_parent(const Board& board, const MoveList<G>& moves, int beta);
  std::optional<int> probably(const Board& board, int alpha, int beta, int depth, int selectivity,
                              int from_root);
  void list(const Board& board, const MoveList<G>& moves, int depth, Move first, Family& family,
            Ranks& ranks);
  /// Moves the best of places i.. to place i.
  static void pick(Ranks& ranks, std::size_t i, std::size_t count) {
    for (std::size_t k = i + 1; k < count; ++k)
      if (ranks[k].order > ranks[i].order) std::swap(ranks[i], ranks[k]);
  }

  J judge_;
  AlphaBetaTable* table_;
  int ply_ = 0;
  std::array<Family, 130> families_;
};

template <Judge J>
int AlphaBeta<J>::search(const Board& board, int alpha, int beta, int depth, int selectivity,
                         int from_root) {
  if (out_of_budget()) return 0;
  const bool restricted = reaches(from_root);
  if (!restricted && depth >= J::remaining(board)) {
    if (const auto exact = judge_.finish(board, alpha, beta)) return *exact;
  }
  if (depth <= 0) return judge_.evaluate(board);
  const std::uint64_t key = depth < 2 ? 0 : J::key(board);
  if (depth >= 2) table_->prefetch(key);
  MoveList<G> moves;
  J::moves(board, moves);
  if (moves.empty()) return judge_.result(board);
  if (restricted) {
    permit(moves, J::mover(board), from_root);
    if (moves.empty()) return judge_.evaluate(board);
  }
  if (moves.size() == 1 && J::plies(moves[0]) == 0) {
    Board child = board;
    child.play(moves[0]);
    return -search(child, -beta, -alpha, depth, selectivity, from_root + 1);
  }
  if (depth < 2) return leaf_parent(board, moves, beta);

  Move first = kNoMove;
  if (!restricted) {
    if (const auto known = table_->find(key)) {
      first = known->move;
      if (known->depth >= depth && known->selectivity >= selectivity) {
        const int score = known->score;
        if (known->bound == Bound::kExact) return score;
        if (known->bound == Bound::kLower && score >= beta) return score;
        if (known->bound == Bound::kUpper && score <= alpha) return score;
      }
    }
    if (beta - alpha == 1 && selectivity < kNoCuts && moves.size() > 1)
      if (const auto cut = probably(board, alpha, beta, depth, selectivity, from_root)) return *cut;
    if (stopped()) return 0;
  }

  Family& family = families_[static_cast<std::size_t>(ply_)];
  Ranks ranks;
  list(board, moves, depth, first, family, ranks);
  // Children within reach of a restriction are not in the table.
  if (depth >= kChildCutDepth && beta - alpha == 1 && !reaches(from_root + 1)) {
    for (std::size_t i = 0; i < family.size(); ++i) {
      const auto known = table_->find(J::key(family[ranks[i].at].board));
      if (known && known->depth >= depth - 1 && known->selectivity >= selectivity &&
          known->bound != Bound::kLower && -known->score >= beta)
        return -known->score;
    }
  }

  int best = -kInfinity, low = alpha;
  Move best_move = kNoMove;
  ++ply_;
  for (std::size_t i = 0; i < family.size() && best < beta; ++i) {
    if (i > 0) pick(ranks, i, family.size());
    const Candidate& child = family[ranks[i].at];
    int score;
    if (i == 0 || beta - low == 1) {
      score = -search(child.board, -beta, -low, depth - 1, selectivity, from_root + 1);
    } else {
      score = -search(child.board, -low - 1, -low, depth - 1, selectivity, from_root + 1);
      if (score > low && score < beta)
        score = -search(child.board, -beta, -low, depth - 1, selectivity, from_root + 1);
    }
    if (stopped()) break;
    if (score > best) {
      best = score;
      best_move = child.move;
      low = std::max(low, score);
    }
  }
  --ply_;
  if (stopped()) return 0;
  if (restricted) return best;
  TableEntry entry;
  entry.score = static_cast<std::int16_t>(best);
  entry.move = best_move;
  entry.depth = static_cast<std::uint8_t>(std::min(depth, 255));
  entry.selectivity = static_cast<std::uint8_t>(selectivity);
  entry.bound = best >= beta ? Bound::kLower : best > alpha ? Bound::kExact : Bound::kUpper;
  table_->store(key, entry);
  return best;
}

template <Judge J>
void AlphaBeta<J>::evaluate_moves(const Board& board, const MoveList<G>& moves, Scores& scores) {
  if constexpr (kAllAtOnce) {
    judge_.evaluate_moves(board, {moves.begin(), moves.end()},
                          {scores.data(), static_cast<std::size_t>(moves.size())});
  } else {
    auto score = scores.begin();
    for (const Move move : moves) {
      Board child = board;
      child.play(move);
      const bool over = J::remaining(child) == 0;
      *score++ = over ? -judge_.result(child) : -judge_.evaluate(child);
    }
  }
}

/// Depth 1: the children are only evaluated, in any order.
template <Judge J>
int AlphaBeta<J>::leaf_parent(const Board& board, const MoveList<G>& moves, int beta) {
  int best = -kInfinity;
  if constexpr (kAllAtOnce) {
    Scores scores;
    evaluate_moves(board, moves, scores);
    count_leaves(static_cast<std::uint64_t>(moves.size()));
    return *std::max_element(scores.begin(), scores.begin() + moves.size());
  }
  for (const Move move : moves) {
    Board child = board;
    child.play(move);
    count_leaves(1);
    const bool over = J::remaining(child) == 0;
    const int score = over ? -judge_.result(child) : -judge_.evaluate(child);
    if (score > best && (best = score) >= beta) break;
  }
  return best;
}

/// Multi-ProbCut: where a shallow search is far outside the window, a deep one very likely is too.
template <Judge J>
std::optional<int> AlphaBeta<J>::probably(const Board& board, int alpha, int beta, int depth,
                                          int selectivity, int from_root) {
  const ProbCut* cut = judge_.cut(J::remaining(board), depth);
  if (!cut) return std::nullopt;
  const double margin = kCutConfidence[static_cast<std::size_t>(selectivity)] * cut->sigma;
  const int now = judge_.evaluate(board);
  const auto bound_for = [&](double deep) {
    return static_cast<int>((deep - cut->offset) / cut->slope);
  };
  // A position whose own evaluation is on the wrong side will hardly pass.
  const int high = bound_for(beta + margin);
  if (high < J::kMostScore && now >= bound_for(beta)) {
    const int score = search(board, high - 1, high, cut->depth, selectivity, from_root);
    if (stopped()) return std::nullopt;
    if (score >= high) return beta;
  }
  const int low = bound_for(alpha - margin);
  if (low > -J::kMostScore && now <= bound_for(alpha)) {
    const int score = search(board, low, low + 1, cut->depth, selectivity, from_root);
    if (stopped()) return std::nullopt;
    if (score <= low) return alpha;
  }
  return std::nullopt;
}

template <Judge J>
void AlphaBeta<J>::list(const Board& board, const MoveList<G>& moves, int depth, Move first,
                        Family& family, Ranks& ranks) {
  family.clear();
  [[maybe_unused]] Scores scores;
  if constexpr (kAllAtOnce) evaluate_moves(board, moves, scores);
  for (const Move move : moves) {
    Candidate& child = family.emplace_back(board, move);
    Rank& rank = ranks[family.size() - 1];
    rank.at = static_cast<std::uint32_t>(family.size() - 1);
    child.board.play(move);
    if (depth > kChildCutDepth) table_->prefetch(J::key(child.board));
    if (move == first) {
      rank.order = 1 << 30;
      continue;
    }
    rank.order = -kFreedomWeight * J::freedom(child.board);
    if constexpr (kAllAtOnce)
      rank.order += scores[family.size() - 1];
    else if (depth >= kOrderDepth)
      rank.order -= judge_.evaluate(child.board);
  }
  pick(ranks, 0, family.size());
}

}  // namespace kibitz
