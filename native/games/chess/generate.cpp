#include "games/chess/generate.h"

#include <algorithm>

#include "games/chess/game.h"

namespace kibitz::chess {

bool is_legal(const Board& board, Move move) {
  MoveList<Chess> moves;
  list_moves(board, moves);
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

std::uint64_t perft(const Board& board, int depth, PerftStop stop) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_moves(board));
  MoveList<Chess> moves;
  list_moves(board, moves);
  check(stop);
  std::uint64_t leaves = 0;
  for (const Move move : moves) {
    Board next = board;
    next.play(move);
    leaves += perft(next, depth - 1, stop);
  }
  return leaves;
}

}  // namespace kibitz::chess
