// Positions of ultimate tic-tac-toe for training the pattern evaluation: games of alpha-beta with
// itself (search/alpha_beta_selfplay.h), exact values near the end.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/uttt/evaluate/patterns.h"
#include "games/uttt/search/judge.h"
#include "games/uttt/solve/solver.h"
#include "search/alpha_beta_selfplay.h"

namespace kibitz::uttt {

struct SelfplaySettings {
  Ending ending = Ending::kStandard;
  AlphaBetaGameSettings games{.depth = 3,
                              .most_opening_plies = 10,
                              .drawn_plies = 14,
                              .drawn_score = 64,
                              .random_percent = 3};
  int solve_empties = 14;  // positions with so few empty cells are solved
  std::uint64_t solve_nodes = 1000;
};

/// A position as the mover sees it, and what it turned out to be worth.
struct LabelledPosition {
  std::array<std::uint16_t, 9> classes;
  std::uint8_t constraint;
  std::uint8_t result;  // half points of the mover; 3 where a random move came later
  std::uint16_t value;  // of the search, from 0 to 10000
};
static_assert(sizeof(LabelledPosition) == 22);

/// The position with a value and no result yet.
LabelledPosition described(const Uttt& game, std::uint16_t value);

/// Belongs to one thread.
class SelfplayGames {
 public:
  SelfplayGames(const Patterns& patterns, const SelfplaySettings& settings, std::uint64_t seed)
      : settings_(settings),
        games_(UtttJudge(patterns), settings.games, std::size_t{1} << 20, seed),
        solver_(std::size_t{4} << 20, nullptr) {}

  /// Plays one game and adds its searched positions.
  void play(std::vector<LabelledPosition>& out);

 private:
  SelfplaySettings settings_;
  AlphaBetaGames<UtttJudge> games_;
  Solver solver_;
};

}  // namespace kibitz::uttt
