#include "games/go/ko.h"

namespace kibitz::go {

namespace {

constexpr std::uint64_t kBlockedSalt = 0x626c6f636b;
constexpr std::uint64_t kCaptureSalt = 0x63617074;

std::uint64_t blocked_key(Cell cell) {
  return mix64(kBlockedSalt + static_cast<std::uint64_t>(cell));
}

}  // namespace

std::uint64_t capture_key(const State& s, Cell cell) {
  return mix64(s.board.hash() ^
               mix64(kCaptureSalt + static_cast<std::uint64_t>(cell) * 4 + s.side));
}

bool captured_here_before(const State& s, Cell cell) {
  return !s.encore_captures.empty() && s.encore_captures.has(capture_key(s, cell));
}

Cell unbanned_by(const State& s, Cell cell) {
  if (s.phase == 0) return kNoCell;
  if (s.board.at(cell) == opponent(s.side) && s.blocked.has(cell) && s.board.size(cell) == 1 &&
      s.board.liberties(cell) == 1)
    return cell;
  const Cell victim = ko_victim(s.board, cell, s.side);
  return victim != kNoCell && s.blocked.has(victim) ? victim : kNoCell;
}

CellSet banned_by_ko(const State& s) {
  CellSet banned;
  if (s.phase > 0) {
    if (s.encore_captures.empty()) return banned;
    for (int p = 0; p < s.board.points(); ++p)
      if (captured_here_before(s, s.board.cell(p))) banned.add(s.board.cell(p));
    return banned;
  }
  if (s.board.ko() != kNoCell) banned.add(s.board.ko());
  if (s.rules.ko == Ko::kSimple) return banned;
  for (int p = 0; p < s.board.points(); ++p) {
    const Cell cell = s.board.cell(p);
    if (s.board.at(cell) == kEmpty && !is_new(s, cell) &&
        is_playable(s.board, cell, s.side, s.rules.suicide) && superko_bans(s, cell))
      banned.add(cell);
  }
  return banned;
}

void set_blocked(State& s, Cell cell, bool blocked) {
  if (s.blocked.has(cell) == blocked) return;
  blocked ? s.blocked.add(cell) : s.blocked.remove(cell);
  s.blocked_hash ^= blocked_key(cell);
}

}  // namespace kibitz::go
