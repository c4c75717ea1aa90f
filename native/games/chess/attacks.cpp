#include "games/chess/attacks.h"

#include <initializer_list>
#include <utility>

namespace kibitz::chess {
namespace {

bool on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

Bits steps(int square, std::initializer_list<std::pair<int, int>> offsets) {
  Bits set = 0;
  for (const auto& [dx, dy] : offsets) {
    const int file = file_of(square) + dx, rank = rank_of(square) + dy;
    if (on_board(file, rank)) set |= bit(square_at(file, rank));
  }
  return set;
}

/// Squares from `square` in one direction to the edge, or up to and with the first occupied one.
Bits ray(int square, int dx, int dy, Bits occupied) {
  Bits set = 0;
  int file = file_of(square) + dx, rank = rank_of(square) + dy;
  for (; on_board(file, rank); file += dx, rank += dy) {
    set |= bit(square_at(file, rank));
    if (occupied & bit(square_at(file, rank))) break;
  }
  return set;
}

#if defined(__BMI2__)
/// Occupation that matters to a slider: its rays without the last square of each.
Bits relevant(int square, bool rook) {
  Bits set = 0;
  for (const auto& [dx, dy] :
       {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}) {
    if ((dx == 0 || dy == 0) != rook) continue;
    int file = file_of(square) + dx, rank = rank_of(square) + dy;
    for (; on_board(file + dx, rank + dy); file += dx, rank += dy)
      set |= bit(square_at(file, rank));
  }
  return set;
}
#endif

}  // namespace

AttackTables::AttackTables() {
  for (int square = 0; square < 64; ++square) {
    knight[square] =
        steps(square, {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}});
    king[square] =
        steps(square, {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}});
    pawn[0][square] = steps(square, {{-1, 1}, {1, 1}});
    pawn[1][square] = steps(square, {{-1, -1}, {1, -1}});
    file[square] = ray(square, 0, 1, 0) | ray(square, 0, -1, 0);
    diagonal[square] = ray(square, 1, 1, 0) | ray(square, -1, -1, 0);
    antidiagonal[square] = ray(square, 1, -1, 0) | ray(square, -1, 1, 0);
    for (int other = 0; other < 64; ++other) between[square][other] = line[square][other] = 0;
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (dx == 0 && dy == 0) continue;
        const Bits whole = ray(square, dx, dy, 0) | ray(square, -dx, -dy, 0) | bit(square);
        for (Bits ahead = ray(square, dx, dy, 0); ahead;) {
          const int other = pop_lowest(ahead);
          between[square][other] = ray(square, dx, dy, bit(other)) & ~bit(other);
          line[square][other] = whole;
        }
      }
    }
  }
  for (int at = 0; at < 8; ++at)
    for (unsigned inner = 0; inner < 64; ++inner)
      first_rank[at][inner] =
          static_cast<std::uint8_t>(ray(at, 1, 0, inner << 1) | ray(at, -1, 0, inner << 1));
#if defined(__BMI2__)
  Bits* next = slides;
  for (const bool is_rook : {true, false}) {
    for (int square = 0; square < 64; ++square) {
      Slider& slider = is_rook ? rook[square] : bishop[square];
      slider = {relevant(square, is_rook), next};
      Bits occupied = 0;
      do {  // every subset of the mask, in the order PEXT numbers them
        *next++ = is_rook ? portable::rook_attacks(*this, square, occupied)
                          : portable::bishop_attacks(*this, square, occupied);
        occupied = (occupied - slider.mask) & slider.mask;
      } while (occupied);
    }
  }
#endif
}

const AttackTables kAttacks;

}  // namespace kibitz::chess
