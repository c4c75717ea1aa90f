// Playouts of ultimate tic-tac-toe: the loop of the rules with all that changes every ply in
// registers.
#pragma once

#include "evaluate/playout.h"
#include "games/uttt/board.h"

namespace kibitz {

template <>
struct Playouts<Uttt> {
  static constexpr bool kHasPolicy = false;

  static void run(std::span<const Uttt> starts, std::span<float> results, bool /*policy*/,
                  Rng& rng) {
    Rng random = rng;  // a copy of its own stays in registers too
    for (std::size_t i = 0; i < starts.size(); ++i) results[i] = playout(starts[i], random);
    rng = random;
  }

 private:
  static float playout(Uttt game, Rng& random) {
    if (game.is_over()) return game.result();
    unsigned side = game.side, constraint = game.constraint, closed = game.closed;
    for (;;) {
      unsigned board = constraint, cell;
      if (constraint != Uttt::kAnywhere) {
        const std::uint64_t choice = game.empty[board];
        const auto k = random.below(static_cast<std::uint32_t>(std::popcount(choice)));
        cell = static_cast<unsigned>(lowest_bit(nth_bit(choice, static_cast<int>(k))));
      } else {
        game.constraint = Uttt::kAnywhere;
        const Move move = game.random_move(random);
        board = move / 9u;
        cell = move % 9u;
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
};

}  // namespace kibitz
