// The search of Junqi against plain minimax, its switches against each other, its limits, its
// speed.
#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/clock.h"
#include "games/junqi/search/search.h"
#include "tests/check.h"
#include "tests/games/junqi/play.h"

using namespace kibitz;
using namespace kibitz::junqi;

namespace {

/// Minimax as a textbook has it: no window, no table, no order.
double minimax(const Junqi& board, int depth, int team, const JunqiOptions& config,
               const Scorer& scorer, const Knowledge& knowledge, const WorldFacts& facts,
               HistoryRecorder& history, double baseline) {
  const double side = team == 0 ? 1 : -1;
  if (depth == 0 || board.is_over()) return side * (scorer.position(board, facts) - baseline);
  MoveList<Junqi> moves;
  board.legal_moves(moves);
  const bool maximizing = board.team(board.to_move()) == team;
  const Stage stage = scorer.stage(board, board.to_move(), facts, knowledge);
  double best = maximizing ? -1e15 : 1e15;
  for (const Move move : moves) {
    const double s = scorer.evaluate_move(board, stage, move, history, knowledge, facts).score;
    Junqi next = board;
    const int piece = next.piece_at(from_of(move)), other = next.piece_at(to_of(move));
    const Event event = next.play(move);
    history.make(board.ply(), move, piece, other, event.outcome);
    const double value =
        (maximizing ? s : -s) + config.discount * minimax(next, depth - 1, team, config, scorer,
                                                          knowledge, facts, history, baseline);
    history.unmake();
    best = maximizing ? std::max(best, value) : std::min(best, value);
  }
  return best;
}

/// A position with few pieces, by random play and random removal; sometimes a seat is out.
Junqi small_position(Rng& rng, int players, bool one_out) {
  for (;;) {
    Junqi game = dealt(rng, players);
    for (int ply = 0; ply < 60 && !game.is_over(); ++ply) {
      MoveList<Junqi> moves;
      game.legal_moves(moves);
      game.play(random_move(rng, moves));
    }
    // Thin the armies out by editing the notation: most pieces are dead, flags stay.
    std::string text = game.to_text(), thin;
    for (std::size_t i = 0; i < text.size();) {
      const bool piece = i > 0 && (text[i - 1] == ':' || text[i - 1] == ',');
      if (piece && text[i] != 'F' && rng.below(10) < 7) {
        thin += text[i];
        while (i < text.size() && text[i] != ',' && text[i] != ' ') ++i;
        thin += 'x';
      } else {
        thin += text[i++];
      }
    }
    try {
      Junqi board = Junqi::from_text(thin);
      if (one_out && players == 4) {
        const int seat = (board.to_move() + 1 + static_cast<int>(rng.below(3))) % 4;
        if (board.alive(seat)) board.resign(seat);
      }
      MoveList<Junqi> moves;
      board.legal_moves(moves);
      if (!board.is_over() && moves.size() >= 2 && moves.size() <= 16) return board;
    } catch (const std::invalid_argument&) {
    }
  }
}

void test_equivalence() {
  Rng rng(41);
  const Weights weights;
  const Scorer scorer(weights);
  int after_elimination = 0, four = 0;
  for (int number = 0; number < 40; ++number) {
    const int players = number % 5 == 4 ? 2 : 4;
    const bool one_out = number % 3 == 0;
    const Junqi board = small_position(rng, players, one_out);
    four += players == 4;
    after_elimination += one_out && players == 4;
    const Knowledge knowledge = Knowledge::of(board);
    const WorldFacts facts(board);
    JunqiOptions config;
    config.beam_width = config.reply_width = 0;
    config.quiescence = 0;
    config.depth = number % 8 == 7 ? 4 : 3;  // four plies of minimax take seconds
    config.iterative = false;
    HistoryRecorder history;
    const double truth = minimax(board, config.depth, board.team(board.to_move()), config, scorer,
                                 knowledge, facts, history, scorer.position(board, facts));
    const double scale = 1e-7 * (1 + std::abs(truth));
    for (const bool alpha_beta : {true, false})
      for (const bool table : {true, false})
        for (const bool iterative : {true, false}) {
          config.use_alpha_beta = alpha_beta;
          config.use_table = table;
          config.iterative = iterative;
          CHECK(std::abs(open_value(board, config) - truth) < scale);
        }
    // The same holds with the beam and with quiescence: neither depends on what was pruned.
    config.beam_width = 4;
    config.quiescence = 3;
    config.use_alpha_beta = config.use_table = config.iterative = false;
    const double narrow = open_value(board, config);
    config.use_alpha_beta = config.use_table = config.iterative = true;
    CHECK(std::abs(open_value(board, config) - narrow) < 1e-7 * (1 + std::abs(narrow)));
  }
  CHECK(four >= 30);
  CHECK(after_elimination >= 10);
}

/// A view in mid-game: random play in which attacks are likely.
View midgame(Rng& rng, int plies, int players = 4) {
  for (;;) {
    Junqi game = dealt(rng, players);
    std::vector<View> views;
    for (int seat = 0; seat < kSeats; ++seat) views.emplace_back(game, seat);
    for (int ply = 0; ply < plies && !game.is_over(); ++ply) {
      MoveList<Junqi> moves;
      game.legal_moves(moves);
      const Move move = lively_move(rng, game, moves, 4);
      const Event event = game.play(move);
      for (View& view : views) view.observe(event);
    }
    if (!game.is_over()) return views[static_cast<std::size_t>(game.to_move())];
  }
}

/// Processor time of this thread: a busy machine must not decide a test.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void test_limits() {
  Rng rng(8);
  double worst = 0, worst_wall = 0;
  for (int number = 0; number < 150; ++number) {
    const View view = midgame(rng, 20 + number);
    JunqiOptions config;
    config.depth = 20;
    const JunqiLimits limits{0, (1 + number % 10) / 1000.0};
    config.seed = number;
    const Stopwatch watch;
    const double before = cpu_seconds();
    JunqiSearch search(view, config, limits);
    const JunqiReport report = search.run({});
    worst = std::max(worst, cpu_seconds() - before - limits.seconds);
    worst_wall = std::max(worst_wall, watch.seconds() - limits.seconds);
    CHECK(view.is_legal(report.moves.at(0).move));
  }
  std::cout << "past the limit by " << 1000 * worst << " ms of processor time at most, "
            << 1000 * worst_wall << " ms by the clock\n";
  CHECK(worst < 0.05);
}

void test_wishes() {
  Rng rng(15);
  JunqiOptions config;
  config.depth = 2;
  config.worlds = 2;
  for (int number = 0; number < 10; ++number) {
    const View view = midgame(rng, 40);
    MoveList<Junqi> moves;
    view.legal_moves(moves);
    if (moves.size() < 20) continue;
    JunqiSearch plain(view, config);
    const auto judged = plain.judge({});
    const Move worst = judged.moves.back().move;
    RootWishes wishes;
    wishes.include = {{worst, 1}};
    JunqiSearch included(view, config);
    const auto report = included.run(wishes);
    CHECK(std::any_of(report.moves.begin(), report.moves.end(), [&](const RootMove& root) {
      return root.move == worst && root.worlds == 2;
    }));
    wishes = {};
    wishes.first_ply_moves = {worst, moves[0]};
    JunqiSearch pool(view, config);
    for (const auto& root : pool.run(wishes).moves)
      CHECK(root.move == worst || root.move == moves[0]);
    for (const Category style : {Category::kAggressive, Category::kDefensive, Category::kProbing}) {
      wishes = {};
      wishes.preferred_category = style;
      JunqiSearch styled(view, config);
      const auto styled_report = styled.run(wishes);
      if (!styled_report.style_applied) continue;
      for (const auto& root : styled_report.moves)
        CHECK(root.category == style || root.vital || root.counter);
    }
    // One seed, one result, whatever the number of threads.
    JunqiOptions two = config;
    two.threads = 2;
    JunqiSearch parallel(view, two), again(view, config);
    const auto a = parallel.run({}), b = again.run({});
    CHECK_EQ(a.moves.size(), b.moves.size());
    for (std::size_t i = 0; i < a.moves.size(); ++i) {
      CHECK_EQ(a.moves[i].move, b.moves[i].move);
      CHECK_EQ(a.moves[i].value, b.moves[i].value);
    }
  }
}

void test_more_worlds() {
  Rng rng(21);
  const View view = midgame(rng, 40);
  JunqiOptions config;
  config.depth = 4;
  config.worlds = 2;
  config.samples = 24;
  const auto run = [&](const JunqiLimits& limits) {
    return JunqiSearch(view, config, limits).run({});
  };
  // Without a limit the depth ends the search, with one there are worlds for what is left.
  const auto plain = run({});
  CHECK_EQ(plain.worlds, 2);
  CHECK(plain.stop == StopReason::kDepth);
  const JunqiLimits limits{4 * plain.nodes, 0};
  const auto more = run(limits), again = run(limits);
  CHECK(more.worlds > 2);
  CHECK(more.stop == StopReason::kSimulations);
  CHECK(more.nodes > plain.nodes && more.nodes <= limits.nodes + 1);
  CHECK_EQ(more.nodes, again.nodes);
  for (std::size_t i = 0; i < more.moves.size(); ++i) {
    CHECK_EQ(more.moves[i].move, again.moves[i].move);
    CHECK_EQ(more.moves[i].value, again.moves[i].value);
  }
  const auto three = run({1'000'000'000, 0, 3});
  CHECK_EQ(three.worlds, 3);
  CHECK(three.stop == StopReason::kDepth);
  // A search that is asked for few plies only ends with them.
  config.depth = 3;
  CHECK(run({1'000'000'000, 0}).stop == StopReason::kDepth);
}

void test_speed() {
  Rng rng(4);
  std::int64_t nodes = 0;
  double seconds = 0;
  for (int number = 0; number < 20; ++number) {
    const View view = midgame(rng, 30 + 5 * number);
    JunqiOptions config;
    config.depth = 20;
    JunqiSearch search(view, config, {0, 0.05});
    const auto report = search.run({});
    nodes += report.nodes;
    seconds += report.seconds;
  }
  std::cout << static_cast<double>(nodes) / seconds << " nodes a second\n";
  CHECK(nodes > 0);
}

}  // namespace

int main() {
  test_equivalence();
  test_wishes();
  test_limits();
  test_more_worlds();
  test_speed();
  return test::report();
}
