// The root moves of an alpha-beta search: what is known of each, their order, and how they are
// reported.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "search/alpha_beta.h"
#include "search/report.h"
#include "search/search_budget.h"

namespace kibitz {

/// When to give up a proof, and how many nodes it took.
struct ProofLimits {
  double seconds;
  std::uint64_t nodes;
  const std::atomic<bool>* stop;
  std::uint64_t used = 0;
};

/// What a judge adds for the root: the chance of winning that a score stands for, the unit that
/// scores are given in, and how far from the last score the next one is expected at most.
template <class J>
concept RootJudge = BoardJudge<J> && requires(J& judge, const typename J::Board& board, int n) {
  { judge.chance(board, n) } -> std::same_as<double>;
  { J::kScoreUnit } -> std::convertible_to<int>;
  { J::kWindow } -> std::convertible_to<int>;
};

/// A game whose ends are within reach of a solver: a proof of a board's exact score inside a
/// window, given a guess of it (nothing when the limits ran out).
template <class J>
concept ProvingJudge =
    RootJudge<J> && requires(J& judge, const typename J::Board& board, int n, ProofLimits& limits) {
      { judge.prove(board, n, n, n, limits) } -> std::same_as<std::optional<int>>;
    };

/// A game whose search meets the end of the game itself: is a score that of a won or lost one?
template <class J>
concept EndJudge = RootJudge<J> && requires(int score) {
  { J::decides(score) } -> std::same_as<bool>;
};

/// The search below the root moves.
template <class J>
struct NodeSearch {
  using Type = AlphaBeta<J>;
};

template <RootJudge J>
struct AlphaBetaMove {
  using Board = typename J::Board;
  AlphaBetaMove(Move played, const Board& before) : move(played), board(before) {}

  Move move;
  std::int64_t min_visits = 0;
  bool permitted = true;
  Board board;  // after the move
  int score = 0;
  bool exact = false;      // else `score` is an upper bound
  int step = -1;           // that gave the score
  bool overrated = false;  // a proven loss that the search before had not seen
  Bounds proven;           // in half points, the root mover's
  std::uint64_t nodes = 0;
  std::vector<Move> line;
};

template <RootJudge J>
AlphaBetaMove<J>& entry_of(std::vector<AlphaBetaMove<J>>& moves, Move move) {
  return *std::find_if(moves.begin(), moves.end(),
                       [move](const AlphaBetaMove<J>& entry) { return entry.move == move; });
}

/// Moves that the step under way gave an exact score come first, best first; the others keep their
/// order. A proven win counts before what is estimated. A proven loss that was no surprise keeps
/// its place: the others were worse before, and unproven only because nobody looked; a narrow loss
/// is not given up for a wide one. Forbidden moves come last.
template <RootJudge J>
void sort_moves(std::vector<AlphaBetaMove<J>>& moves, int step) {
  const auto rank = [step](const AlphaBetaMove<J>& move) {
    const bool fresh = move.exact && move.step == step;
    const int proof = move.proven.low == 2 ? 1 : move.overrated ? -1 : 0;
    return std::tuple(move.permitted, proof, fresh, fresh ? move.score : 0);
  };
  std::stable_sort(
      moves.begin(), moves.end(),
      [&](const AlphaBetaMove<J>& a, const AlphaBetaMove<J>& b) { return rank(a) > rank(b); });
}

/// Proven, where the move's line ends the game as its score says.
template <EndJudge J>
Bounds bounds_of(const AlphaBetaMove<J>& known, const typename J::Game& position) {
  if (!J::decides(known.score)) return {};
  typename J::Game game = position;
  for (const Move move : known.line) game.play(move);
  const std::uint8_t half = known.score > 0 ? 2 : 0;
  return game.is_over() && game.result() != 0.5f ? Bounds{half, half} : Bounds{};
}

/// A move as reports tell it; visits are nodes, and a move with only a bound counts as pruned.
template <RootJudge J>
MoveReport report_of(const AlphaBetaMove<J>& known, const J& judge, int line_length) {
  MoveReport move;
  move.move = known.move;
  move.visits = move.votes = static_cast<std::int64_t>(known.nodes);
  move.min_visits = known.min_visits;
  move.permitted = known.permitted;
  move.standing = known.permitted ? 0 : 1;
  move.pruned = known.step >= 0 && !known.exact;
  move.weight = static_cast<double>(move.visits);
  move.proven = known.proven;
  move.score = move.lead = static_cast<double>(known.score) / J::kScoreUnit;
  move.value = known.proven.clamp(1.0 - judge.chance(known.board, -known.score));
  if constexpr (requires { judge.draw(known.board, 0); })
    move.draw = judge.draw(known.board, -known.score);
  move.utility = 2.0 * move.value - 1.0;
  move.lcb = move.value;
  move.utility_lcb = move.utility;
  move.line = known.line.empty() ? std::vector<Move>{known.move} : known.line;
  move.line.resize(std::min(move.line.size(), static_cast<std::size_t>(line_length)));
  return move;
}

/// The moves with their scores and lines as text.
template <RootJudge J>
std::string described(const std::vector<AlphaBetaMove<J>>& moves,
                      const typename J::Game& position) {
  std::string out;
  for (const AlphaBetaMove<J>& known : moves) {
    char numbers[96];
    std::snprintf(numbers, sizeof numbers,
                  " %llu nodes, score %s%.2f:", static_cast<unsigned long long>(known.nodes),
                  known.exact ? "" : "at most ", static_cast<double>(known.score) / J::kScoreUnit);
    out += position.move_text(known.move) + numbers;
    typename J::Game game = position;
    for (const Move move : known.line) {
      out.append(1, ' ').append(game.move_text(move));
      game.play(move);
    }
    out += "\n";
  }
  return out;
}

/// A budget of simulations or visits counts nodes here.
inline std::uint64_t most_nodes(const Budget& budget) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(std::min(budget.simulations, budget.visits), 0));
}
inline StopReason limit_reason(const Budget& budget) {
  return budget.visits < budget.simulations ? StopReason::kVisits : StopReason::kSimulations;
}

}  // namespace kibitz
