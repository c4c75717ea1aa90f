#include "evaluate/chess_terms.h"

#include <cmath>
#include <stdexcept>

#include "evaluate/chess_score.h"

namespace kibitz::chess {
namespace {

/// Steps of a centipawn.
constexpr int kSteps = 16;
constexpr float kMostLogit = 50.0f;

std::int64_t steps_of(float logit) {
  return std::lround(kLogitCentipawns * kSteps * std::clamp(logit, -kMostLogit, kMostLogit));
}

/// Adds both weights of a term at once: the ending's in the upper half.
struct Sum {
  const std::int64_t* packed;
  const std::int64_t* placed;
  std::int64_t white = 0;
  void add(int side, int term) { white += side == kWhite ? packed[term] : -packed[term]; }
  void squares(const Board& board) {
    for (int side = 0; side < 2; ++side)
      for (int piece = kPawn; piece <= kKing; ++piece) {
        const std::int64_t* row = placed + 64 * (6 * side + piece);
        for (Bits set = board.of(side, static_cast<Piece>(piece)); set;)
          white += row[pop_lowest(set)];
      }
  }
};

/// Which of the four ways the two sides see the board.
std::size_t way_of(const Board& board) {
  return static_cast<std::size_t>((file_of(board.king(kWhite)) < 4 ? 1 : 0) +
                                  (file_of(board.king(kBlack)) < 4 ? 2 : 0));
}

}  // namespace

TermWeights::TermWeights(std::span<const float> logits) {
  if (logits.size() != 2 * packed_.size()) throw std::invalid_argument("a tensor of another size");
  for (std::size_t term = 0; term < packed_.size(); ++term)
    packed_[term] =
        steps_of(logits[2 * term]) + steps_of(logits[2 * term + 1]) * (std::int64_t{1} << 32);
  for (std::size_t way = 0; way < placed_.size(); ++way)
    for (int side = 0; side < 2; ++side)
      for (int piece = 0; piece < 6; ++piece)
        for (int square = 0; square < 64; ++square) {
          const int white = square ^ (way & 1 ? 7 : 0), black = square ^ 56 ^ (way & 2 ? 7 : 0);
          const int own = Terms::kSquares + 64 * piece, other = own + 64 * 6;
          const auto weight = [&](int term) { return packed_[static_cast<std::size_t>(term)]; };
          placed_[way][static_cast<std::size_t>(64 * (6 * side + piece) + square)] =
              weight((side == kWhite ? own : other) + white) -
              weight((side == kBlack ? own : other) + black);
        }
}

int TermWeights::score(const Board& board) const {
  Sum sum{packed_.data(), placed_[way_of(board)].data()};
  list_terms(board, sum);
  const auto early = static_cast<std::int32_t>(sum.white);
  const auto late = static_cast<std::int32_t>((sum.white - early) >> 32);
  const int phase = phase_of(board);
  const int score = (early * phase + late * (kFullPhase - phase)) / (kFullPhase * kSteps);
  const int shaped = ending_score(board, score);
  return board.side == kWhite ? shaped : -shaped;
}

}  // namespace kibitz::chess
