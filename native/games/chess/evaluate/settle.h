// What a chess position is worth after the exchanges that either side would choose to make: a
// search of captures, and of all moves out of check.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "games/chess/board.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/game.h"
#include "games/chess/generate.h"

namespace kibitz::chess {

inline constexpr int kSettledMate = 30000;
/// The longest line of captures.
inline constexpr int kMostCaptures = 10;

namespace detail {

/// Lists captures and promotions to a queen, and counts the other moves.
struct LoudSink {
  const Board& board;
  MoveList<Chess>& list;
  int others = 0;
  void piece(int from, Bits targets) {
    const Bits foe = board.sides[1 - board.side];
    others += std::popcount(targets & ~foe);
    for (Bits set = targets & foe; set;) list.push(make_move(from, pop_lowest(set)));
  }
  void pawns(Bits targets, int step) {
    const Bits foe = board.sides[1 - board.side];
    others += std::popcount(targets & ~foe);
    for (Bits set = targets & foe; set;) {
      const int to = pop_lowest(set);
      list.push(make_move(to - step, to));
    }
  }
  void promotions(Bits targets, int step) {
    while (targets) {
      const int to = pop_lowest(targets);
      list.push(make_move(to - step, to, kQueen));
    }
  }
  void single(int from, int to) {
    const Move move = make_move(from, to);
    if (board.is_en_passant(move))
      list.push(move);
    else
      ++others;
  }
};

/// Moves worth trying, best first.
struct Exchanges {
  MoveList<Chess> moves;
  std::array<int, Chess::kMaxMoves> worth;
  bool any_legal;

  Exchanges(const Board& board, bool all) {
    MoveList<Chess> legal;
    if (all) {
      list_moves(board, legal);
      any_legal = !legal.empty();
    } else {
      LoudSink sink{board, legal};
      generate(board, sink);
      any_legal = !legal.empty() || sink.others > 0;
    }
    for (const Move move : legal) {
      const int gain = exchange_score(board, move);
      if (!all && gain < 0) continue;
      worth[static_cast<std::size_t>(moves.size())] = gain;
      moves.push(move);
    }
  }
  Move take_best(int from) {
    int best = from;
    for (int i = from + 1; i < moves.size(); ++i)
      if (worth[static_cast<std::size_t>(i)] > worth[static_cast<std::size_t>(best)]) best = i;
    std::swap(moves[from], moves[best]);
    std::swap(worth[static_cast<std::size_t>(from)], worth[static_cast<std::size_t>(best)]);
    return moves[from];
  }
};

}  // namespace detail

/// The mover's score if it is inside (alpha, beta), else a bound. `judge` scores a board as its
/// pieces stand, so many captures on.
template <class Judge>
int settle(Judge& judge, const Board& board, int alpha = -2 * kSettledMate,
           int beta = 2 * kSettledMate, int depth = 0) {
  const bool check = board.in_check();
  int best = check && depth < 4 ? -kSettledMate + depth : judge(board, depth);
  if (depth >= kMostCaptures) return best;
  if (best >= beta) return best;
  detail::Exchanges exchanges(board, check && depth < 4);
  if (!exchanges.any_legal) return check ? -kSettledMate + depth : 0;
  const int standing = best;
  alpha = std::max(alpha, best);
  for (int i = 0; i < exchanges.moves.size(); ++i) {
    const Move move = exchanges.take_best(i);
    // What cannot reach alpha even when the piece is won for nothing need not be tried.
    if (!check && standing + exchanges.worth[static_cast<std::size_t>(i)] + 150 < alpha) break;
    Board next = board;
    next.play(move);
    best = std::max(best, -settle(judge, next, -beta, -alpha, depth + 1));
    alpha = std::max(alpha, best);
    if (alpha >= beta) break;
  }
  return best;
}

}  // namespace kibitz::chess
