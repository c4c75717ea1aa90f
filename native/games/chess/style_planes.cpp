#include "games/chess/style_planes.h"

#include <algorithm>
#include <bit>

#include "games/chess/structure.h"

namespace kibitz::chess {
namespace {

/// Writes to squares of a plane as the mover sees them.
class Plane {
 public:
  Plane(float* out, int flip, const Turning& turning) : out_(out), flip_(flip), turning_(turning) {}

  void set(int square, float value) const {
    const int seen = square ^ flip_;
    out_[turning_.any() ? turning_.square(seen) : seen] = value;
  }
  void set_all(Bits squares) const {
    while (squares) set(pop_lowest(squares), 1.0f);
  }
  void fill(float value) const { std::fill_n(out_, 64, value); }

 private:
  float* out_;
  int flip_;
  const Turning& turning_;
};

void write_control(const Board& board, int side, const Plane& plane) {
  const Bits occupied = board.occupied();
  for (Bits squares = kWideCentre; squares;) {
    const int square = pop_lowest(squares);
    const int count = std::popcount(board.attackers(square, occupied) & board.sides[side]);
    if (count)
      plane.set(square, static_cast<float>(std::min(count, kMostAttacks)) /
                            static_cast<float>(kMostAttacks));
  }
}

/// 1 where a fianchetto stands, a half where it may come to stand.
void write_fianchettoes(const Board& board, int side, const Plane& plane) {
  for (const Fianchetto& corner : kFianchettoes) {
    if (corner.side != side) continue;
    if (stands(corner, board))
      plane.set(corner.bishop, 1.0f);
    else if (may_stand(corner, board))
      plane.set(corner.bishop, 0.5f);
  }
}

void write_plane(const Board& board, int number, int centre_clock, const Plane& plane) {
  const int us = board.side, them = 1 - us;
  switch (number) {
    case 0:
      return plane.set_all(locked_pawns(board, us));
    case 1:
      return plane.set_all(locked_pawns(board, them));
    case 2:
      return plane.set_all(tense_pawns(board, us) | tense_pawns(board, them));
    case 3:
      return write_control(board, us, plane);
    case 4:
      return write_control(board, them, plane);
    case 5:
      return write_fianchettoes(board, us, plane);
    case 6:
      return write_fianchettoes(board, them, plane);
    default:
      return plane.fill(static_cast<float>(std::min(centre_clock, kCentreClockUnit)) /
                        static_cast<float>(kCentreClockUnit));
  }
}

}  // namespace

void write_style_planes(const Board& board, StylePlanes set, int centre_clock,
                        const Turning& turning, float* planes) {
  const int flip = board.side == kWhite ? 0 : 56;
  for (int number = 0; number < static_cast<int>(kStylePlaneNames.size()); ++number) {
    if (!(set >> number & 1)) continue;
    write_plane(board, number, centre_clock, Plane(planes, flip, turning));
    planes += 64;
  }
}

}  // namespace kibitz::chess
