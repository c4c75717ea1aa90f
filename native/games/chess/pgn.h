// Reads the main lines of PGN files of any size: games one after the other, in constant memory.
//
// Comments, annotations and variations are skipped. A game that cannot be followed to its end is
// given with what could be read and the reason; the reader then goes on with the next game.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/chess/board.h"

namespace kibitz::chess {

struct PgnGame {
  long number = 0;  // in its file, from 1
  long line = 0;    // where it begins
  std::vector<std::pair<std::string, std::string>> tags;
  Board start;
  std::vector<Move> moves;
  std::string result = "*";  // 1-0, 0-1, 1/2-1/2 or *
  std::string problem;       // why reading stopped early; empty for a sound game

  /// A tag's value, or nothing.
  std::string_view tag(std::string_view name) const;
};

/// Fills a buffer with up to so many bytes and says how many; 0 at the end.
using ByteSource = std::function<std::size_t(char*, std::size_t)>;

class PgnReader {
 public:
  explicit PgnReader(ByteSource source);

  /// The next game; false when there is none.
  bool next(PgnGame& game);

 private:
  static constexpr int kEnd = -1;

  int peek() {
    if (at_ == end_ && !refill()) return kEnd;
    return static_cast<unsigned char>(buffer_[at_]);
  }
  int get();
  bool refill();
  void skip_line();
  void skip_blank();
  bool skip_comment();
  bool skip_variation();
  bool at_line_start() const { return column_ == 0; }

  void read_tags(PgnGame& game);
  bool read_tag(PgnGame& game);
  void set_up(PgnGame& game);
  void read_moves(PgnGame& game);
  bool read_token();
  void read_move(PgnGame& game, Board& board);
  void fail(PgnGame& game, std::string reason);

  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  bool ended_ = false;
  long line_ = 1, column_ = 0;
  long games_ = 0;
  std::string token_;
};

}  // namespace kibitz::chess
