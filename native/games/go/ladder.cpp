#include "games/go/ladder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace kibitz::go {
namespace {

constexpr int kMostNodes = 25000;

/// What searches of one thread use in turn. Boards are kept a level each, because taking a move
/// back would need the chains it joined to be split again.
struct Workspace {
  std::vector<std::unique_ptr<Board>> boards;
  std::vector<Cell> moves;  // of all levels, the deepest last

  static Workspace& of_this_thread() {
    thread_local Workspace workspace;
    return workspace;
  }
};

/// The moves of one level, on top of those of the levels above.
class Moves {
 public:
  explicit Moves(std::vector<Cell>& all) : all_(all), first_(all.size()) {}
  ~Moves() { all_.resize(first_); }
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;

  std::size_t size() const { return all_.size() - first_; }
  bool empty() const { return size() == 0; }
  Cell& operator[](std::size_t i) { return all_[first_ + i]; }
  void add(Cell cell) {
    if (std::find(all_.begin() + static_cast<std::ptrdiff_t>(first_), all_.end(), cell) ==
        all_.end())
      all_.push_back(cell);
  }

 private:
  std::vector<Cell>& all_;
  std::size_t first_;
};

/// The liberties of a chain that has one or two.
struct FewLiberties {
  std::array<Cell, 2> cells;
  int count = 0;

  FewLiberties(const Board& board, Cell chain) {
    const int all = board.liberties(chain);
    Cell stone = chain;
    do {
      for (const Cell near : board.around(stone)) {
        if (board.at(near) != kEmpty || (count == 1 && cells[0] == near)) continue;
        cells[static_cast<std::size_t>(count)] = near;
        if (++count == all) return;
      }
      stone = board.next(stone);
    } while (stone != chain);
  }
  Cell last() const { return cells[static_cast<std::size_t>(count - 1)]; }
  const Cell* begin() const { return cells.data(); }
  const Cell* end() const { return cells.data() + count; }
};

bool adjacent(const Board& board, Cell one, Cell other) {
  for (const Cell near : board.around(one))
    if (near == other) return true;
  return false;
}

/// One search for one chain.
class LadderSearch {
 public:
  LadderSearch(const Board& board, Cell chain)
      : chain_(chain),
        defender_(board.at(chain)),
        attacker_(opponent(defender_)),
        deepest_(board.points() * 3 / 2),
        boards_(Workspace::of_this_thread().boards),
        moves_(Workspace::of_this_thread().moves) {}

  bool captured(const Board& board) {
    level(0) = board;
    return captured_at_start();
  }
  /// The same after a legal move of the attacker.
  bool captured_after(const Board& board, Cell move) {
    level(0) = board;
    level(0).play(move, attacker_);
    return level(0).liberties(chain_) == 1 && captured_at_start();
  }

 private:
  bool captured_at_start() {
    level(0).set_ko(kNoCell);  // whatever ko there is works for the defender
    const bool answer = defend(0);
    return answer && nodes_ < kMostNodes;
  }

  Board& level(int depth) {
    while (static_cast<int>(boards_.size()) <= depth) boards_.push_back(std::make_unique<Board>());
    return *boards_[static_cast<std::size_t>(depth)];
  }

  /// True when the chain is captured after this move.
  bool try_move(int depth, Cell move, Stone side, bool& legal) {
    const Board& board = level(depth);
    legal = move != board.ko() && is_playable(board, move, side, false);
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
    Moves moves(moves_);
    add_rescuing_captures(board, moves);
    const bool only_extends = moves.empty();
    const Cell liberty = FewLiberties(board, chain_).last();
    moves.add(liberty);
    const int reach = liberties_after(board, liberty, defender_, 3);
    if (reach >= 3) return false;
    if (only_extends && reach <= 1) return true;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      bool legal = false;
      if (!try_move(depth, moves[i], defender_, legal) && legal) return false;
    }
    return true;
  }

  bool attack(int depth) {
    const Board& board = level(depth);
    if (depth >= deepest_) return true;
    const int liberties = board.liberties(chain_);
    if (liberties <= 1) return true;
    if (liberties >= 3) return false;
    const FewLiberties both(board, chain_);
    if (dies_by_double_ko(board, both)) return true;
    Cell one = both.cells[0], other = both.cells[1];
    int first = free_neighbours(board, one), second = free_neighbours(board, other);
    if (!adjacent(board, one, other)) {
      // Where an extension gets three liberties at once the attacker has to be there first.
      if (first >= 3 && second >= 3) return false;
      if (first >= 3) return attacks_at(depth, one);
      if (second >= 3) return attacks_at(depth, other);
    }
    first = 4 * first + liberties_after(board, one, defender_, 4);
    second = 4 * second + liberties_after(board, other, defender_, 4);
    if (second > first) std::swap(one, other);
    return attacks_at(depth, one) || attacks_at(depth, other);
  }
  bool attacks_at(int depth, Cell move) {
    bool legal = false;
    return try_move(depth, move, attacker_, legal);
  }

  /// Liberties of neighbouring attackers in atari: taking those stones gains liberties.
  void add_rescuing_captures(const Board& board, Moves& moves) const {
    Cell stone = chain_;
    do {
      for (const Cell near : board.around(stone))
        if (board.at(near) == attacker_ && board.liberties(near) == 1)
          moves.add(FewLiberties(board, near).last());
      stone = board.next(stone);
    } while (stone != chain_);
  }

  /// Both liberties are mouths of kos whose connection gains nothing, and no attacker is in atari.
  bool dies_by_double_ko(const Board& board, const FewLiberties& liberties) const {
    for (const Cell liberty : liberties) {
      if (free_neighbours(board, liberty) != 0) return false;
      if (ko_victim(board, liberty, attacker_) == kNoCell) return false;
      if (liberties_after(board, liberty, defender_, 3) > 2) return false;
    }
    Moves captures(moves_);
    add_rescuing_captures(board, captures);
    return captures.empty();
  }

  Cell chain_;
  Stone defender_, attacker_;
  int deepest_;
  int nodes_ = 0;
  std::vector<std::unique_ptr<Board>>& boards_;
  std::vector<Cell>& moves_;
};

}  // namespace

bool is_captured_moving_first(const Board& board, Cell cell) {
  if (board.liberties(cell) != 1) return false;
  // Three liberties by one step: no ladder, and no need to copy a board to see that.
  if (free_neighbours(board, FewLiberties(board, cell).last()) >= 3) return false;
  return LadderSearch(board, cell).captured(board);
}

std::vector<Cell> capturing_moves(const Board& board, Cell cell) {
  std::vector<Cell> working;
  if (board.liberties(cell) != 2) return working;
  const Stone attacker = opponent(board.at(cell));
  const FewLiberties both(board, cell);
  const bool beside = adjacent(board, both.cells[0], both.cells[1]);
  for (const Cell move : both) {
    const Cell other = move == both.cells[0] ? both.cells[1] : both.cells[0];
    if (free_neighbours(board, other) - beside >= 3) continue;  // as above
    if (move == board.ko() || !is_playable(board, move, attacker, false)) continue;
    if (LadderSearch(board, cell).captured_after(board, move)) working.push_back(move);
  }
  return working;
}

Ladders find_ladders(const Board& board, Stone side) {
  Ladders ladders;
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
        for (const Cell move : moves) ladders.working_moves.add(move);
    }
    if (!captured) continue;
    Cell each = cell;
    do {
      ladders.captured.add(each);
      each = board.next(each);
    } while (each != cell);
  }
  return ladders;
}

}  // namespace kibitz::go
