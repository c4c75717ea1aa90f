#include "games/chess/style/prior_factors.h"

#include <cmath>
#include <optional>

#include "games/chess/style/squares.h"

namespace kibitz::style {

BonusWeights bonus_weights(const StyleOptions& options) {
  BonusWeights weights;
  weights.fianchetto = options.style_fianchetto;
  weights.prepare = options.style_prepare;
  weights.quiet = options.style_quiet;
  weights.control = options.style_control;
  weights.flank = options.style_flank;
  weights.chain = options.style_chain;
  weights.occupation = options.style_occupation;
  weights.attack = options.style_attack;
  weights.trade = options.style_trade;
  return weights;
}

namespace {

/// The weights at a position; none once the game is past the last ply at which style counts.
std::optional<BonusWeights> weights_at(const Board& board, const StyleOptions& options) {
  const BonusWeights all = bonus_weights(options);
  const int ply = next_ply(board);
  if (options.style_plies == 0 || ply <= options.style_plies) return all;
  if (ply > options.style_chain_plies || all.chain == 0) return std::nullopt;
  BonusWeights late{0, 0, 0, 0, 0, 0, 0, 0, 0};
  late.chain = all.chain;
  return late;
}

}  // namespace

std::vector<PriorFactor> prior_factors(const Chess& position, const StyleOptions& options) {
  if (options.style_beta == 0 && options.style_contact_prior == 1) return {};
  const Board& board = position.board();
  const int ply = next_ply(board);
  const auto weights = weights_at(board, options);
  if (!weights) return {};
  std::vector<PriorFactor> factors;
  MoveList<Chess> moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    double factor = 1.0;
    if (options.style_beta != 0 && options.style_source != StyleSource::kHead)
      factor = std::exp(options.style_beta * bonus(board, move, *weights));
    if (ply < kContactPly && makes_contact(board, move)) factor *= options.style_contact_prior;
    factors.push_back({move, factor});
  }
  return factors;
}

std::vector<StyleBonus> style_bonuses(const Chess& position, const StyleOptions& options) {
  if (options.style_beta == 0 || options.style_source == StyleSource::kHead) return {};
  const auto weights = weights_at(position.board(), options);
  if (!weights) return {};
  std::vector<StyleBonus> bonuses;
  MoveList<Chess> moves;
  position.legal_moves(moves);
  for (const Move move : moves) bonuses.push_back({move, bonus(position.board(), move, *weights)});
  return bonuses;
}

}  // namespace kibitz::style
