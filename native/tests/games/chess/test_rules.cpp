// Chess: attacks, rules, draws, notation, the network's input and policy, the PGN reader.
#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "games/chess/evaluate/eval.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/fen.h"
#include "games/chess/game.h"
#include "games/chess/notation.h"
#include "games/chess/pgn.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::chess;

namespace {

Board board_of(const char* fen) { return read_fen(fen).board; }

// Sliders by walking the board, with no table to share a mistake with.
Bits walked(int square, Bits occupied, bool straight) {
  Bits set = 0;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dy = -1; dy <= 1; ++dy) {
      if ((dx == 0 && dy == 0) || (dx == 0 || dy == 0) != straight) continue;
      int x = file_of(square) + dx, y = rank_of(square) + dy;
      for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) {
        set |= bit(square_at(x, y));
        if (occupied & bit(square_at(x, y))) break;
      }
    }
  }
  return set;
}

void test_attacks() {
  Rng rng(1);
  bool same = true;
  for (int i = 0; i < 20000; ++i) {
    const int square = static_cast<int>(rng.below(64));
    const Bits occupied = rng.next() & (i % 2 ? rng.next() : ~Bits{0});
    same &= rook_attacks(square, occupied) == walked(square, occupied, true);
    same &= bishop_attacks(square, occupied) == walked(square, occupied, false);
    same &= portable::rook_attacks(kAttacks, square, occupied) == walked(square, occupied, true);
    same &= portable::bishop_attacks(kAttacks, square, occupied) == walked(square, occupied, false);
  }
  CHECK(same);
  CHECK_EQ(between(0, 63), 0x0040201008040200ULL);
  CHECK_EQ(between(0, 17), 0u);
  CHECK_EQ(line_through(9, 18), 0x8040201008040201ULL);
}

// Published counts; the deeper ones are in tests/games/chess/perft.json.
void test_perft() {
  const std::vector<std::pair<const char*, std::vector<std::uint64_t>>> known{
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
       {20, 400, 8902, 197281, 4865609}},
      {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
       {48, 2039, 97862, 4085603}},
      {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624}},
      {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333}},
      {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379, 2103487}},
      {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
       {46, 2079, 89890, 3894594}},
      {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
       {21, 528, 12189, 326672}},
  };
  for (const auto& [fen, counts] : known)
    for (std::size_t depth = 0; depth < counts.size(); ++depth)
      CHECK_EQ(perft(board_of(fen), static_cast<int>(depth) + 1), counts[depth]);
}

// The key that moves keep up to date is the key of the position read anew, and texts round-trip.
void test_random_games() {
  Rng rng(7);
  bool keys = true, texts = true, moves_read = true, lists = true;
  for (int i = 0; i < 200; ++i) {
    Chess game;
    while (!game.is_over()) {
      MoveList<Chess> moves;
      game.legal_moves(moves);
      lists &= moves.size() == count_moves(game.board());
      const Move move =
          moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))];
      moves_read &= game.parse_move(game.move_text(move)) == move;
      moves_read &= game.parse_move(san_text(game.board(), move)) == move;
      moves_read &= game.is_legal(move);
      game.play(move);
      const Chess again = Chess::from_text(game.to_text());
      keys &= again.hash() == game.hash();
      texts &= again.to_text() == game.to_text() && again == game;
    }
  }
  CHECK(keys);
  CHECK(texts);
  CHECK(moves_read);
  CHECK(lists);
}

Chess played(const char* fen, std::initializer_list<const char*> moves) {
  Chess game = Chess::from_text(fen);
  for (const char* move : moves) game.play(game.parse_move(move));
  return game;
}

void test_endings() {
  const auto ending_of = [](const char* fen) { return std::string(ending(Chess::from_text(fen))); };
  CHECK_EQ(ending_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"), "checkmate");
  CHECK_EQ(
      Chess::from_text("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").result(),
      0.0f);
  CHECK_EQ(ending_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "stalemate");
  CHECK_EQ(ending_of("8/8/4k3/8/8/3NK3/8/8 w - - 0 1"), "insufficient material");
  CHECK_EQ(ending_of("8/8/4k3/2b5/8/2B1K3/8/8 w - - 0 1"), "insufficient material");
  CHECK_EQ(ending_of("8/8/4k3/3b4/8/2B1K3/8/8 w - - 0 1"), "");
  CHECK_EQ(ending_of("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1"), "");
  CHECK_EQ(ending_of("8/8/4k3/8/8/2R1K3/8/8 w - - 100 80"), "fifty moves");
  // Mate on the hundredth ply is mate.
  CHECK_EQ(ending_of("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80"), "checkmate");
  CHECK_EQ(Chess::from_text("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80").result(), 1.0f);

  const char* start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  Chess game = played(start, {"g1f3", "g8f6", "f3g1", "f6g8"});
  CHECK_EQ(game.keys().repetitions(), 1);
  CHECK(game.repeats_within(4));
  CHECK(!game.repeats_within(3));
  CHECK(!game.is_over());
  game = played(start, {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"});
  CHECK_EQ(std::string(ending(game)), "threefold repetition");
  CHECK_EQ(game.result(), 0.5f);
  MoveList<Chess> none;
  game.legal_moves(none);
  CHECK(none.empty());
  CHECK(!game.forgotten().is_over());
  // Losing the right to castle makes another position, although the pieces come back.
  game = played("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1",
                {"h1h2", "a8a7", "h2h1", "a7a8", "h1h2", "a8a7", "h2h1", "a7a8"});
  CHECK_EQ(game.keys().repetitions(), 1);
  // So does an en passant that is gone.
  game = played("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", {"a2a4", "e8e7", "e1e2", "e7e8", "e2e1"});
  CHECK_EQ(game.keys().repetitions(), 0);
}

void test_bad_fens() {
  const auto refused = [](const char* fen, const char* why) {
    CHECK_THROWS(std::invalid_argument, Chess::from_text(fen), why);
  };
  refused("", "empty");
  refused("8/8/8/8/8/8/8 w - - 0 1", "7 ranks, expected 8");
  refused("9/8/8/8/8/8/8/8 w - - 0 1", "bad character '9'");
  refused("k7/8/8/8/8/8/8/7KK w - - 0 1", "more than 8 squares");
  refused("k7/8/8/8/8/8/8/6K w - - 0 1", "7 squares");
  refused("k7/8/8/8/8/8/8/K7", "side to move is missing");
  refused("k7/8/8/8/8/8/8/K7 x - - 0 1", "expected w or b");
  refused("8/8/8/8/8/8/8/K7 w - - 0 1", "black has 0 kings");
  refused("k7/8/8/8/8/8/8/KK6 w - - 0 1", "white has 2 kings");
  refused("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn on h8");
  refused("k7/pp6/ppp5/pppp4/8/8/8/K7 w - - 0 1", "9 pawns");
  refused("k7/8/8/8/QQQQ4/QQQQ4/QQ6/K7 b - - 0 1", "more pieces than");
  refused("k7/8/8/8/8/8/8/K6R w KQ - 0 1", "no rook");
  refused("4k3/8/8/8/8/4K3/8/7R w K - 0 1", "not on its first rank");
  refused("k7/8/8/8/8/8/8/K6R w Z - 0 1", "bad character 'Z' in the castling");
  refused("k6R/8/8/8/8/8/8/K7 w - - 0 1", "black's king is in check");
  refused("k7/8/8/8/8/8/8/K7 w - e4 0 1", "rank 6");
  refused("k7/8/8/8/8/8/8/K7 w - e6 0 1", "passed the en passant square");
  refused("k7/8/8/8/8/8/8/K7 w - - x 1", "halfmove clock");
  refused("k7/8/8/8/8/8/8/K7 w - - 0 1 2", "7 fields");
}

void test_notation() {
  const Board board = board_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  CHECK_EQ(read_uci(board, "e1g1"), make_move(4, 7));
  CHECK_EQ(read_uci(board, "e1h1"), make_move(4, 7));
  CHECK_EQ(uci_text(board, make_move(4, 0)), "e1c1");
  CHECK_EQ(san_text(board, make_move(4, 0)), "O-O-O");
  CHECK_EQ(read_san(board, "0-0").move, make_move(4, 7));
  const Board queens = board_of("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1");
  CHECK_EQ(san_text(queens, read_uci(queens, "h4e1")), "Qh4e1");
  const Board rooks = board_of("6k1/8/8/R7/8/8/8/R6K w - - 0 1");
  CHECK_EQ(san_text(rooks, read_uci(rooks, "a1a3")), "R1a3");
  const Board files = board_of("3r3r/1K6/8/8/7k/8/8/8 b - - 0 1");
  CHECK_EQ(san_text(files, read_uci(files, "d8f8")), "Rdf8");
  const Board pawns = board_of("3n4/2P5/8/8/8/8/k7/4K3 w - - 0 1");
  CHECK_EQ(san_text(pawns, read_uci(pawns, "c7d8q")), "cxd8=Q");
  CHECK_EQ(read_san(pawns, "cxd8N").move, read_uci(pawns, "c7d8n"));
  CHECK_EQ(read_san(pawns, "c8").move, kNoMove);
  CHECK_EQ(std::string(read_san(pawns, "c8").problem), "it does not say what the pawn becomes");
  CHECK_EQ(std::string(read_san(pawns, "Nf3").problem), "no piece can go there");
  const Board pinned = board_of("4r2k/8/8/8/8/4N3/8/4K1N1 w - - 0 1");
  CHECK_EQ(read_san(pinned, "Nf5").move, kNoMove);
  CHECK_EQ(std::string(read_san(pinned, "Nf5").problem), "it would leave the king in check");
  CHECK_THROWS(std::invalid_argument, Chess().parse_move("hello"), "expected UCI");
}

// Chess960 castling where the rook was the king's shelter, and where the king does not move.
void test_chess960() {
  const Board shelter = board_of("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1");
  CHECK(!is_legal(shelter, make_move(3, 1)));
  const Board open = board_of("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1");
  CHECK(is_legal(open, make_move(3, 1)));
  Board after = open;
  after.play(make_move(3, 1));
  CHECK_EQ(write_fen(after), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
  const Board stays = board_of("6k1/8/8/8/8/8/8/R4RK1 w F - 0 1");
  CHECK(stays.chess960);
  CHECK_EQ(uci_text(stays, make_move(6, 0)), "g1a1");
}

void test_encoding() {
  const Chess start;
  std::vector<float> planes(112 * 64);
  start.write_features(planes.data(), nullptr);
  const auto sum = [&](int plane) {
    float total = 0;
    for (int i = 0; i < 64; ++i) total += planes[static_cast<std::size_t>(64 * plane + i)];
    return total;
  };
  CHECK_EQ(sum(0), 8.0f);
  CHECK_EQ(sum(6), 8.0f);
  CHECK_EQ(planes[5 * 64 + 4], 1.0f);  // our king on e1
  for (int plane = 13; plane < 104; ++plane)
    CHECK_EQ(sum(plane), 0.0f);  // nothing before the start
  for (int plane = 104; plane < 108; ++plane) CHECK_EQ(sum(plane), 64.0f);
  CHECK_EQ(sum(108), 0.0f);
  CHECK_EQ(sum(111), 64.0f);

  // Black to move: the board is turned, and the board before it seen from the same side.
  const Chess after = played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {"e2e4"});
  after.write_features(planes.data(), nullptr);
  CHECK_EQ(planes[6 * 64 + 36], 1.0f);   // their pawn on e4, seen on e5
  CHECK_EQ(planes[19 * 64 + 52], 1.0f);  // a move ago on e2, seen on e7
  CHECK_EQ(sum(108), 64.0f);

  // A position from a text is its own past, with a double step taken back.
  const Chess text = Chess::from_text("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1");
  text.write_features(planes.data(), nullptr);
  CHECK_EQ(planes[6 * 64 + 36], 1.0f);
  CHECK_EQ(planes[19 * 64 + 36], 0.0f);
  CHECK_EQ(planes[19 * 64 + 52], 1.0f);
  CHECK_EQ(sum(13 * 7), 1.0f);

  // Every legal move has a number of its own.
  Rng rng(3);
  bool apart = true;
  for (int i = 0; i < 50; ++i) {
    Chess game;
    while (!game.is_over()) {
      MoveList<Chess> moves;
      game.legal_moves(moves);
      std::set<int> numbers;
      for (const Move move : moves) {
        const int number = game.policy_index(move);
        apart &= number >= 0 && number < 1858 && numbers.insert(number).second;
      }
      game.play(game.random_move(rng));
    }
  }
  CHECK(apart);
  const Chess castle = Chess::from_text("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
  CHECK_EQ(castle.policy_index(make_move(60, 63)), start.policy_index(make_move(4, 7)));
  const Chess promote = Chess::from_text("8/P6k/8/8/8/8/8/K7 w - - 0 1");
  CHECK_EQ(promote.policy_index(make_move(48, 56, kQueen)), 1792);
  CHECK_EQ(promote.policy_index(make_move(48, 56, kBishop)), 1794);
  CHECK_EQ(promote.policy_index(make_move(48, 56, kKnight)),
           promote.policy_index(make_move(48, 56)));
}

ByteSource source_of(std::string text, std::size_t step) {
  return [text = std::move(text), step, at = std::size_t{0}](char* out, std::size_t size) mutable {
    const std::size_t count = std::min({size, step, text.size() - at});
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), count, out);
    at += count;
    return count;
  };
}

std::vector<PgnGame> games_of(const std::string& text, std::size_t step = 1000) {
  PgnReader reader(source_of(text, step));
  std::vector<PgnGame> games;
  for (PgnGame game; reader.next(game);) games.push_back(game);
  return games;
}

void test_pgn() {
  const std::string text =
      "\xef\xbb\xbf[Event \"a \\\"big\\\" one\"]\r\n[Result \"1-0\"]\r\n\r\n"
      "1. e4 {a comment ( with [%clk 0:01] } e5 (1... c5 {x} (2. Nf3 d6) 2. c3) 2. Nf3! $14 Nc6\r\n"
      "; to the end of the line 3. a3\r\n%escaped\r\n3.Bb5 a6 4. O-O 1-0\r\n\r\n"
      "[Event \"two\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 1/2-1/2\n\n"
      "[Event \"broken\"]\n\n1. e4 e5 2. Ke3 Nf6 3. d4 1-0\n\n"
      "[Event \"no result\"]\n\n1. d4 d5\n\n"
      "[Event \"not closed\"]\n\n1. d4 {never ends\n\n[Event \"last\"]\n[Site \"x\"]\n\n1. c4 *\n";
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const auto games = games_of(text, step);
    CHECK_EQ(games.size(), 6u);
    if (games.size() != 6) return;
    CHECK_EQ(games[0].moves.size(), 7u);
    CHECK_EQ(games[0].tag("Event"), "a \"big\" one");
    CHECK_EQ(games[0].result, "1-0");
    CHECK_EQ(games[0].problem, "");
    CHECK_EQ(games[1].moves.size(), 2u);
    CHECK_EQ(games[1].result, "1/2-1/2");
    CHECK_EQ(games[2].moves.size(), 2u);
    CHECK_EQ(games[2].problem, "move 2. Ke3 in line 16: no piece can go there");
    CHECK_EQ(games[2].result, "1-0");
    CHECK_EQ(games[3].moves.size(), 2u);
    CHECK_EQ(games[3].result, "*");
    CHECK_EQ(games[4].problem, "a comment is not closed");
    CHECK_EQ(games[5].moves.size(), 1u);
    CHECK_EQ(games[5].number, 6);
  }
  CHECK_EQ(games_of("").size(), 0u);
  CHECK_EQ(games_of("\n\n  \n").size(), 0u);
  const auto variant = games_of("[Variant \"Atomic\"]\n\n1. e4 *\n");
  CHECK_EQ(variant.size(), 1u);
  CHECK_EQ(variant[0].problem, "the variant Atomic is not chess");
  // Noise must not hang or crash it.
  Rng rng(5);
  const std::string letters = "[]{}()\"\\;%$ \n1.eN4xO-*#+=abc\xff";
  long read = 0;
  for (int i = 0; i < 300; ++i) {
    std::string noise;
    for (int k = 0; k < 400; ++k)
      noise += letters[rng.below(static_cast<std::uint32_t>(letters.size()))];
    read += static_cast<long>(games_of(noise).size());
  }
  CHECK(read > 0);
}

void test_judgement() {
  // The board turned and the colours swapped is the same position.
  Rng rng(9);
  bool fair = true, sums = true;
  for (int i = 0; i < 60; ++i) {
    Chess game;
    for (int ply = 0; ply < 40 && !game.is_over(); ++ply) game.play(game.random_move(rng));
    if (game.is_over()) continue;
    const Board& board = game.board();
    Board turned;
    for (int square = 0; square < 64; ++square)
      if (const Piece piece = board.piece_at(square); piece != kNoPiece)
        turned.put(1 - board.side_at(square), piece, square ^ 56);
    turned.side = static_cast<std::uint8_t>(1 - board.side);
    fair &= static_score(board) == static_score(turned);
    MoveList<Chess> moves;
    list_moves(board, moves);
    std::vector<float> priors(static_cast<std::size_t>(moves.size()));
    hand_priors(board, {moves.begin(), priors.size()}, priors);
    float sum = 0;
    for (const float prior : priors) sum += prior;
    sums &= sum > 0.999f && sum < 1.001f;
  }
  CHECK(fair);
  CHECK(sums);
  const auto exchange = [](const char* fen, const char* move) {
    const Board board = board_of(fen);
    return exchange_score(board, read_uci(board, move));
  };
  CHECK_EQ(exchange("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100);
  CHECK_EQ(exchange("3rk3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), -400);
  CHECK_EQ(exchange("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
  CHECK_EQ(exchange("4k3/8/4p3/8/8/8/3N4/4K3 w - - 0 1", "d2d5"), -320);
  // A hanging queen is won, whoever is to move cannot deny it.
  CHECK(quiet_score(board_of("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1")) > 300);
  CHECK(quiet_score(board_of("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1")) >
        static_score(board_of("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1")) + 500);
  CHECK(outcome_of(0, 0).value == 0.5f);
  CHECK(outcome_of(300, 0).value > 0.8f);
  CHECK(outcome_of(300, 90).value < outcome_of(300, 0).value);
}

}  // namespace

int main() {
  test_attacks();
  test_perft();
  test_random_games();
  test_endings();
  test_bad_fens();
  test_notation();
  test_chess960();
  test_encoding();
  test_pgn();
  test_judgement();
  return test::report();
}
