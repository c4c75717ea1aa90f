// The alpha-beta family with Othello's patterns, against plain negamax and the endgame solver.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/crc32.h"
#include "base/rng.h"
#include "games/othello/search/judge.h"
#include "games/othello/solve/endgame.h"
#include "games/uttt/search/judge.h"
#include "search/alpha_beta_selfplay.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::othello;

namespace {

std::shared_ptr<OthelloEvaluation> random_evaluation(std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<std::int16_t> slots(std::size_t{kStages} * PatternLayout::get().slots);
  for (auto& weight : slots)
    weight = static_cast<std::int16_t>(static_cast<int>(rng.below(201)) - 100);
  return std::make_shared<OthelloEvaluation>(std::span<const std::int16_t>(slots));
}

Othello random_position(Rng& rng, int empties) {
  for (;;) {
    Othello game;
    while (!game.is_over() && game.empties() > empties) game.play(game.random_move(rng));
    if (!game.is_over() && game.empties() == empties) return game;
  }
}

/// Minimax without anything clever; the same rules for passes and for the end as the search.
int plain(OthelloJudge& judge, const PatternBoard& board, int depth) {
  if (depth >= OthelloJudge::remaining(board))
    if (const auto exact = judge.finish(board, -OthelloJudge::kMostScore, OthelloJudge::kMostScore))
      return *exact;
  if (depth <= 0) return judge.evaluate(board);
  MoveList<Othello> moves;
  OthelloJudge::moves(board, moves);
  if (moves.empty()) return judge.result(board);
  int best = -OthelloJudge::kMostScore - 1;
  for (const Move move : moves) {
    PatternBoard child = board;
    child.play(move);
    best = std::max(best, -plain(judge, child, depth - OthelloJudge::plies(move)));
  }
  return best;
}

void indices_follow_the_moves() {
  Rng rng(5, 0);
  for (int game_number = 0; game_number < 50; ++game_number) {
    Othello game;
    PatternBoard board(game);
    while (!game.is_over()) {
      const Move move = game.random_move(rng);
      game.play(move);
      board.play(move);
      CHECK(board.game() == game);
      CHECK(board.indices() == PatternBoard(game).indices());
      CHECK_EQ(board.empties(), game.empties());
    }
  }
}

void evaluation_has_the_symmetries_of_the_board() {
  const auto evaluation = random_evaluation(1);
  Rng rng(6, 0);
  for (int i = 0; i < 200; ++i) {
    const Othello game = random_position(rng, 4 + static_cast<int>(rng.below(50)));
    const int score = PatternBoard(game).evaluate(evaluation->weights);
    for (int symmetry = 1; symmetry < 8; ++symmetry)
      CHECK_EQ(PatternBoard(game.transformed(symmetry)).evaluate(evaluation->weights), score);
    Othello swapped = game;  // the same discs, seen by the mover, with the colours exchanged
    swapped.side ^= 1;
    CHECK_EQ(PatternBoard(swapped).evaluate(evaluation->weights), score);
  }
}

/// With no weights but those of the counts the score follows from lists of legal moves.
void moves_of_both_sides_count() {
  const std::size_t slots = PatternLayout::get().slots;
  std::vector<std::int16_t> weights(std::size_t{kStages} * slots);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    const auto counts = weights.begin() + static_cast<std::ptrdiff_t>(
                                              (stage + 1) * slots - 2 * kMoveCounts - kStagePlies);
    for (int i = 0; i < kMoveCounts; ++i) {
      counts[i] = static_cast<std::int16_t>(i);
      counts[kMoveCounts + i] = static_cast<std::int16_t>(-100 * i);
    }
    for (int i = 0; i < kStagePlies; ++i)
      counts[2 * kMoveCounts + i] = static_cast<std::int16_t>(10'000 + i);
  }
  const OthelloEvaluation evaluation{std::span<const std::int16_t>(weights)};
  const auto moves_of = [](const Othello& game) {
    MoveList<Othello> moves;
    game.legal_moves(moves);
    return moves.size() == 1 && moves[0] == Othello::kPass ? 0 : static_cast<int>(moves.size());
  };
  Rng rng(13, 0);
  for (int i = 0; i < 200; ++i) {
    const Othello game = random_position(rng, 2 + static_cast<int>(rng.below(55)));
    Othello other = game;
    other.pass();
    CHECK_EQ(PatternBoard(game).evaluate(evaluation.weights),
             moves_of(game) - 100 * moves_of(other) + 10'000 + game.empties() % kStagePlies);
  }
}

void search_equals_minimax() {
  AlphaBetaTable table(1 << 20);
  const std::atomic<bool> stop{false};
  OthelloJudge judge(random_evaluation(2));
  AlphaBeta<OthelloJudge> search(judge, table, stop);
  Rng rng(7, 0);
  constexpr int kAll = AlphaBeta<OthelloJudge>::kInfinity;
  for (int i = 0; i < 60; ++i) {
    const Othello game = random_position(rng, i % 2 ? 12 : 20 + static_cast<int>(rng.below(30)));
    const PatternBoard board(game);
    const int depth = 1 + static_cast<int>(rng.below(4));
    const int expected = plain(judge, board, depth);
    search.begin(~std::uint64_t{0});
    CHECK_EQ(search.search(board, -kAll, kAll, depth, kNoCuts), expected);
    // A zero window must fall on the right side.
    table.clear();
    CHECK(search.search(board, expected - 1, expected, depth, kNoCuts) >= expected);
    CHECK(search.search(board, expected, expected + 1, depth, kNoCuts) <= expected);
  }
}

/// The bytes of an evaluation of ultimate tic-tac-toe with random weights.
std::string random_uttt_patterns() {
  Rng rng(12, 0);
  std::string bytes(uttt::Patterns::kMagic);
  const auto append = [&bytes](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  using Network = uttt::PatternNetwork;
  const auto numbers = [&](auto one, int count, std::uint32_t most) {
    for (int i = 0; i < count; ++i) {
      one = static_cast<decltype(one)>(static_cast<int>(rng.below(2 * most + 1)) -
                                       static_cast<int>(most));
      append(one);
    }
  };
  append(std::array<std::int32_t, 3>{uttt::PatternShape::kEmbedding, uttt::PatternShape::kHidden,
                                     uttt::PatternShape::kSecond});
  for (int ending = 0; ending < 2; ++ending) {
    append(std::int32_t{64});  // the temperature of priors
    numbers(std::int8_t{}, 2 * uttt::PatternShape::kClasses * Network::kEmbedding, 40);
    numbers(std::int16_t{}, 10 * Network::kEmbedding * Network::kHidden, 300);
    numbers(std::int32_t{}, 10 * Network::kHidden, 4000);
    numbers(std::int16_t{}, Network::kHidden * Network::kSecond, 300);
    numbers(std::int32_t{}, Network::kSecond, 4000);
    numbers(std::int16_t{}, Network::kSecond, 300);
    numbers(std::int32_t{}, 1, 4000);
  }
  append(crc32(bytes.data(), bytes.size()));
  return bytes;
}

int plain(const UtttJudge& judge, const Uttt& game, int depth) {
  if (game.is_over() || depth == 0) return judge.evaluate(judge.board(game));
  MoveList<Uttt> moves;
  game.legal_moves(moves);
  int best = -UtttJudge::kMostScore - 1;
  for (const Move move : moves) {
    Uttt child = game;
    child.play(move);
    best = std::max(best, -plain(judge, child, depth - 1));
  }
  return best;
}

void search_of_another_game_equals_minimax() {
  const uttt::Patterns patterns(random_uttt_patterns());
  UtttJudge judge(patterns);
  AlphaBetaTable table(1 << 20);
  const std::atomic<bool> stop{false};
  AlphaBeta<UtttJudge> search(judge, table, stop);
  constexpr int kAll = AlphaBeta<UtttJudge>::kInfinity;
  Rng rng(13, 0);
  for (int i = 0; i < 40; ++i) {
    Uttt game;
    game.ending = i % 2 ? Uttt::Ending::kStandard : Uttt::Ending::kMostSubBoards;
    const int plies = 10 + static_cast<int>(rng.below(40));
    for (int ply = 0; ply < plies && !game.is_over(); ++ply) game.play(game.random_move(rng));
    if (game.is_over()) continue;
    const int depth = 1 + i % 3;
    table.clear();
    search.begin(~std::uint64_t{0});
    const int expected = plain(judge, game, depth);
    CHECK_EQ(search.search(judge.board(game), -kAll, kAll, depth, kNoCuts), expected);
  }
}

/// Games are repeatable, every move is reported, and the reported moves lead to the end that is
/// returned.
void games_with_itself_are_told_whole() {
  const uttt::Patterns patterns(random_uttt_patterns());
  const AlphaBetaGameSettings settings{.depth = 2,
                                       .least_opening_plies = 4,
                                       .most_opening_plies = 6,
                                       .drawn_plies = 5,
                                       .drawn_score = 300,
                                       .random_percent = 20};
  const auto moves_of = [&](std::uint64_t seed) {
    AlphaBetaGames<UtttJudge> games(UtttJudge(patterns), settings, 1 << 20, seed);
    std::vector<Move> moves;
    std::size_t opening = 0;
    const Uttt end = games.play(
        Uttt{}, [&](const Uttt&, Move move) { moves.push_back(move), ++opening; },
        [&](const Uttt&, const SearchedMove& searched) { moves.push_back(searched.move); });
    CHECK(opening >= 4 && opening <= 6);
    Uttt replayed;
    for (const Move move : moves) {
      CHECK(replayed.is_legal(move));
      replayed.play(move);
    }
    CHECK(replayed.is_over() && replayed == end);
    return moves;
  };
  CHECK(moves_of(1) == moves_of(1));
  CHECK(moves_of(1) != moves_of(2));
}

void root_proves_what_the_solver_says() {
  const auto evaluation = random_evaluation(3);
  Rng rng(8, 0);
  EndgameSolver solver(1 << 20);
  for (int i = 0; i < 12; ++i) {
    const Othello game = random_position(rng, 13);
    AlphaBetaSearch<OthelloJudge> search(game, [&] { return OthelloJudge(evaluation); },
                                         {.table_bytes = 1 << 20});
    MoveList<Othello> moves;
    game.legal_moves(moves);
    Plan plan;
    plan.include.push_back({moves[moves.size() - 1], 1});
    search.start(plan, Budget{});
    while (!search.wait(1.0)) {
    }
    const SearchReport report = search.report();
    const MoveScores expected = solver.score_moves(game);
    CHECK(report.stop == StopReason::kProven);
    CHECK_EQ(report.moves.front().score, expected.moves.front().lower);
    for (const MoveReport& move : report.moves)
      for (const MoveScore& known : expected.moves)
        if (move.move == known.move && move.move == moves[moves.size() - 1])
          CHECK_EQ(move.score, known.lower);
  }
}

/// A search works on a copy of its thread's judge: what its solvers learned must not go with it.
void judges_keep_their_tables() {
  Rng rng(10, 0);
  const Othello game = random_position(rng, 16);
  OthelloJudge judge(random_evaluation(5));
  const std::atomic<bool> stop{false};
  const auto nodes_of = [&](OthelloJudge copy) {
    ProofLimits limits{1e9, ~std::uint64_t{0}, &stop};
    CHECK(copy.prove(copy.board(game), -64 * kDiscUnit, 64 * kDiscUnit, 0, limits).has_value());
    return limits.used;
  };
  const std::uint64_t first = nodes_of(judge);
  CHECK(nodes_of(judge) * 10 < first);
}

void proofs_obey_the_limit_of_nodes() {
  Rng rng(11, 0);
  const Othello game = random_position(rng, 22);
  const auto evaluation = random_evaluation(6);
  AlphaBetaSearch<OthelloJudge> search(game, [&] { return OthelloJudge(evaluation); },
                                       {.table_bytes = 1 << 20});
  search.start(Plan{}, Budget{.visits = 30'000});
  while (!search.wait(1.0)) {
  }
  CHECK(search.report().nodes < 32'000);
  OthelloJudge judge(evaluation);
  // The limit is looked at where ten squares are empty, so a few thousand nodes may follow it.
  ProofLimits limits{1e9, 50'000, nullptr};
  CHECK(!judge.prove(judge.board(game), -64 * kDiscUnit, 64 * kDiscUnit, 0, limits).has_value());
  CHECK(limits.used >= 50'000 && limits.used < 60'000);
}

void restrictions_hold() {
  const auto evaluation = random_evaluation(4);
  Rng rng(9, 0);
  for (int i = 0; i < 20; ++i) {
    const Othello game = random_position(rng, 40);
    MoveList<Othello> moves;
    game.legal_moves(moves);
    if (moves.size() < 3) continue;
    Plan plan;
    plan.avoid.push_back({game.to_move(), 1, {moves[0]}});
    AlphaBetaSearch<OthelloJudge> search(game, [&] { return OthelloJudge(evaluation); },
                                         {.depth = 4, .table_bytes = 1 << 20});
    search.start(plan, Budget{});
    while (!search.wait(1.0)) {
    }
    const SearchReport report = search.report();
    CHECK_EQ(report.moves.size(), static_cast<std::size_t>(moves.size() - 1));
    CHECK_EQ(report.depth, 4);
    for (const MoveReport& move : report.moves) CHECK(move.move != moves[0]);
  }
}

}  // namespace

int main() {
  indices_follow_the_moves();
  evaluation_has_the_symmetries_of_the_board();
  moves_of_both_sides_count();
  search_equals_minimax();
  search_of_another_game_equals_minimax();
  games_with_itself_are_told_whole();
  root_proves_what_the_solver_says();
  judges_keep_their_tables();
  proofs_obey_the_limit_of_nodes();
  restrictions_hold();
  return kibitz::test::report();
}
