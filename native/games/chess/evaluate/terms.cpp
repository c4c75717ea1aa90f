#include "games/chess/evaluate/terms.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "games/chess/evaluate/endings.h"
#include "games/chess/evaluate/score.h"

namespace kibitz::chess {
namespace {

/// Steps of a centipawn.
constexpr int kSteps = 16;
constexpr float kMostLogit = 50.0f;

std::int64_t steps_of(float logit) {
  return std::lround(kLogitCentipawns * kSteps * std::clamp(logit, -kMostLogit, kMostLogit));
}

/// Steps of the hidden layer's sums in one unit. Training keeps rows within the limit.
constexpr std::int16_t kRowSteps = 1024;
constexpr float kMostRow = 0.4f, kMostBias = 16.0f;

void set_row(Shorts& row, std::span<const float> weights) {
  for (int lane = 0; lane < kShorts; ++lane)
    row[lane] = static_cast<std::int16_t>(std::lround(
        kRowSteps * std::clamp(weights[static_cast<std::size_t>(lane)], -kMostRow, kMostRow)));
}

/// Sums may wrap around, with weights that no training makes.
void add(Shorts& sum, const Shorts& row) {
  typedef std::uint16_t Wrapping __attribute__((vector_size(64)));
  sum = reinterpret_cast<Shorts>(reinterpret_cast<Wrapping>(sum) + reinterpret_cast<Wrapping>(row));
}

/// Which of the four ways the two sides see the board.
std::size_t way_of(const Board& board) {
  return static_cast<std::size_t>((file_of(board.king(kWhite)) < 4 ? 1 : 0) +
                                  (file_of(board.king(kBlack)) < 4 ? 2 : 0));
}

}  // namespace

/// Adds both weights of a term at once: the ending's in the upper half.
struct TermWeights::Sum {
  const std::int64_t* packed;
  const std::int64_t* placed;
  std::int64_t white = 0;

  void add(int side, int term) { white += side == kWhite ? packed[term] : -packed[term]; }
  void squares(const Board& board) {
    each_piece(board, [this](std::size_t place) { white += placed[place]; });
  }
  /// Calls `use` with the place of every piece.
  template <class Use>
  static void each_piece(const Board& board, Use use) {
    for (int side = 0; side < 2; ++side)
      for (int piece = kPawn; piece <= kKing; ++piece)
        for (Bits set = board.of(side, static_cast<Piece>(piece)); set;)
          use(static_cast<std::size_t>(64 * (6 * side + piece) + pop_lowest(set)));
  }
};

/// The same, and the sums of the hidden layer.
struct TermWeights::LayerSum {
  Sum linear;
  const Rows* rows;
  const Rows* places;
  Shorts white, black;

  void add(int side, int term) {
    linear.add(side, term);
    const auto& row = rows[term].of;
    kibitz::chess::add(white, row[side == kWhite ? 0 : 1]);
    kibitz::chess::add(black, row[side == kWhite ? 1 : 0]);
  }
  void squares(const Board& board) {
    Sum::each_piece(board, [this](std::size_t place) {
      linear.white += linear.placed[place];
      kibitz::chess::add(white, places[place].of[0]);
      kibitz::chess::add(black, places[place].of[1]);
    });
  }
};

TermWeights::TermWeights(std::span<const float> logits, const Layer& layer) {
  if (logits.size() != 2 * packed_.size()) throw std::invalid_argument("a tensor of another size");
  for (std::size_t term = 0; term < packed_.size(); ++term)
    packed_[term] =
        steps_of(logits[2 * term]) + steps_of(logits[2 * term + 1]) * (std::int64_t{1} << 32);
  if (!layer.rows.empty()) set_layer(layer);
  for (std::size_t way = 0; way < placed_.size(); ++way)
    for (int side = 0; side < 2; ++side)
      for (int piece = 0; piece < 6; ++piece)
        for (int square = 0; square < 64; ++square) {
          const int own = Terms::kSquares + 64 * piece, other = own + 64 * 6;
          // The term that White sees, and the one that Black sees.
          const auto white = static_cast<std::size_t>((side == kWhite ? own : other) +
                                                      (square ^ (way & 1 ? 7 : 0)));
          const auto black = static_cast<std::size_t>((side == kBlack ? own : other) +
                                                      (square ^ 56 ^ (way & 2 ? 7 : 0)));
          const auto place = static_cast<std::size_t>(64 * (6 * side + piece) + square);
          placed_[way][place] = packed_[white] - packed_[black];
          if (rows_.empty()) continue;
          Rows& both = places_[way * kPlaces + place];
          both = {rows_[white].of[0], rows_[white].of[1]};
          add(both.of[0], rows_[black].of[1]);
          add(both.of[1], rows_[black].of[0]);
        }
}

void TermWeights::set_layer(const Layer& layer) {
  constexpr std::size_t kTerms = Terms::kCount, kLanes = kWidth;
  if (layer.rows.size() != 2 * kTerms * kLanes || layer.bias.size() != kLanes ||
      layer.output.size() != kLanes * kPieceBuckets)
    throw std::invalid_argument("a tensor of another size");
  rows_.resize(kTerms);
  for (std::size_t term = 0; term < kTerms; ++term)
    for (std::size_t half = 0; half < 2; ++half)
      set_row(rows_[term].of[half], layer.rows.subspan((half * kTerms + term) * kLanes, kLanes));
  places_.resize(placed_.size() * kPlaces);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    bias_[static_cast<int>(lane)] = static_cast<std::int16_t>(
        std::lround(kRowSteps * std::clamp(layer.bias[lane], -kMostBias, kMostBias)));
    for (std::size_t bucket = 0; bucket < output_.size(); ++bucket)
      output_[bucket][lane] =
          kLogitCentipawns *
          std::clamp(layer.output[lane * output_.size() + bucket], -kMostLogit, kMostLogit);
  }
}

std::pair<std::int64_t, int> TermWeights::sum(const Board& board) const {
  const std::size_t way = way_of(board);
  const Sum linear{packed_.data(), placed_[way].data()};
  if (rows_.empty()) {
    Sum sum = linear;
    list_terms(board, sum);
    return {sum.white, 0};
  }
  LayerSum sum{linear, rows_.data(), &places_[way * kPlaces], bias_, bias_};
  list_terms(board, sum);
  std::array<float, kWidth> white, black;
  squash<kRowSteps>(sum.white, white.data());
  squash<kRowSteps>(sum.black, black.data());
  const float* output = output_[static_cast<std::size_t>(bucket_of(board))].data();
  const float more = product(white.data(), output, kWidth) - product(black.data(), output, kWidth);
  return {sum.linear.white, static_cast<int>(std::lround(more))};
}

int TermWeights::score(const Board& board) const {
  const auto [white, more] = sum(board);
  const auto early = static_cast<std::int32_t>(white);
  const auto late = static_cast<std::int32_t>((white - early) >> 32);
  const int phase = phase_of(board);
  const int score = (early * phase + late * (kFullPhase - phase)) / (kFullPhase * kSteps) + more;
  const int shaped = ending_score(board, score);
  return board.side == kWhite ? shaped : -shaped;
}

}  // namespace kibitz::chess
