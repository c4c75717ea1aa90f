#include "games/go/count.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/rng.h"
#include "games/go/ko.h"
#include "games/go/position.h"

namespace kibitz::go {
namespace {

/// The stones that stay.
class Cleared {
 public:
  Cleared(const Board& board, const CellSet& dead) : board_(board), dead_(dead) {}
  Stone at(Cell cell) const {
    const Stone stone = board_.at(cell);
    return stone == kWall || !dead_.has(cell) ? stone : kEmpty;
  }
  const Board& board() const { return board_; }

 private:
  const Board& board_;
  const CellSet& dead_;
};

/// Connected cells that `same` accepts, from `start` on.
template <class Same>
std::vector<Cell> connected(const Board& board, Cell start, CellSet& seen, const Same& same) {
  std::vector<Cell> cells{start};
  seen.add(start);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Cell near : board.around(cells[i]))
      if (board.at(near) != kWall && !seen.has(near) && same(near)) {
        seen.add(near);
        cells.push_back(near);
      }
  return cells;
}

/// Living stones, and empty points that reach one colour only.
Owners reached(const Cleared& cleared) {
  const Board& board = cleared.board();
  Owners owners;
  owners.fill(kEmpty);
  CellSet seen;
  for (int p = 0; p < board.points(); ++p) {
    const Cell start = board.cell(p);
    if (cleared.at(start) != kEmpty) owners[as_index(start)] = cleared.at(start);
    if (cleared.at(start) != kEmpty || seen.has(start)) continue;
    const auto region =
        connected(board, start, seen, [&](Cell near) { return cleared.at(near) == kEmpty; });
    int colours = 0;
    for (const Cell cell : region)
      for (const Cell near : board.around(cell))
        if (cleared.at(near) == kBlack || cleared.at(near) == kWhite) colours |= cleared.at(near);
    if (colours == kBlack || colours == kWhite)
      for (const Cell cell : region) owners[as_index(cell)] = static_cast<Stone>(colours);
  }
  return owners;
}

/// A side's stones that live together, with the territory between them.
struct Group {
  Stone side = kEmpty;
  std::vector<Cell> cells;
  int eyes = 0;  // separate territories
  int territory = 0;
  bool neutral = false;  // touches a point that is nobody's
};

/// The groups of a counted board. Parts of one colour that touch the same neutral region can be
/// connected there, so they are one group.
std::vector<Group> groups_of(const Cleared& cleared, const Owners& owners) {
  const Board& board = cleared.board();
  std::array<int, kMostCells> number;
  number.fill(-1);
  std::vector<Group> groups;
  std::vector<int> joined;  // the group that another became part of
  const auto find = [&](int group) {
    while (joined[static_cast<std::size_t>(group)] != group)
      group = joined[static_cast<std::size_t>(group)];
    return group;
  };
  CellSet seen, seen_empty;
  for (int p = 0; p < board.points(); ++p) {
    const Cell start = board.cell(p);
    const Stone side = owners[as_index(start)];
    if (side == kEmpty || seen.has(start)) continue;
    Group group;
    group.side = side;
    group.cells =
        connected(board, start, seen, [&](Cell near) { return owners[as_index(near)] == side; });
    for (const Cell cell : group.cells) {
      number[as_index(cell)] = static_cast<int>(groups.size());
      if (cleared.at(cell) != kEmpty || seen_empty.has(cell)) continue;
      ++group.eyes;
      group.territory += static_cast<int>(connected(board, cell, seen_empty, [&](Cell near) {
                                            return cleared.at(near) == kEmpty;
                                          }).size());
    }
    joined.push_back(static_cast<int>(groups.size()));
    groups.push_back(std::move(group));
  }
  CellSet seen_neutral;
  for (int p = 0; p < board.points(); ++p) {
    const Cell start = board.cell(p);
    if (owners[as_index(start)] != kEmpty || seen_neutral.has(start)) continue;
    const auto region = connected(board, start, seen_neutral,
                                  [&](Cell near) { return owners[as_index(near)] == kEmpty; });
    int first[3] = {-1, -1, -1};
    for (const Cell cell : region)
      for (const Cell near : board.around(cell)) {
        const int other = board.at(near) == kWall ? -1 : number[as_index(near)];
        if (other < 0) continue;
        const int group = find(other);
        groups[static_cast<std::size_t>(group)].neutral = true;
        int& one = first[groups[static_cast<std::size_t>(group)].side];
        if (one < 0) one = group;
        one = find(one);
        if (one == group) continue;
        Group& into = groups[static_cast<std::size_t>(one)];
        const Group& from = groups[static_cast<std::size_t>(group)];
        into.cells.insert(into.cells.end(), from.cells.begin(), from.cells.end());
        into.eyes += from.eyes;
        into.territory += from.territory;
        joined[static_cast<std::size_t>(group)] = one;
      }
  }
  std::vector<Group> whole;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (joined[i] == static_cast<int>(i)) whole.push_back(std::move(groups[i]));
  return whole;
}

/// A group that touches a neutral point and cannot have two eyes was left alive by agreement: it is
/// in seki. Ordinary groups beside a neutral point that nobody filled have room for two.
bool is_seki(const Group& group) { return group.neutral && group.eyes < 2 && group.territory < 3; }

}  // namespace

CellSet whole_chains(const Board& board, const CellSet& cells) {
  CellSet chains;
  for (int p = 0; p < board.points(); ++p) {
    const Cell head = board.cell(p);
    if (!cells.has(head) || chains.has(head)) continue;
    if (board.at(head) == kEmpty) continue;
    Cell stone = head;
    do {
      chains.add(stone);
      stone = board.next(stone);
    } while (stone != head);
  }
  return chains;
}

Count count(const State& s, const CellSet& dead) {
  const Cleared cleared(s.board, dead);
  Count result;
  result.owners = reached(cleared);
  if (s.rules.tax != Tax::kNone)
    for (const Group& group : groups_of(cleared, result.owners)) {
      if (!is_seki(group)) {
        if (s.rules.tax == Tax::kAll) result.sides[group.side == kWhite].tax += 2;
        continue;
      }
      for (const Cell cell : group.cells)
        if (cleared.at(cell) == kEmpty) result.owners[as_index(cell)] = kEmpty;
    }
  int balance = 0;  // white's stones on the board minus black's, dead ones included
  for (int p = 0; p < s.board.points(); ++p) {
    const Cell cell = s.board.cell(p);
    const Stone stone = s.board.at(cell), owner = result.owners[as_index(cell)];
    balance += (stone == kWhite) - (stone == kBlack);
    if (owner != kEmpty) {
      CountedSide& side = result.sides[owner == kWhite];
      ++(cleared.at(cell) == kEmpty ? side.territory : side.stones);
    }
    if (stone != kEmpty && dead.has(cell)) ++result.sides[stone == kBlack].prisoners;
  }
  auto& [black, white] = result.sides;
  black.prisoners += s.board.taken(kWhite);
  white.prisoners += s.board.taken(kBlack);
  result.white_extra = s.white_handicap + s.komi;
  if (s.button) result.white_extra += s.side == kWhite ? 0.5f : -0.5f;
  int points;
  if (area_scoring(s)) {
    result.white_extra += s.white_bonus;  // of the button
    points = white.stones + white.territory - black.stones - black.territory;
  } else {
    // A position read from its notation knows the balance of prisoners only.
    const int unknown =
        static_cast<int>(s.white_bonus) + balance - (s.board.taken(kBlack) - s.board.taken(kWhite));
    (unknown > 0 ? white : black).prisoners += std::abs(unknown);
    points = white.territory + white.prisoners - black.territory - black.prisoners;
  }
  points += black.tax - white.tax;
  result.white_score = static_cast<float>(points) + result.white_extra;
  return result;
}

bool is_counting(const State& s) {
  if (area_scoring(s)) return s.end == End::kScored;
  return s.end == End::kPlaying && s.phase == 1 && s.turns_shown == 0;
}

void settle(State& s, const CellSet& dead) {
  s.dead = dead;
  s.phase = 0;
  s.end = End::kAgreed;
  s.white_score = count(s, dead).white_score;
}

void resume_play(State& s) {
  s.end = End::kPlaying;
  s.passes = 0;
  s.past_end = false;
  s.turns_shown = 0;
  s.white_score = 0.0f;
  for (auto& hashes : s.passed_at) hashes.clear();
  if (std::exchange(s.phase, std::uint8_t{0}) == 0) return;
  s.past.clear();
  s.past.push(ko_hash(s, s.board.hash(), s.side));
}

void playout_owners(const State& s, int games, std::uint64_t seed, float* out) {
  Rng random(seed);
  const int points = s.board.points();
  std::fill(out, out + points, 0.0f);
  for (int game = 0; game < games; ++game) {
    State from = s;
    resume_play(from);
    from.rules = Rules{};  // area rules: a game ends with two passes
    from.rules.ko = Ko::kSimple;
    from.rules.suicide = false;
    if (game % 2) from.side = opponent(from.side);
    Go board(std::move(from));
    for (int turn = 0; turn < 3 * points && !board.is_over(); ++turn)
      board.play(board.random_move(random));
    const Owners owners = reached(Cleared(board.board(), CellSet{}));
    for (int p = 0; p < points; ++p) {
      const Stone owner = owners[as_index(s.board.cell(p))];
      out[p] += owner == kBlack ? 1.0f : owner == kWhite ? -1.0f : 0.0f;
    }
  }
  for (int p = 0; p < points; ++p) out[p] /= static_cast<float>(std::max(1, games));
}

}  // namespace kibitz::go
