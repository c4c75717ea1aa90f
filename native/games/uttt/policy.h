// What a little knowledge of sub-boards is worth: the moves a careful playout takes at sight, and
// priors.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "games/uttt/board.h"

namespace kibitz::uttt {

/// For each set of cells, the cells that complete a line with it.
inline constexpr std::array<Mask, 512> kCompleting = [] {
  std::array<Mask, 512> table{};
  for (unsigned mask = 0; mask < 512; ++mask)
    for (unsigned cell = 0; cell < 9; ++cell)
      if (!(mask >> cell & 1) && !has_line_slow(mask) && has_line_slow(mask | 1u << cell))
        table[mask] |= static_cast<Mask>(1u << cell);
  return table;
}();

/// Priors by what a move takes, what it stops, and where it sends the opponent.
inline void priors(const Uttt& game, std::span<const Move> moves, std::span<float> out) {
  const std::size_t mine = game.side, theirs = game.side ^ 1u;
  const Mask my_lines = kCompleting[game.won[mine]], their_lines = kCompleting[game.won[theirs]];
  // What the opponent can do in each sub-board: nothing, win it, win the game.
  std::array<float, 9> danger{};
  float freedom = 0.0f;
  for (std::size_t b = 0; b < 9; ++b) {
    if (!(kCompleting[game.cells[theirs][b]] & game.empty[b])) continue;
    danger[b] = their_lines >> b & 1 ? 6.0f : 1.5f;
    freedom = std::max(freedom, danger[b]);
  }
  freedom += 0.5f;
  float sum = 0.0f;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::size_t b = moves[i] / 9u, c = moves[i] % 9u;
    float score = 0.0f;
    const bool wins = kCompleting[game.cells[mine][b]] >> c & 1;
    if (wins) score += my_lines >> b & 1 ? 12.0f : 2.0f;
    if (kCompleting[game.cells[theirs][b]] >> c & 1) score += their_lines >> b & 1 ? 2.0f : 0.7f;
    const bool closes = wins || std::has_single_bit(static_cast<unsigned>(game.empty[b]));
    if ((game.closed >> c & 1) || (closes && b == c))
      score -= freedom;
    else if (!(b == c && (kCompleting[game.cells[theirs][b]] & game.empty[b]) == 1u << c))
      score -= danger[c];
    out[i] = std::exp(score);
    sum += out[i];
  }
  for (float& prior : out) prior /= sum;
}

}  // namespace kibitz::uttt
