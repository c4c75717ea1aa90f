// The last four empty squares, where most of an endgame's positions are: no move lists, no table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "games/othello/board.h"

namespace kibitz::othello {

namespace detail {

constexpr std::array<Bits, 64> make_neighbours() {
  std::array<Bits, 64> around{};
  for (int square = 0; square < 64; ++square) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int x = square % 8 + dx;
        const int y = square / 8 + dy;
        if ((dx != 0 || dy != 0) && x >= 0 && x < 8 && y >= 0 && y < 8) {
          around[static_cast<std::size_t>(square)] |= bit(y * 8 + x);
        }
      }
    }
  }
  return around;
}

#if defined(__BMI2__)

// kLineFlips[i][line]: discs turned on a line of eight by a disc on square i when the mover's discs
// are `line` and all others the opponent's.
constexpr std::array<std::array<std::uint8_t, 256>, 8> make_line_flips() {
  std::array<std::array<std::uint8_t, 256>, 8> counts{};
  for (int i = 0; i < 8; ++i) {
    for (int line = 0; line < 256; ++line) {
      int turned = 0;
      for (int up = i + 1; up < 8; ++up) {
        if (line >> up & 1) {
          turned += up - i - 1;
          break;
        }
      }
      for (int down = i - 1; down >= 0; --down) {
        if (line >> down & 1) {
          turned += i - down - 1;
          break;
        }
      }
      counts[static_cast<std::size_t>(i)][static_cast<std::size_t>(line)] =
          static_cast<std::uint8_t>(turned);
    }
  }
  return counts;
}

// The column and the two diagonals through a square, and the square's place on each.
struct Lines {
  std::array<Bits, 3> mask;
  std::array<std::uint8_t, 3> place;
};

constexpr std::array<Lines, 64> make_lines() {
  std::array<Lines, 64> lines{};
  for (std::size_t square = 0; square < 64; ++square) {
    constexpr std::array<std::size_t, 3> kRay = {2, 3, 1};  // south, south-east, south-west
    for (std::size_t i = 0; i < 3; ++i) {
      const Rays& rays = kRays[square];
      lines[square].mask[i] = rays.up[kRay[i]] | rays.down[kRay[i]] | bit(static_cast<int>(square));
      lines[square].place[i] = static_cast<std::uint8_t>(std::popcount(rays.down[kRay[i]]));
    }
  }
  return lines;
}

inline constexpr auto kLineFlips = make_line_flips();
inline constexpr auto kLines = make_lines();

#endif  // __BMI2__

}  // namespace detail

inline constexpr std::array<Bits, 64> kNeighbours = detail::make_neighbours();

/// How many discs `player` turns on `square` when it is the only empty square of the board.
inline int count_last_flips(int square, Bits player) {
#if defined(__BMI2__)
  const auto& lines = detail::kLines[static_cast<std::size_t>(square)];
  const auto& table = detail::kLineFlips;
  const auto row = static_cast<std::size_t>((player >> (square & 56)) & 0xFF);
  return table[static_cast<std::size_t>(square & 7)][row] +
         table[lines.place[0]][_pext_u64(player, lines.mask[0])] +
         table[lines.place[1]][_pext_u64(player, lines.mask[1])] +
         table[lines.place[2]][_pext_u64(player, lines.mask[2])];
#else
  return std::popcount(flips(square, player, ~(player | bit(square))));
#endif
}

/// Searches positions with one to four empty squares. Scores are for the side to move; the
/// functions are fail-soft alpha-beta: a score outside the window is a bound on that side.
class LastEmpties {
 public:
  std::uint64_t nodes = 0;

  int one(Bits player, int square) {
    ++nodes;
    const int mine = std::popcount(player);
    if (const int turned = count_last_flips(square, player); turned != 0) {
      return 2 * (mine + turned + 1) - 64;
    }
    const Bits opponent = ~(player | bit(square));
    if (const int turned = count_last_flips(square, opponent); turned != 0) {
      return 2 * (mine - turned) - 64;
    }
    return mine >= 32 ? 2 * mine - 62 : 2 * mine - 64;
  }

  template <bool Passed = false>
  int two(Bits player, Bits opponent, int alpha, int beta, int a, int b) {
    nodes += !Passed;
    int best = kNone;
    if (const Bits turned = try_flips(a, player, opponent); turned != 0) {
      best = -one(opponent & ~turned, b);
      if (best >= beta) return best;
    }
    if (const Bits turned = try_flips(b, player, opponent); turned != 0) {
      best = std::max(best, -one(opponent & ~turned, a));
    }
    if (best != kNone) return best;
    if constexpr (Passed) {
      return final_margin(player, opponent);
    } else {
      return -two<true>(opponent, player, -beta, -alpha, a, b);
    }
  }

  template <bool Passed = false>
  int three(Bits player, Bits opponent, int alpha, int beta, int a, int b, int c) {
    nodes += !Passed;
    int best = kNone;
    int low = alpha;
    const auto tries = [&](int square, int next, int last) {
      const Bits turned = try_flips(square, player, opponent);
      if (turned == 0) return false;
      best = std::max(
          best, -two(opponent & ~turned, player | turned | bit(square), -beta, -low, next, last));
      low = std::max(low, best);
      return best >= beta;
    };
    if (tries(a, b, c) || tries(b, a, c) || tries(c, a, b)) return best;
    if (best != kNone) return best;
    if constexpr (Passed) {
      return final_margin(player, opponent);
    } else {
      return -three<true>(opponent, player, -beta, -alpha, a, b, c);
    }
  }

  /// `a` to `d` in the order to try them.
  template <bool Passed = false>
  int four(Bits player, Bits opponent, int alpha, int beta, int a, int b, int c, int d) {
    nodes += !Passed;
    int best = kNone;
    int low = alpha;
    const auto tries = [&](int square, int x, int y, int z) {
      const Bits turned = try_flips(square, player, opponent);
      if (turned == 0) return false;
      // With three left, one of them alone in its quarter of the board is the one to take first.
      if (quarter(x) == quarter(z)) {
        std::swap(x, y);
      } else if (quarter(x) == quarter(y)) {
        std::swap(x, z);
      }
      best = std::max(
          best, -three(opponent & ~turned, player | turned | bit(square), -beta, -low, x, y, z));
      low = std::max(low, best);
      return best >= beta;
    };
    if (tries(a, b, c, d) || tries(b, a, c, d) || tries(c, a, b, d) || tries(d, a, b, c)) {
      return best;
    }
    if (best != kNone) return best;
    if constexpr (Passed) {
      return final_margin(player, opponent);
    } else {
      return -four<true>(opponent, player, -beta, -alpha, a, b, c, d);
    }
  }

  /// Which of the four 4x4 quarters of the board a square is in.
  static int quarter(int square) { return (square >> 4 & 2) | (square >> 2 & 1); }

 private:
  static constexpr int kNone = -128;

  static Bits try_flips(int square, Bits player, Bits opponent) {
    if ((kNeighbours[static_cast<std::size_t>(square)] & opponent) == 0) return 0;
    return flips(square, player, opponent);
  }
};

}  // namespace kibitz::othello
