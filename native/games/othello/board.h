// The rules of Othello as a game (see games/game.h): position, moves, result, notation.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/bits.h"
#include "base/rng.h"
#include "games/game.h"
#include "games/othello/bitboard.h"
#include "games/sample.h"

namespace kibitz {

/// An Othello position: the discs of the side to move, those of the other side, and who moves.
///
/// A move is a square 0..63 (a1, b1, ..., h8) or `kPass`; a side that cannot move passes, and that
/// is its one legal move. The game is over when neither side can move.
///
///     Othello game;                       // the start position
///     game.play(game.parse_move("d3"));
struct Othello {
  using Move = kibitz::Move;
  using Bits = othello::Bits;

  static constexpr const char* kName = "othello";
  static constexpr int kMaxMoves = 60;  // every square but the four of the centre
  static constexpr Move kPass = othello::kPass;
  static constexpr int kSymmetries = 8;

  Bits player = 0x0000000810000000ULL;    // black: e4, d5
  Bits opponent = 0x0000001008000000ULL;  // white: d4, e5
  std::uint8_t side = 0;                  // whose turn it is: 0 black, 1 white

  bool operator==(const Othello&) const = default;

  int to_move() const { return side; }
  Bits black() const { return side == 0 ? player : opponent; }
  Bits white() const { return side == 0 ? opponent : player; }
  Bits empty() const { return ~(player | opponent); }
  int empties() const { return std::popcount(empty()); }

  /// Squares the side to move may play; 0 means it passes, or the game is over.
  Bits mobility() const { return othello::mobility(player, opponent); }

  bool is_over() const { return mobility() == 0 && othello::mobility(opponent, player) == 0; }

  void legal_moves(MoveList<Othello>& moves) const {
    moves.clear();
    Bits squares = mobility();
    if (squares == 0 && othello::mobility(opponent, player) != 0) moves.push(kPass);
    while (squares != 0) moves.push(static_cast<Move>(pop_lowest(squares)));
  }

  bool is_legal(Move move) const {
    if (move < 64) return (mobility() >> move & 1) != 0;
    return move == kPass && mobility() == 0 && othello::mobility(opponent, player) != 0;
  }

  void play(Move move) {
    if (move == kPass) {
      pass();
    } else {
      place(move);
    }
  }

  /// `play` for a square: no test for a pass.
  void place(int square) {
    const Bits turned = othello::flips(square, player, opponent);
    const Bits mine = player | turned | othello::bit(square);
    player = opponent & ~turned;
    opponent = mine;
    side ^= 1;
  }

  void pass() {
    std::swap(player, opponent);
    side ^= 1;
  }

  /// One of the legal moves, each equally likely; precondition: the game is not over.
  template <class Random>
  Move random_move(Random& random) const {
    const Bits squares = mobility();
    if (squares == 0) return kPass;
    const auto k = random.below(static_cast<std::uint32_t>(std::popcount(squares)));
    return static_cast<Move>(lowest_bit(nth_bit(squares, static_cast<int>(k))));
  }

  /// Black's discs minus white's; once the game is over the empty squares go to the winner.
  int score() const;
  float result() const;

  std::uint64_t hash() const {
    return mix64(player ^ mix64(opponent + (side == 0 ? 0 : 0xd6e8feb86659fd93ULL)));
  }

  /// The same position seen through one of the board's eight symmetries; 0 changes nothing.
  Othello transformed(int symmetry) const;

  /// 64 squares from a1 row by row (`X` black, `O` white, `-` empty), a space, the side to move.
  std::string to_text() const;
  static Othello from_text(std::string_view text);

  /// Network input: own discs, the opponent's, legal squares; the policy has a1..h8 and the pass.
  FeatureShape feature_shape() const { return {3, 8, 8, 0, 65}; }
  void write_features(float* planes, float* globals) const;
  int policy_index(Move move) const { return move; }

  /// `d3`, or `pass`; `parse_move` reads any case, and `--`, `PA` and `PASS` for a pass.
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;
};

namespace othello {

/// Discs of `player` minus those of `opponent` at the end of a game, empty squares to the winner.
inline int final_margin(Bits player, Bits opponent) {
  const int mine = std::popcount(player);
  const int theirs = std::popcount(opponent);
  if (mine > theirs) return 64 - 2 * theirs;
  if (mine < theirs) return 2 * mine - 64;
  return 0;
}

/// Where one of the eight symmetries takes each square of a board.
Bits transformed(Bits board, int symmetry);
int transformed_square(int square, int symmetry);

}  // namespace othello

template <>
struct Sample<Othello> : SampleDefaults<Othello> {
  static int symmetry_count(const Othello&) { return Othello::kSymmetries; }
  static int symmetric_point(const Othello&, int point, int symmetry) {
    return othello::transformed_square(point, symmetry);
  }
  static int symmetric_index(const Othello&, int index, int symmetry) {
    return othello::transformed_square(index, symmetry);  // the pass stays
  }
  static constexpr bool kHasScore = true, kHasOwnership = true;
  static Targets targets(const Othello& last) {
    Targets targets = targets_of(last.result());
    targets.score = static_cast<float>(last.score());
    return targets;
  }
  static void write_owners(const Othello& last, float* out) {
    for (int square = 0; square < 64; ++square)
      out[square] = static_cast<float>(last.black() >> square & 1) -
                    static_cast<float>(last.white() >> square & 1);
  }
};

static_assert(SampleGame<Othello>);

}  // namespace kibitz
