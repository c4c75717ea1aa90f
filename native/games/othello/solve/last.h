// The last three empty squares, where most of an endgame's positions are: no move lists, no table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "games/othello/board.h"
#include "games/othello/solve/parity.h"

namespace kibitz::othello {

namespace detail {

#if defined(__BMI2__)

// What a line of `length` squares gives when square `place` is its only empty one and the mover's
// discs are `line`: the discs the mover would turn there, and times 256 those the opponent would.
constexpr int line_flips(int length, int place, int line) {
  const auto turned = [&](int mine) {
    int count = 0;
    for (int up = place + 1; up < length; ++up) {
      if (mine >> up & 1) {
        count += up - place - 1;
        break;
      }
    }
    for (int down = place - 1; down >= 0; --down) {
      if (mine >> down & 1) {
        count += place - down - 1;
        break;
      }
    }
    return count;
  };
  return turned(line) + 256 * turned(~line);
}

// Where the table of a length and a place begins.
constexpr std::size_t line_table(int length, int place) {
  std::size_t start = 0;
  for (int l = 8; l > length; --l) start += static_cast<std::size_t>(l) << l;
  return start + (static_cast<std::size_t>(place) << length);
}

constexpr std::array<std::uint16_t, line_table(0, 0)> make_line_flips() {
  std::array<std::uint16_t, line_table(0, 0)> table{};
  for (int length = 1; length <= 8; ++length) {
    for (int place = 0; place < length; ++place) {
      for (int line = 0; line < 1 << length; ++line) {
        table[line_table(length, place) + static_cast<std::size_t>(line)] =
            static_cast<std::uint16_t>(line_flips(length, place, line));
      }
    }
  }
  return table;
}

// The column and the two diagonals through a square, and where their tables begin.
struct Lines {
  std::array<Bits, 3> mask;
  std::array<std::uint16_t, 4> table;
};

constexpr std::array<Lines, 64> make_lines() {
  std::array<Lines, 64> lines{};
  for (std::size_t square = 0; square < 64; ++square) {
    constexpr std::array<std::size_t, 4> kRay = {2, 3, 1,
                                                 0};  // south, south-east, south-west, east
    for (std::size_t i = 0; i < 4; ++i) {
      const Rays& rays = kRays[square];
      const Bits mask = rays.up[kRay[i]] | rays.down[kRay[i]] | bit(static_cast<int>(square));
      if (i < 3) lines[square].mask[i] = mask;
      lines[square].table[i] = static_cast<std::uint16_t>(
          line_table(std::popcount(mask), std::popcount(rays.down[kRay[i]])));
    }
  }
  return lines;
}

inline constexpr auto kLineFlips = make_line_flips();
inline constexpr auto kLines = make_lines();

#endif  // __BMI2__

}  // namespace detail

/// Discs turned on the last empty square of the board.
struct LastFlips {
  int player;
  int opponent;  // if the opponent moves there; matters only where the player cannot
};

inline LastFlips count_last_flips(int square, Bits player) {
#if defined(__BMI2__)
  const auto& lines = detail::kLines[static_cast<std::size_t>(square)];
  const auto* table = detail::kLineFlips.data();
  const auto row = static_cast<std::size_t>((player >> (square & 56)) & 0xFF);
  const int both = table[lines.table[0] + _pext_u64(player, lines.mask[0])] +
                   table[lines.table[1] + _pext_u64(player, lines.mask[1])] +
                   table[lines.table[2] + _pext_u64(player, lines.mask[2])] +
                   table[lines.table[3] + row];
  return {both & 0xFF, both >> 8};
#else
  const Bits opponent = ~(player | bit(square));
  const int turned = std::popcount(flips(square, player, opponent));
  return {turned, turned != 0 ? 0 : std::popcount(flips(square, opponent, player))};
#endif
}

/// Searches positions with one to three empty squares. Scores are for the side to move; the
/// functions ask whether the score is above `alpha`: one above it is a lower bound, another an
/// upper bound.
///
/// Flips are worked out before it is known whether they are needed, and the functions are kept
/// apart: measured faster, probably because which moves are legal is hard to predict.
class LastEmpties {
 public:
  static constexpr int kNone = -128;

  std::uint64_t nodes = 0;

  int one(Bits player, int square) {
    ++nodes;
    const LastFlips turned = count_last_flips(square, player);
    const int margin = 2 * std::popcount(player) - 64;
    int score = margin >= 0 ? margin + 2 : margin;  // the empty square is the winner's
    score = turned.opponent != 0 ? margin - 2 * turned.opponent : score;
    return turned.player != 0 ? margin + 2 * turned.player + 2 : score;
  }

  [[gnu::noinline]] int two(Bits player, Bits opponent, int alpha, int a, int b) {
    ++nodes;
    const Bits turned_a = flips(a, player, opponent);
    const Bits turned_b = flips(b, player, opponent);
    if (turned_a != 0) {
      const int score = -one(opponent & ~turned_a, b);
      if (score > alpha || turned_b == 0) return score;
      return std::max(score, -one(opponent & ~turned_b, a));
    }
    if (turned_b != 0) return -one(opponent & ~turned_b, a);
    return two_passed(player, opponent, alpha, a, b);
  }

  int three(Bits player, Bits opponent, int alpha, unsigned odd_quarters) {
    ++nodes;
    const int score = try_three(player, opponent, alpha, odd_quarters);
    return score != kNone ? score : three_passed(player, opponent, alpha, odd_quarters);
  }

 private:
  // kNone without a legal move.
  int try_three(Bits player, Bits opponent, int alpha, unsigned odd_quarters) {
    // Of three squares at least one is in an odd quarter.
    const Bits empty = ~(player | opponent);
    const int a = std::countr_zero(empty & kQuarterMasks[odd_quarters]);
    const Bits rest = empty ^ bit(a);
    const int b = std::countr_zero(rest);
    const int c = 63 - std::countl_zero(rest);
    const Bits turned_a = flips(a, player, opponent);
    const Bits turned_b = flips(b, player, opponent);
    int best = kNone;
    const auto tries = [&](int square, Bits turned, int next, int last) {
      if (turned == 0) return false;
      const int score = -two(opponent & ~turned, player | turned | bit(square), ~alpha, next, last);
      best = std::max(best, score);
      return best > alpha;
    };
    if (tries(a, turned_a, b, c) || tries(b, turned_b, a, c)) return best;
    tries(c, flips(c, player, opponent), a, b);
    return best;
  }

  // The opponent's turn, because `player` has no move.
  [[gnu::noinline]] int three_passed(Bits player, Bits opponent, int alpha, unsigned odd_quarters) {
    const int score = try_three(opponent, player, ~alpha, odd_quarters);
    return score != kNone ? -score : final_margin(player, opponent);
  }

  [[gnu::noinline]] int two_passed(Bits player, Bits opponent, int alpha, int a, int b) {
    const Bits turned_a = flips(a, opponent, player);
    const Bits turned_b = flips(b, opponent, player);
    if (turned_a != 0) {
      const int score = one(player & ~turned_a, b);
      if (score <= alpha || turned_b == 0) return score;
      return std::min(score, one(player & ~turned_b, a));
    }
    if (turned_b != 0) return one(player & ~turned_b, a);
    return final_margin(player, opponent);
  }
};

}  // namespace kibitz::othello
