// Ultimate tic-tac-toe: rules, notation, symmetries, perft, playouts.
#include <set>
#include <stdexcept>
#include <string>

#include "games/uttt/board.h"
#include "games/uttt/perft.h"
#include "tests/check.h"

using namespace kibitz;

namespace {

// The rules over plain characters, with no bit trick to share a mistake with.
struct PlainBoard {
  std::string cells = std::string(81, '.');
  std::string owners = std::string(9, '.');
  int constraint = -1;
  int side = 0;

  static char line_of(const std::string& nine) {
    for (int i = 0; i < 3; ++i) {
      if (nine[3 * i] != '.' && nine[3 * i] == nine[3 * i + 1] && nine[3 * i] == nine[3 * i + 2])
        return nine[3 * i];
      if (nine[i] != '.' && nine[i] == nine[i + 3] && nine[i] == nine[i + 6]) return nine[i];
    }
    const bool down = nine[0] == nine[4] && nine[4] == nine[8];
    const bool up = nine[2] == nine[4] && nine[4] == nine[6];
    return down || up ? nine[4] : '.';
  }
  char winner() const {
    const char c = line_of(owners);
    return c == '=' ? '.' : c;
  }
  bool over() const { return winner() != '.' || owners.find('.') == std::string::npos; }
  std::set<int> moves() const {
    std::set<int> out;
    if (over()) return out;
    for (int m = 0; m < 81; ++m)
      if (cells[m] == '.' && owners[m / 9] == '.' && (constraint < 0 || constraint == m / 9))
        out.insert(m);
    return out;
  }
  void play(int m) {
    cells[m] = side == 0 ? 'X' : 'O';
    const std::string board = cells.substr(9 * (m / 9), 9);
    const char won = line_of(board);
    if (won != '.')
      owners[m / 9] = won;
    else if (board.find('.') == std::string::npos)
      owners[m / 9] = '=';
    constraint = owners[m % 9] == '.' ? m % 9 : -1;
    side ^= 1;
  }
  float result(bool counted) const {
    if (winner() != '.') return winner() == 'X' ? 1.0f : 0.0f;
    int lead = 0;
    for (const char c : owners) lead += c == 'X' ? 1 : c == 'O' ? -1 : 0;
    if (!counted || lead == 0) return 0.5f;
    return lead > 0 ? 1.0f : 0.0f;
  }
};

void random_games_match_the_plain_board() {
  Rng random(11);
  long wrong = 0, plies = 0, drawn = 0;
  for (int game = 0; game < 2000; ++game) {
    Uttt board;
    PlainBoard plain;
    const bool counted = game % 2 == 1;
    if (counted) board.ending = Uttt::Ending::kMostSubBoards;
    while (!board.is_over()) {
      MoveList<Uttt> moves;
      board.legal_moves(moves);
      wrong += std::set<int>(moves.begin(), moves.end()) != plain.moves();
      const Move move = board.random_move(random);
      wrong += !board.is_legal(move);
      board.play(move);
      plain.play(move);
      wrong += board.is_over() != plain.over() || board.to_move() != plain.side;
      wrong += board.constraint != (plain.constraint < 0 ? 9 : plain.constraint);
      const Uttt again = Uttt::from_text(board.to_text());
      wrong += again != board || again.hash() != board.hash();
      ++plies;
    }
    wrong += board.result() != plain.result(counted);
    drawn += board.result() == 0.5f;
  }
  CHECK_EQ(wrong, 0);
  CHECK(plies > 2000 * 40);
  CHECK(drawn > 0);
}

void symmetries_keep_the_game() {
  Rng random(12);
  Uttt board;
  for (int i = 0; i < 30 && !board.is_over(); ++i) board.play(board.random_move(random));
  CHECK(board.transformed(0) == board);
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    const Uttt turned = board.transformed(symmetry);
    CHECK_EQ(uttt::perft(turned, 3), uttt::perft(board, 3));
    CHECK(Uttt::from_text(turned.to_text()) == turned);
  }
  CHECK(board.swapped().swapped() == board);
  CHECK_EQ(board.swapped().to_move(), 1 - board.to_move());
}

void random_moves_are_uniform() {
  Rng random(13);
  Uttt board;
  std::array<int, 81> seen{};
  for (int i = 0; i < 81000; ++i) ++seen[board.random_move(random)];
  for (const int count : seen) CHECK(count > 800 && count < 1200);
}

const std::string kEmpty =
    "........./........./........./........./........./........./........./"
    "........./.........";

void text_is_checked() {
  Uttt board;
  CHECK_EQ(board.to_text(), kEmpty + " x -");
  board.play(board.parse_move("44"));
  CHECK_EQ(board.to_text(),
           "........./........./........./........./....X..../........./........./........./"
           "......... o 4");
  CHECK_EQ(board.parse_move("4/0"), board.parse_move("40"));
  CHECK_EQ(board.move_text(80), "88");
  const auto refused = [](const std::string& text, const std::string& part) {
    CHECK_THROWS(std::invalid_argument, Uttt::from_text(text), part);
  };
  const std::string seven =
      "/........./........./........./........./........./........./.........";
  refused("", "fields");
  refused(kEmpty + " x", "fields");
  refused(kEmpty.substr(1) + " x -", "sub-board 0 has 8 cells");
  refused(kEmpty + "/......... x -", "nine sub-boards");
  refused("Z" + kEmpty.substr(1) + " x -", "expected X, O or .");
  refused(kEmpty + " y -", "side to move");
  refused(kEmpty + " x 9", "constraint must be");
  refused(kEmpty + " x - chess", "ending must be");
  refused(kEmpty + " x 3", "first move is free");
  refused(kEmpty + " o -", "one cell ahead");
  refused("XXX...OOO/........." + seven + " x -", "won by both");
  refused("XXXXXX.../OO.OO.OO." + seven + " x -", "no single move completes");
  refused("XXX.OO.O./........." + seven + " x 0", "which is closed");
  refused("....X..../........." + seven + " o 5", "no last move of X leads to sub-board 5");
  refused("....X..../........." + seven + " o -", "constraint cannot be -");
  CHECK_THROWS(std::invalid_argument, Uttt().parse_move("99"), "not a move");
  CHECK_THROWS(std::invalid_argument, Uttt().parse_move("4-4"), "not a move");
  CHECK_THROWS(std::invalid_argument, Uttt().parse_move(""), "not a move");
}

void lines_are_counted() {
  const Uttt start;
  CHECK_EQ(uttt::perft(start, 1), 81u);
  CHECK_EQ(uttt::perft(start, 2), 720u);
  CHECK_EQ(uttt::perft(start, 3), 6336u);
  CHECK_EQ(uttt::perft(start, 4), 55080u);
}

}  // namespace

int main() {
  random_games_match_the_plain_board();
  symmetries_keep_the_game();
  random_moves_are_uniform();
  text_is_checked();
  lines_are_counted();
  return test::report();
}
