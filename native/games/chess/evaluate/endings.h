// What is known of chess endings: king and pawn against king for certain, material and corners that
// cannot win, pawns that no king can catch, bishops of opposite colours by experience.
//
// Threads: the table of king and pawn against king is made once, by whoever asks first.
#pragma once

#include "games/chess/board.h"

namespace kibitz::chess {

/// White's score with what is known of endings.
int ending_score(const Board& board, int white);

/// King and pawn against king: does the side with the pawn win?
bool pawn_wins(const Board& board);

}  // namespace kibitz::chess
