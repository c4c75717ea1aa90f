// A game as a referee sees it: the true board, and every seat's view kept up with it. Players are
// handed their view; the board stays with the referee.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/junqi/view.h"

namespace kibitz::junqi {

class Table {
 public:
  explicit Table(const Junqi& board);

  const Junqi& board() const { return board_; }
  /// Throws std::invalid_argument for a seat that does not play.
  const View& view(int seat) const;
  Event play(Move move) { return announce(board_.play(move)); }
  Event resign(int seat, int reason = 0) { return announce(board_.resign(seat, reason)); }
  Event skip(int reason = 0) { return announce(board_.skip(reason)); }
  Event agree_draw() { return announce(board_.agree_draw()); }
  bool operator==(const Table& other) const { return board_ == other.board_; }

 private:
  Event announce(const Event& event);

  Junqi board_;
  std::vector<View> views_;
};

}  // namespace kibitz::junqi
