#include "games/go/symmetry.h"

#include <algorithm>

#include "games/go/ko.h"

namespace kibitz::go {

Move transformed(const State& s, Move move, int symmetry) {
  if (is_pass(s, move)) return move;
  const int point = move & ~kMarks;
  int x = point % s.board.columns(), y = point / s.board.columns();
  if (symmetry & 1) y = s.board.rows() - 1 - y;
  if (symmetry & 2) x = s.board.columns() - 1 - x;
  if (symmetry & 4) std::swap(x, y);  // only asked of squares
  return static_cast<Move>(y * s.board.columns() + x);
}

std::vector<int> symmetries(const State& s) {
  std::vector<int> same_again{0};
  const CellSet banned = banned_by_ko(s);
  for (int symmetry = 1; symmetry < symmetry_count(s); ++symmetry) {
    bool same = true;
    for (int p = 0; same && p < s.board.points(); ++p) {
      const Cell here = s.board.cell(p);
      const Cell there = s.board.cell(transformed(s, static_cast<Move>(p), symmetry));
      same = s.board.at(here) == s.board.at(there) && banned.has(here) == banned.has(there) &&
             s.blocked.has(here) == s.blocked.has(there) &&
             s.second_black.has(here) == s.second_black.has(there) &&
             s.second_white.has(here) == s.second_white.has(there);
    }
    if (same) same_again.push_back(symmetry);
  }
  return same_again;
}

std::uint64_t symmetric_hash(const State& s) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int symmetry = 0; symmetry < symmetry_count(s); ++symmetry) {
    std::uint64_t hash = 0;
    for (int p = 0; p < s.board.points(); ++p) {
      const Cell cell = s.board.cell(p);
      const Cell image = s.board.cell(transformed(s, static_cast<Move>(p), symmetry));
      if (s.board.at(cell) != kEmpty) hash ^= stone_key(image, s.board.at(cell));
      if (s.board.ko() == cell) hash ^= mix64(static_cast<std::uint64_t>(image));
    }
    least = std::min(least, hash);
  }
  return mix64(least ^ static_cast<std::uint64_t>(s.board.columns() << 16 | s.board.rows() << 8 |
                                                  (s.side == kBlack ? 0 : 1)));
}

Move twin(const State& s, Move move) {
  Move first = move;
  for (const int symmetry : symmetries(s)) first = std::min(first, transformed(s, move, symmetry));
  return first;
}

}  // namespace kibitz::go
