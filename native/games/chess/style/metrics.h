// The measures of style of one game (docs/style.md), taken in one pass over its opening.
//
//     style::Meter meter;
//     for (Move move : moves) { meter.see(board, move, after); ... }
//     style::Metrics metrics = meter.result();
#pragma once

#include <span>

#include "games/chess/board.h"

namespace kibitz::style {

/// How far into the game each measure looks, in plies from the record's first move.
struct Window {
  int plies = 24;
  int occupation = 12;
  int fianchetto = 14;
};

struct Metrics {
  int plies = 0;     // seen; at most the window
  double co = 0;     // central occupation: mean of pawns on d4, e4 (White) and d5, e5 (Black)
  double dcc = 0;    // distant central control: mean of attacks on the centre over piece values
  int fch = 0;       // fianchettoes that stood by ply 14
  int pb_delay = 0;  // ply of the first contact made by a c, d or e pawn; one past the end if none
  double cl = 0;     // closedness: mean of locked pairs of pawns
  double si = 0;     // space imbalance: mean of White's squares beyond the middle less Black's
};

class Meter {
 public:
  explicit Meter(const Window& window = {}) : window_(window) {}

  /// Takes in a move and the boards before and after it. True while it wants to see more.
  bool see(const chess::Board& before, Move move, const chess::Board& after);
  Metrics result() const;

 private:
  Window window_;
  int plies_ = 0;
  long occupation_ = 0, control_ = 0, locked_ = 0, space_ = 0;
  int first_contact_ = 0;
  unsigned fianchettoes_ = 0;  // a bit for each corner where one has stood
};

Metrics measure(const chess::Board& start, std::span<const Move> moves, const Window& window = {});

}  // namespace kibitz::style
