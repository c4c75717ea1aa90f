#include "games/junqi/table.h"

#include <stdexcept>

namespace kibitz::junqi {

Table::Table(const Junqi& board) : board_(board) {
  for (int seat = 0; seat < kSeats; ++seat)
    if (board.players() == 4 || seat % 2 == 0) views_.emplace_back(board, seat);
}

const View& Table::view(int seat) const {
  for (const View& view : views_)
    if (view.seat() == seat) return view;
  throw std::invalid_argument("nobody sits there");
}

Event Table::announce(const Event& event) {
  for (View& view : views_) view.observe(event);
  return event;
}

}  // namespace kibitz::junqi
