#include "games/othello/solve/endgame.h"

#include <algorithm>
#include <utility>

namespace kibitz::othello {

namespace {

int sign(int value) { return (value > 0) - (value < 0); }

// Looking ahead by guesses pays from here on; smaller endgames are solved sooner than guessed.
constexpr int kWarmUpEmpties = 15;
constexpr int kMaxWarmUpDepth = 10;

}  // namespace

int EndgameSolver::warmed_up_guess(const Othello& game) {
  const int empties = game.empties();
  if (empties < kWarmUpEmpties) return 0;
  return search_.warm_up(game.player, game.opponent, std::min(empties - 10, kMaxWarmUpDepth));
}

// Searches a window around the guess, and moves it until the score is inside.
int EndgameSolver::exact_score(const Othello& game, int guess) {
  int width = game.empties() < kWarmUpEmpties ? 64 : 4;
  int alpha = std::clamp(guess - width, -64, 62);
  int beta = std::clamp(guess + width, -62, 64);
  for (;;) {
    const int score = search_.search(game.player, game.opponent, alpha, beta);
    if (search_.aborted()) return 0;
    width *= 2;
    if (score <= alpha && alpha > -64) {
      beta = score + 1;
      alpha = std::max(-64, score - width);
    } else if (score >= beta && beta < 64) {
      alpha = score - 1;
      beta = std::min(64, score + width);
    } else {
      return score;
    }
  }
}

// The line of best play: every position's move is proven to keep what the window (alpha, beta) of
// the root promises. Mostly the table knows; the rest is searched again.
SolveResult EndgameSolver::finished(const Othello& game, int alpha, int beta, int score,
                                    bool exact) {
  SolveResult result;
  result.solved = true;
  result.score = exact ? score : sign(score);
  Othello position = game;
  while (!position.is_over()) {
    MoveList<Othello> moves;
    position.legal_moves(moves);
    // The known best move first; the others in case its entry was overwritten.
    const int known = search_.best_known(position.player, position.opponent);
    std::stable_partition(moves.begin(), moves.end(), [&](Move move) { return move == known; });
    Move kept = moves.size() == 1 ? moves[0] : kNoMove;
    for (int i = 0; i < moves.size() && kept == kNoMove; ++i) {
      Othello next = position;
      next.play(moves[i]);
      const int value = -search_.search(next.player, next.opponent, -beta, -alpha);
      if (search_.aborted()) break;
      if (exact ? value == score : sign(value) == sign(score)) kept = moves[i];
    }
    if (kept == kNoMove) break;
    result.line.push_back(kept);
    position.play(kept);
    score = -score;
    std::swap(alpha, beta);
    alpha = -alpha;
    beta = -beta;
  }
  if (!result.line.empty()) {
    result.best = result.line.front();
  } else if (const int known = search_.best_known(game.player, game.opponent);
             search_.aborted() && known != kPass) {
    // The limits ran out between the proof and its line: the move that proved the score is in the
    // table.
    result.best = static_cast<Move>(known);
  }
  result.nodes = search_.nodes();
  result.seconds = search_.seconds();
  return result;
}

SolveResult EndgameSolver::unsolved() const {
  SolveResult result;
  result.nodes = search_.nodes();
  result.seconds = search_.seconds();
  return result;
}

SolveResult EndgameSolver::solve(const Othello& game, const SolveLimits& limits) {
  search_.begin(limits);
  const int guess = warmed_up_guess(game);
  const int score = exact_score(game, guess);
  if (search_.aborted()) return unsolved();
  return finished(game, score - 1, score + 1, score, true);
}

SolveResult EndgameSolver::solve_wld(const Othello& game, const SolveLimits& limits) {
  search_.begin(limits);
  warmed_up_guess(game);
  const int score = search_.search(game.player, game.opponent, -1, 1);
  if (search_.aborted()) return unsolved();
  return finished(game, -1, 1, score, false);
}

MoveScores EndgameSolver::score_moves(const Othello& game, const SolveLimits& limits,
                                      bool all_exact) {
  search_.begin(limits);
  MoveScores scores;
  MoveList<Othello> moves;
  game.legal_moves(moves);
  if (!moves.empty()) warmed_up_guess(game);
  const int known = search_.best_known(game.player, game.opponent);
  std::stable_partition(moves.begin(), moves.end(), [&](Move move) { return move == known; });
  int best = -65;
  for (const Move move : moves) {
    MoveScore entry{.move = move};
    Othello next = game;
    next.play(move);
    bool worth_exact = !search_.aborted();
    if (worth_exact && !all_exact && best > -65) {
      const int bound = -search_.search(next.player, next.opponent, -best - 1, -best);
      if (search_.aborted() || bound <= best) worth_exact = false;
      if (!search_.aborted() && bound <= best) entry.upper = bound;
    }
    if (worth_exact) {
      const int guess = next.empties() < kWarmUpEmpties || best == -65 ? 0 : -best;
      const int score = -exact_score(next, guess);
      if (!search_.aborted()) {
        entry.lower = entry.upper = score;
        best = std::max(best, score);
      }
    }
    scores.moves.push_back(entry);
  }
  std::stable_sort(scores.moves.begin(), scores.moves.end(),
                   [](const MoveScore& a, const MoveScore& b) {
                     return a.lower != b.lower ? a.lower > b.lower : a.upper > b.upper;
                   });
  scores.solved = !search_.aborted();
  scores.nodes = search_.nodes();
  scores.seconds = search_.seconds();
  return scores;
}

int LeafSolver::wld(const Othello& game) {
  search_.begin({});
  return sign(search_.search(game.player, game.opponent, -1, 1));
}

int LeafSolver::score(const Othello& game) {
  search_.begin({});
  return search_.search(game.player, game.opponent, -64, 64);
}

}  // namespace kibitz::othello
