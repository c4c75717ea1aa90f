// The first convolution of a network whose planes are almost all zeros, as a board's are: instead
// of multiplying with zeros it adds up, for each point, the weights of the few that are set around
// it. A plane that says the same everywhere has its answer ready. Exact, and a tenth of the work.
#pragma once

#include <span>
#include <vector>

#include "nets/aligned.h"

namespace kibitz::nets {

/// For one board size. Threads: `run` may be called from several at once.
class SparseStem {
 public:
  /// `weights` in the order out, in, y, x.
  SparseStem(std::span<const float> weights, int outputs, int inputs, int height, int width,
             int rows, int columns);

  int outputs() const { return outputs_; }
  int inputs() const { return inputs_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  /// Numbers that come out for a position: points by channels.
  std::size_t floats() const { return at(rows_) * at(columns_) * at(outputs_); }

  /// Planes channel by channel in, points by channels out.
  void run(const float* planes, int count, float* out) const;

 private:
  /// A point of a plane that is not zero.
  struct Set {
    int plane;
    float value;
  };
  /// What is set on a board, point by point: those of point p are from starts[p] to starts[p + 1].
  struct Board {
    std::vector<Set> sets;
    std::vector<int> starts;
    /// As they were found, before they were put in order.
    std::vector<Set> unsorted;
    std::vector<int> points;
    Aligned<float> padded;
  };

  void read(const float* planes, Board& board) const;
  template <int Vectors>
  void add_window(const Board& board, int point, int channel, float* sums) const;
  void run_one(const float* planes, Board& board, float* out) const;

  int outputs_, inputs_, height_, width_, rows_, columns_;
  int stride_;              // outputs with those that fill the last vector
  Aligned<float> weights_;  // [window point][input][output]
  Aligned<float> whole_;    // [input][point][output]: the answer to a plane of ones
};

}  // namespace kibitz::nets
