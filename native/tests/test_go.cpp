// The Go board against itself: liberties counted incrementally against liberties counted afresh,
// hashes against hashes of rebuilt boards, and random games to their end under every rule set.
#include <set>
#include <vector>

#include "base/rng.h"
#include "games/go/ladder.h"
#include "games/go/perft.h"
#include "games/go/position.h"
#include "tests/check.h"

namespace {

using namespace kibitz;
using namespace kibitz::go;

std::set<Cell> chain_of(const Board& board, Cell start) {
  std::set<Cell> chain{start};
  std::vector<Cell> todo{start};
  while (!todo.empty()) {
    const Cell cell = todo.back();
    todo.pop_back();
    for (const Cell near : board.around(cell))
      if (board.at(near) == board.at(start) && chain.insert(near).second) todo.push_back(near);
  }
  return chain;
}

void check_board(const Board& board) {
  std::uint64_t hash = 0;
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    CHECK_EQ(board.point(cell), p);
    const Stone stone = board.at(cell);
    if (stone == kEmpty) continue;
    hash ^= stone_key(cell, stone);
    const auto chain = chain_of(board, cell);
    std::set<Cell> liberties;
    for (const Cell member : chain)
      for (const Cell near : board.around(member))
        if (board.at(near) == kEmpty) liberties.insert(near);
    CHECK_EQ(board.size(cell), static_cast<int>(chain.size()));
    CHECK_EQ(board.liberties(cell), static_cast<int>(liberties.size()));
    CHECK(!liberties.empty());
    CHECK(chain.count(board.head(cell)) == 1);
  }
  CHECK_EQ(board.hash(), hash);
}

void check_predictions(const Go& game, Move move) {
  const Board& board = game.board();
  if (move == game.pass() || game.phase() > 0) return;
  const Stone side = game.to_move() == 0 ? kBlack : kWhite;
  const Cell cell = board.cell(move);
  const std::uint64_t expected = board.hash_after(cell, side);
  const int reach = board.is_suicide(cell, side) ? -1 : board.liberties_after(cell, side, 4);
  Board after = board;
  after.play(cell, side);
  CHECK_EQ(after.hash(), expected);
  if (reach >= 0) CHECK_EQ(reach, std::min(4, after.liberties(cell)));
}

void random_games() {
  Rng rng(7);
  for (const auto& [name, rules] : presets()) {
    for (int round = 0; round < 6; ++round) {
      const int columns = 2 + static_cast<int>(rng.below(8)),
                rows = 2 + static_cast<int>(rng.below(8));
      Go game(columns, rows, rules, rules.usual_komi());
      int moves = 0;
      while (!game.is_over() && moves < 4000) {
        MoveList<Go> legal;
        game.legal_moves(legal);
        CHECK(!legal.empty());
        for (const Move move : legal) CHECK(game.is_legal(move));
        const Move move =
            rng.below(4) == 0
                ? legal[static_cast<int>(rng.below(static_cast<std::uint32_t>(legal.size())))]
                : game.random_move(rng);
        CHECK(game.is_legal(move));
        check_predictions(game, move);
        game.play(move);
        if (moves % 7 == 0) check_board(game.board());
        ++moves;
      }
      CHECK(game.is_over());
      CHECK(Go::from_text(game.to_text()) == game);
    }
  }
}

void features_are_plain_numbers() {
  Rng rng(3);
  Go game(9, 7, Rules::from_text("japanese"), 6.5f);
  game.become_root("full");
  std::vector<float> planes(Go::kPlanes * 63), globals(Go::kGlobals);
  while (!game.is_over()) {
    game.write_features(planes.data(), globals.data());
    for (int p = 0; p < 63; ++p) {
      CHECK_EQ(planes[static_cast<std::size_t>(p)], 1.0f);
      const bool own = planes[static_cast<std::size_t>(63 + p)] != 0;
      const bool other = planes[static_cast<std::size_t>(126 + p)] != 0;
      CHECK(!(own && other));
    }
    game.play(game.random_move(rng));
  }
}

}  // namespace

int main() {
  random_games();
  features_are_plain_numbers();
  // On an empty board a stone leaves 360 points and a pass, a pass leaves all of them.
  CHECK_EQ(perft(Go(), 1), 362u);
  CHECK_EQ(perft(Go(), 2), 361u * 361u + 362u);
  return kibitz::test::report();
}
