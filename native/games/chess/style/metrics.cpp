#include "games/chess/style/metrics.h"

#include <algorithm>
#include <bit>

#include "games/chess/style/squares.h"

namespace kibitz::style {

bool Meter::see(const Board& before, Move move, const Board& after) {
  if (plies_ >= window_.plies) return false;
  ++plies_;
  if (plies_ <= window_.occupation) occupation_ += central_pawns(after);
  if (plies_ <= window_.fianchetto)
    for (std::size_t i = 0; i < kFianchettoes.size(); ++i)
      if (stands(kFianchettoes[i], after)) fianchettoes_ |= 1u << i;
  control_ += distant_control(after, chess::kWhite) + distant_control(after, chess::kBlack);
  locked_ += locked_pairs(after);
  space_ += space(after, chess::kWhite) - space(after, chess::kBlack);
  if (first_contact_ == 0 && makes_contact(before, move)) first_contact_ = plies_;
  return plies_ < window_.plies;
}

Metrics Meter::result() const {
  Metrics out;
  out.plies = plies_;
  out.fch = std::popcount(fianchettoes_);
  out.pb_delay = first_contact_ ? first_contact_ : plies_ + 1;
  if (plies_ == 0) return out;
  // Whole numbers are summed and divided once, so that the values are the same everywhere.
  const double n = plies_;
  out.co = static_cast<double>(occupation_) / std::min(plies_, window_.occupation);
  out.dcc = static_cast<double>(control_) / (kControlUnit * n);
  out.cl = static_cast<double>(locked_) / n;
  out.si = static_cast<double>(space_) / n;
  return out;
}

Metrics measure(const Board& start, std::span<const Move> moves, const Window& window) {
  Meter meter(window);
  Board board = start;
  for (const Move move : moves) {
    const Board before = board;
    board.play(move);
    if (!meter.see(before, move, board)) break;
  }
  return meter.result();
}

}  // namespace kibitz::style
