#include "games/go/position.h"

namespace kibitz {

using namespace go;

void Go::legal_moves(MoveList<Go>& moves) const {
  const State& s = state_;
  moves.clear();
  if (is_over()) return;
  for (int p = 0; p < s.board.points(); ++p) {
    // Most points are settled by a look: taken, or plainly free.
    const Cell cell = s.board.cell(p);
    if (s.phase == 0) {
      if (s.board.at(cell) != kEmpty) continue;
      if (cell != s.board.ko() && is_new(s, cell)) {
        moves.push(static_cast<Move>(p));
        continue;
      }
    }
    if (go::is_legal(s, static_cast<Move>(p))) moves.push(static_cast<Move>(p));
  }
  moves.push(go::pass(s));
}

void Go::share_history() {
  state_.past.share();
  for (auto& hashes : state_.passed_at) hashes.share();
  state_.encore_captures.share();
}

void Go::become_root(History history) {
  state_.searching = true;
  state_.history = history;
  state_.root_turn = state_.turn;
}

Targets Sample<Go>::targets(const Go& last) {
  if (last.state().end == End::kVoid) return {0.0f, 1.0f, 0.0f, 0.0f};
  const float won = last.result();
  return {won, 0.0f, 1.0f - won, last.score()};
}

}  // namespace kibitz
