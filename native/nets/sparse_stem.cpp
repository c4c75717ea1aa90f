#include "nets/sparse_stem.h"

#include <algorithm>
#include <stdexcept>

#include "nets/lanes.h"

namespace kibitz::nets {

SparseStem::SparseStem(std::span<const float> weights, int outputs, int inputs, int height,
                       int width, int rows, int columns)
    : outputs_(outputs),
      inputs_(inputs),
      height_(height),
      width_(width),
      rows_(rows),
      columns_(columns),
      stride_((outputs + kLanes - 1) / kLanes * kLanes) {
  if (outputs < 1 || inputs < 1 || height % 2 == 0 || width % 2 == 0 || rows < 1 || columns < 1 ||
      weights.size() != at(outputs) * at(inputs) * at(height) * at(width))
    throw std::invalid_argument("weights that do not fit their sizes");
  const int window = height * width;
  weights_.assign(at(window) * at(inputs) * at(stride_), 0.0f);
  for (int out = 0; out < outputs; ++out)
    for (int in = 0; in < inputs; ++in)
      for (int w = 0; w < window; ++w)
        weights_[(at(w) * at(inputs) + at(in)) * at(stride_) + at(out)] =
            weights[(at(out) * at(inputs) + at(in)) * at(window) + at(w)];
  whole_.assign(at(inputs) * at(rows * columns) * at(stride_), 0.0f);
  for (int in = 0; in < inputs; ++in)
    for (int point = 0; point < rows * columns; ++point)
      for (int w = 0; w < window; ++w) {
        const int row = point / columns + w / width - height / 2;
        const int column = point % columns + w % width - width / 2;
        if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
        const float* from = &weights_[(at(w) * at(inputs) + at(in)) * at(stride_)];
        float* to = &whole_[(at(in) * at(rows * columns) + at(point)) * at(stride_)];
        for (int out = 0; out < outputs; ++out) to[out] += from[out];
      }
}

void SparseStem::run(const float* planes, int count, float* out) const {
  thread_local Board board;
  for (int n = 0; n < count; ++n) {
    run_one(planes, board, out);
    planes += at(inputs_) * at(rows_) * at(columns_);
    out += floats();
  }
}

/// Lists what is set; planes that are the same everywhere go into the sums at once.
void SparseStem::read(const float* planes, Board& board) const {
  const int points = rows_ * columns_;
  board.padded.assign(at(points) * at(stride_), 0.0f);
  board.starts.assign(at(points) + 1, 0);
  board.unsorted.clear();
  board.points.clear();
  for (int in = 0; in < inputs_; ++in, planes += points) {
    int different = 0;
    for (int p = 0; p < points; ++p) different += planes[p] != planes[0];
    if (!different) {
      if (planes[0] == 0.0f) continue;
      const float* from = &whole_[at(in) * board.padded.size()];
      for (std::size_t i = 0; i < board.padded.size(); ++i) board.padded[i] += planes[0] * from[i];
      continue;
    }
    for (int p = 0; p < points; ++p)
      if (planes[p] != 0.0f) {
        board.unsorted.push_back({in, planes[p]});
        board.points.push_back(p);
        ++board.starts[at(p) + 1];
      }
  }
  for (int p = 0; p < points; ++p) board.starts[at(p) + 1] += board.starts[at(p)];
  board.sets.resize(board.unsorted.size());
  for (std::size_t i = board.unsorted.size(); i-- > 0;) {
    // From the last on, so that each point's first place is what is left of its count.
    const auto p = at(board.points[i]);
    board.sets[at(--board.starts[p + 1])] = board.unsorted[i];
  }
  // Every end has moved to its beginning: shift them back.
  for (int p = 0; p < points; ++p) board.starts[at(p)] = board.starts[at(p) + 1];
  board.starts[at(points)] = static_cast<int>(board.sets.size());
}

template <int Vectors>
void SparseStem::add_window(const Board& board, int point, int channel, float* sums) const {
  Floats sum[Vectors];
#pragma GCC unroll 12
  for (int v = 0; v < Vectors; ++v) sum[v] = load<Floats>(sums + channel + v * kLanes);
  const int row = point / columns_ - height_ / 2, column = point % columns_ - width_ / 2;
  for (int y = std::max(0, -row); y < std::min(height_, rows_ - row); ++y)
    for (int x = std::max(0, -column); x < std::min(width_, columns_ - column); ++x) {
      const auto there = at((row + y) * columns_ + column + x);
      const float* weights = &weights_[at(y * width_ + x) * at(inputs_) * at(stride_)] + channel;
      for (int s = board.starts[there]; s < board.starts[there + 1]; ++s) {
        const Set& set = board.sets[at(s)];
        const float* from = weights + at(set.plane) * at(stride_);
#pragma GCC unroll 12
        for (int v = 0; v < Vectors; ++v)
          sum[v] = fused(load<Floats>(from + v * kLanes), set.value, sum[v]);
      }
    }
#pragma GCC unroll 12
  for (int v = 0; v < Vectors; ++v) store(sums + channel + v * kLanes, sum[v]);
}

void SparseStem::run_one(const float* planes, Board& board, float* out) const {
  read(planes, board);
  const int points = rows_ * columns_, vectors = stride_ / kLanes;
  for (int p = 0; p < points; ++p) {
    float* sums = board.padded.data() + at(p) * at(stride_);
    int v = 0;
    // As many sums at once as registers hold: what is set around the point is walked through once.
    for (; v + 12 <= vectors; v += 12) add_window<12>(board, p, v * kLanes, sums);
    for (; v + 8 <= vectors; v += 8) add_window<8>(board, p, v * kLanes, sums);
    for (; v + 6 <= vectors && (vectors - v) % 4; v += 6) add_window<6>(board, p, v * kLanes, sums);
    for (; v + 4 <= vectors; v += 4) add_window<4>(board, p, v * kLanes, sums);
    for (; v < vectors; ++v) add_window<1>(board, p, v * kLanes, sums);
    std::copy_n(sums, outputs_, out + at(p) * at(outputs_));
  }
}

}  // namespace kibitz::nets
