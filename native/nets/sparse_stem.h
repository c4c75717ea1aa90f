// The first convolution of a network whose planes are almost all zeros, as a board's are: instead
// of multiplying with zeros it adds, for each point that is set, the weights around it. Exact, and
// a tenth of the work or less.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace kibitz {

/// For one board size. Threads: `run` may be called from several at once.
class SparseStem {
 public:
  /// `weights` in the order out, in, y, x. The first plane is taken to be all ones (the board
  /// itself): what it adds is computed here, once.
  SparseStem(std::span<const float> weights, int outputs, int inputs, int height, int width,
             int rows, int columns)
      : outputs_(outputs),
        inputs_(inputs),
        height_(height),
        width_(width),
        rows_(rows),
        columns_(columns) {
    if (outputs < 1 || inputs < 1 || height % 2 == 0 || width % 2 == 0 || rows < 1 || columns < 1 ||
        weights.size() != at(outputs) * at(inputs) * at(height) * at(width))
      throw std::invalid_argument("weights that do not fit their sizes");
    weights_.resize(weights.size());
    for (int in = 0; in < inputs; ++in)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          for (int out = 0; out < outputs; ++out)
            // Turned around both ways: a point reaches the outputs up and left of it by the last
            // weights. A row of targets then is a row of weights.
            weights_[index(in, height - 1 - y, width - 1 - x) + at(out)] =
                weights[((at(out) * at(inputs) + at(in)) * at(height) + at(y)) * at(width) + at(x)];
    board_.assign(floats(), 0.0f);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) add(0, y, x, 1.0f, board_.data());
  }

  int outputs() const { return outputs_; }
  int inputs() const { return inputs_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  /// Numbers that come out for a position: points by channels.
  std::size_t floats() const { return at(rows_) * at(columns_) * at(outputs_); }

  void run(const float* planes, int count, float* out) const {
    const std::size_t points = at(rows_) * at(columns_);
    for (int n = 0; n < count; ++n, out += floats()) {
      std::copy(board_.begin(), board_.end(), out);
      for (int in = 0; in < inputs_; ++in, planes += points) {
        const float usual = in == 0 ? 1.0f : 0.0f;
        for (std::size_t p = 0; p < points; ++p)
          if (planes[p] != usual)
            add(in, static_cast<int>(p) / columns_, static_cast<int>(p) % columns_,
                planes[p] - usual, out);
      }
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t index(int in, int y, int x) const {
    return ((at(in) * at(height_) + at(y)) * at(width_) + at(x)) * at(outputs_);
  }

  /// Adds what a point of a plane is worth to every point it reaches.
  void add(int in, int y, int x, float value, float* out) const {
    const int up = height_ / 2, left = width_ / 2;
    const int first = std::max(0, x - left), last = std::min(columns_ - 1, x + left);
    const std::size_t count = at(last - first + 1) * at(outputs_);
    for (int row = std::max(0, y - up); row <= std::min(rows_ - 1, y + up); ++row) {
      const float* from = weights_.data() + index(in, row - y + up, first - x + left);
      float* to = out + (at(row) * at(columns_) + at(first)) * at(outputs_);
      for (std::size_t i = 0; i < count; ++i) to[i] += value * from[i];
    }
  }

  int outputs_, inputs_, height_, width_, rows_, columns_;
  std::vector<float> weights_, board_;
};

}  // namespace kibitz
