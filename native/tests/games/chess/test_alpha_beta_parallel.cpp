// Alpha-beta of chess: what a pass changes, which moves the search of captures lists, and that
// several threads give legal lines whatever they share.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "games/chess/evaluate/settle.h"
#include "games/chess/search/alpha_beta.h"
#include "tests/check.h"

using namespace kibitz;

namespace {

Chess random_game(Rng& rng, int plies) {
  Chess game;
  for (int ply = 0; ply < plies && !game.is_over(); ++ply) game.play(game.random_move(rng));
  return game;
}

void a_pass_changes_the_side_alone() {
  Rng rng(3, 0);
  for (int number = 0; number < 200; ++number) {
    const Chess game = random_game(rng, 1 + number % 60);
    chess::Board twice = game.board();
    twice.pass();
    CHECK_EQ(static_cast<int>(twice.side), 1 - game.board().side);
    CHECK(twice.key != game.board().key);
    twice.pass();
    CHECK_EQ(static_cast<int>(twice.side), static_cast<int>(game.board().side));
    CHECK(std::equal(std::begin(twice.pieces), std::end(twice.pieces), game.board().pieces));
    if (game.board().en_passant == chess::kNoSquare) CHECK_EQ(twice.key, game.board().key);
  }
}

/// Whether an exchange reaches a score is what the score says.
void exchanges_reach_their_score() {
  Rng rng(5, 0);
  for (int number = 0; number < 200; ++number) {
    const Chess game = random_game(rng, 1 + number % 120);
    MoveList<Chess> moves;
    chess::list_moves(game.board(), moves);
    long wrong = 0;
    for (const Move move : moves) {
      const int score = chess::exchange_score(game.board(), move);
      for (const int least : {score - 100, score - 1, score, score + 1, score + 100, 0})
        wrong += chess::exchange_reaches(game.board(), move, least) != (score >= least);
    }
    CHECK_EQ(wrong, 0);
  }
}

/// The loud moves of the sink are those of the whole list.
void loud_moves_are_captures_and_queens() {
  Rng rng(4, 0);
  for (int number = 0; number < 500; ++number) {
    const Chess game = random_game(rng, 1 + number % 120);
    const chess::Board& board = game.board();
    MoveList<Chess> all, loud;
    chess::list_moves(board, all);
    chess::detail::LoudSink sink{board, loud};
    chess::generate(board, sink);
    std::vector<Move> expected;
    for (const Move move : all) {
      const auto promotion = chess::promotion_of(move);
      if (promotion == chess::kQueen || (promotion == chess::kPawn && board.is_capture(move)))
        expected.push_back(move);
    }
    std::vector<Move> listed(loud.begin(), loud.end());
    std::sort(listed.begin(), listed.end());
    std::sort(expected.begin(), expected.end());
    CHECK(listed == expected);
    CHECK_EQ(listed.empty() && sink.others == 0, all.empty());
  }
}

void threads_share_a_table() {
  const std::array<const char*, 3> fens = {
      "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
      "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"};
  for (const char* fen : fens) {
    const Chess game = Chess::from_text(fen);
    AlphaBetaSearch<ChessJudge> search(game, [] { return ChessJudge(nullptr); },
                                       {.threads = 3, .depth = 6, .table_bytes = 1 << 20});
    search.start(Plan{}, Budget{});
    while (!search.wait(0.01)) search.report();
    const SearchReport report = search.report();
    CHECK(!report.moves.empty());
    for (const MoveReport& move : report.moves) {
      Chess line = game;
      for (const Move played : move.line) {
        CHECK(line.is_legal(played));
        line.play(played);
      }
    }
  }
}

struct Counting : AlphaBetaLimits {
  using AlphaBetaLimits::AlphaBetaLimits;
  using AlphaBetaLimits::out_of_budget;
};

void limits_count_nodes_together() {
  const std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> total{0};
  Counting first(stop), second(stop);
  for (Counting* each : {&first, &second}) {
    each->share(total);
    each->begin(5000);
  }
  for (int i = 0; i < 3000; ++i) CHECK(!first.out_of_budget());
  first.publish();
  CHECK_EQ(second.counted(), 3000u);
  while (!second.out_of_budget()) {
  }
  // The second one learns of the others at its first check.
  CHECK_EQ(second.nodes(), 2000u);
  CHECK_EQ(second.counted(), 5000u);
  CHECK_EQ(first.nodes_left(), 0u);
}

/// Nodes are those of all threads, and a limit is for all of them together.
void a_report_counts_the_nodes_of_all_threads() {
  constexpr std::int64_t kLimit = 60000, kSlack = 3 * 512;
  const auto finish = [](auto& search) {
    Budget budget;
    budget.simulations = kLimit;
    search.start(Plan{}, budget);
    while (!search.wait(1.0)) {
    }
    return search.report();
  };
  AlphaBetaSearch<ChessJudge> search(Chess{}, [] { return ChessJudge(nullptr); },
                                     {.threads = 3, .table_bytes = 1 << 20});
  const SearchReport report = finish(search);
  CHECK(report.stop == StopReason::kSimulations);
  CHECK(report.nodes >= kLimit && report.nodes <= kLimit + kSlack);
  // Threads of the search before no longer count.
  search.set_threads(1);
  CHECK_EQ(finish(search).nodes, kLimit);
}

}  // namespace

int main() {
  a_pass_changes_the_side_alone();
  exchanges_reach_their_score();
  loud_moves_are_captures_and_queens();
  threads_share_a_table();
  limits_count_nodes_together();
  a_report_counts_the_nodes_of_all_threads();
  return kibitz::test::report();
}
