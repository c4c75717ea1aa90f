#include "games/chess/notation.h"

#include <bit>
#include <cctype>
#include <stdexcept>

#include "games/chess/fen.h"
#include "games/chess/game.h"

namespace kibitz {
namespace chess {
namespace {

char upper(Piece piece) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(kPieceLetters[piece])));
}

bool is_file(char c) { return c >= 'a' && c <= 'h'; }
bool is_rank(char c) { return c >= '1' && c <= '8'; }

/// kNoPiece for what is no piece's letter.
Piece piece_of(char letter) {
  switch (letter) {
    case 'N':
      return kKnight;
    case 'B':
      return kBishop;
    case 'R':
      return kRook;
    case 'Q':
      return kQueen;
    case 'K':
      return kKing;
    default:
      return kNoPiece;
  }
}

/// The rook's square of a castling towards the king's or the queen's side; kNoSquare without right.
int castling_rook(const Board& board, bool king_side) {
  const Bits king = board.of(board.side, kKing);
  const Bits rooks = board.castling & rank_bits(board.side == kWhite ? 0 : 7);
  const Bits beside = king_side ? rooks & ~(king - 1) : rooks & (king - 1);
  return beside ? lowest_bit(beside) : kNoSquare;
}

/// Own pieces of a kind that attack, or as pawns can step to, a square.
Bits candidates(const Board& board, Piece piece, int to) {
  const Bits own = board.of(board.side, piece);
  if (piece != kPawn) return piece_attacks(piece, to, board.occupied()) & own;
  const int back = board.side == kWhite ? -8 : 8;
  if ((board.sides[1 - board.side] & bit(to)) || to == board.en_passant)
    return pawn_attacks(1 - board.side, to) & own;
  const int one = to + back;
  if (one < 0 || one > 63) return 0;
  if (own & bit(one)) return bit(one);
  const int two = one + back;
  const bool fourth = rank_of(to) == (board.side == kWhite ? 3 : 4);
  return fourth && !(board.occupied() & bit(one)) ? own & bit(two) : 0;
}

/// Leaves only those candidates whose move does not expose the king.
Bits safe_only(const Board& board, Piece piece, Bits from, int to) {
  Bits safe = 0;
  while (from) {
    const int square = pop_lowest(from);
    if (piece == kPawn && to == board.en_passant) {
      if (en_passant_is_safe(board, square, to)) safe |= bit(square);
      continue;
    }
    const Bits after = (board.occupied() & ~bit(square)) | bit(to);
    const int king = piece == kKing ? to : board.king(board.side);
    if (!(board.attackers(king, after) & board.sides[1 - board.side] & ~bit(to)))
      safe |= bit(square);
  }
  return safe;
}

SanRead read_castle(const Board& board, std::string_view text) {
  std::size_t letters = 0;
  for (const char c : text) letters += c == 'O' || c == '0' || c == 'o';
  const int rook = castling_rook(board, letters == 2);
  if (rook == kNoSquare) return {kNoMove, "castling is not possible there"};
  const Move move = make_move(board.king(board.side), rook);
  if (!is_legal(board, move)) return {kNoMove, "castling is not legal there"};
  return {move, ""};
}

}  // namespace

std::string uci_text(const Board& board, Move move) {
  const int from = from_square(move);
  int to = to_square(move);
  if (board.is_castling(move) && !board.chess960) to = castled_king(from, to);
  std::string text = square_name(from) + square_name(to);
  if (promotion_of(move) != kPawn) text += kPieceLetters[promotion_of(move)];
  return text;
}

Move read_uci(const Board& board, std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return kNoMove;
  if (!is_file(text[0]) || !is_rank(text[1]) || !is_file(text[2]) || !is_rank(text[3]))
    return kNoMove;
  const int from = square_at(text[0] - 'a', text[1] - '1');
  int to = square_at(text[2] - 'a', text[3] - '1');
  Piece promotion = kPawn;
  if (text.size() == 5) {
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(text[4])));
    promotion = piece_of(letter);
    if (promotion == kNoPiece || promotion == kKing) return kNoMove;
  }
  // A king that steps two or more squares, or to where castling would take it, castles; it is given
  // the rook's square, as king takes rook.
  const bool king = (board.of(board.side, kKing) & bit(from)) != 0;
  if (king && rank_of(from) == rank_of(to) && !(board.of(board.side, kRook) & bit(to)) &&
      (to > from ? to - from : from - to) >= 2) {
    const int rook = castling_rook(board, to > from);
    if (rook != kNoSquare && castled_king(from, rook) == to) to = rook;
  }
  return make_move(from, to, promotion);
}

std::string san_text(const Board& board, Move move) {
  const int from = from_square(move), to = to_square(move);
  std::string text;
  if (board.is_castling(move)) {
    text = to > from ? "O-O" : "O-O-O";
  } else {
    const Piece piece = board.piece_at(from);
    const bool capture = board.is_capture(move);
    if (piece == kPawn) {
      if (capture) text += static_cast<char>('a' + file_of(from));
    } else {
      text += upper(piece);
      const Bits others = safe_only(board, piece, candidates(board, piece, to), to) & ~bit(from);
      if (others) {
        const bool same_file = others & file_bits(file_of(from));
        const bool same_rank = others & rank_bits(rank_of(from));
        if (!same_file || same_rank) text += static_cast<char>('a' + file_of(from));
        if (same_file) text += static_cast<char>('1' + rank_of(from));
      }
    }
    if (capture) text += 'x';
    text += square_name(to);
    if (promotion_of(move) != kPawn) {
      text += '=';
      text += upper(promotion_of(move));
    }
  }
  Board next = board;
  next.play(move);
  if (next.in_check()) text += count_moves(next) == 0 ? '#' : '+';
  return text;
}

SanRead read_san(const Board& board, std::string_view text) {
  while (!text.empty() &&
         (text.back() == '+' || text.back() == '#' || text.back() == '!' || text.back() == '?'))
    text.remove_suffix(1);
  if (text.size() >= 4 && text.substr(text.size() - 4) == "e.p.") text.remove_suffix(4);
  if (text.size() < 2) return {kNoMove, "no move"};
  if (text[0] == 'O' || text[0] == '0' || text[0] == 'o') {
    if (text == "O-O" || text == "0-0" || text == "o-o" || text == "O-O-O" || text == "0-0-0" ||
        text == "o-o-o")
      return read_castle(board, text);
    return {kNoMove, "not a move"};
  }

  Piece promotion = kPawn;
  if (const Piece last = piece_of(text.back()); last != kNoPiece && last != kKing) {
    promotion = last;
    text.remove_suffix(1);
    if (!text.empty() && text.back() == '=') text.remove_suffix(1);
  }
  Piece piece = kPawn;
  if (const Piece first = text.empty() ? kNoPiece : piece_of(text[0]); first != kNoPiece) {
    piece = first;
    text.remove_prefix(1);
  }
  if (text.size() < 2 || !is_file(text[text.size() - 2]) || !is_rank(text.back()))
    return {kNoMove, "not a move"};
  const int to = square_at(text[text.size() - 2] - 'a', text.back() - '1');
  text.remove_suffix(2);
  Bits from = ~Bits{0};
  bool says_file = false;
  for (const char c : text) {
    if (is_file(c)) {
      from &= file_bits(c - 'a');
      says_file = true;
    } else if (is_rank(c)) {
      from &= rank_bits(c - '1');
    } else if (c != 'x' && c != ':' && c != '-') {
      return {kNoMove, "not a move"};
    }
  }
  if (board.sides[board.side] & bit(to)) return {kNoMove, "the square holds an own piece"};
  from &= candidates(board, piece, to);
  // exd5 is a capture, d5 a step: a pawn never leaves its file unnamed.
  if (piece == kPawn && !says_file) from &= file_bits(file_of(to));
  if (!from) return {kNoMove, "no piece can go there"};
  from = safe_only(board, piece, from, to);
  if (!from) return {kNoMove, "it would leave the king in check"};
  if (from & (from - 1)) return {kNoMove, "more than one piece can go there"};
  const bool promotes = piece == kPawn && (rank_of(to) == 0 || rank_of(to) == 7);
  if (promotes && promotion == kPawn) return {kNoMove, "it does not say what the pawn becomes"};
  if (!promotes && promotion != kPawn) return {kNoMove, "only a pawn on the last rank promotes"};
  return {make_move(lowest_bit(from), to, promotion), ""};
}

}  // namespace chess

std::string Chess::move_text(Move move) const { return chess::uci_text(board_, move); }

Move Chess::parse_move(std::string_view text) const {
  const Move move = chess::read_uci(board_, text);
  if (move != kNoMove) return move;
  const chess::SanRead read = chess::read_san(board_, text);
  if (read.move == kNoMove)
    throw std::invalid_argument("bad move \"" + std::string(text) + "\": " + read.problem +
                                "; expected UCI (e2e4, e7e8q) or SAN (Nf3, O-O)");
  return read.move;
}

}  // namespace kibitz
