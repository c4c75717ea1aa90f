// Scores of an alpha-beta search of chess in its table.
#pragma once

#include "games/chess/search/alpha_beta.h"

namespace kibitz {

/// Marks a standing score that is not known, in check.
inline constexpr int kUnknownStanding = -40000;

/// Scores of a mate count from the root in a search, from the position in the table.
inline int to_table(int score, int ply) {
  if (score >= ChessAlphaBeta::kLeastMate) return score + ply;
  if (score <= -ChessAlphaBeta::kLeastMate) return score - ply;
  return score;
}
inline int from_table(int score, int ply) {
  if (score >= ChessAlphaBeta::kLeastMate) return score - ply;
  if (score <= -ChessAlphaBeta::kLeastMate) return score + ply;
  return score;
}

/// Does a bound from the table answer the question?
inline bool answers(Bound bound, int score, int beta) {
  return bound == Bound::kExact || (bound == Bound::kLower) == (score >= beta);
}

}  // namespace kibitz
