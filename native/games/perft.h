// Counts lines of play: the check that the rules are right.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <stdexcept>

#include "games/game.h"

namespace kibitz {

/// Where a long count hears that it is not wanted any more; it then throws PerftStopped.
using PerftStop = const std::atomic<bool>*;

struct PerftStopped : std::runtime_error {
  PerftStopped() : std::runtime_error("the count was stopped") {}
};

inline void check(PerftStop stop) {
  if (stop && stop->load(std::memory_order_relaxed)) throw PerftStopped();
}

/// A game that counts its legal moves faster than it lists them.
template <class G>
concept CountsMoves = requires(const G& position) {
  { position.count_moves() } -> std::same_as<int>;
};

/// Lines of `depth` plies; a game that ends earlier counts as `ended` lines. Published numbers of a
/// game take 0 or 1 there, so each game has a perft of its own that says which.
template <Game G>
std::uint64_t count_lines(const G& position, int depth, std::uint64_t ended,
                          PerftStop stop = nullptr) {
  if (depth <= 0) return 1;
  if constexpr (CountsMoves<G>) {
    if (depth == 1) {
      const int moves = position.count_moves();
      return moves > 0 ? static_cast<std::uint64_t>(moves) : ended;
    }
  }
  MoveList<G> moves;
  position.legal_moves(moves);
  if (moves.empty()) return ended;
  if (depth == 1) return static_cast<std::uint64_t>(moves.size());
  // Two plies take microseconds in every game; a look at each of those nodes would cost 10%.
  if (depth > 2) check(stop);
  std::uint64_t lines = 0;
  for (const Move move : moves) {
    G next = position;
    next.play(move);
    lines += count_lines(next, depth - 1, ended, stop);
  }
  return lines;
}

}  // namespace kibitz
