// What a chess position is worth without a network: material, squares, mobility, pawns, kings,
// after the captures at hand are over. Written for this engine, so that it plays sensibly without
// any file.
#pragma once

#include "games/chess/board.h"

namespace kibitz::chess {

class Accumulators;

/// Centipawns for the side to move, as the pieces stand.
int static_score(const Board& board);

/// The same after the exchanges that either side would choose to make.
int quiet_score(const Board& board);
int quiet_score(const Board& board, const Accumulators& network);

/// What the exchanges on a move's target square win or lose for the mover, in centipawns; a quiet
/// move to where the piece is lost comes out negative.
int exchange_score(const Board& board, Move move);

/// A piece's worth in an exchange.
int exchange_value(Piece piece);

/// How much better, in centipawns, the piece stands after a move; what it takes is not counted.
int placement_gain(const Board& board, Move move);

}  // namespace kibitz::chess
