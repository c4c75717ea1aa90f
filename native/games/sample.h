// The sample of a position: what a network is shown (features), where its answer has each move
// (policy index), which of its inputs are equal (symmetries), and what a finished game teaches
// (targets). Searches with a network, calibration, self-play and training are written over this
// contract; a game that meets it can have a network.
//
// Threads: const members may be called from several threads at once.
#pragma once

#include <concepts>

#include "games/game.h"

namespace kibitz {

/// The sizes of a network's input and output for one position; in Go they follow the board.
struct FeatureShape {
  int planes = 0, rows = 0, columns = 0;  // the board's planes, row by row
  int globals = 0;                        // numbers that belong to no point
  int policy = 0;                         // outputs of the policy, a pass included

  int points() const { return rows * columns; }
  int plane_floats() const { return planes * rows * columns; }
  bool operator==(const FeatureShape&) const = default;
};

/// What a finished game teaches about its positions, for the FIRST side. `draw` is what the third
/// outcome of the game's networks means: a draw, in Go a game without a result (a tie in Go is half
/// a win and half a loss).
struct Targets {
  float win = 0.0f, draw = 0.0f, loss = 0.0f;
  float score = 0.0f;  // the margin, in games that have one
};

/// Targets of a game that knows wins, draws and losses only.
inline Targets targets_of(float result) {
  return {result == 1.0f ? 1.0f : 0.0f, result == 0.5f ? 1.0f : 0.0f, result == 0.0f ? 1.0f : 0.0f,
          0.0f};
}

/// Symmetries and targets of a game's samples. `Sample` is specialized beside the game and takes
/// from here what it does not have.
///
/// - `symmetry_count` symmetries of the board turn positions into equally good ones, 0 changing
///   nothing: what stands on a point goes to `symmetric_point`, an output of the policy to
///   `symmetric_index`. Both are one to one.
/// - `targets` is for finished games. `kHasScore` says whether margins mean anything, and
///   `kHasOwnership` whether `write_owners` tells who owns each point at the end: 1 the first side,
///   -1 the second, 0 nobody.
template <class G>
struct SampleDefaults {
  static int symmetry_count(const G&) { return 1; }
  static int symmetric_point(const G&, int point, int /*symmetry*/) { return point; }
  static int symmetric_index(const G&, int index, int /*symmetry*/) { return index; }
  static constexpr bool kHasScore = false, kHasOwnership = false;
  static Targets targets(const G& last) { return targets_of(last.result()); }
};

template <class G>
struct Sample : SampleDefaults<G> {};

/// A game with samples.
///
/// - `write_features` fills planes and globals, all of them, from the mover's side: turning the
///   colours of a position changes nothing.
/// - `policy_index` says which output of the policy is a legal move's, a different one for each of
///   them; `policy_move` below is its inverse.
template <class G>
concept SampleGame =
    Game<G> && requires(const G& position, float* out, Move move, int number, int symmetry) {
      { position.feature_shape() } -> std::same_as<FeatureShape>;
      { position.write_features(out, out) } -> std::same_as<void>;
      { position.policy_index(move) } -> std::same_as<int>;
      { Sample<G>::symmetry_count(position) } -> std::same_as<int>;
      { Sample<G>::symmetric_point(position, number, symmetry) } -> std::same_as<int>;
      { Sample<G>::symmetric_index(position, number, symmetry) } -> std::same_as<int>;
      { Sample<G>::targets(position) } -> std::same_as<Targets>;
    };

/// The legal move that a policy's output stands for; kNoMove where there is none.
template <SampleGame G>
Move policy_move(const G& position, int index) {
  MoveList<G> list;
  position.legal_moves(list);
  for (const Move move : list)
    if (position.policy_index(move) == index) return move;
  return kNoMove;
}

}  // namespace kibitz
