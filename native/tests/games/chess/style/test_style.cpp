// Measures and bonus of style on positions whose numbers can be counted by hand, and the plan they
// make.
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "games/chess/game.h"
#include "games/chess/style/metrics.h"
#include "games/chess/style/prior_factors.h"
#include "games/chess/style/squares.h"
#include "tests/check.h"

using namespace kibitz;

namespace {

Chess after(std::initializer_list<std::string_view> moves) {
  Chess game;
  for (const auto text : moves) game.play(game.parse_move(text));
  return game;
}

style::Metrics measured(std::initializer_list<std::string_view> texts) {
  Chess game;
  std::vector<Move> moves;
  for (const auto text : texts) {
    moves.push_back(game.parse_move(text));
    game.play(moves.back());
  }
  return style::measure(Chess().board(), moves);
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

void test_measures() {
  const auto reti = measured({"Nf3", "d5", "g3", "g6", "Bg2", "Bg7"});
  CHECK_EQ(reti.plies, 6);
  CHECK_EQ(reti.fch, 2);
  CHECK_EQ(reti.pb_delay, 7);
  CHECK(near(reti.co, 5.0 / 6.0));
  CHECK(near(measured({"Nf3"}).dcc, 2.0 / 3.0));
  CHECK(near(measured({"e4", "e6", "d4", "d5", "e5"}).cl, 3.0 / 5.0));
  CHECK_EQ(measured({"e4", "d5"}).pb_delay, 2);
  CHECK_EQ(measured({"e4", "f5"}).pb_delay, 3);  // an f pawn is no central one
  CHECK_EQ(measured({}).plies, 0);
  CHECK_EQ(measured({}).pb_delay, 1);
}

void test_pieces_in_the_centre_are_not_distant() {
  const auto board = after({"e4", "e5", "Nf3", "Nc6", "d4", "exd4", "Nxd4"}).board();
  // The knight on d4 stands there; the queen on d1 sees it; Black's knight sees d4 and e5.
  CHECK_EQ(style::distant_control(board, chess::kWhite), style::kControl[chess::kQueen]);
  CHECK_EQ(style::distant_control(board, chess::kBlack), 2 * style::kControl[chess::kKnight]);
}

void test_bonus() {
  const style::BonusWeights weights;
  const Chess game = after({"g3", "e5"});
  const auto value = [&](std::string_view move) {
    return style::bonus(game.board(), game.parse_move(move), weights);
  };
  CHECK(near(value("Bg2"), 1.0));
  CHECK(near(value("a3"), weights.quiet + weights.flank));
  CHECK(near(value("Nh3"), weights.quiet));
  style::BonusWeights wild;
  wild.occupation = -9;
  CHECK(near(style::bonus(game.board(), game.parse_move("d4"), wild), -1.0));
}

void test_prior_factors() {
  style::StyleOptions options;
  const Chess game = after({"g3", "e5"});
  CHECK(style::prior_factors(game, options).empty());
  options.style_beta = 0.6;
  Plan plan;
  CHECK_EQ(plan.reach(), 0);
  plan.prior_factors = style::prior_factors(game, options);
  CHECK_EQ(plan.reach(), 1);
  CHECK(near(plan.prior_factor(game.parse_move("Bg2")), std::exp(0.6)));
  options.style_plies = 2;  // the third ply is past the style's end
  CHECK(style::prior_factors(game, options).empty());
}

}  // namespace

int main() {
  test_measures();
  test_pieces_in_the_centre_are_not_distant();
  test_bonus();
  test_prior_factors();
  return kibitz::test::report();
}
