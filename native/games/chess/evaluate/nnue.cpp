#include "games/chess/evaluate/nnue.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "base/index.h"
#include "games/chess/evaluate/endings.h"
#include "games/chess/evaluate/nnue_output.h"
#include "games/chess/evaluate/score.h"

namespace kibitz::chess {
namespace {

/// 32 pieces and the bias stay within 16 bits.
constexpr float kMostWeight = 1.98f, kMostBias = 60.0f;
constexpr float kMostOutput = 127.0f / Nnue::kOutputSteps;
constexpr float kMostOutputBias = 100.0f;

std::int16_t rounded(float weight, int steps, float most) {
  return static_cast<std::int16_t>(
      std::lround(static_cast<float>(steps) * std::clamp(weight, -most, most)));
}

}  // namespace

Nnue::Nnue(const Tensors& tensors) : width_(static_cast<int>(tensors.bias.size())) {
  if (width_ < kShorts || width_ > kMostWidth || width_ % kShorts != 0)
    throw std::invalid_argument("a score whose width is no multiple of 32 up to 1024");
  if (tensors.pieces.size() != as_index(NnueFeatures::kCount * width_) ||
      tensors.output.size() != as_index(2 * width_ * kNnueOutputs) ||
      tensors.output_bias.size() != kNnueOutputs)
    throw std::invalid_argument("a tensor of another size");
  for (const float weight : tensors.pieces)
    rows_.push_back(rounded(weight, kSumSteps, kMostWeight));
  for (const float weight : tensors.bias) bias_.push_back(rounded(weight, kSumSteps, kMostBias));
  output_.resize(tensors.output.size());
  for (int output = 0; output < kNnueOutputs; ++output) {
    std::int64_t most = 0;
    for (int i = 0; i < 2 * width_; ++i) {
      const std::int16_t weight =
          rounded(tensors.output[as_index(i * kNnueOutputs + output)], kOutputSteps, kMostOutput);
      output_[as_index(output * 2 * width_ + i)] = weight;
      most += std::int64_t{kSumSteps} * kSumSteps * std::abs(weight);
    }
    if (most > std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument("output weights whose sum does not fit in 32 bits");
    output_bias_[as_index(output)] = static_cast<std::int32_t>(std::lround(
        static_cast<float>(kSumSteps * kOutputSteps) *
        std::clamp(tensors.output_bias[as_index(output)], -kMostOutputBias, kMostOutputBias)));
  }
}

int Nnue::score(const Board& board, const std::int16_t* white, const std::int16_t* black) const {
  const int output = nnue_output(std::popcount(board.occupied()));
  const std::int16_t* mine = &output_[as_index(output * 2 * width_)];
  const std::int16_t* own = board.side == kWhite ? white : black;
  const std::int16_t* other = board.side == kWhite ? black : white;
  const std::int64_t sum = std::int64_t{squared_product(own, mine, width_)} +
                           squared_product(other, mine + width_, width_);
  const std::int64_t logit = sum / kSumSteps + output_bias_[as_index(output)];
  constexpr auto kUnit = static_cast<std::int64_t>(1000 * kLogitCentipawns);
  const auto score = static_cast<int>(logit * kUnit / (1000 * kSumSteps * kOutputSteps));
  const int shaped = ending_score(board, board.side == kWhite ? score : -score);
  return board.side == kWhite ? shaped : -shaped;
}

int Nnue::score(const Board& board) const {
  alignas(64) std::array<std::array<std::int16_t, kMostWidth>, 2> sums;
  for (int side = 0; side < 2; ++side) {
    const NnueView view(side, board.king(side));
    std::int16_t* to = sums[as_index(side)].data();
    std::copy_n(bias_.data(), width_, to);
    for (int who = 0; who < 2; ++who)
      for (int piece = kPawn; piece <= kKing; ++piece)
        for (Bits set = board.of(who, static_cast<Piece>(piece)); set;)
          add_row<Shorts>(to, row(view.feature(who, piece, pop_lowest(set))), width_);
  }
  return score(board, sums[0].data(), sums[1].data());
}

NnueSums::Pieces::Pieces(const Board& board) {
  std::copy_n(board.pieces, 6, kinds.begin());
  std::copy_n(board.sides, 2, sides.begin());
}

int NnueSums::Pieces::changed_squares(const Pieces& other) const {
  return std::popcount((sides[0] ^ other.sides[0]) | (sides[1] ^ other.sides[1]));
}

/// Pieces that are gone, and new ones: side, kind, square.
struct NnueSums::Changes {
  struct Piece {
    std::uint8_t side, kind, square;
  };
  std::array<Piece, kMostPieces> gone, added;
  std::size_t gone_count = 0, added_count = 0;

  Changes(const Pieces& from, const Pieces& to) {
    for (std::uint8_t side = 0; side < 2; ++side) {
      for (std::uint8_t kind = 0; kind < 6; ++kind) {
        const Bits before = from.sides[side] & from.kinds[kind];
        const Bits after = to.sides[side] & to.kinds[kind];
        if (before == after) continue;
        for (Bits set = before & ~after; set;)
          gone[gone_count++] = {side, kind, static_cast<std::uint8_t>(pop_lowest(set))};
        for (Bits set = after & ~before; set;)
          added[added_count++] = {side, kind, static_cast<std::uint8_t>(pop_lowest(set))};
      }
    }
  }
};

NnueSums::NnueSums(const Nnue& network, int plies)
    : network_(&network),
      lines_(as_index(plies)),
      sums_(as_index(plies * 2 * network.width())),
      kept_(regions_.size() * as_index(network.width())) {
  for (std::size_t i = 0; i < regions_.size(); ++i)
    std::copy_n(network.bias(), network.width(), kept_.data() + i * as_index(network.width()));
}

std::int16_t* NnueSums::line_sums(int ply, int side) {
  return sums_.data() + as_index((2 * ply + side) * network_->width());
}

std::int16_t* NnueSums::region_sums(int side, const NnueView& view, Pieces*& pieces) {
  const int region = view.first / NnueFeatures::kPlaces;
  const std::size_t place = as_index((2 * region + (view.turn & 1)) * 2 + side);
  pieces = &regions_[place];
  return kept_.data() + place * as_index(network_->width());
}

void NnueSums::apply(const Changes& changes, const NnueView& view, const std::int16_t* from,
                     std::int16_t* to) const {
  std::array<const std::int16_t*, kMostPieces> gone, added;
  for (std::size_t i = 0; i < changes.gone_count; ++i) {
    const auto& piece = changes.gone[i];
    gone[i] = network_->row(view.feature(piece.side, piece.kind, piece.square));
  }
  for (std::size_t i = 0; i < changes.added_count; ++i) {
    const auto& piece = changes.added[i];
    added[i] = network_->row(view.feature(piece.side, piece.kind, piece.square));
  }
  for (int first = 0; first < network_->width(); first += kShorts) {
    Shorts sum, row;
    load(sum, from + first);
    for (std::size_t i = 0; i < changes.gone_count; ++i) {
      load(row, gone[i] + first);
      sum -= row;
    }
    for (std::size_t i = 0; i < changes.added_count; ++i) add(sum, added[i] + first);
    store(to + first, sum);
  }
}

int NnueSums::score(const Board& board, int ply) {
  const Pieces now(board);
  // The position before, or the last one of as many plies: its sister, as a rule.
  int from = ply;
  if (ply > 0 && lines_[as_index(ply - 1)].pieces.changed_squares(now) <=
                     lines_[as_index(ply)].pieces.changed_squares(now))
    from = ply - 1;
  Line& line = lines_[as_index(ply)];
  const Line& near = lines_[as_index(from)];
  const Changes changes(near.pieces, now);
  for (int side = 0; side < 2; ++side) {
    const NnueView view(side, board.king(side));
    if (near.views[as_index(side)] == view) {
      apply(changes, view, line_sums(from, side), line_sums(ply, side));
    } else {
      Pieces* known;
      std::int16_t* kept = region_sums(side, view, known);
      apply(Changes(*known, now), view, kept, kept);
      *known = now;
      std::copy_n(kept, network_->width(), line_sums(ply, side));
    }
    line.views[as_index(side)] = view;
  }
  line.pieces = now;
  return network_->score(board, line_sums(ply, kWhite), line_sums(ply, kBlack));
}

}  // namespace kibitz::chess
