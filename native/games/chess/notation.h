// Moves as text: UCI (e2e4, e7e8q) and SAN (Nf3, O-O, exd8=Q+).
#pragma once

#include <string>
#include <string_view>

#include "games/chess/board.h"

namespace kibitz::chess {

std::string uci_text(const Board& board, Move move);

/// Reads UCI's form; castling in either form becomes king takes rook. kNoMove when the text does
/// not have that form at all (then it may be SAN).
Move read_uci(const Board& board, std::string_view text);

/// The move in SAN with + or #; it must be legal.
std::string san_text(const Board& board, Move move);

/// The legal move meant by a SAN text, kNoMove with a reason when there is none or more than one.
/// Tolerates what programs write: 0-0, missing = and x, e.p., trailing +, #, !, ?.
struct SanRead {
  Move move = kNoMove;
  const char* problem = "";  // a constant, so that reading a million games allocates nothing
};
SanRead read_san(const Board& board, std::string_view text);

}  // namespace kibitz::chess
