#include "games/othello/solve/stability.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kibitz::othello {

namespace {

// An edge is read as a number of eight base-3 digits: 0 empty, 1 the player's, 2 the opponent's.
constexpr int kEdges = 6561;

constexpr std::array<std::uint16_t, 256> make_base3() {
  std::array<std::uint16_t, 256> value{};
  for (unsigned line = 0; line < 256; ++line) {
    unsigned power = 1;
    for (unsigned i = 0; i < 8; ++i, power *= 3) {
      if (line >> i & 1) value[line] = static_cast<std::uint16_t>(value[line] + power);
    }
  }
  return value;
}

constexpr std::array<std::uint16_t, 256> kBase3 = make_base3();

std::size_t edge_index(unsigned player, unsigned opponent) {
  return static_cast<std::size_t>(kBase3[player] + 2 * kBase3[opponent]);
}

// Discs of `opponent` turned along the edge when `player` takes square x.
unsigned edge_flips(unsigned x, unsigned player, unsigned opponent) {
  unsigned turned = 0;
  for (const int step : {-1, 1}) {
    unsigned run = 0;
    int i = static_cast<int>(x) + step;
    while (i >= 0 && i < 8 && (opponent >> i & 1)) {
      run |= 1U << i;
      i += step;
    }
    if (i >= 0 && i < 8 && (player >> i & 1)) turned |= run;
  }
  return turned;
}

// For every edge, the player's discs that stay whatever either side plays on it. A move on an edge
// square may be legal through another line, so each empty square counts as open to both sides.
class EdgeTable {
 public:
  EdgeTable() {
    known_.fill(-1);
    for (unsigned player = 0; player < 256; ++player) {
      for (unsigned opponent = 0; opponent < 256; ++opponent) {
        if ((player & opponent) != 0) continue;
        stable_[edge_index(player, opponent)] =
            static_cast<std::uint8_t>(kept(player, opponent) & player);
      }
    }
  }

  Bits operator()(Bits player, Bits opponent) const {
    return stable_[edge_index(static_cast<unsigned>(player), static_cast<unsigned>(opponent))];
  }

 private:
  // Discs of both sides that keep their colour in every continuation on this edge.
  unsigned kept(unsigned player, unsigned opponent) {
    std::int16_t& memo = known_[edge_index(player, opponent)];
    if (memo >= 0) return static_cast<unsigned>(memo);
    unsigned discs = player | opponent;
    for (unsigned x = 0; x < 8; ++x) {
      const unsigned square = 1U << x;
      if ((player | opponent) & square) continue;
      const unsigned lost = edge_flips(x, player, opponent);
      discs &= ~lost & kept(player | lost | square, opponent & ~lost);
      const unsigned taken = edge_flips(x, opponent, player);
      discs &= ~taken & kept(player & ~taken, opponent | taken | square);
    }
    known_[edge_index(player, opponent)] = static_cast<std::int16_t>(discs);
    return discs;
  }

  std::array<std::uint8_t, kEdges> stable_{};
  std::array<std::int16_t, kEdges> known_{};
};

constexpr Bits kFileA = 0x0101010101010101ULL;

// The a-file as a byte, row 1 lowest; and back.
Bits file_to_row(Bits board) { return ((board & kFileA) * 0x0102040810204080ULL) >> 56; }
Bits row_to_file(Bits row) {
  return (((row & 0x7F) * 0x0002040810204081ULL) & kFileA) | ((row & 0x80) << 49);
}

Bits stable_edges(Bits player, Bits opponent) {
  static const EdgeTable table;
  return table(player & 0xFF, opponent & 0xFF) | table(player >> 56, opponent >> 56) << 56 |
         row_to_file(table(file_to_row(player), file_to_row(opponent))) |
         row_to_file(table(file_to_row(player >> 7), file_to_row(opponent >> 7))) << 7;
}

// Squares whose whole diagonal (step 7 or 9) is full, found by growing the shadow of the empty
// squares.
template <int Step>
Bits full_diagonals(Bits discs) {
  Bits open = ~discs;
  // Without the file the step comes from, a shift cannot wrap to the other side of the board.
  constexpr Bits kUp = Step == 9 ? ~kFileA : ~(kFileA << 7);
  constexpr Bits kDown = Step == 9 ? ~(kFileA << 7) : ~kFileA;
  Bits up = open | ((open << Step) & kUp);
  Bits down = open | ((open >> Step) & kDown);
  constexpr Bits kUp2 = kUp & (kUp << Step);
  constexpr Bits kDown2 = kDown & (kDown >> Step);
  up |= (up << (2 * Step)) & kUp2;
  down |= (down >> (2 * Step)) & kDown2;
  constexpr Bits kUp4 = kUp2 & (kUp2 << (2 * Step));
  constexpr Bits kDown4 = kDown2 & (kDown2 >> (2 * Step));
  up |= (up << (4 * Step)) & kUp4;
  down |= (down >> (4 * Step)) & kDown4;
  return ~(up | down);
}

Bits full_rows(Bits discs) {
  Bits open = ~discs;
  open |= (open >> 1) & 0x7F7F7F7F7F7F7F7FULL;
  open |= (open >> 2) & 0x3F3F3F3F3F3F3F3FULL;
  open |= (open >> 4) & 0x0F0F0F0F0F0F0F0FULL;
  return ~((open & kFileA) * 0xFF);
}

Bits full_columns(Bits discs) {
  discs &= std::rotr(discs, 8);
  discs &= std::rotr(discs, 16);
  return discs & std::rotr(discs, 32);
}

}  // namespace

Bits stable_discs(Bits player, Bits opponent) {
  const Bits discs = player | opponent;
  const Bits rows = full_rows(discs);
  const Bits columns = full_columns(discs);
  constexpr Bits kBorder = 0xFF818181818181FFULL;
  const Bits falling = full_diagonals<9>(discs);
  const Bits rising = full_diagonals<7>(discs);

  // On each of its four lines a stable disc has a full line or a stable friend beside it; on the
  // border the edge table has the answer.
  const Bits inner = player & ~kBorder;
  Bits stable = stable_edges(player, opponent) | (inner & rows & columns & falling & rising);
  if (stable == 0) return 0;
  for (;;) {
    const Bits along_row = (stable >> 1) | (stable << 1) | rows;
    const Bits along_column = (stable >> 8) | (stable << 8) | columns;
    const Bits along_falling = (stable >> 9) | (stable << 9) | falling;
    const Bits along_rising = (stable >> 7) | (stable << 7) | rising;
    const Bits grown = stable | (inner & along_row & along_column & along_falling & along_rising);
    if (grown == stable) return stable;
    stable = grown;
  }
}

}  // namespace kibitz::othello
