// Junqi games to test with: dealt at random, played at random.
#pragma once

#include <array>
#include <cstdint>

#include "games/junqi/board.h"

namespace kibitz::junqi {

inline Junqi dealt(Rng& rng, const Options& options) {
  std::array<Layout, kSeats> layouts;
  for (auto& layout : layouts) layout = random_layout(rng);
  return Junqi(layouts, options);
}

inline Junqi dealt(Rng& rng, int players) {
  Options options;
  options.players = players;
  return dealt(rng, options);
}

inline Move random_move(Rng& rng, const MoveList<Junqi>& moves) {
  return moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))];
}

/// Any move, or one of the attacks, each taken once in `odds`, so that much happens.
inline Move lively_move(Rng& rng, const Junqi& game, const MoveList<Junqi>& moves,
                        std::uint32_t odds) {
  Move move = random_move(rng, moves);
  for (const Move m : moves)
    if (game.piece_at(to_of(m)) != kNowhere && rng.below(odds) == 0) move = m;
  return move;
}

}  // namespace kibitz::junqi
