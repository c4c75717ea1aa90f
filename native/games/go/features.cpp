// KataGo's network inputs, version 7: 22 planes and 19 numbers, from the side to move's view.
#include <algorithm>
#include <cmath>

#include "games/go/ladder.h"
#include "games/go/ladder_memory.h"
#include "games/go/position.h"

namespace kibitz {

using namespace go;

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

}  // namespace

FeatureShape Go::feature_shape() const {
  return {kPlanes, rows(), columns(), kGlobals, board_.points() + 1};
}

Go::Snapshot Go::snapshot() const {
  return {board_.stones(kBlack), board_.stones(kWhite), board_.hash(), board_.ko()};
}

Board Go::rebuilt(const Snapshot& past) const {
  Board board(columns(), rows());
  for (int p = 0; p < board.points(); ++p) {
    const Cell cell = board.cell(p);
    if (past.black.has(cell)) board.play(cell, kBlack);
    if (past.white.has(cell)) board.play(cell, kWhite);
  }
  board.set_ko(past.ko);
  return board;
}

/// A search that would not accept the end of the game hides from its network that a pass brings it.
bool Go::hides_pass(bool loses_if_ended) const {
  if (!searching_ || !pass_ends_phase() || !(area_scoring() || phase_ >= 2)) return false;
  return ends_quietly_ignored() || loses_if_ended;
}

int Go::history_shown(bool pass_hidden) const {
  int most = pass_hidden ? 0 : is_over() || past_end_ ? 1 : 5;
  if (history_ == GoHistory::kNone) most = 0;
  if (history_ == GoHistory::kSinceRoot) most = std::min(most, turn_ - root_turn_);
  most = std::min(most, turns_shown_);
  for (int i = 0; i < most; ++i) {
    const Stone expected = i % 2 == 0 ? opponent(side_) : side_;
    if (turns_[static_cast<std::size_t>(i)].side != expected) return i;
  }
  return most;
}

void Go::write_history(int turns, float* planes, float* globals) const {
  const int points = board_.points();
  for (int i = 0; i < turns; ++i) {
    const Move move = turns_[static_cast<std::size_t>(i)].move;
    if (move == pass())
      globals[kPasses + i] = 1.0f;
    else
      planes[(kLastMove + i) * points + move] = 1.0f;
  }
}

CellSet Go::captured_in_ladders(const Snapshot& past) const {
  auto& memory = LadderMemory::of_this_thread();
  const std::uint64_t key = LadderMemory::key_of(past.hash, past.ko, columns(), rows());
  if (const CellSet* known = memory.find(key)) return *known;
  const CellSet captured = find_ladders(rebuilt(past), side_).captured;
  memory.keep(key, captured);
  return captured;
}

void Go::write_ladders(int turns, float* planes) const {
  const int points = board_.points();
  const auto write = [&](const CellSet& cells, int plane) {
    for (int p = 0; p < points; ++p)
      if (cells.has(board_.cell(p))) planes[plane * points + p] = 1.0f;
  };
  const Ladders now = find_ladders(board_, side_);
  write(now.captured, kLadderNow);
  write(now.working_moves, kLadderMove);
  LadderMemory::of_this_thread().keep(
      LadderMemory::key_of(board_.hash(), board_.ko(), columns(), rows()), now.captured);
  const CellSet before = turns < 1 ? now.captured : captured_in_ladders(boards_[0]);
  write(before, kLadderOneAgo);
  write(turns < 2 ? before : captured_in_ladders(boards_[1]), kLadderTwoAgo);
}

void Go::write_features(float* planes, float* globals) const {
  const int points = board_.points();
  std::fill_n(planes, kPlanes * points, 0.0f);
  std::fill_n(globals, kGlobals, 0.0f);
  const Stone other = opponent(side_);
  const CellSet banned = banned_by_ko();
  const auto mark = [&](int plane, int point) { planes[plane * points + point] = 1.0f; };

  for (int p = 0; p < points; ++p) {
    const Cell cell = board_.cell(p);
    const Stone stone = board_.at(cell);
    mark(kOnBoard, p);
    if (stone == side_) mark(kOwnStone, p);
    if (stone == other) mark(kOtherStone, p);
    if (stone != kEmpty && board_.liberties(cell) <= 3)
      mark(kOneLiberty + board_.liberties(cell) - 1, p);
    if (banned.has(cell)) mark(kKoBan, p);
    if (phase_ > 0 && blocked_.has(cell)) mark(kKoBlocked, p);
    if (phase_ >= 2) {
      const CellSet& own = side_ == kBlack ? second_black_ : second_white_;
      const CellSet& theirs = side_ == kBlack ? second_white_ : second_black_;
      if (own.has(cell)) mark(kOwnSecond, p);
      if (theirs.has(cell)) mark(kOtherSecond, p);
    }
  }

  // Under territory scoring who owns what is told only once it counts.
  bool loses_if_ended = false;
  if (area_scoring() || phase_ >= 2) {
    const Owners owners = owners_now();
    int score = 0;
    for (int p = 0; p < points; ++p) {
      const Stone owner = owners[static_cast<std::size_t>(board_.cell(p))];
      if (owner == side_) mark(kOwnArea, p), ++score;
      if (owner == other) mark(kOtherArea, p), --score;
    }
    if (rules_.tax == Tax::kAll) {
      const int regions = independent_life(board_, false, false, rules_.suicide).regions;
      score += side_ == kWhite ? -2 * regions : 2 * regions;
    }
    loses_if_ended = static_cast<float>(score) + own_komi() <= 0.0f;
  }

  const bool hidden = hides_pass(loses_if_ended);
  const int turns = history_shown(hidden);
  write_history(turns, planes, globals);
  write_ladders(turns, planes);

  const float most = static_cast<float>(points) + kKomiMargin;
  const float komi = std::clamp(own_komi(), -most, most);
  globals[kOwnKomi] = komi / 20.0f;
  if (rules_.ko != Ko::kSimple) {
    globals[kSuperko] = 1.0f;
    globals[kWhichSuperko] = rules_.ko == Ko::kPositional ? 0.5f : -0.5f;
  }
  globals[kSuicide] = rules_.suicide ? 1.0f : 0.0f;
  globals[kTerritory] = area_scoring() ? 0.0f : 1.0f;
  globals[kTaxed] = rules_.tax != Tax::kNone ? 1.0f : 0.0f;
  globals[kTaxedAll] = rules_.tax == Tax::kAll ? 1.0f : 0.0f;
  globals[kEncore] = phase_ > 0 ? 1.0f : 0.0f;
  globals[kSecondEncore] = phase_ > 1 ? 1.0f : 0.0f;
  globals[kPassEnds] = !hidden && pass_ends_phase() ? 1.0f : 0.0f;
  if (advantage_ != 0.0f) {
    globals[kAdvantage] = 1.0f;
    globals[kDoublings] = 0.5f * (side_ == kBlack ? advantage_ : -advantage_);
  }
  globals[kButton] = button_ ? 1.0f : 0.0f;
  if (area_scoring() || phase_ >= 2) globals[kParity] = parity_wave(komi, points % 2 == 0);
}

}  // namespace kibitz
