#include "games/uttt/solve/solver.h"

namespace kibitz::uttt {
namespace {

Worth worth_of_score(int score) {
  if (score == 0) return kDraw;
  return static_cast<Worth>(score > 0 ? ExactSearch::kWin - score
                                      : kLoss + ExactSearch::kWin + score);
}

int score_of_worth(Worth worth) {
  if (worth == kDraw) return 0;
  return worth < kLoss ? ExactSearch::kWin - worth : worth - kLoss - ExactSearch::kWin;
}

/// The worth of a game that is over, for the side that made the last move.
Worth worth_of_end(const Uttt& over) {
  const float first = over.result();
  const float mine = over.side == 1 ? first : 1.0f - first;
  return static_cast<Worth>(mine == 1.0f ? 1 : mine == 0.0f ? kLoss + 1 : kDraw);
}

}  // namespace

Worth Solver::worth_of(const Uttt& game) {
  if (tables_)
    if (const auto known = tables_->probe(game)) return *known;
  const int score = search_.score(SearchNode(game));
  return search_.out_of_limits() ? kUnknown : worth_of_score(score);
}

Worth Solver::worth_after(const Uttt& game, Move move) {
  Uttt next = game;
  next.play(move);
  if (next.is_over()) return worth_of_end(next);
  const Worth child = worth_of(next);
  return child == kUnknown ? kUnknown : seen_from_before(child);
}

/// The first move of that worth, which is the best there is.
Move Solver::move_worth(const Uttt& game, Worth worth) {
  MoveList<Uttt> moves;
  game.legal_moves(moves);
  const int wanted = score_of_worth(worth);
  for (const Move move : moves) {
    Uttt next = game;
    next.play(move);
    if (next.is_over()) {
      if (worth_of_end(next) == worth) return move;
      continue;
    }
    if (tables_) {
      if (const auto known = tables_->probe(next)) {
        if (seen_from_before(*known) == worth) return move;
        continue;
      }
    }
    // No move is better, so one that reaches the score has it.
    const int child_beta = wanted - 1 >= 0 ? -(wanted - 1) - 1 : -(wanted - 1) + 1;
    const int child = search_.search(SearchNode(next), child_beta - 1, child_beta);
    if (search_.out_of_limits()) return kNoMove;
    if (ExactSearch::seen_from_before(child) >= wanted) return move;
  }
  return kNoMove;
}

Solution Solver::solve(const Uttt& game, const SolveLimits& limits) {
  search_.begin(limits);
  Solution out;
  out.worth = worth_of(game);
  if (out.worth != kUnknown) {
    Uttt at = game;
    Worth worth = out.worth;
    while (!at.is_over()) {
      const Move move = move_worth(at, worth);
      if (move == kNoMove) break;
      out.line.push_back(move);
      at.play(move);
      // The other side's worth, one ply nearer to the end.
      if (worth != kDraw)
        worth = static_cast<Worth>(worth < kLoss ? kLoss + worth - 1 : worth - kLoss - 1);
    }
    if (out.line.empty())
      out.worth = kUnknown;  // the limit came between the worth and the move
    else
      out.best = out.line.front();
  }
  out.solved = out.worth != kUnknown;
  out.nodes = search_.nodes();
  out.seconds = search_.seconds();
  return out;
}

MoveWorths Solver::rate_moves(const Uttt& game, const SolveLimits& limits) {
  search_.begin(limits);
  MoveWorths out;
  out.solved = true;
  MoveList<Uttt> moves;
  game.legal_moves(moves);
  std::vector<RatedMove> unknown;
  for (const Move move : moves) {
    const Worth worth = worth_after(game, move);
    (worth == kUnknown ? unknown : out.moves).push_back({move, worth});
  }
  sort_rated(out.moves);
  out.solved = unknown.empty();
  out.moves.insert(out.moves.end(), unknown.begin(), unknown.end());
  out.nodes = search_.nodes();
  out.seconds = search_.seconds();
  return out;
}

int Solver::sign(const Uttt& game, const SolveLimits& limits) {
  if (tables_)
    if (const auto known = tables_->probe(game)) return (*known != 0) - 2 * (*known >= kLoss);
  search_.begin(limits);
  const int sign = search_.sign(SearchNode(game));
  return search_.out_of_limits() ? 2 : sign;
}

}  // namespace kibitz::uttt
