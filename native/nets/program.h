// A network as a list of steps from values to values, for one board size and any number of
// positions. `kibitz.nets.lowering` writes one from an ONNX graph; nothing here knows the graph.
//
// A value is a list of floats for each position. Planes are kept as points by channels.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "nets/aligned.h"
#include "nets/conv.h"

namespace kibitz::nets {

/// Where the values of one run are.
struct Run {
  int count;  // positions
  std::span<float* const> values;
  ConvScratch& scratch;

  float* operator[](int value) const { return values[at(value)]; }
};

class Step {
 public:
  virtual ~Step() = default;
  virtual void run(const Run& run) const = 0;
  /// Weights that are read through for few rows a position: the more positions at once, the better.
  virtual std::ptrdiff_t row_weights() const { return 0; }

  std::vector<int> reads;
  int writes = 0;
};

class Program {
 public:
  /// A new value of `floats` numbers a position; its number.
  int value(int floats);
  /// A value the caller brings, or takes away.
  int input(int floats);
  void output(int value);
  void add(std::unique_ptr<Step> step);
  /// Says that no more is coming: values that are never needed at once share their memory.
  void finish();

  int floats(int value) const { return floats_.at(at(value)); }
  const std::vector<int>& inputs() const { return inputs_; }
  const std::vector<int>& outputs() const { return outputs_; }

  /// Inputs and outputs in the order they were named; an output that is null is not computed, nor
  /// what only it needs. Threads: any number at once.
  void run(int count, std::span<const float* const> inputs, std::span<float* const> outputs) const;

 private:
  struct Workspace {
    Aligned<float> memory;
    std::vector<float*> values;
    ConvScratch scratch;
  };

  std::vector<bool> needed(std::span<float* const> outputs) const;
  std::unique_ptr<Workspace> take() const;
  void give_back(std::unique_ptr<Workspace> workspace) const;

  std::vector<int> floats_;
  std::vector<int> inputs_, outputs_;
  std::vector<std::unique_ptr<Step>> steps_;
  std::vector<std::ptrdiff_t> places_;  // in the memory of one position, -1 for the caller's
  std::ptrdiff_t memory_ = 0;           // floats a position needs
  int together_ = 1;                    // positions that are done together
  bool finished_ = false;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace kibitz::nets
