// Playouts: from a position to the end of the game by random moves, one board at a time or several
// in the lanes of vector registers.
//
// `Random` is kibitz::Rng or anything with its next() and below(). No allocation; nothing is
// shared, so threads run playouts freely with a generator each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "games/othello/policy.h"

namespace kibitz::othello {

/// Plays `game` to its end. Returns black's discs minus white's, empty squares to the winner.
template <PlayoutPolicy Policy, class Random>
int playout(const Othello& game, Random& random) {
  Bits player = game.player;
  Bits opponent = game.opponent;
  int sign = game.side == 0 ? 1 : -1;
  for (;;) {
    Bits moves = mobility(player, opponent);
    if (moves == 0) {
      moves = mobility(opponent, player);
      if (moves == 0) return sign * final_margin(player, opponent);
      std::swap(player, opponent);
      sign = -sign;
    }
    if constexpr (Policy == PlayoutPolicy::kCareful) {
      moves = careful_moves(moves, ~(player | opponent));
    }
    const auto k = random.below(static_cast<std::uint32_t>(std::popcount(moves)));
    const Bits disc = nth_bit(moves, static_cast<int>(k));
    const Bits turned = flips(lowest_bit(disc), player, opponent);
    const Bits mine = player | turned | disc;
    player = opponent & ~turned;
    opponent = mine;
    sign = -sign;
  }
}

template <class Random>
int playout_random(const Othello& game, Random& random) {
  return playout<PlayoutPolicy::kUniform>(game, random);
}

template <class Random>
int playout_policy(const Othello& game, Random& random) {
  return playout<PlayoutPolicy::kCareful>(game, random);
}

#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 8;
#elif defined(__AVX2__)
inline constexpr std::size_t kLanes = 4;
#else
inline constexpr std::size_t kLanes = 2;
#endif

/// Boards played together. The same in every build, whatever the registers hold, so that one seed
/// gives the same games on every CPU.
inline constexpr std::size_t kPlayoutBatch = 8;

namespace detail {

// One 64-bit board a lane; the compiler turns the operators into the widest instructions of the
// build.
using Lanes [[gnu::vector_size(8 * kLanes)]] = Bits;

template <int Shift>
inline Lanes towards(Lanes boards) {
  if constexpr (Shift > 0) {
    return boards << Shift;
  } else {
    return boards >> -Shift;
  }
}

inline constexpr std::array<int, 8> kSteps = {1, -1, 7, -7, 8, -8, 9, -9};

// One line of the board in one direction: the opponent's discs that form a run beginning at a disc
// of the player. The square after a run, if empty, is a move; the run seen from that square is what
// it turns. So one fill finds the moves and a second, from the chosen squares, finds the flips.
template <int Step>
struct Line {
  Lanes inner;
  Lanes pair;
  Lanes run;

  Line(Lanes player, Lanes opponent) {
    // A run along a row or diagonal cannot pass through the edge files; along a column nothing
    // wraps.
    inner = Step == 8 || Step == -8 ? opponent : opponent & kNotEdgeFiles;
    pair = inner & towards<Step>(inner);
    run = inner & towards<Step>(player);
    run |= inner & towards<Step>(run);
    run |= pair & towards<2 * Step>(run);
    run |= pair & towards<2 * Step>(run);
  }

  Lanes landing() const { return towards<Step>(run); }

  Lanes turned(Lanes discs) const {
    const Lanes back_pair = inner & towards<-Step>(inner);
    Lanes reached = run & towards<-Step>(discs);
    reached |= inner & towards<-Step>(reached);
    reached |= back_pair & towards<-2 * Step>(reached);
    reached |= back_pair & towards<-2 * Step>(reached);
    return reached;
  }
};

inline bool any(Lanes lanes) {
  Bits all = 0;
  for (std::size_t i = 0; i < kLanes; ++i) all |= lanes[i];
  return all != 0;
}

inline Lanes nonzero(Lanes lanes) { return reinterpret_cast<Lanes>(lanes != 0); }

inline Lanes careful_lanes(Lanes moves, Lanes empty) {
  const Lanes blocks = corner_blocks(empty & kCorners);
  const Lanes corners = moves & kCorners;
  const Lanes quiet = moves & ~blocks;
  const Lanes edge = moves & kCSquares;
  const Lanes no_corner = ~nonzero(corners);
  const Lanes no_quiet = ~nonzero(quiet);
  const Lanes no_edge = ~nonzero(edge);
  // Each tier only where the better ones are empty.
  return corners | (no_corner & (quiet | (no_quiet & (edge | (no_edge & moves)))));
}

// One bit of each lane, uniformly; empty lanes stay empty. A draw of 64 bits serves two lanes.
template <class Random>
inline Lanes random_bits(Lanes moves, Random& random) {
  Lanes chosen{};
  for (std::size_t i = 0; i < kLanes; i += 2) {
    const std::uint64_t draw = random.next();
    const auto pick = [](Bits set, std::uint64_t draw32) {
      const auto count = static_cast<std::uint64_t>(std::popcount(set));
      return nth_bit(set, static_cast<int>((draw32 * count) >> 32));  // of no moves: nothing
    };
    chosen[i] = pick(moves[i], draw >> 32);
    chosen[i + 1] = pick(moves[i + 1], draw & 0xffffffffU);
  }
  return chosen;
}

// Plays one ply on every board of the lanes; a board without a move passes. False if none had a
// move.
template <PlayoutPolicy Policy, class Random>
inline bool play_ply(Lanes& player, Lanes& opponent, Random& random) {
  const Line<1> east(player, opponent);
  const Line<-1> west(player, opponent);
  const Line<7> south_west(player, opponent);
  const Line<-7> north_east(player, opponent);
  const Line<8> south(player, opponent);
  const Line<-8> north(player, opponent);
  const Line<9> south_east(player, opponent);
  const Line<-9> north_west(player, opponent);
  const Lanes empty = ~(player | opponent);
  Lanes moves = (east.landing() | west.landing() | south_west.landing() | north_east.landing() |
                 south.landing() | north.landing() | south_east.landing() | north_west.landing()) &
                empty;
  const bool can_move = any(moves);
  if constexpr (Policy == PlayoutPolicy::kCareful) moves = careful_lanes(moves, empty);
  const Lanes discs = random_bits(moves, random);
  const Lanes turned = east.turned(discs) | west.turned(discs) | south_west.turned(discs) |
                       north_east.turned(discs) | south.turned(discs) | north.turned(discs) |
                       south_east.turned(discs) | north_west.turned(discs);
  const Lanes mine = player | turned | discs;
  player = opponent & ~turned;
  opponent = mine;
  return can_move;
}

template <PlayoutPolicy Policy, class Random>
void playout_batch(const Othello* starts, float* results, std::size_t count, Random& random) {
  constexpr std::size_t kParts = kPlayoutBatch / kLanes;
  std::array<Lanes, kParts> player{};
  std::array<Lanes, kParts> opponent{};
  for (std::size_t i = 0; i < kPlayoutBatch; ++i) {
    const Othello& start = starts[std::min(i, count - 1)];
    player[i / kLanes][i % kLanes] = start.player;
    opponent[i / kLanes][i % kLanes] = start.opponent;
  }
  // When no board had a move twice in a row, every game is over.
  unsigned plies = 0;
  for (unsigned idle = 0; idle < 2; ++plies) {
    bool moved = false;
    for (std::size_t part = 0; part < kParts; ++part) {
      moved |= play_ply<Policy>(player[part], opponent[part], random);
    }
    idle = moved ? 0 : idle + 1;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const int difference = std::popcount(player[i / kLanes][i % kLanes]) -
                           std::popcount(opponent[i / kLanes][i % kLanes]);
    const bool black_to_move = (starts[i].side + plies) % 2 == 0;
    const int for_black = black_to_move ? difference : -difference;
    results[i] = for_black > 0 ? 1.0F : for_black < 0 ? 0.0F : 0.5F;
  }
}

}  // namespace detail

/// A playout from each of `starts`, several at a time; writes black's result (1, 0.5 or 0) of each.
/// Precondition: `results` is as long as `starts`. Batches of kLanes or more use the lanes
/// best.
template <PlayoutPolicy Policy, class Random>
void playouts(std::span<const Othello> starts, std::span<float> results, Random& random) {
  for (std::size_t done = 0; done < starts.size(); done += kPlayoutBatch) {
    detail::playout_batch<Policy>(starts.data() + done, results.data() + done,
                                  std::min(kPlayoutBatch, starts.size() - done), random);
  }
}

}  // namespace kibitz::othello
