#include "games/chess/evaluate/accumulators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/index.h"
#include "games/chess/evaluate/eval.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/evaluate/sum_vectors.h"

namespace kibitz::chess {
namespace {

/// Steps of the sums in one unit. A weight stays below 32 pieces' share of what 16 bits hold.
constexpr std::int16_t kSteps = 512;
constexpr float kMostSumWeight = 1.98f;

std::int16_t rounded(float weight) {
  return static_cast<std::int16_t>(
      std::lround(kSteps * std::clamp(weight, -kMostSumWeight, kMostSumWeight)));
}

std::vector<float> copied(std::span<const float> from, std::size_t size) {
  if (from.size() != size) throw std::invalid_argument("a tensor of another size");
  return {from.begin(), from.end()};
}

}  // namespace

Accumulators::Accumulators(const Tensors& tensors)
    : width_(static_cast<int>(tensors.pieces_bias.size())),
      hidden_(static_cast<int>(tensors.hidden_bias.size())) {
  if (width_ < 32 || width_ > kMostWidth || width_ % kShorts != 0)
    throw std::invalid_argument("a width that is no multiple of 32 up to 512");
  if (hidden_ < kFloats || hidden_ > kMostHidden || hidden_ % kFloats != 0)
    throw std::invalid_argument("a hidden layer that is no multiple of 16 up to 256");
  if (tensors.pieces.size() != as_index(kInputs * width_) || tensors.hand.size() != hand_.size())
    throw std::invalid_argument("a tensor of another size");
  for (const float weight : tensors.pieces) pieces_.push_back(rounded(weight));
  for (const float weight : tensors.pieces_bias) pieces_bias_.push_back(rounded(weight));
  if (!tensors.nnue.pieces.empty()) {
    nnue_.emplace(tensors.nnue);
  } else if (tensors.terms.empty()) {
    const std::vector<float> value = copied(tensors.value, as_index(2 * width_ * kBuckets));
    value_.resize(value.size());
    for (int i = 0; i < 2 * width_; ++i)
      for (int bucket = 0; bucket < kBuckets; ++bucket)
        value_[as_index(bucket * 2 * width_ + i)] = value[as_index(i * kBuckets + bucket)];
    value_bias_ = copied(tensors.value_bias, as_index(kBuckets));
  } else {
    terms_.emplace(tensors.terms, tensors.layer);
  }
  hidden_weights_ = copied(tensors.hidden, as_index(2 * width_ * hidden_));
  hidden_bias_ = copied(tensors.hidden_bias, as_index(hidden_));
  const std::vector<float> moves = copied(tensors.moves, as_index(hidden_ * kMoves));
  const std::vector<float> bias = copied(tensors.moves_bias, as_index(kMoves));
  std::copy(tensors.hand.begin(), tensors.hand.end(), hand_.begin());
  // A promotion is its plain move; what the pawn becomes is the hand's affair.
  moves_.assign(as_index(4096 * hidden_), 0.0f);
  moves_bias_.assign(4096, 0.0f);
  const Chess start;
  for (int pair = 0; pair < 4096; ++pair) {
    if (pair % 64 == pair / 64) continue;
    const int number = start.policy_index(make_move(pair / 64, pair % 64));
    if (number < 0 || number >= kMoves) continue;
    moves_bias_[as_index(pair)] = bias[as_index(number)];
    for (int i = 0; i < hidden_; ++i)
      moves_[as_index(pair * hidden_ + i)] = moves[as_index(i * kMoves + number)];
  }
}

void Accumulators::see(const Board& board, Seen& seen) const {
  const int us = board.side;
  const int turn = turn_of(board, us), other = turn_of(board, 1 - us);
  // The rows of each piece, for the mover and for the other side.
  std::array<const std::int16_t*, 64> rows, theirs;
  std::size_t count = 0;
  for (int side = 0; side < 2; ++side)
    for (int piece = kPawn; piece <= kKing; ++piece)
      for (Bits set = board.of(side, static_cast<Piece>(piece)); set;) {
        const int square = pop_lowest(set);
        const int own = side == us ? piece : 6 + piece, foe = side == us ? 6 + piece : piece;
        rows[count] = &pieces_[as_index((own * 64 + (square ^ turn)) * width_)];
        theirs[count++] = &pieces_[as_index((foe * 64 + (square ^ other)) * width_)];
      }
  for (int first = 0; first < width_; first += kShorts) {
    Shorts a, b;
    load(a, &pieces_bias_[as_index(first)]);
    b = a;
    for (std::size_t i = 0; i < count; ++i) {
      add(a, rows[i] + first);
      add(b, theirs[i] + first);
    }
    squash<kSteps>(a, seen.data() + first);
    squash<kSteps>(b, seen.data() + width_ + first);
  }
}

float Accumulators::logit(const Board& board) const {
  if (nnue_ || terms_) return static_cast<float>(score(board)) / kLogitCentipawns;
  Seen seen;
  see(board, seen);
  const int bucket = bucket_of(board);
  const float hand = static_cast<float>(static_score(board)) / kHandUnit;
  return value_bias_[as_index(bucket)] + hand_[as_index(bucket)] * hand +
         product(seen.data(), &value_[as_index(bucket * 2 * width_)], 2 * width_);
}

int Accumulators::score(const Board& board) const {
  if (nnue_) return nnue_->score(board);
  if (terms_) return terms_->score(board);
  return static_cast<int>(std::lround(kLogitCentipawns * std::clamp(logit(board), -40.0f, 40.0f)));
}

void Accumulators::policy(const Board& board, std::span<const Move> moves,
                          std::span<float> logits) const {
  Seen seen;
  see(board, seen);
  alignas(64) std::array<float, kMostHidden> hidden;
  for (int first = 0; first < hidden_; first += kFloats) {
    Floats sum, weights;
    load(sum, &hidden_bias_[as_index(first)]);
    for (int i = 0; i < 2 * width_; ++i) {
      load(weights, &hidden_weights_[as_index(i * hidden_ + first)]);
      sum += seen[as_index(i)] * weights;
    }
    const Floats zero{};
    sum = sum > zero ? sum : zero;
    store(&hidden[as_index(first)], sum);
  }
  std::array<MoveFeatures, Chess::kMaxMoves> features;
  move_features(board, moves, {features.data(), moves.size()});
  const int turn = turn_of(board, board.side);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const int pair = (from_square(moves[i]) ^ turn) * 64 + (to_square(moves[i]) ^ turn);
    logits[i] = moves_bias_[as_index(pair)] +
                product(features[i].data(), &hand_[as_index(kBuckets)], kMoveFeatures) +
                product(hidden.data(), &moves_[as_index(pair * hidden_)], hidden_);
  }
}

void Accumulators::priors(const Board& board, std::span<const Move> moves,
                          std::span<float> priors) const {
  if (moves.empty()) return;
  policy(board, moves, priors);
  const float most = *std::max_element(priors.begin(), priors.end());
  float sum = 0.0f;
  for (float& prior : priors) sum += prior = std::exp(prior - most);
  for (float& prior : priors) prior /= sum;
}

void AccumulatorEvaluator::evaluate(std::span<Leaf<Chess>> leaves, Rng&) {
  for (auto& leaf : leaves) {
    const Board& board = leaf.position->board();
    Outcome outcome = expected_outcome(quiet_score(board, *network_), board.clock);
    if (board.side == kBlack) {
      outcome.value = 1.0f - outcome.value;
      outcome.score = -outcome.score;
    }
    leaf.outcome = outcome;
  }
}

PriorFunction<Chess> AccumulatorEvaluator::quick_priors() const {
  return [network = network_](const Chess& position, std::span<const Move> moves,
                              std::span<float> priors) {
    network->priors(position.board(), moves, priors);
  };
}

}  // namespace kibitz::chess
