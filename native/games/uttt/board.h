// The rules of ultimate tic-tac-toe as a game (see games/game.h): position, moves, result,
// notation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "base/rng.h"
#include "games/game.h"
#include "games/sample.h"
#include "games/uttt/lines.h"

namespace kibitz {

/// An ultimate tic-tac-toe position. X moves first.
///
/// A move is 9 * sub-board + cell. The cell says where the opponent must play next; if that
/// sub-board is closed (won or full) any open one will do. Closed sub-boards keep their cells and
/// are never played in again. Three won sub-boards in a row win.
///
///     Uttt game;                          // the start position
///     game.play(game.parse_move("44"));   // the centre of the centre
struct Uttt {
  using Move = kibitz::Move;
  using Mask = uttt::Mask;

  static constexpr const char* kName = "uttt";
  static constexpr int kMaxMoves = 81;
  static constexpr int kAnywhere = 9;  // the constraint that is none

  /// What a game without a line of sub-boards is worth: a draw, or (as on CodinGame) a win for the
  /// side with more of them. The values are the rule ids of files.
  enum class Ending : std::uint8_t { kStandard = 0, kMostSubBoards = 1 };
  enum class Status : std::uint8_t { kPlaying, kFirstWon, kSecondWon, kDrawn };

  /// Empty cells of each sub-board while it is open, nothing once it is closed. Three words more
  /// than nine, so that a free choice can read them as 64-bit numbers.
  alignas(8) std::array<Mask, 12> empty = {uttt::kFull, uttt::kFull, uttt::kFull, uttt::kFull,
                                           uttt::kFull, uttt::kFull, uttt::kFull, uttt::kFull,
                                           uttt::kFull, 0,           0,           0};
  std::array<std::array<Mask, 9>, 2> cells{};  // X's and O's cells of each sub-board
  std::array<Mask, 2> won{};                   // sub-boards X and O have won
  Mask closed = 0;                             // sub-boards won or full
  std::uint8_t constraint = kAnywhere;         // the sub-board that must be played in
  std::uint8_t side = 0;                       // whose turn it is: 0 X, 1 O
  Ending ending = Ending::kStandard;
  Status status = Status::kPlaying;

  bool operator==(const Uttt&) const = default;

  int to_move() const { return side; }
  bool is_over() const { return status != Status::kPlaying; }
  float result() const {
    return status == Status::kFirstWon ? 1.0f : status == Status::kSecondWon ? 0.0f : 0.5f;
  }

  /// Cells that can still be played: the empty ones of open sub-boards.
  int empties() const {
    const auto words = packed_empties();
    return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]);
  }
  int open_boards() const { return 9 - std::popcount(closed); }

  void legal_moves(MoveList<Uttt>& moves) const {
    moves.clear();
    if (is_over()) return;
    const int first = constraint == kAnywhere ? 0 : constraint;
    const int last = constraint == kAnywhere ? 8 : constraint;
    for (int board = first; board <= last; ++board)
      for (std::uint64_t left = empty[static_cast<std::size_t>(board)]; left != 0;)
        moves.push(static_cast<Move>(9 * board + pop_lowest(left)));
  }

  int count_moves() const {
    if (is_over()) return 0;
    if (constraint != kAnywhere) return std::popcount(empty[constraint]);
    int moves = 0;
    for (const Mask left : empty) moves += std::popcount(left);
    return moves;
  }

  bool is_legal(Move move) const {
    if (move >= 81 || is_over()) return false;
    const int board = move / 9;
    if (constraint != kAnywhere && constraint != board) return false;
    return (empty[static_cast<std::size_t>(board)] >> (move % 9) & 1) != 0;
  }

  void play(Move move) { place(static_cast<unsigned>(move) / 9, static_cast<unsigned>(move) % 9); }

  /// `play` with the sub-board and the cell apart.
  void place(unsigned board, unsigned cell) {
    const Mask bit = static_cast<Mask>(1u << cell);
    const Mask mine = cells[side][board] |= bit;
    const Mask left = empty[board] &= static_cast<Mask>(~bit);
    if (uttt::has_line(mine) || left == 0) close(board, uttt::has_line(mine));
    constraint = static_cast<std::uint8_t>(closed >> cell & 1 ? kAnywhere : cell);
    side ^= 1;
  }

  /// One of the legal moves, each equally likely; precondition: the game is not over.
  template <class Random>
  Move random_move(Random& random) const {
    if (constraint != kAnywhere) {
      const std::uint64_t choice = empty[constraint];
      const auto k = random.below(static_cast<std::uint32_t>(std::popcount(choice)));
      return static_cast<Move>(9 * constraint + lowest_bit(nth_bit(choice, static_cast<int>(k))));
    }
    const auto words = packed_empties();
    const int in0 = std::popcount(words[0]), in1 = std::popcount(words[1]);
    int k = static_cast<int>(
        random.below(static_cast<std::uint32_t>(in0 + in1 + std::popcount(words[2]))));
    std::size_t word = 0;
    if (k >= in0) {
      k -= in0;
      word = 1;
      if (k >= in1) {
        k -= in1;
        word = 2;
      }
    }
    const int at = lowest_bit(nth_bit(words[word], k));  // sixteen bits a sub-board
    return static_cast<Move>(9 * (4 * static_cast<int>(word) + at / 16) + at % 16);
  }

  std::uint64_t hash() const;

  /// Network input on the board of 9x9 points: own cells, the opponent's, cells that may be played,
  /// own sub-boards, the opponent's, drawn ones; one number for the other ending. The policy has a
  /// point for each cell.
  FeatureShape feature_shape() const { return {6, 9, 9, 1, 81}; }
  void write_features(float* planes, float* globals) const;
  int policy_index(Move move) const { return uttt::point_of(move / 9, move % 9); }

  /// The same position through one of the eight symmetries, which acts on both levels at once.
  Uttt transformed(int symmetry) const;
  /// The same position with X and O exchanged.
  Uttt swapped() const;

  /// Nine groups of nine characters `X`, `O`, `.` joined by `/`, the side to move `x` or `o`, the
  /// constraint `0`-`8` or `-`, and for the other ending its name: `codingame`.
  std::string to_text() const;
  /// Refuses what no game can lead to, with the reason, as far as the board alone tells.
  static Uttt from_text(std::string_view text);

  /// Sub-board and cell: `44`; `parse_move` reads `4/4`, `4.4` and `4,4` too.
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;

 private:
  /// Four sub-boards a word, sixteen bits each; the order of bytes in memory does not matter.
  std::array<std::uint64_t, 3> packed_empties() const {
    std::array<std::uint64_t, 3> words;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(words.data(), empty.data(), sizeof words);
    } else {
      for (std::size_t i = 0; i < 3; ++i)
        words[i] = empty[4 * i] | std::uint64_t{empty[4 * i + 1]} << 16 |
                   std::uint64_t{empty[4 * i + 2]} << 32 | std::uint64_t{empty[4 * i + 3]} << 48;
    }
    return words;
  }

  void close(unsigned board, bool wins) {
    const Mask bit = static_cast<Mask>(1u << board);
    empty[board] = 0;
    closed |= bit;
    if (wins) {
      won[side] |= bit;
      if (uttt::has_line(won[side])) {
        status = side == 0 ? Status::kFirstWon : Status::kSecondWon;
        return;
      }
    }
    if (closed == uttt::kFull) status = final_status();
  }

  Status final_status() const {
    const int lead = std::popcount(won[0]) - std::popcount(won[1]);
    if (ending == Ending::kStandard || lead == 0) return Status::kDrawn;
    return lead > 0 ? Status::kFirstWon : Status::kSecondWon;
  }

  friend struct UtttReader;
};

template <>
struct Sample<Uttt> : SampleDefaults<Uttt> {
  static int symmetry_count(const Uttt&) { return 8; }
  static int symmetric_point(const Uttt&, int point, int symmetry) {
    const auto& to = uttt::kSymmetries[static_cast<std::size_t>(symmetry)];
    const uttt::Cell at = uttt::cell_of(point);
    return uttt::point_of(to[static_cast<std::size_t>(at.board)],
                          to[static_cast<std::size_t>(at.cell)]);
  }
  static int symmetric_index(const Uttt& game, int index, int symmetry) {
    return symmetric_point(game, index, symmetry);
  }
};

static_assert(SampleGame<Uttt>);

}  // namespace kibitz
