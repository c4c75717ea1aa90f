// Ultimate tic-tac-toe for networks: planes of the 9x9 points, from the side to move's view.
#include <algorithm>

#include "games/uttt/board.h"

namespace kibitz {

namespace {

enum Plane { kOwn, kOther, kPlayable, kOwnBoard, kOtherBoard, kDrawnBoard };
constexpr int kPoints = 81;

}  // namespace

void Uttt::write_features(float* planes, float* globals) const {
  std::fill_n(planes, feature_shape().plane_floats(), 0.0f);
  globals[0] = ending == Ending::kMostSubBoards ? 1.0f : 0.0f;
  const std::size_t other = side ^ 1;
  for (int board = 0; board < 9; ++board) {
    const auto b = static_cast<std::size_t>(board);
    const bool may_play = !is_over() && (constraint == kAnywhere || constraint == board);
    for (int cell = 0; cell < 9; ++cell) {
      float* point = planes + uttt::point_of(board, cell);
      const auto mark = [point](Plane plane, int set) {
        point[plane * kPoints] = static_cast<float>(set & 1);
      };
      mark(kOwn, cells[side][b] >> cell);
      mark(kOther, cells[other][b] >> cell);
      mark(kPlayable, may_play ? empty[b] >> cell : 0);
      mark(kOwnBoard, won[side] >> board);
      mark(kOtherBoard, won[other] >> board);
      mark(kDrawnBoard, (closed & ~(won[0] | won[1])) >> board);
    }
  }
}

}  // namespace kibitz
