#include "evaluate/chess_terms.h"

#include <cmath>
#include <stdexcept>

#include "evaluate/chess_accumulators.h"
#include "evaluate/chess_score.h"

namespace kibitz::chess {
namespace {

/// Steps of a centipawn.
constexpr int kSteps = 16;
constexpr float kMostLogit = 50.0f;

std::int64_t steps_of(float logit) {
  return std::lround(Accumulators::kCentipawns * kSteps *
                     std::clamp(logit, -kMostLogit, kMostLogit));
}

/// Adds both weights of a term at once: the ending's in the upper half.
struct Sum {
  const std::int64_t* packed;
  std::array<std::int64_t, 2> sides{};
  void add(int side, int term) { sides[static_cast<std::size_t>(side)] += packed[term]; }
};

}  // namespace

TermWeights::TermWeights(std::span<const float> logits) {
  if (logits.size() != 2 * packed_.size()) throw std::invalid_argument("a tensor of another size");
  for (std::size_t term = 0; term < packed_.size(); ++term)
    packed_[term] =
        steps_of(logits[2 * term]) + steps_of(logits[2 * term + 1]) * (std::int64_t{1} << 32);
}

int TermWeights::score(const Board& board) const {
  Sum sum{packed_.data()};
  list_terms(board, sum);
  const std::int64_t white = sum.sides[kWhite] - sum.sides[kBlack];
  const auto early = static_cast<std::int32_t>(white);
  const auto late = static_cast<std::int32_t>((white - early) >> 32);
  const int phase = phase_of(board);
  const int score = (early * phase + late * (kFullPhase - phase)) / (kFullPhase * kSteps);
  const int shaped = ending_score(board, score);
  return board.side == kWhite ? shaped : -shaped;
}

}  // namespace kibitz::chess
