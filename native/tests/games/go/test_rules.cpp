// The Go board against itself: liberties counted incrementally against liberties counted afresh,
// hashes against hashes of rebuilt boards, and random games to their end under every rule set.
#include <algorithm>
#include <set>
#include <utility>
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
  if (move == pass(game.state()) || game.state().phase > 0) return;
  const Stone side = game.to_move() == 0 ? kBlack : kWhite;
  const Cell cell = board.cell(move);
  const std::uint64_t expected = hash_after(board, cell, side);
  const int reach = is_suicide(board, cell, side) ? -1 : liberties_after(board, cell, side, 4);
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
      Go game(empty_board(columns, rows, rules, rules.usual_komi()));
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
  Go game(empty_board(9, 7, Rules::from_text("japanese"), 6.5f));
  game.become_root(Go::History::kFull);
  std::vector<float> planes(kPlanes * 63), globals(kGlobals);
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

void history_counts_what_it_was_given() {
  Rng rng(5);
  HashHistory history;
  std::multiset<std::uint64_t> expected;
  std::vector<std::pair<HashHistory, std::size_t>> kept;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t hash = rng.below(700);
    history.push(hash);
    expected.insert(hash);
    if (rng.below(3) > 0) history.share();
    if (i % 500 == 0) kept.emplace_back(history, expected.size());
    const std::uint64_t asked = rng.below(1400);
    CHECK_EQ(history.has(asked), expected.count(asked) > 0);
    CHECK_EQ(history.count(asked), static_cast<std::ptrdiff_t>(expected.count(asked)));
  }
  for (const auto& [early, size] : kept) {  // what came later is not in earlier copies
    std::ptrdiff_t total = 0;
    for (std::uint64_t hash = 0; hash < 700; ++hash) total += early.count(hash);
    CHECK_EQ(total, static_cast<std::ptrdiff_t>(size));
  }
  history.clear();
  CHECK(history.empty());
}

/// A game whose past is shared move by move has the same moves and the same end.
void shared_history_changes_nothing() {
  Rng rng(11);
  for (const auto& [name, rules] : presets()) {
    Go plain(empty_board(5, 5, rules, rules.usual_komi()));
    Go shared = plain;
    for (int moves = 0; !plain.is_over() && moves < 2000; ++moves) {
      const Move move = plain.random_move(rng);
      plain.play(move);
      Go next = shared;
      next.play(move);
      next.share_history();
      shared = next;
      MoveList<Go> ours, theirs;
      plain.legal_moves(ours);
      shared.legal_moves(theirs);
      CHECK(std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end()));
      CHECK_EQ(cache_key(plain), cache_key(shared));
    }
    CHECK(plain == shared);
  }
}

}  // namespace

int main() {
  random_games();
  history_counts_what_it_was_given();
  shared_history_changes_nothing();
  features_are_plain_numbers();
  // On an empty board a stone leaves 360 points and a pass, a pass leaves all of them.
  CHECK_EQ(perft(Go(), 1), 362u);
  CHECK_EQ(perft(Go(), 2), 361u * 361u + 362u);
  return kibitz::test::report();
}
