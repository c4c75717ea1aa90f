#include "games/othello/policy.h"

namespace kibitz::othello {

namespace {

// Relative weight of a move by its square, while the corner beside it is empty.
constexpr float kSquareWeight[4][4] = {
    {16.0F, 0.5F, 2.0F, 2.0F},
    {0.5F, 0.15F, 0.8F, 0.8F},
    {2.0F, 0.8F, 1.2F, 1.0F},
    {2.0F, 0.8F, 1.0F, 1.0F},
};

float square_weight(int square, Bits risky) {
  if (square == kPass) return 1.0F;
  const int column = square % 8;
  const int row = square / 8;
  const float weight = kSquareWeight[row < 4 ? row : 7 - row][column < 4 ? column : 7 - column];
  const bool beside_corner = ((kXSquares | kCSquares) >> square & 1) != 0;
  // Once its corner is taken an X- or C-square is a square like any other.
  return beside_corner && (risky >> square & 1) == 0 ? 1.5F : weight;
}

}  // namespace

void square_priors(const Othello& game, const MoveList<Othello>& moves, float* prior) {
  const Bits risky = detail::corner_blocks(game.empty() & kCorners);
  float total = 0.0F;
  for (int i = 0; i < moves.size(); ++i) {
    prior[i] = square_weight(moves[i], risky);
    total += prior[i];
  }
  for (int i = 0; i < moves.size(); ++i) prior[i] /= total;
}

}  // namespace kibitz::othello
