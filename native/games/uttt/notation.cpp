// Ultimate tic-tac-toe as text, and what makes a board impossible.
#include <stdexcept>
#include <vector>

#include "games/uttt/board.h"

namespace kibitz {
namespace {

using uttt::Mask;

[[noreturn]] void refuse(const std::string& reason) { throw std::invalid_argument(reason); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != separator) continue;
    if (separator != ' ' || i > start) parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

/// The cells that all lines in `mask` share; a board won by one move has at least one.
Mask common_cells(Mask mask) {
  Mask common = uttt::kFull;
  for (const Mask line : uttt::kLines)
    if ((mask & line) == line) common &= line;
  return common;
}

const char* name_of(int side) { return side == 0 ? "X" : "O"; }

}  // namespace

/// Reads a position field by field, then asks whether a game can have led to it.
struct UtttReader {
  Uttt board;

  void read_cells(std::string_view text) {
    const auto groups = split(text, '/');
    if (groups.size() != 9)
      refuse("expected nine sub-boards joined by /, got " + std::to_string(groups.size()));
    for (std::size_t b = 0; b < 9; ++b) {
      if (groups[b].size() != 9)
        refuse("sub-board " + std::to_string(b) + " has " + std::to_string(groups[b].size()) +
               " cells, expected nine");
      for (std::size_t c = 0; c < 9; ++c) {
        const char symbol = groups[b][c];
        const auto bit = static_cast<Mask>(1u << c);
        if (symbol == 'X' || symbol == 'x')
          board.cells[0][b] |= bit;
        else if (symbol == 'O' || symbol == 'o')
          board.cells[1][b] |= bit;
        else if (symbol != '.')
          refuse(std::string("sub-board ") + std::to_string(b) + ", cell " + std::to_string(c) +
                 ": expected X, O or .");
      }
    }
  }

  void read_rest(const std::vector<std::string_view>& fields) {
    if (fields[1] != "x" && fields[1] != "o" && fields[1] != "X" && fields[1] != "O")
      refuse("the side to move must be x or o");
    board.side = fields[1] == "o" || fields[1] == "O";
    if (fields[2] != "-" && (fields[2].size() != 1 || fields[2][0] < '0' || fields[2][0] > '8'))
      refuse("the constraint must be 0 to 8, or - for any sub-board");
    board.constraint =
        fields[2] == "-" ? Uttt::kAnywhere : static_cast<std::uint8_t>(fields[2][0] - '0');
    if (fields.size() == 4) {
      if (fields[3] != "standard" && fields[3] != "codingame")
        refuse("the ending must be standard or codingame");
      if (fields[3] == "codingame") board.ending = Uttt::Ending::kMostSubBoards;
    }
  }

  void close_boards() {
    for (std::size_t b = 0; b < 9; ++b) {
      const bool x = uttt::has_line(board.cells[0][b]), o = uttt::has_line(board.cells[1][b]);
      if (x && o) refuse("sub-board " + std::to_string(b) + " is won by both sides");
      const auto bit = static_cast<Mask>(1u << b);
      if (x || o) {
        const int winner = x ? 0 : 1;
        board.won[static_cast<std::size_t>(winner)] |= bit;
        if (common_cells(board.cells[static_cast<std::size_t>(winner)][b]) == 0)
          refuse("sub-board " + std::to_string(b) + " has lines of " + name_of(winner) +
                 " that no single move completes");
      }
      const auto left = static_cast<Mask>(uttt::kFull & ~(board.cells[0][b] | board.cells[1][b]));
      if (x || o || left == 0) board.closed |= bit;
      board.empty[b] = x || o ? Mask{0} : left;
    }
  }

  void check_counts() const {
    int lead = 0;
    for (std::size_t b = 0; b < 9; ++b)
      lead += std::popcount(board.cells[0][b]) - std::popcount(board.cells[1][b]);
    if (lead != board.side)
      refuse(std::string(name_of(board.side)) + " to move needs X to be " +
             (board.side ? "one cell ahead" : "level with O") + ", but X is " +
             std::to_string(lead) + " ahead");
  }

  void settle_status() {
    const bool x = uttt::has_line(board.won[0]), o = uttt::has_line(board.won[1]);
    if (x && o) refuse("both sides have a line of sub-boards");
    if (x || o) {
      if (board.side != (x ? 1 : 0))
        refuse(std::string(name_of(x ? 0 : 1)) + " has won, so " + name_of(x ? 1 : 0) +
               " must be to move");
      if (common_cells(board.won[x ? 0 : 1]) == 0)
        refuse(std::string(name_of(x ? 0 : 1)) +
               " has lines of sub-boards that no single move completes");
      board.status = x ? Uttt::Status::kFirstWon : Uttt::Status::kSecondWon;
    } else if (board.closed == uttt::kFull) {
      board.status = board.final_status();
    }
  }

  /// Can the last move have been this cell of this sub-board? What the board alone tells.
  bool may_be_last(std::size_t b, std::size_t c) const {
    const auto mover = static_cast<std::size_t>(board.side ^ 1);
    const auto bit = static_cast<Mask>(1u << b);
    if (!(board.cells[mover][b] >> c & 1)) return false;
    if (board.won[board.side] & bit) return false;  // the other side's move closed it
    const bool won = (board.won[mover] & bit) != 0;
    if (won && !(common_cells(board.cells[mover][b]) >> c & 1)) return false;
    if (board.status == Uttt::Status::kPlaying) return true;
    // The move that ended the game closed a sub-board, and completed every line there is.
    if (uttt::has_line(board.won[mover])) return won && (common_cells(board.won[mover]) & bit);
    return (board.closed & bit) != 0;
  }

  void check_constraint() const {
    const bool anywhere = board.constraint == Uttt::kAnywhere;
    if (!anywhere && (board.closed >> board.constraint & 1))
      refuse("the constraint names sub-board " + std::to_string(board.constraint) +
             ", which is closed; expected -");
    bool empty = true;
    for (std::size_t b = 0; b < 9; ++b) empty &= (board.cells[0][b] | board.cells[1][b]) == 0;
    if (empty) {
      if (!anywhere) refuse("the first move is free: the constraint must be -");
      return;
    }
    for (std::size_t c = 0; c < 9; ++c) {
      if (anywhere ? !(board.closed >> c & 1) : c != board.constraint) continue;
      for (std::size_t b = 0; b < 9; ++b)
        if (may_be_last(b, c)) return;
    }
    const std::string mover = name_of(board.side ^ 1);
    if (anywhere)
      refuse("no last move of " + mover +
             " leads to a closed sub-board, so the constraint cannot be -");
    refuse("no last move of " + mover + " leads to sub-board " + std::to_string(board.constraint));
  }
};

Uttt Uttt::from_text(std::string_view text) {
  const auto fields = split(text, ' ');
  if (fields.size() != 3 && fields.size() != 4)
    refuse("expected a board, the side to move, the constraint and perhaps an ending, got " +
           std::to_string(fields.size()) + " fields");
  UtttReader reader;
  reader.read_cells(fields[0]);
  reader.read_rest(fields);
  reader.close_boards();
  reader.check_counts();
  reader.settle_status();
  reader.check_constraint();
  return reader.board;
}

std::string Uttt::to_text() const {
  std::string text;
  for (std::size_t b = 0; b < 9; ++b) {
    if (b) text += '/';
    for (std::size_t c = 0; c < 9; ++c)
      text += cells[0][b] >> c & 1 ? 'X' : cells[1][b] >> c & 1 ? 'O' : '.';
  }
  text += side == 0 ? " x " : " o ";
  text += constraint == kAnywhere ? '-' : static_cast<char>('0' + constraint);
  if (ending == Ending::kMostSubBoards) text += " codingame";
  return text;
}

std::string Uttt::move_text(Move move) const {
  return {static_cast<char>('0' + move / 9), static_cast<char>('0' + move % 9)};
}

Move Uttt::parse_move(std::string_view text) const {
  const auto digit = [](char c) { return c >= '0' && c <= '8'; };
  const bool apart = text.size() == 3 && (text[1] == '/' || text[1] == '.' || text[1] == ',');
  if ((text.size() == 2 || apart) && digit(text.front()) && digit(text.back()))
    return static_cast<Move>(9 * (text.front() - '0') + text.back() - '0');
  refuse("not a move: '" + std::string(text.substr(0, 20)) +
         "'; expected sub-board and cell, each 0 to 8, such as 44 or 4/4");
}

}  // namespace kibitz
