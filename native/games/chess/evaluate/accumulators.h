// A small network for chess that is asked at every position of a search, not once a leaf. It
// corrects what the hand-written score and priors say, or has a score of its own
// (games/chess/evaluate/nnue.h, chess_terms.h). Each side sees the pieces from its own end of the
// board, turned so that its king is on the right half; a sum of one vector a piece is what it sees.
// The two sums give what is added to the score, and a short vector whose products with a vector of
// each move are added to the logits of the priors.
//
// The file is a `.knet` of the layout `accumulator` (docs/network-format.md).
// Threads: immutable once it is made.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/evaluator.h"
#include "games/chess/evaluate/move_features.h"
#include "games/chess/evaluate/nnue.h"
#include "games/chess/evaluate/terms.h"
#include "games/chess/game.h"

namespace kibitz::chess {

class Accumulators {
 public:
  static constexpr int kInputs = 12 * 64, kBuckets = kPieceBuckets, kMoves = 1858;
  static constexpr int kMostWidth = 512, kMostHidden = 256;
  /// Hand-written centipawns of about a logit of 1.
  static constexpr float kHandUnit = 250.0f;

  /// Tensors as the file has them, matrices by rows of their inputs.
  struct Tensors {
    std::span<const float> pieces, pieces_bias;  // 768 x width, width
    std::span<const float> value, value_bias;    // 2 width x 8, 8
    std::span<const float> hidden, hidden_bias;  // 2 width x hidden, hidden
    std::span<const float> moves, moves_bias;    // hidden x 1858, 1858
    /// Weights of the hand-written score by the number of pieces, then of the features of moves.
    std::span<const float> hand;
    /// Two weights a term. Where they are, they alone give the score, and there is no `value`.
    std::span<const float> terms;
    TermWeights::Layer layer;
    /// The same holds for these.
    Nnue::Tensors nnue;
  };
  explicit Accumulators(const Tensors& tensors);

  /// The logit of the mover's expected result, as the pieces stand.
  float logit(const Board& board) const;
  /// The same in centipawns.
  int score(const Board& board) const;
  /// The part that a search keeps up to date itself, null where there is none.
  const Nnue* nnue() const { return nnue_ ? &*nnue_ : nullptr; }
  /// Logits of a policy for moves of the board.
  void policy(const Board& board, std::span<const Move> moves, std::span<float> logits) const;
  /// Priors for a position's moves, summing to 1.
  void priors(const Board& board, std::span<const Move> moves, std::span<float> priors) const;

 private:
  /// What both sides see, the mover first, each number in [0, 1].
  using Seen = std::array<float, 2 * kMostWidth>;
  void see(const Board& board, Seen& seen) const;

  int width_ = 0, hidden_ = 0;
  std::vector<std::int16_t> pieces_, pieces_bias_;
  std::vector<float> value_, value_bias_;  // by buckets
  std::vector<float> hidden_weights_, hidden_bias_;
  std::vector<float> moves_, moves_bias_;  // a row a pair of squares
  std::array<float, kBuckets + kMoveFeatures> hand_{};
  std::optional<TermWeights> terms_;
  std::optional<Nnue> nnue_;
};

/// Judges leaves by the network after pending captures.
class AccumulatorEvaluator final : public Evaluator<Chess> {
 public:
  explicit AccumulatorEvaluator(std::shared_ptr<const Accumulators> network)
      : network_(std::move(network)) {}
  void evaluate(std::span<Leaf<Chess>> leaves, Rng& rng) override;
  PriorFunction<Chess> quick_priors() const override;

 private:
  std::shared_ptr<const Accumulators> network_;
};

}  // namespace kibitz::chess
