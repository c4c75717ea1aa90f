#include "games/go/position.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace kibitz {

using namespace go;

namespace {

constexpr std::uint64_t kWhiteNext = mix64(0x77686974);
constexpr std::uint64_t kBlockedSalt = 0x626c6f636b;
constexpr std::uint64_t kKoSalt = 0x6b6f;
constexpr std::uint64_t kCaptureSalt = 0x63617074;

std::uint64_t blocked_key(Cell cell) {
  return mix64(kBlockedSalt + static_cast<std::uint64_t>(cell));
}

}  // namespace

Go::Go(int columns, int rows, const Rules& rules, float komi)
    : board_(columns, rows), rules_(rules), komi_(komi) {
  start(0);
}

void Go::set_komi(float komi) {
  if (end_ == End::kScored) white_score_ += komi - komi_;
  komi_ = komi;
}

bool Go::set_up(int point, Stone stone) { return board_.set_up(board_.cell(point), stone); }

void Go::start(int side) {
  side_ = side == 0 ? kBlack : kWhite;
  button_ = rules_.button;
  ever_.clear();
  int black = 0, white = 0;
  for (int p = 0; p < board_.points(); ++p) {
    const Stone stone = board_.at(board_.cell(p));
    if (stone != kEmpty) ever_.add(board_.cell(p));
    black += stone == kBlack;
    white += stone == kWhite;
  }
  white_bonus_ = bonus_of_stones();
  handicap_stones_ = static_cast<std::int16_t>(black);
  handicap_closed_ = white > 0;  // a position that was set up is no handicap game
  white_handicap_ = handicap_closed_ ? 0.0f : handicap_bonus(black);
  boards_.fill(snapshot());
  past_.clear();
  past_.push(ko_hash(board_.hash(), side_));
}

/// Territory scoring is area scoring with a point off for every move: the stones on the board, and
/// those that were captured, are moves that were made.
float Go::bonus_of_stones() const {
  if (area_scoring()) return 0.0f;
  int bonus = board_.taken(kBlack) - board_.taken(kWhite);
  for (int p = 0; p < board_.points(); ++p) {
    const Stone stone = board_.at(board_.cell(p));
    bonus += (stone == kBlack) - (stone == kWhite);
  }
  return static_cast<float>(bonus);
}

float Go::handicap_bonus(int stones) const {
  if (stones <= 1 || rules_.handicap_bonus == HandicapBonus::kZero) return 0.0f;
  return static_cast<float>(rules_.handicap_bonus == HandicapBonus::kN ? stones : stones - 1);
}

// ---- ko ----------------------------------------------------------------------------------------

std::uint64_t Go::ko_hash(std::uint64_t stones, Stone next) const {
  const bool whose_turn = rules_.ko != Ko::kPositional || phase_ > 0;
  return stones ^ blocked_hash_ ^ (whose_turn && next == kWhite ? kWhiteNext : 0);
}

bool Go::occurred(std::uint64_t hash) const { return past_.has(hash); }

/// A position with a stone where none ever was is new, unless the stone dies at once; with a free
/// point beside it, it does not.
bool Go::is_new(Cell cell) const { return !ever_.has(cell) && board_.touches(cell, kEmpty); }

bool Go::superko_bans(Cell cell) const {
  if (phase_ > 0 || rules_.ko == Ko::kSimple) return false;
  if (!ever_.has(cell) && !board_.is_suicide(cell, side_)) return false;
  return occurred(ko_hash(board_.hash_after(cell, side_), opponent(side_)));
}

/// Of a ko capture on `cell` by the side to move, in the position as it stands.
std::uint64_t Go::capture_key(Cell cell) const {
  return mix64(board_.hash() ^ mix64(kCaptureSalt + static_cast<std::uint64_t>(cell) * 4 + side_));
}

bool Go::captured_here_before(Cell cell) const {
  return !encore_captures_.empty() && encore_captures_.has(capture_key(cell));
}

void Go::share_history() {
  past_.share();
  for (auto& hashes : passed_at_) hashes.share();
  encore_captures_.share();
}

Cell Go::unbanned_by(Cell cell) const {
  if (phase_ == 0) return kNoCell;
  if (board_.at(cell) == opponent(side_) && blocked_.has(cell) && board_.size(cell) == 1 &&
      board_.liberties(cell) == 1)
    return cell;
  const Cell victim = board_.ko_victim(cell, side_);
  return victim != kNoCell && blocked_.has(victim) ? victim : kNoCell;
}

CellSet Go::banned_by_ko() const {
  CellSet banned;
  if (phase_ > 0) {
    if (encore_captures_.empty()) return banned;
    for (int p = 0; p < board_.points(); ++p)
      if (captured_here_before(board_.cell(p))) banned.add(board_.cell(p));
    return banned;
  }
  if (board_.ko() != kNoCell) banned.add(board_.ko());
  if (rules_.ko == Ko::kSimple) return banned;
  for (int p = 0; p < board_.points(); ++p) {
    const Cell cell = board_.cell(p);
    if (board_.at(cell) == kEmpty && !is_new(cell) &&
        board_.is_playable(cell, side_, rules_.suicide) && superko_bans(cell))
      banned.add(cell);
  }
  return banned;
}

// ---- moves -------------------------------------------------------------------------------------

void Go::legal_moves(MoveList<Go>& moves) const {
  moves.clear();
  if (is_over()) return;
  for (int p = 0; p < board_.points(); ++p) {
    // Most points are settled by a look: taken, or plainly free.
    const Cell cell = board_.cell(p);
    if (phase_ == 0) {
      if (board_.at(cell) != kEmpty) continue;
      if (cell != board_.ko() && is_new(cell)) {
        moves.push(static_cast<Move>(p));
        continue;
      }
    }
    if (is_legal(static_cast<Move>(p))) moves.push(static_cast<Move>(p));
  }
  moves.push(pass());
}

bool Go::may_play(Move move) const {
  if (!(move & kMarks)) return is_legal(move);
  if ((move & ~kMarks) > board_.points() || (is_over() && !(move & kTolerated))) return false;
  Go as = *this;
  if (move & kOutOfTurn) as.side_ = opponent(side_);
  if (!(move & kTolerated)) return as.is_legal(static_cast<Move>(move & ~kMarks));
  if (is_pass(move)) return true;
  return as.unbanned_by(cell_of(move)) != kNoCell ||
         board_.is_playable(cell_of(move), as.side_, true);
}

bool Go::is_legal(Move move) const {
  if (move > board_.points() || is_over()) return false;
  if (is_pass(move)) return true;
  const Cell cell = cell_of(move);
  if (phase_ > 0) {
    if (unbanned_by(cell) != kNoCell) return true;
    return board_.is_playable(cell, side_, rules_.suicide) && !captured_here_before(cell);
  }
  return cell != board_.ko() && board_.is_playable(cell, side_, rules_.suicide) &&
         !superko_bans(cell);
}

bool Go::is_eye(Cell cell) const {
  for (const Cell near : board_.around(cell))
    if (board_.at(near) != side_ && board_.at(near) != kWall) return false;
  int hostile = 0;
  bool edge = false;
  for (const Cell near : board_.diagonals(cell)) {
    edge |= board_.at(near) == kWall;
    hostile += board_.at(near) == opponent(side_);
  }
  return hostile + edge < 2;
}

void Go::play(Move move) {
  if (is_over() || past_end_) turns_shown_ = std::min(turns_shown_, 1);
  end_ = End::kPlaying;
  past_end_ = false;
  white_score_ = 0.0f;
  if (move & kOutOfTurn) restart();
  const Stone mover = side_;
  const bool passes = is_pass(move);

  boards_[1] = boards_[0];
  boards_[0] = snapshot();
  std::copy_backward(turns_.begin(), turns_.end() - 1, turns_.end());
  turns_[0] = {static_cast<Move>(move & ~kMarks), mover};

  bool repeats = false, quiet = false, may_repeat = false;
  if (passes) {
    quiet = searching_ && ends_quietly_ignored();
    play_pass(repeats);
  } else {
    const Cell cell = cell_of(move);
    // Only where a stone ever was can a stone make an old position again; so can a suicide.
    may_repeat = ever_.has(cell) || board_.is_suicide(cell, mover) || unbanned_by(cell) != kNoCell;
    play_stone(cell);
    ever_.add(cell);
  }
  side_ = opponent(mover);
  const std::uint64_t now = ko_hash(board_.hash(), side_);
  past_.push(now);
  ++turn_;
  ++turns_shown_;
  count_handicap(passes);

  // A tolerated pass under territory rules is one that the players went on after.
  if ((passes_ >= 2 || repeats) && (move & kTolerated) && !area_scoring() && phase_ < 2) {
    past_end_ = true;
    turns_shown_ = std::min(turns_shown_, 1);
  } else if (passes_ >= 2 || repeats) {
    end_phase();
  }
  if (quiet && is_over()) {
    end_ = End::kPlaying;
    past_end_ = true;
  }
  if (may_repeat && cycles_end() && past_.count(now) >= 3) end_ = End::kVoid;
}

/// A side that moves twice in a row breaks the game's thread: what is on the board stays, the past
/// does not count any more.
void Go::restart() {
  board_.forget_ko();
  passes_ = 0;
  turns_shown_ = 0;
  white_moved_ = white_passed_last_ = false;
  for (auto& hashes : passed_at_) hashes.clear();
  blocked_.clear();
  blocked_hash_ = 0;
  encore_captures_.clear();
  start(side_ == kBlack ? 1 : 0);
}

void Go::play_pass(bool& ends_by_repetition) {
  const Stone mover = side_;
  board_.forget_ko();
  auto& own = passed_at_[mover == kWhite];
  if (button_) {
    button_ = false;
    white_bonus_ += mover == kWhite ? 0.5f : -0.5f;
    passes_ = 0;
    for (auto& hashes : passed_at_) hashes.clear();
    past_.clear();
    return;
  }
  const std::uint64_t before = ko_hash(board_.hash(), mover);
  ends_by_repetition = cycles_end() && own.has(before);
  if (cycles_end()) past_.clear();
  ++passes_;
  own.push(before);
}

void Go::play_stone(Cell cell) {
  const Stone mover = side_;
  passes_ = 0;
  const Cell unbanned = unbanned_by(cell);
  if (unbanned != kNoCell) {  // a move that lifts the ban on a ko and does nothing else
    set_blocked(unbanned, false);
    board_.forget_ko();
    return;
  }
  const std::uint64_t capture = phase_ > 0 ? capture_key(cell) : 0;
  board_.play(cell, mover);
  if (phase_ > 0) {
    if (board_.ko() != kNoCell) {
      set_blocked(cell, true);
      encore_captures_.push(capture);
      board_.forget_ko();
    }
    if (!blocked_.empty())
      for (int p = 0; p < board_.points(); ++p)
        if (board_.at(board_.cell(p)) == kEmpty) set_blocked(board_.cell(p), false);
  }
  if (!area_scoring() && phase_ <= 1) white_bonus_ += mover == kBlack ? 1.0f : -1.0f;
}

void Go::set_blocked(Cell cell, bool blocked) {
  if (blocked_.has(cell) == blocked) return;
  blocked ? blocked_.add(cell) : blocked_.remove(cell);
  blocked_hash_ ^= blocked_key(cell);
}

/// Several black moves before white's first are handicap stones, white's passes between them or
/// not; two white moves in a row are not how a handicap is placed.
void Go::count_handicap(bool passes) {
  const bool white = turns_[0].side == kWhite;
  if (white) {
    if (white_passed_last_) handicap_closed_ = true, handicap_stones_ = 0;
    white_passed_last_ = passes;
    if (!passes) white_moved_ = true;
    return;
  }
  if (white_moved_) return;
  white_passed_last_ = false;
  if (!passes && !handicap_closed_) ++handicap_stones_;
  white_handicap_ = handicap_bonus(handicap_closed_ ? 0 : handicap_stones_);
}

// ---- ends --------------------------------------------------------------------------------------

bool Go::repeats_a_pass() const {
  if (!cycles_end()) return false;
  const auto& own = passed_at_[side_ == kWhite];
  return own.has(ko_hash(board_.hash(), side_));
}

bool Go::pass_ends_phase() const { return passes_ >= 1 || repeats_a_pass(); }

/// In a search a pass at the root never ends the game, and under friendly rules a second pass asks
/// for a third, so that a bot does not stop while stones that it calls dead still stand.
bool Go::ends_quietly_ignored() const {
  if (turn_ == root_turn_ && conservative_) return true;
  return rules_.friendly_pass && area_scoring() && passes_ == 1 && !repeats_a_pass();
}

void Go::end_phase() {
  if (area_scoring() || phase_ >= 2) return finish();
  ++phase_;
  turns_shown_ = 0;
  passes_ = 0;
  if (phase_ == 2) {
    const Snapshot now = snapshot();
    second_black_ = now.black;
    second_white_ = now.white;
  }
  for (auto& hashes : passed_at_) hashes.clear();
  blocked_.clear();
  blocked_hash_ = 0;
  encore_captures_.clear();
  past_.clear();
  past_.push(ko_hash(board_.hash(), side_));
}

void Go::finish() {
  white_score_ = white_points_now();
  end_ = End::kScored;
}

void Go::resume() {
  if (!is_over()) return;
  end_ = End::kPlaying;
  past_end_ = true;
  white_score_ = 0.0f;
}

void Go::become_root(History history) {
  searching_ = true;
  history_ = history;
  root_turn_ = turn_;
}

float Go::result() const { return white_score_ < 0.0f ? 1.0f : white_score_ > 0.0f ? 0.0f : 0.5f; }

Owners Go::owners_now() const {
  if (area_scoring()) {
    if (rules_.tax == Tax::kNone) return full_area(board_, rules_.suicide);
    return independent_life(board_, false, true, rules_.suicide).owners;
  }
  Owners owners = independent_life(board_, rules_.tax == Tax::kNone, false, rules_.suicide).owners;
  for (int p = 0; p < board_.points(); ++p) {
    const Cell cell = board_.cell(p);
    const Stone stone = board_.at(cell);
    auto& owner = owners[static_cast<std::size_t>(cell)];
    if (owner != kEmpty || stone == kEmpty) continue;
    // Stones played after the second phase began count for nothing.
    if (phase_ < 2 || (stone == kBlack ? second_black_ : second_white_).has(cell)) owner = stone;
  }
  return owners;
}

void Go::write_owners(float* out) const {
  const Owners owners = owners_now();
  for (int p = 0; p < board_.points(); ++p) {
    const Stone owner = owners[static_cast<std::size_t>(board_.cell(p))];
    out[p] = owner == kBlack ? 1.0f : owner == kWhite ? -1.0f : 0.0f;
  }
}

float Go::white_points_now() const {
  int points = balance(board_, owners_now());
  if (rules_.tax == Tax::kAll)
    points -= 2 * independent_life(board_, false, false, rules_.suicide).regions;
  float score = static_cast<float>(points) + white_bonus_ + white_handicap_ + komi_;
  if (button_) score += side_ == kWhite ? 0.5f : -0.5f;
  return score;
}

float Go::own_komi() const {
  // A draw counts half, which KataGo's networks see as a komi in the middle: nothing to add.
  const float komi = white_bonus_ + white_handicap_ + komi_;
  return side_ == kWhite ? komi : -komi;
}

// ---- comparing ---------------------------------------------------------------------------------

bool Go::operator==(const Go& o) const {
  return columns() == o.columns() && rows() == o.rows() && board_.hash() == o.board_.hash() &&
         board_.ko() == o.board_.ko() && rules_ == o.rules_ && komi_ == o.komi_ &&
         side_ == o.side_ && phase_ == o.phase_ && passes_ == o.passes_ && end_ == o.end_ &&
         button_ == o.button_ && white_bonus_ == o.white_bonus_ &&
         white_handicap_ == o.white_handicap_ && blocked_ == o.blocked_ &&
         second_black_ == o.second_black_ && second_white_ == o.second_white_ &&
         advantage_ == o.advantage_ && conservative_ == o.conservative_;
}

std::uint64_t Go::situation_hash() const {
  std::uint64_t hash = board_.hash() ^ (side_ == kWhite ? kWhiteNext : 0) ^
                       mix64(static_cast<std::uint64_t>(columns() * 32 + rows()));
  if (board_.ko() != kNoCell)
    hash ^= mix64(kKoSalt << 16 | static_cast<std::uint64_t>(board_.ko()));
  return hash;
}

std::uint64_t Go::hash() const {
  std::uint64_t hash = situation_hash() ^ blocked_hash_;
  const auto stir = [&hash](std::uint64_t value) { hash = mix64(hash ^ value); };
  stir(static_cast<std::uint64_t>(rules_.ko) | static_cast<std::uint64_t>(rules_.scoring) << 2 |
       static_cast<std::uint64_t>(rules_.tax) << 4 | std::uint64_t{rules_.suicide} << 6 |
       std::uint64_t{rules_.button} << 7 | static_cast<std::uint64_t>(rules_.handicap_bonus) << 8 |
       std::uint64_t{rules_.friendly_pass} << 10 | std::uint64_t{button_} << 11 |
       std::uint64_t{phase_} << 12 | std::uint64_t{passes_} << 16 |
       static_cast<std::uint64_t>(end_) << 24);
  stir(std::bit_cast<std::uint32_t>(komi_ + white_bonus_ + white_handicap_));
  if (advantage_ != 0.0f) stir(std::bit_cast<std::uint32_t>(advantage_) | std::uint64_t{1} << 40);
  if (phase_ == 2)
    for (int p = 0; p < board_.points(); ++p) {
      const Cell cell = board_.cell(p);
      if (second_black_.has(cell)) hash ^= mix64(stone_key(cell, kBlack));
      if (second_white_.has(cell)) hash ^= mix64(stone_key(cell, kWhite));
    }
  return hash;
}

std::uint64_t Go::cache_key() const {
  std::uint64_t key = hash();
  const CellSet banned = banned_by_ko();
  for (int p = 0; p < board_.points(); ++p)
    if (banned.has(board_.cell(p))) key = mix64(key ^ static_cast<std::uint64_t>(p));
  const bool ends = pass_ends_phase(), is_root = searching_ && turn_ == root_turn_;
  const bool bare = history_shown(false) == 0;
  return mix64(key ^ (std::uint64_t{ends} | std::uint64_t{ends && is_root && conservative_} << 1 |
                      std::uint64_t{searching_} << 2 | std::uint64_t{past_end_} << 3 |
                      std::uint64_t{bare} << 4));
}

/// Had the chain of a stone a single liberty? Most have two beside the first stone looked at, so
/// this is far less than building the chains of the board again.
bool Go::was_in_atari(const Snapshot& past, Cell cell) const {
  const bool black = past.black.has(cell);
  const CellSet &own = black ? past.black : past.white, &others = black ? past.white : past.black;
  std::array<Cell, kMostPoints> chain;
  std::size_t size = 0;
  CellSet seen;
  Cell liberty = kNoCell;
  seen.add(cell);
  chain[size++] = cell;
  for (std::size_t i = 0; i < size; ++i)
    for (const Cell near : board_.around(chain[i])) {
      if (board_.at(near) == kWall || others.has(near) || seen.has(near)) continue;
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

std::uint64_t Go::local_key() const {
  const Turn last = turns_[0], earlier = turns_[1];
  if (last.move == kNoMove || earlier.move == kNoMove || is_pass(last.move)) return 0;
  const Snapshot& before = boards_[0];
  const int point = last.move & ~kMarks, x = point % columns(), y = point / columns();
  std::uint64_t key = mix64(static_cast<std::uint64_t>(point) << 20 |
                            static_cast<std::uint64_t>(earlier.move & ~kMarks) << 4 | last.side);
  for (int row = std::max(0, y - 2); row <= std::min(rows() - 1, y + 2); ++row)
    for (int column = std::max(0, x - 2); column <= std::min(columns() - 1, x + 2); ++column) {
      const Cell cell = board_.cell(row * columns() + column);
      const bool black = before.black.has(cell);
      if (!black && !before.white.has(cell)) continue;
      const std::uint64_t stone = stone_key(cell, black ? kBlack : kWhite);
      key ^= stone;
      if (was_in_atari(before, cell)) key ^= mix64(stone);
    }
  if (before.ko != kNoCell) key ^= mix64(static_cast<std::uint64_t>(before.ko) + 1);
  return key | 1;
}

}  // namespace kibitz
