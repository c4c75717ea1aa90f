#include "games/chess/style/character.h"

#include "games/chess/style/squares.h"

namespace kibitz::style {

Character measure_character(const Board& start, std::span<const Move> moves, int plies) {
  const int whole = piece_value(start);
  long attacks = 0, left = 0;
  int seen = 0;
  Board board = start;
  for (const Move move : moves) {
    if (seen >= plies) break;
    board.play(move);
    ++seen;
    attacks += king_attack(board, chess::kWhite) + king_attack(board, chess::kBlack);
    left += piece_value(board);
  }
  Character out;
  if (seen == 0) return out;
  out.ka = static_cast<double>(attacks) / seen;
  // A promotion can leave more than there was.
  if (whole > 0) out.ex = 1.0 - static_cast<double>(left) / (static_cast<double>(whole) * seen);
  return out;
}

}  // namespace kibitz::style
