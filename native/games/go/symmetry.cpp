// The board's symmetries: bit 0 mirrors top and bottom, bit 1 left and right, bit 2 swaps both
// axes. And what a finished game teaches.
#include <cmath>

#include "games/go/position.h"

namespace kibitz {

using namespace go;

double Go::score_unit() const { return std::sqrt(static_cast<double>(board_.points())); }

Move Go::transformed(Move move, int symmetry) const {
  if (is_pass(move)) return move;
  const int point = move & ~kMarks;
  int x = point % columns(), y = point / columns();
  if (symmetry & 1) y = rows() - 1 - y;
  if (symmetry & 2) x = columns() - 1 - x;
  if (symmetry & 4) std::swap(x, y);  // only asked of squares
  return static_cast<Move>(y * columns() + x);
}

Targets Sample<Go>::targets(const Go& last) {
  if (last.is_void()) return {0.0f, 1.0f, 0.0f, 0.0f};
  const float won = last.result();
  return {won, 0.0f, 1.0f - won, last.score()};
}

std::vector<int> Go::symmetries() const {
  std::vector<int> symmetries{0};
  const CellSet banned = banned_by_ko();
  for (int symmetry = 1; symmetry < (columns() == rows() ? 8 : 4); ++symmetry) {
    bool same = true;
    for (int p = 0; same && p < board_.points(); ++p) {
      const Cell here = board_.cell(p);
      const Cell there = board_.cell(transformed(static_cast<Move>(p), symmetry));
      same = board_.at(here) == board_.at(there) && banned.has(here) == banned.has(there) &&
             blocked_.has(here) == blocked_.has(there) &&
             second_black_.has(here) == second_black_.has(there) &&
             second_white_.has(here) == second_white_.has(there);
    }
    if (same) symmetries.push_back(symmetry);
  }
  return symmetries;
}

std::uint64_t Go::symmetric_hash() const {
  std::uint64_t least = ~std::uint64_t{0};
  for (int symmetry = 0; symmetry < (columns() == rows() ? 8 : 4); ++symmetry) {
    std::uint64_t hash = 0;
    for (int p = 0; p < board_.points(); ++p) {
      const Cell cell = board_.cell(p);
      const Cell image = board_.cell(transformed(static_cast<Move>(p), symmetry));
      if (board_.at(cell) != kEmpty) hash ^= stone_key(image, board_.at(cell));
      if (board_.ko() == cell) hash ^= mix64(static_cast<std::uint64_t>(image));
    }
    least = std::min(least, hash);
  }
  return mix64(least ^ static_cast<std::uint64_t>(columns() << 16 | rows() << 8 | to_move()));
}

Move Go::twin(Move move) const {
  Move first = move;
  for (const int symmetry : symmetries()) first = std::min(first, transformed(move, symmetry));
  return first;
}

}  // namespace kibitz
