// Othello: rules, notation, symmetries, perft, playouts.
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "games/othello/perft.h"
#include "games/othello/playout.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::othello;

namespace {

// The rules by walking the board square by square, with no bit trick to share a mistake with.
Bits walked_flips(int square, Bits player, Bits opponent) {
  if ((player | opponent) >> square & 1) return 0;
  Bits turned = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      Bits line = 0;
      int x = square % 8 + dx;
      int y = square / 8 + dy;
      while (x >= 0 && x < 8 && y >= 0 && y < 8 && (opponent >> (y * 8 + x) & 1)) {
        line |= bit(y * 8 + x);
        x += dx;
        y += dy;
      }
      if (x >= 0 && x < 8 && y >= 0 && y < 8 && (player >> (y * 8 + x) & 1)) turned |= line;
    }
  }
  return turned;
}

Bits walked_mobility(Bits player, Bits opponent) {
  Bits moves = 0;
  for (int square = 0; square < 64; ++square) {
    if (walked_flips(square, player, opponent) != 0) moves |= bit(square);
  }
  return moves;
}

Othello random_position(Rng& random, int plies) {
  Othello game;
  while (plies-- > 0 && !game.is_over()) game.play(game.random_move(random));
  return game;
}

void check_bitboards(Bits player, Bits opponent) {
  const Bits moves = walked_mobility(player, opponent);
  bool same = mobility_portable(player, opponent) == moves && mobility(player, opponent) == moves;
#if defined(__AVX2__)
  same = same && mobility_avx2(player, opponent) == moves;
#endif
  CHECK(same);
  bool same_flips = flips(kPass, player, opponent) == 0;
  for (Bits empty = ~(player | opponent); empty != 0;) {
    const int square = pop_lowest(empty);
    const Bits turned = walked_flips(square, player, opponent);
    same_flips = same_flips && flips_portable(square, player, opponent) == turned &&
                 flips(square, player, opponent) == turned;
#if defined(__AVX2__)
    same_flips = same_flips && flips_avx2(square, player, opponent) == turned;
#endif
  }
  CHECK(same_flips);
}

void test_bitboards() {
  Rng random(1);
  for (int i = 0; i < 1500; ++i) {
    const Othello game = random_position(random, static_cast<int>(random.below(60)));
    check_bitboards(game.player, game.opponent);
    // Any two disjoint sets, not only positions that occur: full edges, lone corners.
    const Bits a = random.next();
    const Bits b = random.next();
    check_bitboards(a & ~b, b & ~a);
    check_bitboards(a & b, a & ~b);
  }
}

void test_start() {
  const Othello game;
  CHECK_EQ(game.to_text(), "---------------------------OX------XO--------------------------- X");
  MoveList<Othello> moves;
  game.legal_moves(moves);
  std::string text;
  for (const Move move : moves) text += game.move_text(move) + " ";
  CHECK_EQ(text, "d3 c4 f5 e6 ");
  CHECK(!game.is_over());
  CHECK(!game.is_legal(Othello::kPass));
  CHECK_EQ(game.score(), 0);
}

void test_perft() {
  const std::vector<std::uint64_t> known = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
  for (int depth = 0; depth < static_cast<int>(known.size()); ++depth) {
    CHECK_EQ(perft(Othello{}, depth), known[static_cast<std::size_t>(depth)]);
  }
}

void test_pass_and_end() {
  // Black holds all but a1 to c1; white cannot move anywhere, black turns b1 from a1.
  const Othello passing =
      Othello::from_text("-OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O");
  MoveList<Othello> moves;
  passing.legal_moves(moves);
  CHECK_EQ(moves.size(), 1);
  CHECK_EQ(moves[0], Othello::kPass);
  CHECK(passing.is_legal(Othello::kPass));
  CHECK(!passing.is_legal(0));
  CHECK_EQ(passing.score(), 61);

  Othello game = passing;
  game.play(Othello::kPass);
  CHECK_EQ(game.to_move(), 0);
  CHECK(!game.is_legal(Othello::kPass));
  game.play(0);
  CHECK(game.is_over());
  CHECK_EQ(game.score(), 64);
  CHECK_EQ(game.result(), 1.0F);
  game.legal_moves(moves);
  CHECK_EQ(moves.size(), 0);

  // The shortest game known: white is wiped out in nine moves and the empty squares go to black.
  Othello wipe_out;
  for (const char* text : {"e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"}) {
    const Move move = wipe_out.parse_move(text);
    CHECK(wipe_out.is_legal(move));
    wipe_out.play(move);
  }
  CHECK(wipe_out.is_over());
  CHECK_EQ(wipe_out.score(), 64);
}

void test_notation() {
  Rng random(2);
  for (int i = 0; i < 300; ++i) {
    const Othello game = random_position(random, static_cast<int>(random.below(61)));
    const Othello back = Othello::from_text(game.to_text());
    CHECK(back == game);
    CHECK_EQ(back.hash(), game.hash());
    Othello other = game;
    other.pass();
    CHECK(other.hash() != game.hash());
  }
  const Othello game;
  for (int square = 0; square < 64; ++square) {
    const auto move = static_cast<Move>(square);
    CHECK_EQ(game.parse_move(game.move_text(move)), move);
  }
  for (const char* pass : {"pass", "PASS", "pa", "PA", "--"}) {
    CHECK_EQ(game.parse_move(pass), Othello::kPass);
  }
  CHECK_EQ(game.parse_move("D3"), 19);
  for (const char* bad : {"", "d", "i1", "a9", "a0", "d33", "xx", "resign"}) {
    CHECK_THROWS(std::invalid_argument, game.parse_move(bad), "expected a square a1 to h8");
  }
  const std::string start = "---------------------------OX------XO---------------------------";
  CHECK(Othello::from_text(" " + start + "  x\n") == game);
  std::string other_letters = start;
  for (char& c : other_letters) c = c == '-' ? '.' : c == 'X' ? '*' : '0';
  CHECK(Othello::from_text(other_letters + " *") == game);
  CHECK_THROWS(std::invalid_argument, Othello::from_text(""), "expected 64 squares, found 0");
  CHECK_THROWS(std::invalid_argument, Othello::from_text("XO X"), "expected 64 squares, found 2");
  CHECK_THROWS(std::invalid_argument, Othello::from_text(start + "- X"), "found 65");
  CHECK_THROWS(std::invalid_argument, Othello::from_text(start), "side to move is missing");
  CHECK_THROWS(std::invalid_argument, Othello::from_text(start + "X"), "expected a space");
  CHECK_THROWS(std::invalid_argument, Othello::from_text(start + " -"), "bad side to move \"-\"");
  CHECK_THROWS(std::invalid_argument, Othello::from_text(start + " X O"),
               "bad side to move \"X O\"");
  std::string bad = start;
  bad[9] = 'q';
  CHECK_THROWS(std::invalid_argument, Othello::from_text(bad + " X"),
               "bad character 'q' at square b2 (character 10)");
  bad[9] = '\xc3';
  CHECK_THROWS(std::invalid_argument, Othello::from_text(bad + " X"), "byte 195");
  std::string hole = start;
  hole[28] = '-';
  CHECK_THROWS(std::invalid_argument, Othello::from_text(hole + " X"), "centre square e4 is empty");
  std::string island = start;
  island[0] = 'X';
  CHECK_THROWS(std::invalid_argument, Othello::from_text(island + " X"), "connect to the centre");
}

void test_symmetries() {
  Rng random(3);
  for (int i = 0; i < 200; ++i) {
    const Othello game = random_position(random, static_cast<int>(random.below(50)));
    CHECK(game.transformed(0) == game);
    if (game.is_over()) continue;
    const Move move = game.random_move(random);
    Othello next = game;
    next.play(move);
    for (int symmetry = 0; symmetry < Othello::kSymmetries; ++symmetry) {
      Othello image = game.transformed(symmetry);
      const auto moved = static_cast<Move>(transformed_square(move, symmetry));
      CHECK(image.is_legal(moved));
      image.play(moved);
      CHECK(image == next.transformed(symmetry));
    }
  }
  std::map<std::string, int> images;
  Othello lopsided;
  for (const char* text : {"d3", "c3", "c4", "e3"}) lopsided.play(lopsided.parse_move(text));
  for (int symmetry = 0; symmetry < 8; ++symmetry)
    ++images[lopsided.transformed(symmetry).to_text()];
  CHECK_EQ(images.size(), 8u);
}

// Chi-square of `counts` against equal shares; with d degrees of freedom it stays below
// d + 5 * sqrt(2 d) for any fair choice, give or take one run in a million.
void check_uniform(const std::map<Bits, int>& counts, std::size_t choices) {
  CHECK_EQ(counts.size(), choices);
  double total = 0;
  for (const auto& [choice, count] : counts) total += count;
  const double expected = total / static_cast<double>(choices);
  double chi_square = 0;
  for (const auto& [choice, count] : counts) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  const double freedom = static_cast<double>(choices) - 1;
  CHECK(chi_square < freedom + 5 * std::sqrt(2 * freedom));
}

void test_uniform_choice() {
  Rng random(4);
  const Othello game = random_position(random, 20);
  const Bits legal = game.mobility();
  const auto choices = static_cast<std::size_t>(std::popcount(legal));
  CHECK(choices > 4);
  std::map<Bits, int> scalar;
  for (int i = 0; i < 20000; ++i) ++scalar[bit(game.random_move(random))];
  check_uniform(scalar, choices);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    detail::Lanes sets{};
    for (std::size_t i = 0; i < kLanes; ++i) sets[i] = i == lane ? legal : bit(3);
    std::map<Bits, int> counts;
    bool others_kept = true;
    for (int i = 0; i < 10000; ++i) {
      const detail::Lanes chosen = detail::random_bits(sets, random);
      ++counts[chosen[lane]];
      others_kept = others_kept && chosen[(lane + 1) % kLanes] == bit(3);
    }
    CHECK(others_kept);
    check_uniform(counts, choices);
  }
}

// A batch of playouts as the lanes play it, board by board with the plain rules and the same draws.
template <PlayoutPolicy Policy>
std::vector<float> plain_batch(std::vector<Othello> games, Rng& random) {
  for (int idle = 0; idle < 2;) {
    bool moved = false;
    std::uint64_t draw = 0;
    for (std::size_t i = 0; i < games.size(); ++i) {
      if (i % 2 == 0) draw = random.next();
      const std::uint64_t half = i % 2 == 0 ? draw >> 32 : draw & 0xffffffffU;
      const Bits legal = walked_mobility(games[i].player, games[i].opponent);
      if (legal == 0) {
        games[i].pass();
        continue;
      }
      moved = true;
      Bits choice =
          Policy == PlayoutPolicy::kCareful ? careful_moves(legal, games[i].empty()) : legal;
      const auto count = static_cast<std::uint64_t>(std::popcount(choice));
      for (std::uint64_t k = (half * count) >> 32; k > 0; --k) choice &= choice - 1;
      games[i].place(lowest_bit(choice));
    }
    idle = moved ? 0 : idle + 1;
  }
  std::vector<float> results;
  for (const Othello& game : games) results.push_back(game.result());
  return results;
}

template <PlayoutPolicy Policy>
void check_lanes(Rng& random) {
  for (const int plies : {0, 11, 30, 49, 58}) {
    std::vector<Othello> starts;
    for (std::size_t i = 0; i < kPlayoutBatch; ++i) {
      starts.push_back(random_position(random, plies + static_cast<int>(random.below(4))));
    }
    const std::uint64_t seed = random.next();
    Rng lanes_random(seed);
    Rng plain_random(seed);
    std::vector<float> results(starts.size(), -1.0F);
    for (int round = 0; round < 5; ++round) {
      playouts<Policy>(std::span<const Othello>(starts), std::span<float>(results), lanes_random);
      CHECK(results == plain_batch<Policy>(starts, plain_random));
    }
  }
}

// The scalar playout draws differently, so it is compared by its mean.
template <PlayoutPolicy Policy>
void check_scalar(const Othello& game, Rng& random) {
  constexpr int kGames = 4000;
  const std::vector<Othello> starts(kGames, game);
  std::vector<float> results(kGames);
  playouts<Policy>(std::span<const Othello>(starts), std::span<float>(results), random);
  double lanes = 0;
  double scalar = 0;
  for (const float result : results) lanes += static_cast<double>(result);
  for (int i = 0; i < kGames; ++i) {
    const int margin = playout<Policy>(game, random);
    scalar += margin > 0 ? 1.0 : margin < 0 ? 0.0 : 0.5;
  }
  // Five standard errors of the difference of two means of values in [0, 1].
  CHECK(std::abs(lanes - scalar) / kGames < 5 * 0.5 * std::sqrt(2.0 / kGames));
}

void test_playouts() {
  Rng random(5);
  for (const int plies : {0, 11, 30, 49}) {
    const Othello game = random_position(random, plies);
    check_scalar<PlayoutPolicy::kUniform>(game, random);
    check_scalar<PlayoutPolicy::kCareful>(game, random);
  }
  check_lanes<PlayoutPolicy::kUniform>(random);
  check_lanes<PlayoutPolicy::kCareful>(random);
  // Ends known in advance, in an odd-sized batch: a finished game keeps its result, a forced one
  // too.
  const Othello lost =
      Othello::from_text("-OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O");
  Othello won = lost;
  won.play(Othello::kPass);
  won.play(0);
  Othello mirrored = won;
  std::swap(mirrored.player, mirrored.opponent);
  const std::vector<Othello> starts = {lost, won,  mirrored, lost,     mirrored, won,
                                       won,  lost, lost,     mirrored, won};
  std::vector<float> results(starts.size(), -1.0F);
  playouts<PlayoutPolicy::kUniform>(std::span<const Othello>(starts), std::span<float>(results),
                                    random);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    CHECK_EQ(results[i], starts[i] == mirrored ? 0.0F : 1.0F);
  }
  CHECK_EQ(playout_random(lost, random), 64);
  CHECK_EQ(playout_policy(mirrored, random), -64);
}

void test_policy() {
  const Bits legal = bit(0) | bit(1) | bit(9) | bit(20);
  CHECK_EQ(careful_moves(legal, ~Bits{0}), bit(0));
  CHECK_EQ(careful_moves(legal & ~bit(0), ~Bits{0}), bit(20));
  CHECK_EQ(careful_moves(bit(1) | bit(9), ~Bits{0}), bit(1));
  CHECK_EQ(careful_moves(bit(9), ~Bits{0}), bit(9));
  CHECK_EQ(careful_moves(bit(1) | bit(9) | bit(54), ~bit(0)), bit(1) | bit(9));
  Rng random(6);
  for (int i = 0; i < 500; ++i) {
    const Othello game = random_position(random, static_cast<int>(random.below(58)));
    const Bits moves = game.mobility();
    const Bits preferred = careful_moves(moves, game.empty());
    CHECK((preferred & ~moves) == 0 && (preferred != 0) == (moves != 0));
    detail::Lanes lanes_moves{};
    detail::Lanes lanes_empty{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes_moves[lane] = moves;
      lanes_empty[lane] = game.empty();
    }
    const detail::Lanes lanes_preferred = detail::careful_lanes(lanes_moves, lanes_empty);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      CHECK_EQ(Bits{lanes_preferred[lane]}, preferred);
    }
    MoveList<Othello> list;
    game.legal_moves(list);
    float prior[Othello::kMaxMoves];
    square_priors(game, list, prior);
    float total = 0;
    for (int k = 0; k < list.size(); ++k) total += prior[k];
    CHECK(list.empty() || std::abs(total - 1.0F) < 1e-5F);
  }
}

}  // namespace

int main() {
  test_bitboards();
  test_start();
  test_perft();
  test_pass_and_end();
  test_notation();
  test_symmetries();
  test_uniform_choice();
  test_playouts();
  test_policy();
  return kibitz::test::report();
}
