#include "search/uttt_selfplay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kibitz::uttt {

namespace {

constexpr int kMost = PatternNetwork::kLogitMost;

/// The legal moves with their logits, best first.
struct Ordered {
  MoveList<Uttt> moves;
  std::array<int, Uttt::kMaxMoves> logits;
  std::array<std::uint8_t, Uttt::kMaxMoves> order;

  Ordered(const Uttt& game, const PatternNetwork& network, bool sorted) {
    game.legal_moves(moves);
    const auto count = static_cast<std::size_t>(moves.size());
    network.logits_after(game, {moves.begin(), count}, {logits.data(), count});
    std::iota(order.begin(), order.begin() + moves.size(), std::uint8_t{0});
    if (sorted)
      std::stable_sort(order.begin(), order.begin() + moves.size(),
                       [this](int a, int b) { return at(a) > at(b); });
  }
  int at(int i) const { return logits[static_cast<std::size_t>(i)]; }
};

}  // namespace

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

int SelfplayGames::negamax(const Uttt& game, int depth, int alpha, int beta) const {
  const Ordered all(game, patterns_.of(game), depth > 1);
  const int count = static_cast<int>(all.moves.size());
  if (depth <= 1) return *std::max_element(all.logits.begin(), all.logits.begin() + count);
  int best = -kMost;
  for (int i = 0; i < count; ++i) {
    const int index = all.order[static_cast<std::size_t>(i)];
    Uttt child = game;
    child.play(all.moves.begin()[index]);
    const int score = child.is_over() ? all.at(index) : -negamax(child, depth - 1, -beta, -alpha);
    best = std::max(best, score);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  return best;
}

SelfplayGames::Found SelfplayGames::think(const Uttt& game, bool drawn) {
  const Ordered all(game, patterns_.of(game), true);
  const int margin = drawn ? 5 * settings_.drawn_logit : 0;
  std::array<int, Uttt::kMaxMoves> scores;
  int best = -kMost - 1, best_at = 0;
  const int count = static_cast<int>(all.moves.size());
  for (int i = 0; i < count; ++i) {
    const int index = all.order[static_cast<std::size_t>(i)];
    Uttt child = game;
    child.play(all.moves.begin()[index]);
    const int least = std::max(-kMost - 1, best - margin);
    const int score = child.is_over() || settings_.depth <= 1
                          ? all.at(index)
                          : -negamax(child, settings_.depth - 1, -kMost - 1, -least);
    scores[static_cast<std::size_t>(index)] = score;
    if (score > best) {
      best = score;
      best_at = index;
    }
  }
  int chosen = best_at;
  if (drawn) {
    std::array<double, Uttt::kMaxMoves> weights;
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
      const int less = best - scores[static_cast<std::size_t>(i)];
      sum += weights[static_cast<std::size_t>(i)] =
          less > margin ? 0.0 : std::exp(-static_cast<double>(less) / settings_.drawn_logit);
    }
    double left = sum * (static_cast<double>(rng_.below(1u << 30)) / (1u << 30));
    for (int i = 0; i < count; ++i) {
      left -= weights[static_cast<std::size_t>(i)];
      if (left < 0) {
        chosen = i;
        break;
      }
    }
  }
  return {
      all.moves.begin()[chosen],
      static_cast<std::uint16_t>(std::lround(10000.0 * value_of_logit(std::max(best, -kMost))))};
}

void SelfplayGames::play(std::vector<LabelledPosition>& out) {
  Uttt game;
  game.ending = settings_.ending;
  const int opening =
      static_cast<int>(rng_.below(static_cast<std::uint32_t>(settings_.opening_plies) + 1));
  const std::size_t first = out.size();
  std::size_t blind = first;  // positions before this one led to a random move
  std::vector<std::uint8_t> movers;
  for (int ply = 0; !game.is_over(); ++ply) {
    if (ply < opening) {
      game.play(game.random_move(rng_));
      continue;
    }
    Found found = think(game, ply < opening + settings_.drawn_plies);
    if (game.empties() <= settings_.solve_empties) {
      const int sign = solver_.sign(game, {.nodes = settings_.solve_nodes});
      if (sign != 2) found.value = static_cast<std::uint16_t>(5000 * (1 + sign));
    }
    out.push_back(described(game, found.value));
    movers.push_back(game.side);
    if (ply >= opening + settings_.drawn_plies &&
        static_cast<int>(rng_.below(100)) < settings_.random_percent) {
      blind = out.size();
      found.move = game.random_move(rng_);
    }
    game.play(found.move);
  }
  const auto points = static_cast<std::uint8_t>(2.0f * game.result());
  for (std::size_t i = first; i < out.size(); ++i) {
    const bool swapped = movers[i - first] != 0;
    out[i].result =
        i < blind ? std::uint8_t{3} : static_cast<std::uint8_t>(swapped ? 2 - points : points);
  }
}

}  // namespace kibitz::uttt
