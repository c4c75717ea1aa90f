// What the rules forbid because of the past: ko, superko, and the bans of the encore.
#pragma once

#include "base/rng.h"
#include "games/go/state.h"

namespace kibitz::go {

inline constexpr std::uint64_t kWhiteNext = mix64(0x77686974);

inline std::uint64_t ko_hash(const State& s, std::uint64_t stones, Stone next) {
  const bool whose_turn = s.rules.ko != Ko::kPositional || s.phase > 0;
  return stones ^ s.blocked_hash ^ (whose_turn && next == kWhite ? kWhiteNext : 0);
}

/// A position with a stone where none ever was is new, unless the stone dies at once; with a free
/// point beside it, it does not.
inline bool is_new(const State& s, Cell cell) {
  return !s.ever.has(cell) && touches(s.board, cell, kEmpty);
}

inline bool superko_bans(const State& s, Cell cell) {
  if (s.phase > 0 || s.rules.ko == Ko::kSimple) return false;
  if (!s.ever.has(cell) && !is_suicide(s.board, cell, s.side)) return false;
  return s.past.has(ko_hash(s, hash_after(s.board, cell, s.side), opponent(s.side)));
}

/// Of a ko capture on `cell` by the side to move, in the position as it stands.
std::uint64_t capture_key(const State& s, Cell cell);
bool captured_here_before(const State& s, Cell cell);
/// The banned stone that a move in the encore would unban instead of capturing; else kNoCell.
Cell unbanned_by(const State& s, Cell cell);
/// Points the side to move may not play because of ko, superko or a capture already made once.
CellSet banned_by_ko(const State& s);
void set_blocked(State& s, Cell cell, bool blocked);

}  // namespace kibitz::go
