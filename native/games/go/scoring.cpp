#include "games/go/scoring.h"

#include "games/go/count.h"

namespace kibitz::go {

void set_komi(State& s, float komi) {
  if (s.end == End::kScored || s.end == End::kAgreed) s.white_score += komi - s.komi;
  s.komi = komi;
}

/// Territory scoring is area scoring with a point off for every move: the stones on the board, and
/// those that were captured, are moves that were made.
float bonus_of_stones(const State& s) {
  if (area_scoring(s)) return 0.0f;
  int bonus = s.board.taken(kBlack) - s.board.taken(kWhite);
  for (int p = 0; p < s.board.points(); ++p) {
    const Stone stone = s.board.at(s.board.cell(p));
    bonus += (stone == kBlack) - (stone == kWhite);
  }
  return static_cast<float>(bonus);
}

float handicap_bonus(const State& s, int stones) {
  if (stones <= 1 || s.rules.handicap_bonus == HandicapBonus::kZero) return 0.0f;
  return static_cast<float>(s.rules.handicap_bonus == HandicapBonus::kN ? stones : stones - 1);
}

void finish(State& s) {
  s.white_score = white_points_now(s);
  s.end = End::kScored;
}

Owners owners_now(const State& s) {
  if (s.end == End::kAgreed) return count(s, s.dead).owners;
  if (area_scoring(s)) {
    if (s.rules.tax == Tax::kNone) return full_area(s.board, s.rules.suicide);
    return independent_life(s.board, false, true, s.rules.suicide).owners;
  }
  Owners owners =
      independent_life(s.board, s.rules.tax == Tax::kNone, false, s.rules.suicide).owners;
  for (int p = 0; p < s.board.points(); ++p) {
    const Cell cell = s.board.cell(p);
    const Stone stone = s.board.at(cell);
    auto& owner = owners[static_cast<std::size_t>(cell)];
    if (owner != kEmpty || stone == kEmpty) continue;
    // Stones played after the second phase began count for nothing.
    if (s.phase < 2 || (stone == kBlack ? s.second_black : s.second_white).has(cell)) owner = stone;
  }
  return owners;
}

void write_owners(const State& s, float* out) {
  const Owners owners = owners_now(s);
  for (int p = 0; p < s.board.points(); ++p) {
    const Stone owner = owners[static_cast<std::size_t>(s.board.cell(p))];
    out[p] = owner == kBlack ? 1.0f : owner == kWhite ? -1.0f : 0.0f;
  }
}

float white_points_now(const State& s) {
  int points = balance(s.board, owners_now(s));
  if (s.rules.tax == Tax::kAll)
    points -= 2 * independent_life(s.board, false, false, s.rules.suicide).regions;
  float score = static_cast<float>(points) + s.white_bonus + s.white_handicap + s.komi;
  if (s.button) score += s.side == kWhite ? 0.5f : -0.5f;
  return score;
}

float own_komi(const State& s) {
  // A draw counts half, which KataGo's networks see as a komi in the middle: nothing to add.
  const float komi = s.white_bonus + s.white_handicap + s.komi;
  return s.side == kWhite ? komi : -komi;
}

}  // namespace kibitz::go
