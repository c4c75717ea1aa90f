// What a chess position is worth without a network: material, squares, mobility, pawns, kings,
// after pending captures are over. Written for this engine, so that it plays sensibly without
// any file.
#pragma once

#include <array>

#include "games/chess/board.h"

namespace kibitz::chess {

class Accumulators;

/// Centipawns of a learned score whose expected result has a logit of 1: ten to one is 400.
inline constexpr float kLogitCentipawns = 173.7178f;

/// Centipawns for the side to move, as the pieces stand.
int static_score(const Board& board);

inline constexpr int kFullPhase = 24;
/// 24 with all pieces on the board, 0 with kings and pawns.
int phase_of(const Board& board);

/// The static score after the exchanges that either side would choose to make.
int quiet_score(const Board& board);
int quiet_score(const Board& board, const Accumulators& network);

/// What the exchanges on a move's target square win or lose for the mover, in centipawns; a quiet
/// move to where the piece is lost comes out negative.
int exchange_score(const Board& board, Move move);

/// Is that at least `least`? Cheaper than the score itself.
bool exchange_reaches(const Board& board, Move move, int least);

/// A piece's worth in an exchange.
inline int exchange_value(Piece piece) {
  constexpr std::array<int, 7> kValue{100, 320, 335, 500, 950, 20000, 0};
  return kValue[piece];
}

/// How much better, in centipawns, the piece stands after a move; what it takes is not counted.
int placement_gain(const Board& board, Move move);

}  // namespace kibitz::chess
