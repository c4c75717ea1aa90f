#include "games/uttt/board.h"

namespace kibitz {

std::uint64_t Uttt::hash() const {
  std::uint64_t h = side | std::uint64_t{constraint} << 1 | static_cast<std::uint64_t>(ending) << 5;
  for (std::size_t board = 0; board < 9; board += 3) {
    std::uint64_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 18 | std::uint64_t{cells[0][board + i]} << 9 | cells[1][board + i];
    h = mix64(h ^ mix64(three + board));
  }
  return h;
}

Uttt Uttt::transformed(int symmetry) const {
  const auto& to = uttt::kSymmetries[static_cast<std::size_t>(symmetry)];
  const auto moved = [&to](Mask mask) {
    Mask out = 0;
    for (std::size_t i = 0; i < 9; ++i) out |= static_cast<Mask>((mask >> i & 1) << to[i]);
    return out;
  };
  Uttt out = *this;
  for (std::size_t i = 0; i < 9; ++i) {
    out.empty[to[i]] = moved(empty[i]);
    for (std::size_t player = 0; player < 2; ++player)
      out.cells[player][to[i]] = moved(cells[player][i]);
  }
  out.won = {moved(won[0]), moved(won[1])};
  out.closed = moved(closed);
  if (constraint != kAnywhere) out.constraint = to[constraint];
  return out;
}

Uttt Uttt::swapped() const {
  Uttt out = *this;
  std::swap(out.cells[0], out.cells[1]);
  std::swap(out.won[0], out.won[1]);
  out.side ^= 1;
  if (status == Status::kFirstWon) out.status = Status::kSecondWon;
  if (status == Status::kSecondWon) out.status = Status::kFirstWon;
  return out;
}

}  // namespace kibitz
