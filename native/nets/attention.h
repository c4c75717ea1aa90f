// The steps transformers have beside matrix products: attention between points, and norms over the
// channels of a point.
#pragma once

#include <vector>

#include "nets/program.h"

namespace kibitz::nets {

/// Sizes of attention: `size` channels of a query or key head, `value_size` of a value head. Fewer
/// key heads than heads are shared by as many heads each.
struct AttentionShape {
  int points, heads, key_heads;
  int size, value_size;
};

/// out = softmax(scale * queries x keys + bias) x values, head by head. Queries, keys, values and
/// the output are points by channels, the channels of a head side by side.
class AttentionStep final : public Step {
 public:
  /// `bias` is a value [head][point][point], or -1.
  AttentionStep(int queries, int keys, int values, int bias, int out, const AttentionShape& shape,
                float scale);
  void run(const Run& run) const override;

 private:
  void run_head(const float* queries, const float* keys, const float* values, const float* bias,
                float* out, ConvScratch& scratch) const;

  AttentionShape shape_;
  float scale_;
  int bias_;
};

/// out[p][q] = left[p] . right[q], for all points p and q.
class PointProductsStep final : public Step {
 public:
  PointProductsStep(int left, int right, int out, int points, int channels);
  void run(const Run& run) const override;

 private:
  int points_, channels_;
};

/// (x - mean) / sqrt(variance + epsilon) * scale + bias over the channels of each point; where it
/// is not centred, the mean counts as 0 (RMS norm).
class NormStep final : public Step {
 public:
  NormStep(int in, int out, int points, std::vector<float> scale, std::vector<float> bias,
           float epsilon, bool centred);
  void run(const Run& run) const override;

 private:
  int points_;
  std::vector<float> scale_, bias_;
  float epsilon_;
  bool centred_;
};

}  // namespace kibitz::nets
