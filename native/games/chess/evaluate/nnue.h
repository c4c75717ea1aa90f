// The efficiently updatable network that scores chess positions for searches (NNUE). Each side sums
// up a row of int16 weights for every piece (nnue_features.h); the sums are held in [0, 1],
// squared, and weighted by one of eight sets of output weights. All levels of CPU compute the same
// integers.
//
// Threads: `Nnue` is immutable; `NnueSums` belongs to one search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "games/chess/board.h"
#include "games/chess/evaluate/nnue_features.h"
#include "games/chess/evaluate/sum_vectors.h"

namespace kibitz::chess {

class Nnue {
 public:
  static constexpr int kMostWidth = 1024;
  /// Steps of a sum and of an output weight in one unit.
  static constexpr int kSumSteps = 255, kOutputSteps = 128;

  /// Tensors as the file has them, matrices by rows of their inputs.
  struct Tensors {
    std::span<const float> pieces, bias;         // features x width, width
    std::span<const float> output, output_bias;  // 2 width x outputs, outputs
  };
  explicit Nnue(const Tensors& tensors);

  int width() const { return width_; }
  /// Centipawns for the side to move, as the pieces stand, from nothing.
  int score(const Board& board) const;
  /// The same from the sums of both sides.
  int score(const Board& board, const std::int16_t* white, const std::int16_t* black) const;
  const std::int16_t* row(int feature) const {
    return rows_.data() + static_cast<std::ptrdiff_t>(feature) * width_;
  }
  const std::int16_t* bias() const { return bias_.data(); }

 private:
  int width_;
  std::vector<std::int16_t> rows_, bias_;
  std::vector<std::int16_t> output_;  // by outputs
  std::array<std::int32_t, kNnueOutputs> output_bias_{};
};

/// The sums of the positions along a line of a search. A position's sums are those of a position
/// near it, less the rows of the pieces that are gone, plus those that are new; which positions
/// were asked about before changes the time it takes and nothing else.
class NnueSums {
 public:
  /// `plies` is the longest line.
  NnueSums(const Nnue& network, int plies);
  /// Centipawns for the side to move; `ply` is below `plies`.
  int score(const Board& board, int ply);

 private:
  /// The pieces whose rows a sum holds.
  struct Pieces {
    std::array<Bits, 6> kinds{};
    std::array<Bits, 2> sides{};
    Pieces() = default;
    explicit Pieces(const Board& board);
    int changed_squares(const Pieces& other) const;
  };
  struct Line {
    Pieces pieces;
    std::array<std::optional<NnueView>, 2> views;
  };
  struct Changes;
  std::int16_t* line_sums(int ply, int side);
  std::int16_t* region_sums(int side, const NnueView& view, Pieces*& pieces);
  void apply(const Changes& changes, const NnueView& view, const std::int16_t* from,
             std::int16_t* to) const;

  const Nnue* network_;
  std::vector<Line> lines_;
  /// A position seen before for each way a side can see the board, where a king's move changed it.
  std::array<Pieces, 2 * 2 * NnueFeatures::kKingRegions> regions_{};
  std::vector<std::int16_t> sums_, kept_;
};

}  // namespace kibitz::chess
