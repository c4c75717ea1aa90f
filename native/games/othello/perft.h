// Counts the leaves of the game tree: the check that the rules are right.
#pragma once

#include <cstdint>

#include "games/othello/board.h"
#include "games/perft.h"

namespace kibitz::othello {

/// Number of lines of play of `depth` plies. A pass is one ply; a game that ends earlier is one
/// leaf.
///
///     perft(Othello{}, 5) == 1396
std::uint64_t perft(const Othello& game, int depth, PerftStop stop = nullptr);

}  // namespace kibitz::othello
