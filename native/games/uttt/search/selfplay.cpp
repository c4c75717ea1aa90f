#include "games/uttt/search/selfplay.h"

#include <algorithm>
#include <cmath>

namespace kibitz::uttt {

LabelledPosition described(const Uttt& game, std::uint16_t value) {
  LabelledPosition out{};
  const std::size_t mover = game.side;
  for (std::size_t board = 0; board < 9; ++board)
    out.classes[board] = filling_classes()[static_cast<std::size_t>(
        filling_of(game.cells[mover][board], game.cells[1 - mover][board]))];
  out.constraint = game.constraint;
  out.value = value;
  return out;
}

void SelfplayGames::play(std::vector<LabelledPosition>& out) {
  constexpr int kMost = PatternNetwork::kLogitMost;
  Uttt start;
  start.ending = settings_.ending;
  const std::size_t first = out.size();
  std::size_t blind = first;  // positions before this one led to a random move
  std::vector<std::uint8_t> movers;
  const auto searched = [&](const Uttt& game, const SearchedMove& chosen) {
    const int logit = std::clamp(chosen.score, -kMost, kMost);
    auto value = static_cast<std::uint16_t>(std::lround(10000.0 * value_of_logit(logit)));
    if (game.empties() <= settings_.solve_empties) {
      const int sign = solver_.sign(game, {.nodes = settings_.solve_nodes});
      if (sign != 2) value = static_cast<std::uint16_t>(5000 * (1 + sign));
    }
    out.push_back(described(game, value));
    movers.push_back(game.side);
    if (chosen.random) blind = out.size();
  };
  const Uttt end = games_.play(start, [](const Uttt&, Move) {}, searched);
  const auto points = static_cast<std::uint8_t>(2.0f * end.result());
  for (std::size_t i = first; i < out.size(); ++i) {
    const bool swapped = movers[i - first] != 0;
    out[i].result =
        i < blind ? std::uint8_t{3} : static_cast<std::uint8_t>(swapped ? 2 - points : points);
  }
}

}  // namespace kibitz::uttt
