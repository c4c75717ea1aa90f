// The steps programs are made of, beside the functions along numbers of `elementwise.h`.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nets/matrix.h"
#include "nets/program.h"
#include "nets/sparse_stem.h"

namespace kibitz::nets {

/// The first convolution: its input are planes as the games write them, channel by channel.
class StemStep final : public Step {
 public:
  StemStep(int in, int out, SparseStem stem, std::vector<float> bias, bool relu);
  void run(const Run& run) const override;

 private:
  SparseStem stem_;
  std::vector<float> bias_;
  bool relu_;
};

class ConvStep final : public Step {
 public:
  /// `residual` is a value that is added, or -1; `functions` follow, for a window of one point.
  ConvStep(int in, int out, std::unique_ptr<Conv> conv, int residual, bool relu,
           std::vector<Operation> functions = {});
  void run(const Run& run) const override;
  std::ptrdiff_t row_weights() const override { return conv_->row_weights(); }

 private:
  std::unique_ptr<Conv> conv_;
  int residual_;
  bool relu_;
  std::vector<Operation> functions_;
};

/// out = in x matrix + bias, for each of `rows` rows a position has.
class DenseStep final : public Step {
 public:
  DenseStep(int in, int out, int rows, std::span<const float> matrix, std::span<const float> bias,
            int inputs, int outputs);
  void run(const Run& run) const override;
  std::ptrdiff_t row_weights() const override {
    return rows_ < kFewRows ? std::ptrdiff_t{inputs_} * outputs_ : 0;
  }

 private:
  int rows_, inputs_, outputs_;
  FloatMatrix matrix_;
  std::vector<float> bias_;
};

/// The same for planes that are mostly zeros, as the caller brings them: only the rows of the
/// matrix that belong to the few numbers that are set are added up. `floats` is what a position of
/// the input has; the matrix may be for the first of them only.
class SparseDenseStep final : public Step {
 public:
  SparseDenseStep(int in, int out, int floats, std::vector<float> matrix, std::vector<float> bias);
  void run(const Run& run) const override;

 private:
  int floats_, inputs_;
  std::vector<float> matrix_, bias_;
};

/// The mean or the maximum of every plane.
class PoolStep final : public Step {
 public:
  PoolStep(int in, int out, int points, int channels, bool maximum);
  void run(const Run& run) const override;

 private:
  void most(const float* in, float* out) const;
  void mean(const float* in, float* out, ConvScratch& scratch) const;

  int points_, channels_;
  bool maximum_;
};

/// out[i] = in[places[i]]: slices, transposes, repeats.
class GatherStep final : public Step {
 public:
  GatherStep(int in, int out, std::vector<int> places, int floats);
  void run(const Run& run) const override;

 private:
  std::vector<int> places_;
  int floats_;
};

/// Values one after the other.
class JoinStep final : public Step {
 public:
  JoinStep(std::vector<int> parts, int out, std::vector<int> floats);
  void run(const Run& run) const override;

 private:
  std::vector<int> floats_;
};

class SoftmaxStep final : public Step {
 public:
  SoftmaxStep(int in, int out, int floats);
  void run(const Run& run) const override;

 private:
  int floats_;
};

}  // namespace kibitz::nets
