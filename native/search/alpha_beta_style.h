// A style with a budget at the root of alpha-beta: the move with the best value plus the budget
// times its bonus is played. A move that the style likes more than the best is searched down to the
// lowest score that its bonus pays for, in the same null window that would else have compared it
// with the best, so that moves out of reach cost nothing more.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "search/alpha_beta_moves.h"
#include "steering/plan.h"

namespace kibitz {

/// The win probability of a root move with that score, for the mover.
template <RootJudge J>
double root_value(const J& judge, const AlphaBetaMove<J>& move, int score) {
  return 1.0 - judge.chance(move.board, -score);
}

/// The lowest score of a move, `best` at most, that is worth `least`.
template <RootJudge J>
int lowest_worth(const J& judge, const AlphaBetaMove<J>& move, double least, int best) {
  int low = best;
  for (int step = J::kScoreUnit; root_value(judge, move, low) >= least; step *= 2) {
    low = best - step;
    if (step > 100 * J::kScoreUnit) break;  // the whole range is affordable
  }
  int high = best;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (root_value(judge, move, middle) >= least)
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

/// The order of the root moves for a step: the best first, then what the style likes more, most
/// liked first, then the others.
template <RootJudge J>
void put_liked_first(std::vector<AlphaBetaMove<J>>& moves, const Plan& plan) {
  if (moves.empty()) return;
  const double bonus = plan.style_bonus(moves.front().move);
  const auto rank = [&](const AlphaBetaMove<J>& move) {
    const double own = plan.style_bonus(move.move);
    return move.permitted && own > bonus ? own : -2.0;
  };
  std::stable_sort(
      moves.begin() + 1, moves.end(),
      [&](const AlphaBetaMove<J>& a, const AlphaBetaMove<J>& b) { return rank(a) > rank(b); });
}

/// What a style decides at the root.
struct StyleChoice {
  std::size_t index = 0;             // of the move to play
  std::optional<double> spent = {};  // win probability behind the best
  std::optional<double> price = {};  // set where the style gave way: its favourite costs this much
};

/// Of moves that are sorted best first. Scores count that are exact at the step under way or the
/// one before.
template <RootJudge J>
StyleChoice choose_styled(const std::vector<AlphaBetaMove<J>>& moves, const Plan& plan,
                          const J& judge, int step) {
  StyleChoice choice;
  if (!plan.styled() || moves.empty() || !moves.front().permitted || moves.front().proven.settled())
    return choice;
  const auto known = [&](const AlphaBetaMove<J>& move) {
    return move.permitted && move.exact && move.step >= step - 1 && !move.proven.settled();
  };
  if (!known(moves.front())) return choice;
  const double best = root_value(judge, moves.front(), moves.front().score);
  if (plan.style_price > 0.0) {
    const auto likes = [&](const AlphaBetaMove<J>& move) {
      return move.permitted ? plan.style_bonus(move.move) : -2.0;
    };
    const auto favourite = std::max_element(
        moves.begin(), moves.end(),
        [&](const AlphaBetaMove<J>& a, const AlphaBetaMove<J>& b) { return likes(a) < likes(b); });
    // An upper bound will do: it was searched down to the price.
    const double behind = best - root_value(judge, *favourite, favourite->score);
    if (behind > plan.style_price) {
      choice.price = behind;
      return choice;
    }
  }
  choice.spent = 0.0;
  const double bonus = plan.style_bonus(moves.front().move);
  double worth = 0.0;  // above the best move's
  for (std::size_t i = 1; i < moves.size(); ++i) {
    const double liked = plan.style_bonus(moves[i].move) - bonus;
    if (!known(moves[i]) || liked <= 0.0) continue;
    const double behind = best - root_value(judge, moves[i], moves[i].score);
    if (plan.style_budget * liked - behind > worth) {
      worth = plan.style_budget * liked - behind;
      choice.index = i;
      choice.spent = std::max(0.0, behind);
    }
  }
  return choice;
}

}  // namespace kibitz
