// The contract between a search and whatever judges its leaves: playouts, a network, nothing at
// all.
//
// Threads: `evaluate` is called from several search threads at once, each with its own random
// numbers; an evaluator with state of its own guards it. The call may block (a network does).
// Ownership: everything a leaf points to belongs to the search and lives until the call returns.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/rng.h"
#include "games/game.h"

namespace kibitz {

/// What an evaluation says, all for the FIRST side. `value` is the expected result in [0, 1], a
/// draw counting half (a score-aware evaluator may go a little beyond).
struct Outcome {
  float value = 0.5f;
  float draw = 0.0f;
  float score = 0.0f;
  float score_stdev = 0.0f;
  float lead = 0.0f;  // the margin with best play, where it differs from the expected score
  /// How far the evaluator thinks itself from the truth (the value on the scale of -1 to 1); below
  /// 0 where it does not say.
  float turns_left_variance = -1.0f, value_error = -1.0f, score_error = -1.0f;
  /// The style of the game and that of the side to move, as predicted, from 0 to 1; below 0 where
  /// it does not say.
  float style = -1.0f, mover_style = -1.0f;
};

template <class G>
struct Leaf {
  const G* position = nullptr;
  Outcome outcome;
  /// The moves of a leaf that is being expanded (else empty), and their priors to be written. They
  /// come in uniform, so that an evaluator without an opinion leaves them alone.
  std::span<const Move> moves;
  std::span<float> priors;
  /// Who will own each point, from -1 (the second side) to 1; empty unless the search asks.
  std::span<float> ownership;
  /// Where the board has symmetries: may it be shown in any of them, and over how many of them is
  /// the answer averaged?
  bool turned = false;
  int symmetries = 1;
  int symmetry = -1;  // the first one shown, where the search has drawn it; else -1
  /// False: the answer must not be remembered for others. (Which symmetry was shown would matter.)
  bool remembered = true;
  /// For networks with two policies: 0 asks for the plain one, 1 for the optimistic one.
  float policy_optimism = 0.0f;
};

/// Static priors from the game's own knowledge, for progressive bias and for the order in which new
/// moves are tried. They come in uniform and must go out summing to 1.
template <Game G>
using PriorFunction = std::function<void(const G&, std::span<const Move>, std::span<float>)>;

template <Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual void evaluate(std::span<Leaf<G>> leaves, Rng& rng) = 0;
  /// An expensive evaluator that yields priors with the value expands a leaf at its first
  /// visit; a playout is cheap, and the children are made at the second.
  virtual bool gives_priors() const { return false; }
  /// Priors that are asked for apart from values, when the children are made: from an evaluator so
  /// quick that it does without `gives_priors`. Empty: the game's own.
  virtual PriorFunction<G> quick_priors() const { return nullptr; }
  /// True when outcomes carry draws and scores worth keeping beside the value.
  virtual bool gives_extras() const { return false; }
  /// True when outcomes predict the style of the game.
  virtual bool predicts_style() const { return false; }
  /// True when two evaluations of one position differ, as those of playouts do. A search goes on
  /// with a full tree only where further visits to its leaves tell something.
  virtual bool varies() const { return false; }
  /// Called by a search thread that will not ask again, before its search counts as ended.
  /// A game whose positions leave something on the thread lets go of it.
  virtual void leave() {
    if constexpr (requires { G::leave_thread(); }) G::leave_thread();
  }
  /// How many points it can tell the owner of; 0 for evaluators and games that know no owners.
  virtual int ownership_points(const G&) const { return 0; }
};

/// Exact knowledge near the end of the game: a solver or a tablebase. Called at new leaves; the
/// FIRST side's result in half points (0, 1, 2), or nothing when the position is out of reach.
template <Game G>
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual std::optional<int> result(const G& position) = 0;
  /// Solvers keep tables, so each search thread works with a copy of its own.
  virtual std::unique_ptr<Oracle> clone() const = 0;
};

}  // namespace kibitz
