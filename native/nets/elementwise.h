// Functions along numbers: sums and products with other values or constants, activations. A chain
// of them is done on one row of points after the other, so that the numbers stay in the near cache.
#pragma once

#include <vector>

#include "nets/operation.h"
#include "nets/program.h"

namespace kibitz::nets {

/// One link of a chain.
struct Link {
  Operation operation;
  /// The other side: a value (-1 for none) or constants, one number for each channel.
  int value = -1;
  std::vector<float> constants;
  /// Whether the other value has a number for each channel only, the same on every point.
  bool same_on_points = false;
};

class ElementwiseStep final : public Step {
 public:
  ElementwiseStep(int in, int out, int points, int channels, std::vector<Link> links);
  void run(const Run& run) const override;

 private:
  void apply(const Link& link, const Run& run, int position, int first, int points,
             float* numbers) const;

  int points_, channels_;
  std::vector<Link> links_;
};

}  // namespace kibitz::nets
