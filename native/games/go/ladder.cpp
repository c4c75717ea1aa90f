#include "games/go/ladder.h"

#include <memory>
#include <utility>

namespace kibitz::go {
namespace {

constexpr int kMostNodes = 25000;

/// One search for one chain. Boards are kept a level each, because taking a move back would need
/// the chains it joined to be split again.
class LadderSearch {
 public:
  LadderSearch(const Board& board, Cell chain)
      : chain_(chain),
        defender_(board.at(chain)),
        attacker_(opponent(defender_)),
        deepest_(board.points() * 3 / 2),
        boards_(spare_boards()) {}

  bool captured(const Board& board) {
    Board& start = level(0);
    start = board;
    start.forget_ko();  // whatever ko there is works for the defender
    const bool answer = defend(0);
    return answer && nodes_ < kMostNodes;
  }

 private:
  using Moves = std::vector<Cell>;

  Board& level(int depth) {
    while (static_cast<int>(boards_.size()) <= depth) boards_.push_back(std::make_unique<Board>());
    return *boards_[static_cast<std::size_t>(depth)];
  }

  /// True when the chain is captured after this move.
  bool try_move(int depth, Cell move, Stone side, bool& legal) {
    const Board& board = level(depth);
    legal = move != board.ko() && board.is_playable(move, side, false);
    if (!legal || nodes_ >= kMostNodes) return false;
    ++nodes_;
    Board& after = level(depth + 1);
    after = level(depth);  // `level` may have moved the table, never a board
    after.play(move, side);
    return side == defender_ ? attack(depth + 1) : defend(depth + 1);
  }

  bool defend(int depth) {
    const Board& board = level(depth);
    if (depth >= deepest_) return true;
    if (board.liberties(chain_) >= 2 || board.ko() != kNoCell) return false;
    Moves moves;
    add_rescuing_captures(board, moves);
    const bool only_extends = moves.empty();
    const Cell liberty = add_liberties(board, chain_, moves);
    const int reach = board.liberties_after(liberty, defender_, 3);
    if (reach >= 3) return false;
    if (only_extends && reach <= 1) return true;
    for (const Cell move : moves) {
      bool legal = false;
      if (!try_move(depth, move, defender_, legal) && legal) return false;
    }
    return true;
  }

  bool attack(int depth) {
    const Board& board = level(depth);
    if (depth >= deepest_) return true;
    const int liberties = board.liberties(chain_);
    if (liberties <= 1) return true;
    if (liberties >= 3) return false;
    Moves moves;
    add_liberties(board, chain_, moves);
    if (dies_by_double_ko(board, moves)) return true;
    int first = board.free_neighbours(moves[0]), second = board.free_neighbours(moves[1]);
    if (!adjacent(board, moves[0], moves[1])) {
      // Where an extension gets three liberties at once the attacker has to be there first.
      if (first >= 3 && second >= 3) return false;
      if (first >= 3)
        moves.pop_back();
      else if (second >= 3)
        moves.erase(moves.begin());
    }
    if (moves.size() == 2) {
      first = 4 * first + board.liberties_after(moves[0], defender_, 4);
      second = 4 * second + board.liberties_after(moves[1], defender_, 4);
      if (second > first) std::swap(moves[0], moves[1]);
    }
    for (const Cell move : moves) {
      bool legal = false;
      if (try_move(depth, move, attacker_, legal)) return true;
    }
    return false;
  }

  /// Liberties of neighbouring attackers in atari: taking those stones gains liberties.
  void add_rescuing_captures(const Board& board, Moves& moves) const {
    Cell stone = chain_;
    do {
      for (const Cell near : board.around(stone))
        if (board.at(near) == attacker_ && board.liberties(near) == 1)
          add_liberties(board, near, moves);
      stone = board.next(stone);
    } while (stone != chain_);
  }

  static Cell add_liberties(const Board& board, Cell chain, Moves& moves) {
    Cell last = kNoCell, stone = chain;
    const int all = board.liberties(chain);
    int found = 0;
    Moves seen;
    do {
      for (const Cell near : board.around(stone)) {
        if (board.at(near) != kEmpty || contains(seen, near)) continue;
        seen.push_back(near);
        ++found;
        last = near;
        if (!contains(moves, near)) moves.push_back(near);
      }
      stone = board.next(stone);
    } while (stone != chain && found < all);
    return last;
  }

  /// Both liberties are mouths of kos whose connection gains nothing, and no attacker is in atari.
  bool dies_by_double_ko(const Board& board, const Moves& liberties) const {
    for (const Cell liberty : liberties) {
      if (board.free_neighbours(liberty) != 0) return false;
      if (board.ko_victim(liberty, attacker_) == kNoCell) return false;
      if (board.liberties_after(liberty, defender_, 3) > 2) return false;
    }
    Moves captures;
    add_rescuing_captures(board, captures);
    return captures.empty();
  }

  static bool contains(const Moves& moves, Cell cell) {
    for (const Cell move : moves)
      if (move == cell) return true;
    return false;
  }
  static bool adjacent(const Board& board, Cell one, Cell other) {
    for (const Cell near : board.around(one))
      if (near == other) return true;
    return false;
  }

  Cell chain_;
  Stone defender_, attacker_;
  int deepest_;
  int nodes_ = 0;
  std::vector<std::unique_ptr<Board>>& boards_;

  /// A thread runs one search at a time, and most boards on a network's way need several.
  static std::vector<std::unique_ptr<Board>>& spare_boards() {
    thread_local std::vector<std::unique_ptr<Board>> boards;
    return boards;
  }
};

}  // namespace

bool is_captured_moving_first(const Board& board, Cell cell) {
  return board.liberties(cell) == 1 && LadderSearch(board, cell).captured(board);
}

std::vector<Cell> capturing_moves(const Board& board, Cell cell) {
  std::vector<Cell> working;
  if (board.liberties(cell) != 2) return working;
  const Stone attacker = opponent(board.at(cell));
  std::vector<Cell> liberties;
  Cell stone = cell;
  do {
    for (const Cell near : board.around(stone)) {
      bool known = board.at(near) != kEmpty;
      for (const Cell other : liberties) known |= other == near;
      if (!known) liberties.push_back(near);
    }
    stone = board.next(stone);
  } while (stone != cell && liberties.size() < 2);
  for (const Cell move : liberties) {
    if (move == board.ko() || !board.is_playable(move, attacker, false)) continue;
    Board after = board;
    after.play(move, attacker);
    if (is_captured_moving_first(after, cell)) working.push_back(move);
  }
  return working;
}

Ladders find_ladders(const Board& board, Stone side) {
  Ladders found;
  CellSet looked_at;
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    const Stone stone = board.at(cell);
    if (stone == kEmpty || board.liberties(cell) > 2 || looked_at.has(board.head(cell))) continue;
    looked_at.add(board.head(cell));
    bool captured = false;
    if (board.liberties(cell) == 1) {
      captured = is_captured_moving_first(board, cell);
    } else {
      const auto moves = capturing_moves(board, cell);
      captured = !moves.empty();
      if (stone == opponent(side))
        for (const Cell move : moves) found.working_moves.add(move);
    }
    if (!captured) continue;
    Cell each = cell;
    do {
      found.captured.add(each);
      each = board.next(each);
    } while (each != cell);
  }
  return found;
}

}  // namespace kibitz::go
