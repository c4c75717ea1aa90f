// The game of Go (see games/game.h): any board from 2x2 to 19x19, the rules of games/go/rules.h.
//
// Game ends, ko, scoring and the second phase of territory rules are KataGo's, so that its networks
// and its users find what they know: two passes end a phase; under territory scoring two more
// phases follow in which life and death is played out (the "encore"), where a ko may be retaken
// only after the ban was lifted by playing on the banned point.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "games/game.h"
#include "games/go/area.h"
#include "games/go/board.h"
#include "games/go/hash_history.h"
#include "games/go/rules.h"
#include "games/sample.h"

namespace kibitz {

/// How much of the game before the root of a search its network is shown.
enum class GoHistory : std::uint8_t { kFull, kSinceRoot, kNone };

/// A move is a point, row by row from the top left, or the number of points for a pass. Two marks
/// can be added to one: `kOutOfTurn` (the side not to move plays it) and `kTolerated` (played
/// although the rules forbid it, as old records do); neither is ever among the legal moves.
class Go {
 public:
  using Move = kibitz::Move;
  static constexpr const char* kName = "go";
  static constexpr int kMaxMoves = go::kMostPoints + 1;
  static constexpr Move kOutOfTurn = 0x4000, kTolerated = 0x2000, kMarks = 0x6000;

  Go() : Go(19, 19, go::Rules::from_text("chinese"), 7.5f) {}
  Go(int columns, int rows, const go::Rules& rules, float komi);

  /// Equal in everything the position itself shows; the past does not count.
  bool operator==(const Go& other) const;

  int columns() const { return board_.columns(); }
  int rows() const { return board_.rows(); }
  const go::Board& board() const { return board_; }
  const go::Rules& rules() const { return rules_; }
  float komi() const { return komi_; }
  void set_komi(float komi);
  /// 0 in normal play, 1 and 2 in the two phases that settle territory games.
  int phase() const { return phase_; }
  int turn() const { return turn_; }
  Move pass() const { return static_cast<Move>(board_.points()); }

  int to_move() const { return side_ == go::kBlack ? 0 : 1; }
  bool is_over() const { return end_ != End::kPlaying; }
  bool is_void() const { return end_ == End::kVoid; }
  float result() const;
  /// Black's points minus white's, komi and bonuses counted; of a finished game.
  float score() const { return -white_score_; }
  /// The same if the game were scored as it stands.
  float score_now() const { return -white_points_now(); }
  /// Who owns what if the game were scored as it stands.
  go::Owners owners_now() const;
  /// The same as numbers: 1 black, -1 white, 0 nobody.
  void write_owners(float* out) const;

  void legal_moves(MoveList<Go>& moves) const;
  bool is_legal(Move move) const;
  /// Legal, or marked as out of turn or tolerated and possible as such.
  bool may_play(Move move) const;
  void play(Move move);
  /// Shares a long past with later copies; for positions that are kept, move by move.
  void share_history();
  /// A move for playouts: legal, at random, never into an eye of its own; a pass when none is left.
  template <class Random>
  Move random_move(Random& random) const;

  std::uint64_t hash() const;
  /// The board, the side to move, the simple ko: what two rule sets have in common.
  std::uint64_t situation_hash() const;
  /// Everything a network's answer depends on but the order of the last moves: the key of a cache.
  /// As in KataGo, orders of moves that lead to one position share an evaluation; only a position
  /// shown without any move before it is told apart.
  std::uint64_t cache_key() const;
  /// The last move with what stood around it and the move before; 0 when there is none. Searches
  /// use it to learn where a network errs.
  std::uint64_t local_key() const;
  /// The same for positions that a symmetry of the board turns into each other.
  std::uint64_t symmetric_hash() const;

  std::string to_text() const;
  static Go from_text(std::string_view text);
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;

  // -- setting up ---------------------------------------------------------------------------------

  /// Puts a stone on the start position; false when the point is taken or a chain has no liberty.
  bool set_up(int point, go::Stone stone);
  /// Call once after the last stone: counts what depends on the stones there are.
  void start(int side);
  /// Takes back that the game is over, for those who want to look at it all the same.
  void resume();
  /// Makes the position the root of a search: passes end the game less readily, as KataGo's users
  /// expect, and `history` says what a network sees of the moves played before.
  using History = GoHistory;
  void become_root(History history);
  /// KataGo's playoutDoublingAdvantage, told to networks: `black` doublings more for Black.
  void set_advantage(float black) { advantage_ = black; }
  /// Whether a search pretends that a pass at its root does not end the game (KataGo's
  /// conservativePass); it does unless told otherwise.
  void set_conservative(bool conservative) { conservative_ = conservative; }

  // -- networks (KataGo's inputs, version 7)
  // ----------------------------------------------------------

  static constexpr int kPlanes = 22, kGlobals = 19;
  /// A network's prior of a pass is at most this many times that of all other moves together.
  static constexpr float kMostPassOdds = 19.0f;
  FeatureShape feature_shape() const;
  void write_features(float* planes, float* globals) const;
  int policy_index(Move move) const { return move & ~kMarks; }
  /// What a margin is measured with: the square root of the number of points.
  double score_unit() const;
  /// The first of the moves that a symmetry of the position makes equal to this one.
  Move twin(Move move) const;
  /// How many symmetries the board has, the one that changes nothing included.
  int symmetry_count() const { return columns() == rows() ? 8 : 4; }
  /// A move seen through one of the board's eight symmetries (four when it is no square).
  Move transformed(Move move, int symmetry) const;
  /// The symmetries that change nothing about the position; always has 0.
  std::vector<int> symmetries() const;
  /// Points the side to move may not play because of ko, superko or a capture already made once.
  go::CellSet banned_by_ko() const;
  /// The komi as the side to move sees it, bonuses counted.
  float own_komi() const;
  bool pass_ends_phase() const;

 private:
  enum class End : std::uint8_t { kPlaying, kScored, kVoid };
  struct Turn {
    Move move = kNoMove;
    go::Stone side = go::kEmpty;
  };
  /// A board of the past, small; its chains are built again when a feature asks.
  struct Snapshot {
    go::CellSet black, white;
    std::uint64_t hash = 0;
    go::Cell ko = go::kNoCell;
  };

  go::Cell cell_of(Move move) const { return board_.cell(move & ~kMarks); }
  bool is_pass(Move move) const { return (move & ~kMarks) == pass(); }
  bool area_scoring() const { return rules_.scoring == go::Scoring::kArea; }
  bool cycles_end() const { return phase_ > 0 || rules_.ko == go::Ko::kSimple; }

  std::uint64_t ko_hash(std::uint64_t stones, go::Stone next) const;
  bool occurred(std::uint64_t ko_hash) const;
  bool is_new(go::Cell cell) const;
  bool superko_bans(go::Cell cell) const;
  std::uint64_t capture_key(go::Cell cell) const;
  bool captured_here_before(go::Cell cell) const;
  /// The banned stone that a move in the encore would unban instead of capturing; else kNoCell.
  go::Cell unbanned_by(go::Cell cell) const;
  bool repeats_a_pass() const;
  bool ends_quietly_ignored() const;
  bool is_eye(go::Cell cell) const;

  void restart();
  void play_pass(bool& ends_by_repetition);
  void play_stone(go::Cell cell);
  void count_handicap(bool passes);
  void set_blocked(go::Cell cell, bool blocked);
  void end_phase();
  void finish();
  float white_points_now() const;
  float handicap_bonus(int stones) const;
  float bonus_of_stones() const;

  Snapshot snapshot() const;
  go::Board rebuilt(const Snapshot& past) const;
  go::CellSet captured_in_ladders(const Snapshot& past) const;
  bool was_in_atari(const Snapshot& past, go::Cell cell) const;
  int history_shown(bool pass_hidden) const;
  bool hides_pass(bool loses_if_ended) const;
  void write_history(int turns, float* planes, float* globals) const;
  void write_ladders(int turns, float* planes) const;

  go::Board board_;
  go::Rules rules_;
  float komi_;
  go::Stone side_ = go::kBlack;
  std::uint8_t phase_ = 0;
  std::uint8_t passes_ = 0;  // in a row, that count towards the end of the phase
  End end_ = End::kPlaying;
  bool button_ = false;    // still to be taken
  bool past_end_ = false;  // played on after an end that a search did not accept
  bool searching_ = false;
  bool conservative_ = true;
  float advantage_ = 0.0f;
  GoHistory history_ = GoHistory::kFull;
  int root_turn_ = 0;
  int turn_ = 0;
  int turns_shown_ = 0;  // of the past, as far as it belongs to this phase
  float white_bonus_ = 0.0f, white_handicap_ = 0.0f;
  float white_score_ = 0.0f;  // of a finished game, white minus black

  // Black stones before white's first, wherever they came from.
  std::int16_t handicap_stones_ = 0;
  bool white_moved_ = false, handicap_closed_ = false, white_passed_last_ = false;

  go::HashHistory past_;  // ko hashes since the last pass or phase that cleared them
  go::HashHistory passed_at_[2];
  go::HashHistory encore_captures_;  // of a ko: the board before, the point, the side
  go::CellSet ever_;                 // points that ever held a stone
  go::CellSet blocked_;              // stones of kos that may not be retaken in the encore
  std::uint64_t blocked_hash_ = 0;
  go::CellSet second_black_, second_white_;  // stones at the start of the second encore
  std::array<Turn, 5> turns_;                // the last one first
  std::array<Snapshot, 2> boards_;           // one and two turns ago
};

template <>
struct Sample<Go> : SampleDefaults<Go> {
  static int symmetry_count(const Go& game) { return game.symmetry_count(); }
  static int symmetric_point(const Go& game, int point, int symmetry) {
    return game.transformed(static_cast<Move>(point), symmetry);
  }
  static int symmetric_index(const Go& game, int index, int symmetry) {
    return game.transformed(static_cast<Move>(index), symmetry);  // the pass stays
  }
  static constexpr bool kHasScore = true, kHasOwnership = true;
  static Targets targets(const Go& last);
  static void write_owners(const Go& last, float* out) { last.write_owners(out); }
};

static_assert(SampleGame<Go>);

template <class Random>
Move Go::random_move(Random& random) const {
  const int points = board_.points();
  const auto fits = [&](int point) {
    const go::Cell cell = board_.cell(point);
    return board_.at(cell) == go::kEmpty && !is_eye(cell) && is_legal(static_cast<Move>(point));
  };
  // Drawing blind is quick until the board fills up; then the rest is listed.
  for (int i = 0; i < 24; ++i) {
    const int point = static_cast<int>(random.below(static_cast<std::uint32_t>(points)));
    if (fits(point)) return static_cast<Move>(point);
  }
  std::array<Move, go::kMostPoints> rest;
  int count = 0;
  for (int point = 0; point < points; ++point)
    if (fits(point)) rest[static_cast<std::size_t>(count++)] = static_cast<Move>(point);
  if (count == 0) return pass();
  return rest[random.below(static_cast<std::uint32_t>(count))];
}

}  // namespace kibitz
