#include "games/chess/evaluate/eval.h"

#include <algorithm>
#include <cmath>

#include "games/chess/check_squares.h"
#include "games/chess/evaluate/score.h"

namespace kibitz {
namespace chess {
namespace {

float logistic(float x) { return 1.0f / (1.0f + std::exp(-x)); }

}  // namespace

Outcome outcome_of(int centipawns, int clock) {
  // Nearer to fifty moves a lead is worth less, so that the search makes progress.
  const float fade = 1.0f - 0.005f * static_cast<float>(std::min(clock, 100));
  const float x = fade * static_cast<float>(centipawns) / 100.0f;
  constexpr float kSteepness = 0.9f;   // how fast a pawn turns into points
  constexpr float kDrawMargin = 0.9f;  // in pawns: half of the balanced games' draws
  const float win = logistic(kSteepness * (x - kDrawMargin));
  const float loss = logistic(kSteepness * (-x - kDrawMargin));
  Outcome outcome;
  outcome.draw = 1.0f - win - loss;
  outcome.value = win + 0.5f * outcome.draw;
  outcome.score = static_cast<float>(centipawns) / 100.0f;
  return outcome;
}

Outcome expected_outcome(int centipawns, int clock) {
  const float fade = 1.0f - 0.005f * static_cast<float>(std::min(clock, 100));
  const float expected = logistic(fade * static_cast<float>(centipawns) / kLogitCentipawns);
  Outcome outcome;
  outcome.value = expected;
  outcome.draw = 0.8f * std::min(expected, 1.0f - expected);
  outcome.score = static_cast<float>(centipawns) / 100.0f;
  return outcome;
}

void hand_logits(const Board& board, std::span<const Move> moves, std::span<float> logits,
                 std::span<int> gains) {
  const CheckSquares checks(board);
  const Bits pawn_danger = pawns_attack(1 - board.side, board.of(1 - board.side, kPawn));
  const bool evading = board.in_check();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    const int from = from_square(move), to = to_square(move);
    const Piece piece = board.piece_at(from);
    const int gain = exchange_score(board, move);
    float logit = 0.012f * static_cast<float>(placement_gain(board, move));
    if (gain > 0) logit += 1.2f + 0.004f * static_cast<float>(std::min(gain, 900));
    if (gain == 0 && board.is_capture(move)) logit += 0.9f;
    if (gain < 0) logit -= 0.6f + 0.004f * static_cast<float>(std::min(-gain, 600));
    const Piece stands = promotion_of(move) == kPawn ? piece : promotion_of(move);
    if (!board.is_castling(move) && (checks.from[stands] & bit(to)))
      logit += gain >= 0 ? 0.9f : 0.3f;
    // A piece that a pawn attacks wants to leave.
    if (piece != kPawn && piece != kKing && (pawn_danger & bit(from)) && gain >= 0) logit += 0.8f;
    if (promotion_of(move) != kPawn && promotion_of(move) != kQueen) logit -= 2.0f;
    if (piece == kKing && !evading && !board.is_castling(move)) logit -= 0.2f;
    logits[i] = logit;
    if (!gains.empty()) gains[i] = gain;
  }
}

void hand_priors(const Board& board, std::span<const Move> moves, std::span<float> priors) {
  hand_logits(board, moves, priors);
  const float most = *std::max_element(priors.begin(), priors.end());
  float sum = 0.0f;
  for (float& prior : priors) sum += prior = std::exp(prior - most);
  for (float& prior : priors) prior /= sum;
}

}  // namespace chess

void ChessEvaluator::evaluate(std::span<Leaf<Chess>> leaves, Rng&) {
  for (auto& leaf : leaves) {
    const chess::Board& board = leaf.position->board();
    Outcome outcome = chess::outcome_of(chess::quiet_score(board), board.clock);
    if (board.side == chess::kBlack) {
      outcome.value = 1.0f - outcome.value;
      outcome.score = -outcome.score;
    }
    leaf.outcome = outcome;
  }
}

void chess_hand_priors(const Chess& position, std::span<const Move> moves,
                       std::span<float> priors) {
  if (!moves.empty()) chess::hand_priors(position.board(), moves, priors);
}

}  // namespace kibitz
