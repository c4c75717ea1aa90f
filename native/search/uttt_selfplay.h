// Games of ultimate tic-tac-toe for training the pattern evaluation: short fixed-depth searches,
// exact values near the end, and a little chance. A game takes milliseconds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "evaluate/uttt_patterns.h"
#include "solve/uttt_solver.h"

namespace kibitz::uttt {

struct SelfplaySettings {
  Ending ending = Ending::kStandard;
  int depth = 3;           // plies of the search for each move
  int opening_plies = 10;  // at most so many uniformly random plies open a game
  int drawn_plies = 14;    // so many plies after them are drawn among good moves
  int random_percent = 3;  // of the moves after those are random
  int drawn_logit = 64;    // so much less, in 1/256, makes a move less likely by a factor of e
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
      : patterns_(patterns),
        settings_(settings),
        rng_(seed, 0),
        solver_(std::size_t{4} << 20, nullptr) {}

  /// Plays one game and adds its searched positions.
  void play(std::vector<LabelledPosition>& out);

 private:
  struct Found {
    Move move;
    std::uint16_t value;
  };

  Found think(const Uttt& game, bool drawn);
  int negamax(const Uttt& game, int depth, int alpha, int beta) const;

  const Patterns& patterns_;
  SelfplaySettings settings_;
  Rng rng_;
  Solver solver_;
};

}  // namespace kibitz::uttt
