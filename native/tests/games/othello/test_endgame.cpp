// The endgame solver against plain minimax, against itself, and against its own limits.
#include <algorithm>
#include <atomic>
#include <map>
#include <vector>

#include "games/othello/solve/endgame.h"
#include "games/othello/solve/stability.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::othello;

namespace {

// No window, no order, no table: every line of play to its end.
int minimax(const Othello& game) {
  MoveList<Othello> moves;
  game.legal_moves(moves);
  if (moves.empty()) return final_margin(game.player, game.opponent);
  int best = -65;
  for (const Move move : moves) {
    Othello next = game;
    next.play(move);
    best = std::max(best, -minimax(next));
  }
  return best;
}

std::map<Move, int> minimax_moves(const Othello& game) {
  std::map<Move, int> scores;
  MoveList<Othello> moves;
  game.legal_moves(moves);
  for (const Move move : moves) {
    Othello next = game;
    next.play(move);
    scores[move] = -minimax(next);
  }
  return scores;
}

// A random game with `empties` squares left. Games that end sooner are kept now and then: a solver
// must also cope with finished and with passing positions.
Othello random_endgame(Rng& random, int empties) {
  for (;;) {
    Othello game;
    while (game.empties() > empties && !game.is_over()) game.play(game.random_move(random));
    if (!game.is_over() || random.below(50) == 0) return game;
  }
}

int sign(int value) { return (value > 0) - (value < 0); }

// Plays `line` out and returns the final score for the side to move in `game`; checks its legality.
int played_out(Othello game, const std::vector<Move>& line) {
  const int side = game.to_move();
  for (const Move move : line) {
    if (!CHECK(game.is_legal(move))) return 1000;
    game.play(move);
  }
  CHECK(game.is_over());
  return side == 0 ? game.score() : -game.score();
}

void test_against_minimax() {
  Rng random(11);
  EndgameSolver solver(std::size_t{1} << 20);
  LeafSolver leaf(std::size_t{1} << 16);
  const auto check = [&](int empties) {
    const Othello game = random_endgame(random, empties);
    const std::map<Move, int> truth = minimax_moves(game);
    const int score = minimax(game);
    const SolveResult exact = solver.solve(game);
    CHECK(exact.solved);
    CHECK_EQ(exact.score, score);
    CHECK_EQ(played_out(game, exact.line), score);
    const SolveResult wld = solver.solve_wld(game);
    CHECK(wld.solved);
    CHECK_EQ(wld.score, sign(score));
    CHECK_EQ(sign(played_out(game, wld.line)), sign(score));
    CHECK_EQ(leaf.wld(game), sign(score));
    CHECK_EQ(leaf.score(game), score);
    if (truth.empty()) {
      CHECK_EQ(exact.best, kNoMove);
      return;
    }
    CHECK_EQ(truth.at(exact.best), score);
    CHECK_EQ(sign(truth.at(wld.best)), sign(score));
    const MoveScores all = solver.score_moves(game);
    CHECK(all.solved);
    CHECK_EQ(all.moves.size(), truth.size());
    for (const MoveScore& entry : all.moves) {
      CHECK(entry.exact());
      CHECK_EQ(entry.lower, truth.at(entry.move));
    }
    const MoveScores bounded = solver.score_moves(game, {}, false);
    CHECK_EQ(bounded.moves.front().lower, score);
    CHECK(bounded.moves.front().exact());
    for (const MoveScore& entry : bounded.moves) {
      CHECK(entry.lower <= truth.at(entry.move) && truth.at(entry.move) <= entry.upper);
      CHECK(entry.upper <= score);
    }
  };
  for (int i = 0; i < 2500; ++i) check(static_cast<int>(random.below(7)));
  for (int i = 0; i < 60; ++i) check(7);
  for (int i = 0; i < 20; ++i) check(8);
  for (int i = 0; i < 4; ++i) check(9);
}

// Beyond the reach of minimax: a big table, a tiny one and the win-loss search must agree, and so
// must all eight images of a position.
void test_against_itself() {
  Rng random(12);
  EndgameSolver big(std::size_t{4} << 20);
  EndgameSolver tiny(1);
  LeafSolver leaf;
  for (int i = 0; i < 12; ++i) {
    const Othello game = random_endgame(random, 12);
    const SolveResult result = big.solve(game);
    CHECK(result.solved);
    CHECK_EQ(played_out(game, result.line), result.score);
    CHECK_EQ(tiny.solve(game).score, result.score);
    CHECK_EQ(leaf.wld(game), sign(result.score));
    const Othello image = game.transformed(1 + i % 7);
    CHECK_EQ(big.solve(image).score, result.score);
  }
  const Othello larger = random_endgame(random, 15);  // large enough for the warm-up
  const SolveResult result = big.solve(larger);
  CHECK(result.solved);
  CHECK_EQ(played_out(larger, result.line), result.score);
  CHECK_EQ(tiny.solve_wld(larger).score, sign(result.score));
}

void test_limits() {
  Rng random(13);
  const Othello game = random_endgame(random, 22);
  EndgameSolver solver(std::size_t{1} << 20);
  const SolveResult few = solver.solve(game, {.nodes = 5000});
  CHECK(!few.solved);
  CHECK_EQ(few.best, kNoMove);
  CHECK(few.line.empty());
  CHECK(few.nodes >= 5000 && few.nodes < 200000);
  const SolveResult brief = solver.solve_wld(Othello{}, {.seconds = 0.05});
  CHECK(!brief.solved);
  CHECK(brief.seconds >= 0.05 && brief.seconds < 2.0);
  const std::atomic<bool> stop = true;
  CHECK(!solver.solve(game, {.stop = &stop}).solved);
  const MoveScores partial = solver.score_moves(game, {.nodes = 5000});
  CHECK(!partial.solved);
  CHECK_EQ(partial.moves.size(), static_cast<std::size_t>(std::popcount(game.mobility())));
  // Giving up leaves no false bound behind: the same table still gives the truth.
  const Othello small = random_endgame(random, 12);
  for (const std::uint64_t nodes : {100, 1000, 3000, 10000, 30000}) {
    solver.solve(small, {.nodes = nodes});
  }
  CHECK_EQ(solver.solve(small).score, EndgameSolver(1).solve(small).score);
}

// A stable disc keeps its colour in every playout.
void test_stability() {
  Rng random(14);
  int stable = 0;
  for (int i = 0; i < 400; ++i) {
    Othello game = random_endgame(random, 4 + static_cast<int>(random.below(30)));
    const Bits black = stable_discs(game.black(), game.white());
    const Bits white = stable_discs(game.white(), game.black());
    stable += std::popcount(black | white);
    bool kept = (black & ~game.black()) == 0 && (white & ~game.white()) == 0;
    for (int k = 0; k < 10; ++k) {
      Othello playout = game;
      while (!playout.is_over()) {
        playout.play(playout.random_move(random));
        kept = kept && (black & ~playout.black()) == 0 && (white & ~playout.white()) == 0;
      }
    }
    CHECK(kept);
  }
  CHECK(stable > 1000);
  CHECK_EQ(stable_discs(bit(0) | bit(1) | bit(8), 0), bit(0) | bit(1) | bit(8));
  CHECK_EQ(stable_discs(bit(1), bit(2)), Bits{0});
  CHECK_EQ(stable_discs(~Bits{0}, 0), ~Bits{0});
}

void test_last_flips() {
  Rng random(15);
  for (int i = 0; i < 3000; ++i) {
    const int square = static_cast<int>(random.below(64));
    const Bits few = random.next() & random.next() & ~bit(square);
    for (const Bits player : {few, ~(few | bit(square))}) {
      const Bits opponent = ~(player | bit(square));
      const LastFlips turned = count_last_flips(square, player);
      CHECK_EQ(turned.player, std::popcount(flips_portable(square, player, opponent)));
      if (turned.player != 0) continue;
      CHECK_EQ(turned.opponent, std::popcount(flips_portable(square, opponent, player)));
    }
  }
}

}  // namespace

int main() {
  test_last_flips();
  test_stability();
  test_against_minimax();
  test_against_itself();
  test_limits();
  return kibitz::test::report();
}
