#include "games/go/play.h"

#include <algorithm>

#include "games/go/scoring.h"

namespace kibitz::go {

namespace {

bool repeats_a_pass(const State& s) {
  if (!cycles_end(s)) return false;
  const auto& own = s.passed_at[s.side == kWhite];
  return own.has(ko_hash(s, s.board.hash(), s.side));
}

/// A side that moves twice in a row breaks the game's thread: what is on the board stays, the past
/// does not count any more.
void restart(State& s) {
  s.board.set_ko(kNoCell);
  s.passes = 0;
  s.turns_shown = 0;
  s.white_moved = s.white_passed_last = false;
  for (auto& hashes : s.passed_at) hashes.clear();
  s.blocked.clear();
  s.blocked_hash = 0;
  s.encore_captures.clear();
  start(s, s.side == kBlack ? 1 : 0);
}

void play_pass(State& s, bool& ends_by_repetition) {
  const Stone mover = s.side;
  s.board.set_ko(kNoCell);
  auto& own = s.passed_at[mover == kWhite];
  if (s.button) {
    s.button = false;
    s.white_bonus += mover == kWhite ? 0.5f : -0.5f;
    s.passes = 0;
    for (auto& hashes : s.passed_at) hashes.clear();
    s.past.clear();
    return;
  }
  const std::uint64_t before = ko_hash(s, s.board.hash(), mover);
  ends_by_repetition = cycles_end(s) && own.has(before);
  if (cycles_end(s)) s.past.clear();
  ++s.passes;
  own.push(before);
}

void play_stone(State& s, Cell cell) {
  const Stone mover = s.side;
  s.passes = 0;
  const Cell unbanned = unbanned_by(s, cell);
  if (unbanned != kNoCell) {  // a move that lifts the ban on a ko and does nothing else
    set_blocked(s, unbanned, false);
    s.board.set_ko(kNoCell);
    return;
  }
  const std::uint64_t capture = s.phase > 0 ? capture_key(s, cell) : 0;
  s.board.play(cell, mover);
  if (s.phase > 0) {
    if (s.board.ko() != kNoCell) {
      set_blocked(s, cell, true);
      s.encore_captures.push(capture);
      s.board.set_ko(kNoCell);
    }
    if (!s.blocked.empty())
      for (int p = 0; p < s.board.points(); ++p)
        if (s.board.at(s.board.cell(p)) == kEmpty) set_blocked(s, s.board.cell(p), false);
  }
  if (!area_scoring(s) && s.phase <= 1) s.white_bonus += mover == kBlack ? 1.0f : -1.0f;
}

/// Several black moves before white's first are handicap stones, white's passes between them or
/// not; two white moves in a row are not how a handicap is placed.
void count_handicap(State& s, bool passes) {
  const bool white = s.turns[0].side == kWhite;
  if (white) {
    if (s.white_passed_last) s.handicap_closed = true, s.handicap_stones = 0;
    s.white_passed_last = passes;
    if (!passes) s.white_moved = true;
    return;
  }
  if (s.white_moved) return;
  s.white_passed_last = false;
  if (!passes && !s.handicap_closed) ++s.handicap_stones;
  s.white_handicap = handicap_bonus(s, s.handicap_closed ? 0 : s.handicap_stones);
}

void end_phase(State& s) {
  if (area_scoring(s) || s.phase >= 2) return finish(s);
  ++s.phase;
  s.turns_shown = 0;
  s.passes = 0;
  if (s.phase == 2) {
    const Snapshot now = snapshot(s);
    s.second_black = now.black;
    s.second_white = now.white;
  }
  for (auto& hashes : s.passed_at) hashes.clear();
  s.blocked.clear();
  s.blocked_hash = 0;
  s.encore_captures.clear();
  s.past.clear();
  s.past.push(ko_hash(s, s.board.hash(), s.side));
}

}  // namespace

State empty_board(int columns, int rows, const Rules& rules, float komi) {
  State s;
  s.board = Board(columns, rows);
  s.rules = rules;
  s.komi = komi;
  start(s, 0);
  return s;
}

void start(State& s, int side) {
  s.side = side == 0 ? kBlack : kWhite;
  s.button = s.rules.button;
  s.ever.clear();
  int black = 0, white = 0;
  for (int p = 0; p < s.board.points(); ++p) {
    const Stone stone = s.board.at(s.board.cell(p));
    if (stone != kEmpty) s.ever.add(s.board.cell(p));
    black += stone == kBlack;
    white += stone == kWhite;
  }
  s.white_bonus = bonus_of_stones(s);
  s.handicap_stones = static_cast<std::int16_t>(black);
  s.handicap_closed = white > 0;  // a position that was set up is no handicap game
  s.white_handicap = s.handicap_closed ? 0.0f : handicap_bonus(s, black);
  s.boards.fill(snapshot(s));
  s.past.clear();
  s.past.push(ko_hash(s, s.board.hash(), s.side));
}

bool may_play(const State& s, Move move) {
  if (!(move & kMarks)) return is_legal(s, move);
  if ((move & ~kMarks) > s.board.points() || (is_over(s) && !(move & kTolerated))) return false;
  State as = s;
  if (move & kOutOfTurn) as.side = opponent(s.side);
  if (!(move & kTolerated)) return is_legal(as, static_cast<Move>(move & ~kMarks));
  if (is_pass(s, move)) return true;
  return unbanned_by(as, cell_of(s, move)) != kNoCell ||
         is_playable(s.board, cell_of(s, move), as.side, true);
}

bool is_legal(const State& s, Move move) {
  if (move > s.board.points() || is_over(s)) return false;
  if (is_pass(s, move)) return true;
  const Cell cell = cell_of(s, move);
  if (s.phase > 0) {
    if (unbanned_by(s, cell) != kNoCell) return true;
    return is_playable(s.board, cell, s.side, s.rules.suicide) && !captured_here_before(s, cell);
  }
  return cell != s.board.ko() && is_playable(s.board, cell, s.side, s.rules.suicide) &&
         !superko_bans(s, cell);
}

bool is_eye(const State& s, Cell cell) {
  for (const Cell near : s.board.around(cell))
    if (s.board.at(near) != s.side && s.board.at(near) != kWall) return false;
  int hostile = 0;
  bool edge = false;
  for (const Cell near : s.board.diagonals(cell)) {
    edge |= s.board.at(near) == kWall;
    hostile += s.board.at(near) == opponent(s.side);
  }
  return hostile + edge < 2;
}

void play(State& s, Move move) {
  if (is_over(s) || s.past_end) s.turns_shown = std::min(s.turns_shown, 1);
  if (s.end == End::kAgreed) s.dead.clear();
  s.end = End::kPlaying;
  s.past_end = false;
  s.white_score = 0.0f;
  if (move & kOutOfTurn) restart(s);
  const Stone mover = s.side;
  const bool passes = is_pass(s, move);

  s.boards[1] = s.boards[0];
  s.boards[0] = snapshot(s);
  std::copy_backward(s.turns.begin(), s.turns.end() - 1, s.turns.end());
  s.turns[0] = {static_cast<Move>(move & ~kMarks), mover};

  bool repeats = false, quiet = false, may_repeat = false;
  if (passes) {
    quiet = s.searching && ends_quietly_ignored(s);
    play_pass(s, repeats);
  } else {
    const Cell cell = cell_of(s, move);
    // Only where a stone ever was can a stone make an old position again; so can a suicide.
    may_repeat =
        s.ever.has(cell) || is_suicide(s.board, cell, mover) || unbanned_by(s, cell) != kNoCell;
    play_stone(s, cell);
    s.ever.add(cell);
  }
  s.side = opponent(mover);
  const std::uint64_t now = ko_hash(s, s.board.hash(), s.side);
  s.past.push(now);
  ++s.turn;
  ++s.turns_shown;
  count_handicap(s, passes);

  // A tolerated pass under territory rules is one that the players went on after.
  if ((s.passes >= 2 || repeats) && (move & kTolerated) && !area_scoring(s) && s.phase < 2) {
    s.past_end = true;
    s.turns_shown = std::min(s.turns_shown, 1);
  } else if (s.passes >= 2 || repeats) {
    end_phase(s);
  }
  if (quiet && is_over(s)) {
    s.end = End::kPlaying;
    s.past_end = true;
  }
  if (may_repeat && cycles_end(s) && s.past.count(now) >= 3) s.end = End::kVoid;
}

bool pass_ends_phase(const State& s) { return s.passes >= 1 || repeats_a_pass(s); }

/// In a search a pass at the root never ends the game, and under friendly rules a second pass asks
/// for a third, so that a bot does not stop while stones that it calls dead still stand.
bool ends_quietly_ignored(const State& s) {
  if (s.turn == s.root_turn && s.conservative) return true;
  return s.rules.friendly_pass && area_scoring(s) && s.passes == 1 && !repeats_a_pass(s);
}

void resume(State& s) {
  if (!is_over(s)) return;
  s.dead.clear();
  s.end = End::kPlaying;
  s.past_end = true;
  s.white_score = 0.0f;
}

}  // namespace kibitz::go
