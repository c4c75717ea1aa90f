// Fits the weights of the chess network (nnue.h) to labelled positions: the network in floats, its
// gradients, Adam. A position has 32 of 3,072 inputs, for which PyTorch's layers are slow.
//
// Threads: one call at a time; a call uses the thread it is made on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/chess/evaluate/nnue_features.h"

namespace kibitz::chess {

/// A labelled position, 32 bytes (docs/training.md).
struct LabelledBoard {
  std::uint64_t occupied;
  std::uint8_t pieces[16];  // a nibble a piece, by ascending square: kind, and 6 more for Black
  std::int16_t score;       // the mover's, in the teacher's units
  std::int8_t result;       // the mover's: 1, 0, -1; 2 where there is none
  std::uint8_t flags;       // bit 0: Black is on move
  std::uint16_t ply;
  std::uint16_t move;
};
static_assert(sizeof(LabelledBoard) == 32);

class NnueFit {
 public:
  /// Weights as the file has them, or their gradients.
  struct Tensors {
    std::vector<float> pieces, bias;         // features x width, width
    std::vector<float> output, output_bias;  // 2 width x outputs, outputs
  };
  struct Labels {
    float unit = 400.0f;         // the teacher's units of a logit of 1
    float result_share = 0.15f;  // of the target, where a result is known
    float power = 2.5f;          // of the error
  };

  NnueFit(int width, std::uint64_t seed);

  /// One step of Adam; the mean loss of the batch.
  double step(std::span<const LabelledBoard> batch, const Labels& labels, float rate);
  /// The network's logits.
  void predict(std::span<const LabelledBoard> boards, std::span<float> logits) const;
  /// The gradients of the mean loss.
  Tensors gradients(std::span<const LabelledBoard> batch, const Labels& labels);
  Tensors tensors() const;
  int width() const { return width_; }

  /// All that a run goes on from: weights, their moments, and the number of steps.
  std::vector<float> state() const;
  void restore(std::span<const float> state);

 private:
  /// A parameter with its gradient and its moments.
  struct Parameter {
    std::vector<float> value, gradient, mean, square;
    float limit;
    void resize(std::size_t count, float most);
    void update(float rate, float correction1, float correction2);
  };
  struct Sample;
  double accumulate(std::span<const LabelledBoard> batch, const Labels& labels);
  float forward(Sample& sample) const;
  void merge();
  Tensors shaped(const std::vector<float>& pieces, const std::vector<float>& bias,
                 const std::vector<float>& output, const std::vector<float>& output_bias) const;
  /// Calls `use` with each vector of the state.
  template <class Self, class Use>
  static void each_part(Self& self, Use use);

  int width_;
  std::int64_t steps_ = 0;
  /// A place's weights are the sum of one row for all regions of the king and one for its region,
  /// so that rare regions learn from the others.
  Parameter shared_, regional_, bias_, output_, output_bias_;
  std::vector<float> merged_, merged_gradient_;
};

}  // namespace kibitz::chess
