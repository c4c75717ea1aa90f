#include "games/go/keys.h"

#include <algorithm>
#include <bit>

#include "games/go/features.h"
#include "games/go/play.h"

namespace kibitz::go {

namespace {

constexpr std::uint64_t kKoSalt = 0x6b6f;

/// Had the chain of a stone a single liberty? Most have two beside the first stone looked at, so
/// this is far less than building the chains of the board again.
bool was_in_atari(const State& s, const Snapshot& past, Cell cell) {
  const bool black = past.black.has(cell);
  const CellSet &own = black ? past.black : past.white, &others = black ? past.white : past.black;
  std::array<Cell, kMostPoints> chain;
  std::size_t size = 0;
  CellSet seen;
  Cell liberty = kNoCell;
  seen.add(cell);
  chain[size++] = cell;
  for (std::size_t i = 0; i < size; ++i)
    for (const Cell near : s.board.around(chain[i])) {
      if (s.board.at(near) == kWall || others.has(near) || seen.has(near)) continue;
      if (own.has(near)) {
        seen.add(near);
        chain[size++] = near;
      } else if (liberty == kNoCell) {
        liberty = near;
      } else if (liberty != near) {
        return false;
      }
    }
  return true;
}

}  // namespace

bool is_same(const State& a, const State& b) {
  return a.board.columns() == b.board.columns() && a.board.rows() == b.board.rows() &&
         a.board.hash() == b.board.hash() && a.board.ko() == b.board.ko() && a.rules == b.rules &&
         a.komi == b.komi && a.side == b.side && a.phase == b.phase && a.passes == b.passes &&
         a.end == b.end && a.button == b.button && a.white_bonus == b.white_bonus &&
         a.white_handicap == b.white_handicap && a.blocked == b.blocked && a.dead == b.dead &&
         a.second_black == b.second_black && a.second_white == b.second_white &&
         a.advantage == b.advantage && a.conservative == b.conservative;
}

std::uint64_t situation_hash(const State& s) {
  std::uint64_t hash = s.board.hash() ^ (s.side == kWhite ? kWhiteNext : 0) ^
                       mix64(static_cast<std::uint64_t>(s.board.columns() * 32 + s.board.rows()));
  if (s.board.ko() != kNoCell)
    hash ^= mix64(kKoSalt << 16 | static_cast<std::uint64_t>(s.board.ko()));
  return hash;
}

std::uint64_t hash(const State& s) {
  std::uint64_t hash = situation_hash(s) ^ s.blocked_hash;
  const auto stir = [&hash](std::uint64_t value) { hash = mix64(hash ^ value); };
  stir(static_cast<std::uint64_t>(s.rules.ko) | static_cast<std::uint64_t>(s.rules.scoring) << 2 |
       static_cast<std::uint64_t>(s.rules.tax) << 4 | std::uint64_t{s.rules.suicide} << 6 |
       std::uint64_t{s.rules.button} << 7 |
       static_cast<std::uint64_t>(s.rules.handicap_bonus) << 8 |
       std::uint64_t{s.rules.friendly_pass} << 10 | std::uint64_t{s.button} << 11 |
       std::uint64_t{s.phase} << 12 | std::uint64_t{s.passes} << 16 |
       static_cast<std::uint64_t>(s.end) << 24);
  stir(std::bit_cast<std::uint32_t>(s.komi + s.white_bonus + s.white_handicap));
  if (s.advantage != 0.0f) stir(std::bit_cast<std::uint32_t>(s.advantage) | std::uint64_t{1} << 40);
  if (s.end == End::kAgreed)
    for (int p = 0; p < s.board.points(); ++p)
      if (s.dead.has(s.board.cell(p))) stir(static_cast<std::uint64_t>(p) + 1);
  if (s.phase == 2)
    for (int p = 0; p < s.board.points(); ++p) {
      const Cell cell = s.board.cell(p);
      if (s.second_black.has(cell)) hash ^= mix64(stone_key(cell, kBlack));
      if (s.second_white.has(cell)) hash ^= mix64(stone_key(cell, kWhite));
    }
  return hash;
}

std::uint64_t cache_key(const State& s) {
  std::uint64_t key = go::hash(s);
  const CellSet banned = banned_by_ko(s);
  for (int p = 0; p < s.board.points(); ++p)
    if (banned.has(s.board.cell(p))) key = mix64(key ^ static_cast<std::uint64_t>(p));
  const bool ends = pass_ends_phase(s), is_root = s.searching && s.turn == s.root_turn;
  const bool bare = history_shown(s, false) == 0;
  return mix64(key ^ (std::uint64_t{ends} | std::uint64_t{ends && is_root && s.conservative} << 1 |
                      std::uint64_t{s.searching} << 2 | std::uint64_t{s.past_end} << 3 |
                      std::uint64_t{bare} << 4));
}

std::uint64_t local_key(const State& s) {
  const Turn last = s.turns[0], earlier = s.turns[1];
  if (last.move == kNoMove || earlier.move == kNoMove || is_pass(s, last.move)) return 0;
  const Snapshot& before = s.boards[0];
  const int point = last.move & ~kMarks, x = point % s.board.columns(),
            y = point / s.board.columns();
  std::uint64_t key = mix64(static_cast<std::uint64_t>(point) << 20 |
                            static_cast<std::uint64_t>(earlier.move & ~kMarks) << 4 | last.side);
  for (int row = std::max(0, y - 2); row <= std::min(s.board.rows() - 1, y + 2); ++row)
    for (int column = std::max(0, x - 2); column <= std::min(s.board.columns() - 1, x + 2);
         ++column) {
      const Cell cell = s.board.cell(row * s.board.columns() + column);
      const bool black = before.black.has(cell);
      if (!black && !before.white.has(cell)) continue;
      const std::uint64_t stone = stone_key(cell, black ? kBlack : kWhite);
      key ^= stone;
      if (was_in_atari(s, before, cell)) key ^= mix64(stone);
    }
  if (before.ko != kNoCell) key ^= mix64(static_cast<std::uint64_t>(before.ko) + 1);
  return key | 1;
}

}  // namespace kibitz::go
