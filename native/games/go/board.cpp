#include "games/go/board.h"

#include <algorithm>
#include <utility>

namespace kibitz::go {
namespace {

constexpr auto kKeys = [] {
  std::array<std::array<std::uint64_t, 2>, kMostCells> keys{};
  std::uint64_t n = 0x60;
  for (auto& cell : keys)
    for (auto& key : cell) key = mix64(++n);
  return keys;
}();

/// Up to four distinct heads: a stone has four neighbours.
struct FewHeads {
  std::array<Cell, 4> heads;
  int count = 0;
  bool add(Cell head) {
    for (int i = 0; i < count; ++i)
      if (heads[static_cast<std::size_t>(i)] == head) return false;
    heads[static_cast<std::size_t>(count++)] = head;
    return true;
  }
};

}  // namespace

std::uint64_t stone_key(Cell cell, Stone stone) {
  return kKeys[static_cast<std::size_t>(cell)][stone == kWhite];
}

Board::Board(int columns, int rows)
    : columns_(static_cast<std::int8_t>(columns)), rows_(static_cast<std::int8_t>(rows)) {
  cell_.fill(kWall);
  head_.fill(kNoCell);
  next_.fill(kNoCell);
  liberties_.fill(0);
  size_.fill(0);
  for (int p = 0; p < points(); ++p) cell_[index(cell(p))] = kEmpty;
}

bool is_suicide(const Board& board, Cell cell, Stone side) {
  for (const Cell near : board.around(cell)) {
    const Stone stone = board.at(near);
    if (stone == kEmpty) return false;
    if (stone == side && board.liberties(near) > 1) return false;
    if (stone == opponent(side) && board.liberties(near) == 1) return false;
  }
  return true;
}

bool is_playable(const Board& board, Cell cell, Stone side, bool suicide) {
  if (board.at(cell) != kEmpty) return false;
  if (!is_suicide(board, cell, side)) return true;
  return suicide && touches(board, cell, side);
}

Cell ko_victim(const Board& board, Cell cell, Stone side) {
  if (board.at(cell) != kEmpty) return kNoCell;
  Cell victim = kNoCell;
  for (const Cell near : board.around(cell)) {
    if (board.at(near) == kWall) continue;
    if (board.at(near) != opponent(side)) return kNoCell;
    if (board.liberties(near) != 1) continue;
    if (victim != kNoCell) return kNoCell;
    victim = near;
  }
  return victim != kNoCell && board.size(victim) == 1 ? victim : kNoCell;
}

int liberties_after(const Board& board, Cell cell, Stone side, int most) {
  // Few enough to compare one by one: callers ask for three or four at most.
  std::array<Cell, 8> seen;
  int count = 0;
  const auto note = [&](Cell liberty) {
    for (int i = 0; i < count; ++i)
      if (seen[static_cast<std::size_t>(i)] == liberty) return false;
    seen[static_cast<std::size_t>(count++)] = liberty;
    return count >= most;
  };
  FewHeads captured, joined;
  for (const Cell near : board.around(cell)) {
    if (board.at(near) == kEmpty && note(near)) return count;
    if (board.at(near) == opponent(side) && board.liberties(near) == 1) {
      captured.add(board.head(near));
      if (note(near)) return count;
    }
  }
  const auto is_captured = [&](Cell near) {
    for (int i = 0; i < captured.count; ++i)
      if (board.head(near) == captured.heads[static_cast<std::size_t>(i)]) return true;
    return false;
  };
  for (const Cell near : board.around(cell)) {
    if (board.at(near) != side || !joined.add(board.head(near))) continue;
    Cell stone = near;
    do {
      for (const Cell beside : board.around(stone)) {
        const bool frees =
            (board.at(beside) == kEmpty && beside != cell) ||
            (board.at(beside) == opponent(side) && captured.count && is_captured(beside));
        if (frees && note(beside)) return count;
      }
      stone = board.next(stone);
    } while (stone != near);
  }
  return count;
}

void Board::join(Cell one, Cell other) {
  Cell large = head(one), small = head(other);
  if (size_[index(large)] < size_[index(small)]) std::swap(large, small);
  // The small chain's stones come over one by one; a liberty counts when nothing of the large chain
  // touches it yet, so none counts twice.
  Cell stone = small;
  do {
    for (const Cell near : around(stone)) {
      if (at(near) != kEmpty) continue;
      bool known = false;
      for (const Cell beside : around(near))
        known |= at(beside) == at(stone) && head(beside) == large;
      if (!known) ++liberties_[index(large)];
    }
    head_[index(stone)] = large;
    stone = next(stone);
  } while (stone != small);
  size_[index(large)] = static_cast<std::int16_t>(size_[index(large)] + size_[index(small)]);
  std::swap(next_[index(large)], next_[index(small)]);
}

int Board::take_off(Cell cell) {
  const Stone stone = at(cell);
  int count = 0;
  Cell at_cell = cell;
  do {
    cell_[index(at_cell)] = kEmpty;
    stones_[stone == kWhite].remove(at_cell);
    hash_ ^= stone_key(at_cell, stone);
    ++count;
    FewHeads gained;
    for (const Cell near : around(at_cell))
      if (at(near) == opponent(stone) && gained.add(head(near))) ++liberties_[index(head(near))];
    at_cell = next(at_cell);
  } while (at_cell != cell);
  taken_[stone == kWhite] = static_cast<std::int16_t>(taken_[stone == kWhite] + count);
  return count;
}

void Board::play(Cell cell, Stone side) {
  cell_[index(cell)] = side;
  stones_[side == kWhite].add(cell);
  hash_ ^= stone_key(cell, side);
  head_[index(cell)] = cell;
  next_[index(cell)] = cell;
  size_[index(cell)] = 1;
  liberties_[index(cell)] = static_cast<std::int16_t>(free_neighbours(*this, cell));
  FewHeads pressed;
  int captured = 0;
  Cell emptied = kNoCell;
  for (const Cell near : around(cell)) {
    if (at(near) == side && head(near) != head(cell)) {
      --liberties_[index(head(near))];
      join(cell, near);
    } else if (at(near) == opponent(side) && pressed.add(head(near))) {
      if (--liberties_[index(head(near))] == 0) {
        captured += take_off(near);
        emptied = near;
      }
    }
  }
  ko_ = captured == 1 && size(cell) == 1 && liberties(cell) == 1 ? emptied : kNoCell;
  if (liberties(cell) == 0) take_off(cell);
}

bool Board::set_up(Cell cell, Stone stone) {
  if (at(cell) != kEmpty) return false;
  const Board before = *this;
  play(cell, stone);
  ko_ = kNoCell;
  if (at(cell) == stone && taken_ == before.taken_) return true;
  *this = before;
  return false;
}

static std::uint64_t chain_keys(const Board& board, Cell cell) {
  std::uint64_t keys = 0;
  Cell stone = cell;
  do {
    keys ^= stone_key(stone, board.at(stone));
    stone = board.next(stone);
  } while (stone != cell);
  return keys;
}

std::uint64_t hash_after(const Board& board, Cell cell, Stone side) {
  const bool suicide = is_suicide(board, cell, side);
  std::uint64_t hash = suicide ? board.hash() : board.hash() ^ stone_key(cell, side);
  FewHeads removed;
  for (const Cell near : board.around(cell)) {
    const bool goes = suicide ? board.at(near) == side
                              : board.at(near) == opponent(side) && board.liberties(near) == 1;
    if (goes && removed.add(board.head(near))) hash ^= chain_keys(board, near);
  }
  return hash;
}

}  // namespace kibitz::go
