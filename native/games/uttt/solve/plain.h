// Minimax by the rules alone: no table, no reduction, no pruning but that of a finished game. Slow,
// and the judge of everything that is fast.
#pragma once

#include <algorithm>
#include <vector>

#include "games/uttt/board.h"

namespace kibitz::uttt {

struct PlainMove {
  Move move = kNoMove;
  int result = 0;    // 1 win, 0 draw, -1 loss for the side that plays it
  int distance = 0;  // plies to the end of the game; 0 for a draw
};

/// Wins before draws before losses; fast wins and slow losses first.
inline bool plainly_better(const PlainMove& a, const PlainMove& b) {
  if (a.result != b.result) return a.result > b.result;
  return a.result > 0 ? a.distance < b.distance : a.result < 0 && a.distance > b.distance;
}

inline PlainMove plain_best(const Uttt& game);

inline PlainMove plain_rating(const Uttt& game, Move move) {
  Uttt next = game;
  next.play(move);
  if (next.is_over()) {
    const float mine = game.to_move() == 0 ? next.result() : 1.0f - next.result();
    const int result = mine > 0.75f ? 1 : mine < 0.25f ? -1 : 0;
    return {move, result, result != 0 ? 1 : 0};
  }
  const PlainMove reply = plain_best(next);
  return {move, -reply.result, reply.result != 0 ? reply.distance + 1 : 0};
}

inline PlainMove plain_best(const Uttt& game) {
  MoveList<Uttt> moves;
  game.legal_moves(moves);
  PlainMove best;
  for (const Move move : moves) {
    const PlainMove rated = plain_rating(game, move);
    if (best.move == kNoMove || plainly_better(rated, best)) best = rated;
  }
  return best;
}

/// Every legal move, best first.
inline std::vector<PlainMove> plain_minimax(const Uttt& game) {
  MoveList<Uttt> moves;
  game.legal_moves(moves);
  std::vector<PlainMove> rated;
  for (const Move move : moves) rated.push_back(plain_rating(game, move));
  std::stable_sort(rated.begin(), rated.end(), plainly_better);
  return rated;
}

}  // namespace kibitz::uttt
