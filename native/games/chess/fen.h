// Forsyth-Edwards notation: FEN, X-FEN and Shredder-FEN.
#pragma once

#include <string>
#include <string_view>

#include "games/chess/board.h"

namespace kibitz::chess {

/// What a FEN says, checked: throws std::invalid_argument with the reason a position cannot be.
/// The clocks may be missing. `passed` is the en passant square as written, taken or not.
struct Fen {
  Board board;
  int passed = kNoSquare;
};
Fen read_fen(std::string_view text);

/// The en passant square is written only where a capture is legal; castling rights as KQkq, in
/// Chess960 as the rooks' files.
std::string write_fen(const Board& board);

std::string square_name(int square);

/// Throws std::invalid_argument where no game could have these pieces: kings, pawns, promotions. A
/// board that passes has at most Chess::kMaxMoves moves.
void check_pieces(const Board& board);
/// Throws std::invalid_argument where the side to move could take the king.
void check_turn(const Board& board);

inline constexpr std::string_view kPieceLetters = "pnbrqk";

/// Castling rights as a FEN's field; throws std::invalid_argument when they cannot be.
void read_castling(Board& board, std::string_view field);

}  // namespace kibitz::chess
