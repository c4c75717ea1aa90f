// What a position of Go is: the board, whose turn it is, and what the rules, the scoring and
// networks remember of the game. Plain data; the functions over it are in ko.h, play.h, scoring.h,
// keys.h, symmetry.h and features.h, and the class Go (position.h) makes a game of them.
#pragma once

#include <array>
#include <cstdint>

#include "games/game.h"
#include "games/go/board.h"
#include "games/go/hash_history.h"
#include "games/go/rules.h"

namespace kibitz {

/// How much of the game before the root of a search its network is shown.
enum class GoHistory : std::uint8_t { kFull, kSinceRoot, kNone };

}  // namespace kibitz

namespace kibitz::go {

/// Marks of a move: the side not to move plays it; played although the rules forbid it.
inline constexpr Move kOutOfTurn = 0x4000, kTolerated = 0x2000, kMarks = 0x6000;

/// Scored as the rules have it, without a result, or as the players agreed (count.h).
enum class End : std::uint8_t { kPlaying, kScored, kVoid, kAgreed };

struct Turn {
  Move move = kNoMove;
  Stone side = kEmpty;
};

/// A board of the past, small; its chains are built again when a feature asks.
struct Snapshot {
  CellSet black, white;
  std::uint64_t hash = 0;
  Cell ko = kNoCell;
};

struct State {
  Board board;
  Rules rules;
  float komi = 7.5f;
  Stone side = kBlack;
  std::uint8_t phase = 0;   // 1 and 2 in the two phases that settle territory games
  std::uint8_t passes = 0;  // in a row, that count towards the end of the phase
  End end = End::kPlaying;
  bool button = false;    // still to be taken
  bool past_end = false;  // played on after an end that a search did not accept
  bool searching = false;
  bool conservative = true;  // a search pretends that a pass at its root does not end the game
  float advantage = 0.0f;    // KataGo's playoutDoublingAdvantage: doublings more for Black
  GoHistory history = GoHistory::kFull;
  int root_turn = 0;
  int turn = 0;
  int turns_shown = 0;  // of the past, as far as it belongs to this phase
  float white_bonus = 0.0f, white_handicap = 0.0f;
  float white_score = 0.0f;  // of a finished game, white minus black

  // Black stones before white's first, wherever they came from.
  std::int16_t handicap_stones = 0;
  bool white_moved = false, handicap_closed = false, white_passed_last = false;

  HashHistory past;  // ko hashes since the last pass or phase that cleared them
  HashHistory passed_at[2];
  HashHistory encore_captures;  // of a ko: the board before, the point, the side
  CellSet ever;                 // points that ever held a stone
  CellSet blocked;              // stones of kos that may not be retaken in the encore
  std::uint64_t blocked_hash = 0;
  CellSet second_black, second_white;  // stones at the start of the second encore
  CellSet dead;                        // stones that the players agreed to take off
  std::array<Turn, 5> turns;           // the last one first
  std::array<Snapshot, 2> boards;      // one and two turns ago
};

inline Move pass(const State& s) { return static_cast<Move>(s.board.points()); }
inline bool is_pass(const State& s, Move move) { return (move & ~kMarks) == pass(s); }
inline Cell cell_of(const State& s, Move move) { return s.board.cell(move & ~kMarks); }
inline bool is_over(const State& s) { return s.end != End::kPlaying; }
inline bool area_scoring(const State& s) { return s.rules.scoring == Scoring::kArea; }
inline bool cycles_end(const State& s) { return s.phase > 0 || s.rules.ko == Ko::kSimple; }
inline Snapshot snapshot(const State& s) {
  return {s.board.stones(kBlack), s.board.stones(kWhite), s.board.hash(), s.board.ko()};
}

}  // namespace kibitz::go
