#include "games/go/features.h"

#include <algorithm>
#include <cmath>

#include "games/go/ladder.h"
#include "games/go/ladder_memory.h"
#include "games/go/play.h"
#include "games/go/scoring.h"

namespace kibitz::go {

namespace {

enum Plane {
  kOnBoard,
  kOwnStone,
  kOtherStone,
  kOneLiberty,
  kTwoLiberties,
  kThreeLiberties,
  kKoBan,
  kKoBlocked,
  kLastMove = 9,  // to 13
  kLadderNow = 14,
  kLadderOneAgo,
  kLadderTwoAgo,
  kLadderMove,
  kOwnArea,
  kOtherArea,
  kOwnSecond,
  kOtherSecond,
};

enum Number {
  kPasses = 0,  // to 4
  kOwnKomi = 5,
  kSuperko,
  kWhichSuperko,
  kSuicide,
  kTerritory,
  kTaxed,
  kTaxedAll,
  kEncore,
  kSecondEncore,
  kPassEnds,
  kAdvantage,
  kDoublings,
  kButton,
  kParity,
};

/// Komis beyond the board's size by more than this were never trained with.
constexpr float kKomiMargin = 20.0f;

/// A wave of period 2 that tells how much half a point of komi is worth on this board.
float parity_wave(float komi, bool even_board) {
  const float floor =
      even_board ? std::floor(komi / 2.0f) * 2.0f : std::floor((komi - 1.0f) / 2.0f) * 2.0f + 1.0f;
  const float delta = std::clamp(komi - floor, 0.0f, 2.0f);
  return delta < 0.5f ? delta : delta < 1.5f ? 1.0f - delta : delta - 2.0f;
}

Board rebuilt(const State& s, const Snapshot& past) {
  Board board(s.board.columns(), s.board.rows());
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    if (past.black.has(cell)) board.play(cell, kBlack);
    if (past.white.has(cell)) board.play(cell, kWhite);
  }
  board.set_ko(past.ko);
  return board;
}

/// A search that would not accept the end of the game hides from its network that a pass brings it.
bool hides_pass(const State& s, bool loses_if_ended) {
  if (!s.searching || !pass_ends_phase(s) || !(area_scoring(s) || s.phase >= 2)) return false;
  return ends_quietly_ignored(s) || loses_if_ended;
}

void write_history(const State& s, int turns, float* planes, float* globals) {
  const int points = s.board.points();
  for (int i = 0; i < turns; ++i) {
    const Move move = s.turns[static_cast<std::size_t>(i)].move;
    if (move == pass(s))
      globals[kPasses + i] = 1.0f;
    else
      planes[(kLastMove + i) * points + move] = 1.0f;
  }
}

CellSet captured_in_ladders(const State& s, const Snapshot& past) {
  auto& memory = LadderMemory::of_this_thread();
  const std::uint64_t key =
      LadderMemory::key_of(past.hash, past.ko, s.board.columns(), s.board.rows());
  if (const CellSet* known = memory.find(key)) return *known;
  const CellSet captured = find_ladders(rebuilt(s, past), s.side).captured;
  memory.keep(key, captured);
  return captured;
}

void write_ladders(const State& s, int turns, float* planes) {
  const int points = s.board.points();
  const auto write = [&](const CellSet& cells, int plane) {
    for (int p = 0; p < points; ++p)
      if (cells.has(s.board.cell(p))) planes[plane * points + p] = 1.0f;
  };
  const Ladders now = find_ladders(s.board, s.side);
  write(now.captured, kLadderNow);
  write(now.working_moves, kLadderMove);
  LadderMemory::of_this_thread().keep(
      LadderMemory::key_of(s.board.hash(), s.board.ko(), s.board.columns(), s.board.rows()),
      now.captured);
  const CellSet before = turns < 1 ? now.captured : captured_in_ladders(s, s.boards[0]);
  write(before, kLadderOneAgo);
  write(turns < 2 ? before : captured_in_ladders(s, s.boards[1]), kLadderTwoAgo);
}

}  // namespace

FeatureShape feature_shape(const State& s) {
  return {kPlanes, s.board.rows(), s.board.columns(), kGlobals, s.board.points() + 1};
}

int history_shown(const State& s, bool pass_hidden) {
  int most = pass_hidden ? 0 : is_over(s) || s.past_end ? 1 : 5;
  if (s.history == GoHistory::kNone) most = 0;
  if (s.history == GoHistory::kSinceRoot) most = std::min(most, s.turn - s.root_turn);
  most = std::min(most, s.turns_shown);
  for (int i = 0; i < most; ++i) {
    const Stone expected = i % 2 == 0 ? opponent(s.side) : s.side;
    if (s.turns[static_cast<std::size_t>(i)].side != expected) return i;
  }
  return most;
}

void write_features(const State& s, float* planes, float* globals) {
  const int points = s.board.points();
  std::fill_n(planes, kPlanes * points, 0.0f);
  std::fill_n(globals, kGlobals, 0.0f);
  const Stone other = opponent(s.side);
  const CellSet banned = banned_by_ko(s);
  const auto mark = [&](int plane, int point) { planes[plane * points + point] = 1.0f; };

  for (int p = 0; p < points; ++p) {
    const Cell cell = s.board.cell(p);
    const Stone stone = s.board.at(cell);
    mark(kOnBoard, p);
    if (stone == s.side) mark(kOwnStone, p);
    if (stone == other) mark(kOtherStone, p);
    if (stone != kEmpty && s.board.liberties(cell) <= 3)
      mark(kOneLiberty + s.board.liberties(cell) - 1, p);
    if (banned.has(cell)) mark(kKoBan, p);
    if (s.phase > 0 && s.blocked.has(cell)) mark(kKoBlocked, p);
    if (s.phase >= 2) {
      const CellSet& own = s.side == kBlack ? s.second_black : s.second_white;
      const CellSet& theirs = s.side == kBlack ? s.second_white : s.second_black;
      if (own.has(cell)) mark(kOwnSecond, p);
      if (theirs.has(cell)) mark(kOtherSecond, p);
    }
  }

  // Under territory scoring ownership is shown only once it counts.
  bool loses_if_ended = false;
  if (area_scoring(s) || s.phase >= 2) {
    const Owners owners = owners_now(s);
    int score = 0;
    for (int p = 0; p < points; ++p) {
      const Stone owner = owners[static_cast<std::size_t>(s.board.cell(p))];
      if (owner == s.side) mark(kOwnArea, p), ++score;
      if (owner == other) mark(kOtherArea, p), --score;
    }
    if (s.rules.tax == Tax::kAll) {
      const int regions = independent_life(s.board, false, false, s.rules.suicide).regions;
      score += s.side == kWhite ? -2 * regions : 2 * regions;
    }
    loses_if_ended = static_cast<float>(score) + own_komi(s) <= 0.0f;
  }

  const bool hidden = hides_pass(s, loses_if_ended);
  const int turns = history_shown(s, hidden);
  write_history(s, turns, planes, globals);
  write_ladders(s, turns, planes);

  const float most = static_cast<float>(points) + kKomiMargin;
  const float komi = std::clamp(own_komi(s), -most, most);
  globals[kOwnKomi] = komi / 20.0f;
  if (s.rules.ko != Ko::kSimple) {
    globals[kSuperko] = 1.0f;
    globals[kWhichSuperko] = s.rules.ko == Ko::kPositional ? 0.5f : -0.5f;
  }
  globals[kSuicide] = s.rules.suicide ? 1.0f : 0.0f;
  globals[kTerritory] = area_scoring(s) ? 0.0f : 1.0f;
  globals[kTaxed] = s.rules.tax != Tax::kNone ? 1.0f : 0.0f;
  globals[kTaxedAll] = s.rules.tax == Tax::kAll ? 1.0f : 0.0f;
  globals[kEncore] = s.phase > 0 ? 1.0f : 0.0f;
  globals[kSecondEncore] = s.phase > 1 ? 1.0f : 0.0f;
  globals[kPassEnds] = !hidden && pass_ends_phase(s) ? 1.0f : 0.0f;
  if (s.advantage != 0.0f) {
    globals[kAdvantage] = 1.0f;
    globals[kDoublings] = 0.5f * (s.side == kBlack ? s.advantage : -s.advantage);
  }
  globals[kButton] = s.button ? 1.0f : 0.0f;
  if (area_scoring(s) || s.phase >= 2) globals[kParity] = parity_wave(komi, points % 2 == 0);
}

}  // namespace kibitz::go
