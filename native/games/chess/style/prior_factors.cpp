#include "style/prior_factors.h"

#include <cmath>

#include "style/squares.h"

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
  weights.contact_ply = static_cast<int>(options.style_contact_ply);
  return weights;
}

namespace {

/// Is the game past the last ply at which style counts?
bool is_past(const Board& board, const StyleOptions& options) {
  return options.style_plies > 0 && next_ply(board) > options.style_plies;
}

}  // namespace

std::vector<PriorFactor> prior_factors(const Chess& position, const StyleOptions& options) {
  if (options.style_beta == 0 && options.style_contact_prior == 1) return {};
  const Board& board = position.board();
  const int ply = next_ply(board);
  if (is_past(board, options)) return {};
  const BonusWeights weights = bonus_weights(options);
  std::vector<PriorFactor> factors;
  MoveList<Chess> moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    double factor = 1.0;
    if (options.style_beta != 0 && options.style_source != StyleSource::kHead)
      factor = std::exp(options.style_beta * bonus(board, move, weights));
    if (ply < options.style_contact_ply && makes_contact(board, move))
      factor *= options.style_contact_prior;
    factors.push_back({move, factor});
  }
  return factors;
}

std::vector<StyleBonus> style_bonuses(const Chess& position, const StyleOptions& options) {
  if (options.style_beta == 0 || options.style_source == StyleSource::kHead ||
      is_past(position.board(), options))
    return {};
  const BonusWeights weights = bonus_weights(options);
  std::vector<StyleBonus> bonuses;
  MoveList<Chess> moves;
  position.legal_moves(moves);
  for (const Move move : moves) bonuses.push_back({move, bonus(position.board(), move, weights)});
  return bonuses;
}

}  // namespace kibitz::style
