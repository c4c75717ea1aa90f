// Playouts of ultimate tic-tac-toe: the loop of the rules with all that changes every ply in
// registers.
#pragma once

#include "evaluate/playout.h"
#include "games/uttt/board.h"
#include "games/uttt/policy.h"

namespace kibitz {

template <>
struct Playouts<Uttt> {
  static constexpr bool kHasPolicy = true;

  static void run(std::span<const Uttt> starts, std::span<float> results, bool policy, Rng& rng) {
    Rng random = rng;  // a copy of its own stays in registers too
    for (std::size_t i = 0; i < starts.size(); ++i)
      results[i] = policy ? playout<true>(starts[i], random) : playout<false>(starts[i], random);
    rng = random;
  }

 private:
  /// With `careful` a player who can win a sub-board does, and the game's last one first.
  template <bool careful>
  static float playout(Uttt game, Rng& random) {
    if (game.is_over()) return game.result();
    unsigned side = game.side, constraint = game.constraint, closed = game.closed;
    for (;;) {
      unsigned board = constraint, cell;
      if (constraint != Uttt::kAnywhere) {
        std::uint64_t choice = game.empty[board];
        if constexpr (careful) {
          const unsigned wins = uttt::kCompleting[game.cells[side][board]] & game.empty[board];
          if (wins) choice = wins;
        }
        const auto k = random.below(static_cast<std::uint32_t>(std::popcount(choice)));
        cell = static_cast<unsigned>(lowest_bit(nth_bit(choice, static_cast<int>(k))));
      } else {
        game.constraint = Uttt::kAnywhere;
        if (!careful || !winning_cell(game, side, random, board, cell)) {
          const Move move = game.random_move(random);
          board = move / 9u;
          cell = move % 9u;
        }
      }
      const auto bit = static_cast<uttt::Mask>(1u << cell);
      const uttt::Mask mine = game.cells[side][board] |= bit;
      const uttt::Mask left = game.empty[board] ^= bit;
      if (uttt::has_line(mine) || left == 0) {
        // The rules decide what closing a sub-board means; the cell is taken back and played there.
        game.cells[side][board] ^= bit;
        game.empty[board] |= bit;
        game.side = static_cast<std::uint8_t>(side);
        game.place(board, cell);
        if (game.is_over()) return game.result();
        closed = game.closed;
      }
      constraint = closed >> cell & 1 ? unsigned{Uttt::kAnywhere} : cell;
      side ^= 1;
    }
  }

  /// With a free choice: a cell that wins the game or else a sub-board, if there is one.
  static bool winning_cell(const Uttt& game, unsigned side, Rng& random, unsigned& board,
                           unsigned& cell) {
    const unsigned lines = uttt::kCompleting[game.won[side]];
    unsigned count = 0;
    for (unsigned b = 0; b < 9; ++b) {
      const unsigned wins = uttt::kCompleting[game.cells[side][b]] & game.empty[b];
      if (!wins) continue;
      const bool last = lines >> b & 1;
      if (!last && random.below(++count) != 0) continue;
      board = b;
      cell = static_cast<unsigned>(lowest_bit(wins));
      if (last) return true;
    }
    return count > 0;
  }
};

}  // namespace kibitz
