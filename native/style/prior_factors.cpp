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

std::vector<PriorFactor> prior_factors(const Chess& position, const StyleOptions& options) {
  if (options.style_beta == 0 && options.style_contact_prior == 1) return {};
  const Board& board = position.board();
  const int ply = next_ply(board);
  if (options.style_plies > 0 && ply > options.style_plies) return {};
  const BonusWeights weights = bonus_weights(options);
  std::vector<PriorFactor> factors;
  MoveList<Chess> moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    double factor = 1.0;
    if (options.style_beta != 0)
      factor = std::exp(options.style_beta * bonus(board, move, weights));
    if (ply < options.style_contact_ply && makes_contact(board, move))
      factor *= options.style_contact_prior;
    factors.push_back({move, factor});
  }
  return factors;
}

}  // namespace kibitz::style
