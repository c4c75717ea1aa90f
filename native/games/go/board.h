// Stones, chains and liberties: what is on the board, without a game's memory.
//
// The board lies in an array with a wall around it, so that a point's neighbours need no tests. A
// chain is a ring of points; its head keeps its size and its number of liberties.
#pragma once

#include <array>
#include <cstdint>

#include "base/rng.h"

namespace kibitz::go {

inline constexpr int kMostSide = 19, kLeastSide = 2;
inline constexpr int kMostPoints = kMostSide * kMostSide;
inline constexpr int kMostCells = (kMostSide + 2) * (kMostSide + 1) + 1;

/// A cell of the walled array; 0 is a wall and stands for "no point".
using Cell = std::int16_t;
inline constexpr Cell kNoCell = 0;

enum Stone : std::uint8_t { kEmpty = 0, kBlack = 1, kWhite = 2, kWall = 3 };
constexpr Stone opponent(Stone side) { return side == kBlack ? kWhite : kBlack; }

/// One bit a cell, for whatever a rule or a feature marks.
class CellSet {
 public:
  bool has(Cell cell) const { return (words_[word(cell)] >> (cell & 63) & 1) != 0; }
  void add(Cell cell) { words_[word(cell)] |= bit(cell); }
  void remove(Cell cell) { words_[word(cell)] &= ~bit(cell); }
  void clear() { words_.fill(0); }
  bool empty() const {
    for (const auto w : words_)
      if (w) return false;
    return true;
  }
  bool operator==(const CellSet&) const = default;

 private:
  static std::size_t word(Cell cell) { return static_cast<std::size_t>(cell) >> 6; }
  static std::uint64_t bit(Cell cell) { return std::uint64_t{1} << (cell & 63); }
  std::array<std::uint64_t, (kMostCells + 63) / 64> words_{};
};

/// The cell of every point, for every width of a board: features and rules walk over all points,
/// and dividing would be most of what that costs.
inline constexpr auto kCellOfPoint = [] {
  std::array<std::array<Cell, kMostPoints>, kMostSide + 1> cells{};
  for (int columns = kLeastSide; columns <= kMostSide; ++columns)
    for (int point = 0; point < columns * kMostSide; ++point)
      cells[static_cast<std::size_t>(columns)][static_cast<std::size_t>(point)] =
          static_cast<Cell>((point / columns + 1) * (columns + 1) + point % columns + 1);
  return cells;
}();

/// The key of a stone on a cell; board hashes are the exclusive or of these.
std::uint64_t stone_key(Cell cell, Stone stone);

class Board {
 public:
  Board() : Board(kMostSide, kMostSide) {}
  Board(int columns, int rows);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int points() const { return columns_ * rows_; }
  /// Points count row by row from the top left.
  Cell cell(int point) const {
    return kCellOfPoint[static_cast<std::size_t>(columns_)][static_cast<std::size_t>(point)];
  }
  int point(Cell cell) const {
    return (cell / (columns_ + 1) - 1) * columns_ + cell % (columns_ + 1) - 1;
  }

  Stone at(Cell cell) const { return cell_[index(cell)]; }
  /// All stones of a colour.
  const CellSet& stones(Stone stone) const { return stones_[stone == kWhite]; }
  std::array<Cell, 4> around(Cell cell) const {
    const int stride = columns_ + 1;
    return {static_cast<Cell>(cell - stride), static_cast<Cell>(cell - 1),
            static_cast<Cell>(cell + 1), static_cast<Cell>(cell + stride)};
  }
  std::array<Cell, 4> diagonals(Cell cell) const {
    const int stride = columns_ + 1;
    return {static_cast<Cell>(cell - stride - 1), static_cast<Cell>(cell - stride + 1),
            static_cast<Cell>(cell + stride - 1), static_cast<Cell>(cell + stride + 1)};
  }

  /// Of the chain a stone belongs to.
  Cell head(Cell cell) const { return head_[index(cell)]; }
  Cell next(Cell cell) const { return next_[index(cell)]; }
  int liberties(Cell cell) const { return liberties_[index(head(cell))]; }
  int size(Cell cell) const { return size_[index(head(cell))]; }

  /// Puts a stone on a playable cell and takes off what it captures.
  void play(Cell cell, Stone side);
  /// Puts a stone on an empty cell of a position being set up; liberties are right once all are
  /// there. False when it, or a neighbour, would be left without any.
  bool set_up(Cell cell, Stone stone);
  void set_ko(Cell cell) { ko_ = cell; }

  /// Where simple ko forbids an immediate recapture.
  Cell ko() const { return ko_; }
  std::uint64_t hash() const { return hash_; }
  /// Stones of a colour that were taken off, suicides included.
  int taken(Stone stone) const { return taken_[stone == kWhite]; }
  void set_taken(Stone stone, int count) {
    taken_[stone == kWhite] = static_cast<std::int16_t>(count);
  }

 private:
  static std::size_t index(Cell cell) { return static_cast<std::size_t>(cell); }
  void join(Cell one, Cell other);
  int take_off(Cell cell);

  std::array<Stone, kMostCells> cell_;
  std::array<Cell, kMostCells> head_, next_;
  std::array<std::int16_t, kMostCells> liberties_, size_;
  std::array<CellSet, 2> stones_;
  std::uint64_t hash_ = 0;
  std::array<std::int16_t, 2> taken_{};
  Cell ko_ = kNoCell;
  std::int8_t columns_, rows_;
};

// What a move would do, asked of the board before it is made.

inline int free_neighbours(const Board& board, Cell cell) {
  int count = 0;
  for (const Cell near : board.around(cell)) count += board.at(near) == kEmpty;
  return count;
}
inline bool touches(const Board& board, Cell cell, Stone stone) {
  for (const Cell near : board.around(cell))
    if (board.at(near) == stone) return true;
  return false;
}
/// Would a stone here end without liberties?
bool is_suicide(const Board& board, Cell cell, Stone side);
/// Empty, and not a suicide the rules forbid; a single stone's always is.
bool is_playable(const Board& board, Cell cell, Stone side, bool suicide);
/// The stone that a capture here would take if it were a ko, else kNoCell.
Cell ko_victim(const Board& board, Cell cell, Stone side);
/// Liberties of the chain a stone here would belong to, at most `most`.
int liberties_after(const Board& board, Cell cell, Stone side, int most);
/// The hash after playing here, captures taken off.
std::uint64_t hash_after(const Board& board, Cell cell, Stone side);

}  // namespace kibitz::go
