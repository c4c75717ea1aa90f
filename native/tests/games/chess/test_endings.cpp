// Endings: king and pawn against king beside a search back from the rules alone, and facts that
// every book has about the others.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "games/chess/evaluate/endings.h"
#include "games/chess/fen.h"
#include "games/chess/game.h"
#include "tests/check.h"

using namespace kibitz;
using chess::Board;

namespace {

struct Place {
  int pawn, white, black, side;
};

std::size_t index(const Place& at) {
  return static_cast<std::size_t>(((at.pawn * 64 + at.white) * 64 + at.black) * 2 + at.side);
}

Board board_of(const Place& at) {
  Board board;
  board.put(chess::kWhite, chess::kPawn, at.pawn);
  board.put(chess::kWhite, chess::kKing, at.white);
  board.put(chess::kBlack, chess::kKing, at.black);
  board.side = static_cast<std::uint8_t>(at.side);
  return board;
}

bool is_legal(const Place& at) {
  if (at.pawn == at.white || at.pawn == at.black || at.white == at.black) return false;
  const Board board = board_of(at);
  return !board.is_attacked(board.king(1 - at.side), at.side);
}

/// A queen or rook wins against a bare king on move unless it is lost at once or it is stalemate.
bool promoted_wins(const Board& board) {
  MoveList<Chess> moves;
  chess::list_moves(board, moves);
  if (moves.empty()) return board.in_check();
  for (const Move move : moves)
    if (board.is_capture(move)) return false;
  return true;
}

/// Pawns of the files a to d on white's side; wins are found by playing all moves again and again.
std::vector<bool> wins_by_rules(std::vector<Place>& places) {
  struct Known {
    Place at;
    std::vector<std::size_t> next;
  };
  std::vector<bool> wins(64 * 64 * 64 * 2);
  std::vector<Known> open;
  for (int pawn = 8; pawn < 56; ++pawn)
    for (int white = 0; white < 64; ++white)
      for (int black = 0; black < 64; ++black)
        for (int side = 0; side < 2; ++side) {
          const Place at{pawn, white, black, side};
          if (chess::file_of(pawn) > 3 || !is_legal(at)) continue;
          places.push_back(at);
          Known known{at, {}};
          const Board board = board_of(at);
          MoveList<Chess> moves;
          chess::list_moves(board, moves);
          bool drawn = moves.empty();
          for (const Move move : moves) {
            Board child = board;
            child.play(move);
            if (!child.pieces[chess::kPawn]) {
              if (side == chess::kBlack)
                drawn = true;
              else if (promoted_wins(child))
                wins[index(at)] = true;
              continue;
            }
            known.next.push_back(index({lowest_bit(child.pieces[chess::kPawn]), child.king(0),
                                        child.king(1), child.side}));
          }
          if (!drawn && !wins[index(at)]) open.push_back(std::move(known));
        }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Known& known : open) {
      if (wins[index(known.at)]) continue;
      bool any = false, all = true;
      for (const std::size_t next : known.next) (wins[next] ? any : all) = wins[next];
      if (known.at.side == chess::kWhite ? any : all) wins[index(known.at)] = changed = true;
    }
  }
  return wins;
}

void king_and_pawn_against_king() {
  std::vector<Place> places;
  const std::vector<bool> expected = wins_by_rules(places);
  CHECK(places.size() > 100'000);
  long wrong = 0, won = 0, mirrored = 0;
  for (const Place& at : places) {
    const bool wins = expected[index(at)];
    won += wins;
    const Board board = board_of(at);
    wrong += chess::pawn_wins(board) != wins;
    Board turned;
    turned.put(chess::kBlack, chess::kPawn, at.pawn ^ 63);
    turned.put(chess::kBlack, chess::kKing, at.white ^ 63);
    turned.put(chess::kWhite, chess::kKing, at.black ^ 63);
    turned.side = static_cast<std::uint8_t>(1 - at.side);
    mirrored += chess::pawn_wins(turned) != wins;
  }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(mirrored, 0);
  CHECK(won > static_cast<long>(places.size()) / 4);
}

int score(const std::string& fen, int before) {
  return chess::ending_score(Chess::from_text(fen).board(), before);
}

void draws_that_look_won() {
  const auto draws = {
      "8/8/8/4k3/8/8/3NN3/4K3 w - - 0 1",   // two knights
      "k7/8/8/8/P7/8/3B4/4K3 w - - 0 1",    // bishop of the other colour than a8
      "1k6/8/8/P7/P7/8/3B4/4K3 b - - 0 1",  //
      "8/7k/8/7P/8/8/4B3/4K3 w - - 0 1",    // h8 is dark, the bishop light
      "k7/8/1K6/P7/P7/8/8/8 w - - 0 1",     // rook's pawns, the king before them
      "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",    // king and pawn: no opposition
  };
  for (const char* fen : draws) CHECK_EQ(score(fen, 300), 0);
  // The same for Black.
  CHECK_EQ(score("4k3/3b4/8/p7/8/8/8/K7 w - - 0 1", -300), 0);
}

void wins_stay_wins() {
  const auto wins = {
      "k7/8/8/8/P7/8/4B3/4K3 w - - 0 1",    // the right bishop
      "5k2/8/8/8/P7/8/3B4/4K3 w - - 0 1",   // the king is far from the corner
      "k7/8/8/8/PP6/8/3B4/4K3 w - - 0 1",   // another file
      "8/8/8/4k3/8/8/3NB3/4K3 w - - 0 1",   // bishop and knight
      "8/8/4k3/8/4K3/4P3/8/8 b - - 0 1",    // king and pawn: opposition
      "8/8/8/4k3/8/8/3NNP2/4K3 w - - 0 1",  // knights and a pawn
  };
  for (const char* fen : wins) CHECK(score(fen, 300) > 0);
}

void a_pawn_that_no_king_catches() {
  // Black's king is outside the square of the pawn; the same on move; inside it.
  CHECK(score("8/8/7p/P3k3/8/8/8/6K1 w - - 0 1", 0) > 300);
  CHECK_EQ(score("8/8/7p/P3k3/8/8/8/6K1 b - - 0 1", 0), 0);
  CHECK_EQ(score("8/8/7p/P2k4/8/8/8/6K1 w - - 0 1", 0), 0);
  // A piece could stop it, and a pawn of Black's could be as quick.
  CHECK_EQ(score("8/8/7p/P3k3/8/8/8/n5K1 w - - 0 1", 0), 0);
  CHECK_EQ(score("8/8/8/P3k3/8/8/7p/5K2 w - - 0 1", 0), 0);
}

void opposite_bishops_are_drawish() {
  const int alone = score("4k3/2b5/8/4p3/4P3/8/2B2P2/4K3 w - - 0 1", 160);
  CHECK(alone > 0 && alone < 100);
  const int same = score("4k3/3b4/8/4p3/4P3/8/2B2P2/4K3 w - - 0 1", 160);
  CHECK_EQ(same, 160);
}

}  // namespace

int main() {
  king_and_pawn_against_king();
  draws_that_look_won();
  wins_stay_wins();
  a_pawn_that_no_king_catches();
  opposite_bishops_are_drawish();
  return test::report();
}
