// What a network of chess is shown of a move beside the squares: what it takes, risks, saves and
// threatens. The first feature is the logit of the hand-written prior.
#pragma once

#include <array>
#include <span>

#include "games/chess/board.h"

namespace kibitz::chess {

inline constexpr int kMoveFeatures = 16;
using MoveFeatures = std::array<float, kMoveFeatures>;

/// The features of a board's moves.
void move_features(const Board& board, std::span<const Move> moves,
                   std::span<MoveFeatures> features);

}  // namespace kibitz::chess
