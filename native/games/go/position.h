// The game of Go (see games/game.h): any board from 2x2 to 19x19, the rules of games/go/rules.h.
//
// Game ends, ko, scoring and the second phase of territory rules are KataGo's, so that its networks
// and its users find what they know: two passes end a phase; under territory scoring two more
// phases follow in which life and death is played out (the "encore"), where a ko may be retaken
// only after the ban was lifted by playing on the banned point.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "games/game.h"
#include "games/go/features.h"
#include "games/go/keys.h"
#include "games/go/notation.h"
#include "games/go/play.h"
#include "games/go/scoring.h"
#include "games/go/state.h"
#include "games/go/symmetry.h"
#include "games/sample.h"

namespace kibitz {

/// A move is a point, row by row from the top left, or the number of points for a pass. Two marks
/// can be added to one: `kOutOfTurn` (the side not to move plays it) and `kTolerated` (played
/// although the rules forbid it, as old records do); neither is ever among the legal moves.
///
/// What else there is to ask of a position is asked of its `state()`, in the files it names.
class Go {
 public:
  using Move = kibitz::Move;
  using History = GoHistory;
  static constexpr const char* kName = "go";
  static constexpr int kMaxMoves = go::kMostPoints + 1;
  static constexpr Move kMarks = go::kMarks;
  /// A network's prior of a pass is at most this many times that of all other moves together.
  static constexpr float kMostPassOdds = 19.0f;

  Go() : Go(go::empty_board(19, 19, go::Rules::from_text("chinese"), 7.5f)) {}
  explicit Go(go::State state) : state_(std::move(state)) {}

  const go::State& state() const { return state_; }
  const go::Board& board() const { return state_.board; }
  bool operator==(const Go& other) const { return go::is_same(state_, other.state_); }

  int to_move() const { return state_.side == go::kBlack ? 0 : 1; }
  bool is_over() const { return go::is_over(state_); }
  float result() const {
    return state_.white_score < 0.0f ? 1.0f : state_.white_score > 0.0f ? 0.0f : 0.5f;
  }
  /// Black's points minus white's, komi and bonuses counted; of a finished game.
  float score() const { return -state_.white_score; }

  void legal_moves(MoveList<Go>& moves) const;
  bool is_legal(Move move) const { return go::is_legal(state_, move); }
  /// Legal, or marked as out of turn or tolerated and possible as such.
  bool may_play(Move move) const { return go::may_play(state_, move); }
  void play(Move move) { go::play(state_, move); }
  /// Shares a long past with later copies; for positions that are kept, move by move.
  void share_history();
  /// A move for playouts: legal, at random, never into an eye of its own; a pass when none is left.
  template <class Random>
  Move random_move(Random& random) const;
  /// Makes the position the root of a search: passes end the game less readily, as KataGo's users
  /// expect, and `history` says what a network sees of the moves played before.
  void become_root(History history);

  std::uint64_t hash() const { return go::hash(state_); }
  std::string to_text() const { return go::to_text(state_); }
  static Go from_text(std::string_view text) { return Go(go::from_text(text)); }
  std::string move_text(Move move) const { return go::move_text(state_, move); }
  Move parse_move(std::string_view text) const { return go::parse_move(state_, text); }

  FeatureShape feature_shape() const { return go::feature_shape(state_); }
  void write_features(float* planes, float* globals) const {
    go::write_features(state_, planes, globals);
  }
  int policy_index(Move move) const { return move & ~kMarks; }

 private:
  go::State state_;
};

template <>
struct Sample<Go> : SampleDefaults<Go> {
  static int symmetry_count(const Go& game) { return go::symmetry_count(game.state()); }
  static int symmetric_point(const Go& game, int point, int symmetry) {
    return go::transformed(game.state(), static_cast<Move>(point), symmetry);
  }
  static int symmetric_index(const Go& game, int index, int symmetry) {
    return go::transformed(game.state(), static_cast<Move>(index), symmetry);  // the pass stays
  }
  static constexpr bool kHasScore = true, kHasOwnership = true;
  static Targets targets(const Go& last);
  static void write_owners(const Go& last, float* out) { go::write_owners(last.state(), out); }
};

static_assert(SampleGame<Go>);

// What a search asks of games that have it.

/// What a margin is measured with: the square root of the number of points.
inline double score_unit(const Go& game) {
  return std::sqrt(static_cast<double>(game.board().points()));
}
/// The move that networks are kept from overrating (kMostPassOdds).
inline Move pass_move(const Go& game) { return go::pass(game.state()); }
inline Move twin(const Go& game, Move move) { return go::twin(game.state(), move); }
inline void write_owners(const Go& game, float* out) { go::write_owners(game.state(), out); }
inline std::uint64_t local_key(const Go& game) { return go::local_key(game.state()); }
inline std::uint64_t cache_key(const Go& game) { return go::cache_key(game.state()); }

template <class Random>
Move Go::random_move(Random& random) const {
  const go::Board& board = state_.board;
  const int points = board.points();
  const auto fits = [&](int point) {
    const go::Cell cell = board.cell(point);
    return board.at(cell) == go::kEmpty && !go::is_eye(state_, cell) &&
           is_legal(static_cast<Move>(point));
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
  if (count == 0) return go::pass(state_);
  return rest[random.below(static_cast<std::uint32_t>(count))];
}

}  // namespace kibitz
