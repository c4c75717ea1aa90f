// Hashes of a position: what makes two of them equal, for rules, caches and searches.
#pragma once

#include "games/go/state.h"

namespace kibitz::go {

/// Equal in everything the position itself shows; the past does not count.
bool is_same(const State& a, const State& b);
std::uint64_t hash(const State& s);
/// The board, the side to move, the simple ko: what two rule sets have in common.
std::uint64_t situation_hash(const State& s);
/// Everything a network's answer depends on but the order of the last moves: the key of a cache.
/// As in KataGo, orders of moves that lead to one position share an evaluation; only a position
/// shown without any move before it is distinguished.
std::uint64_t cache_key(const State& s);
/// The last move with what stood around it and the move before; 0 when there is none. Searches use
/// it to learn where a network errs.
std::uint64_t local_key(const State& s);

}  // namespace kibitz::go
