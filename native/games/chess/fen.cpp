#include "games/chess/fen.h"

#include <bit>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "games/chess/game.h"

namespace kibitz {
namespace chess {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::string shown(char c) {
  if (c >= ' ' && c <= '~') return std::string("'") + c + "'";
  return "byte " + std::to_string(static_cast<unsigned>(static_cast<unsigned char>(c)));
}

const char* side_name(int side) { return side == kWhite ? "white" : "black"; }

std::vector<std::string_view> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  constexpr std::string_view kBlank = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kBlank, at);
    fields.push_back(text.substr(at, end - at));
    at = end == std::string_view::npos ? end : text.find_first_not_of(kBlank, end);
  }
  return fields;
}

void read_squares(Board& board, std::string_view field) {
  int rank = 7, file = 0;
  const auto ended = [&] {
    if (file != 8)
      refuse("rank " + std::to_string(rank + 1) + " has " + std::to_string(file) +
             " squares, expected 8");
  };
  for (const char c : field) {
    if (c == '/') {
      ended();
      if (--rank < 0) refuse("the board has more than 8 ranks");
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      const std::size_t kind = kPieceLetters.find(lower);
      if (kind == std::string_view::npos)
        refuse("bad character " + shown(c) +
               " in the board, expected pieces PNBRQK, pnbrqk or digits 1 to 8");
      if (file < 8)
        board.put(c == lower ? kBlack : kWhite, static_cast<Piece>(kind), square_at(file, rank));
      ++file;
    }
    if (file > 8) refuse("rank " + std::to_string(rank + 1) + " has more than 8 squares");
  }
  if (rank != 0) refuse("the board has " + std::to_string(8 - rank) + " ranks, expected 8");
  ended();
}

int read_passed(const Board& board, std::string_view field) {
  if (field == "-") return kNoSquare;
  const int rank = board.side == kWhite ? 5 : 2;
  if (field.size() != 2 || field[0] < 'a' || field[0] > 'h' || field[1] != '1' + rank)
    refuse("bad en passant square \"" + std::string(field) + "\", expected - or a square on rank " +
           std::to_string(rank + 1));
  const int square = square_at(field[0] - 'a', rank);
  const Bits stepped = bit(square ^ 8);
  const Bits behind = bit(square) | bit(board.side == kWhite ? square + 8 : square - 8);
  if (!(board.of(1 - board.side, kPawn) & stepped) || (board.occupied() & behind))
    refuse("no pawn can just have passed the en passant square " + std::string(field));
  return square;
}

std::uint16_t read_number(std::string_view field, const char* name, unsigned least) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || value > 10000)
    refuse("bad " + std::string(name) + " \"" + std::string(field) +
           "\", expected a whole number up to 10000");
  return static_cast<std::uint16_t>(std::max(value, least));
}

}  // namespace

void check_pieces(const Board& board) {
  for (const int side : {kWhite, kBlack}) {
    const int kings = std::popcount(board.of(side, kKing));
    if (kings != 1)
      refuse(std::string(side_name(side)) + " has " + std::to_string(kings) + " kings, expected 1");
    const auto count = [&](Piece piece) { return std::popcount(board.of(side, piece)); };
    const auto extra = [&](Piece piece, int most) { return std::max(0, count(piece) - most); };
    if (count(kPawn) > 8)
      refuse(std::string(side_name(side)) + " has " + std::to_string(count(kPawn)) +
             " pawns, expected at most 8");
    const int promoted = extra(kKnight, 2) + extra(kBishop, 2) + extra(kRook, 2) + extra(kQueen, 1);
    if (promoted > 8 - count(kPawn))
      refuse(std::string(side_name(side)) +
             " has more pieces than its missing pawns could have become");
  }
  if (const Bits astray = board.pieces[kPawn] & (kRank1 | kRank8))
    refuse("there is a pawn on " + square_name(lowest_bit(astray)) +
           ", expected none on the first and last ranks");
}

void check_turn(const Board& board) {
  const int waiting = 1 - board.side;
  if (board.is_attacked(board.king(waiting), board.side))
    refuse(std::string(side_name(waiting)) + "'s king is in check, but it is " +
           side_name(board.side) + "'s move");
}

std::string square_name(int square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

void read_castling(Board& board, std::string_view field) {
  if (field == "-") return;
  for (const char c : field) {
    const bool white = std::isupper(static_cast<unsigned char>(c)) != 0;
    const int side = white ? kWhite : kBlack;
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const int home = white ? 0 : 56;
    const int king = board.king(side);
    if (lower != 'k' && lower != 'q' && (lower < 'a' || lower > 'h'))
      refuse("bad character " + shown(c) + " in the castling rights \"" + std::string(field) +
             "\", expected KQkq, files, or -");
    if ((king & 56) != home)
      refuse(std::string("castling right ") + c + ", but " + side_name(side) +
             "'s king is not on its first rank");
    const Bits rooks = board.of(side, kRook) & (kRank1 << home);
    Bits rook = 0;
    if (lower == 'k' || lower == 'q') {  // the outermost rook on that side of the king
      const Bits beside = lower == 'k' ? rooks & ~(bit(king) - 1) : rooks & (bit(king) - 1);
      if (beside) rook = lower == 'k' ? std::bit_floor(beside) : beside & (~beside + 1);
      const int usual = home + (lower == 'k' ? 7 : 0);
      if (rook && (king != home + 4 || rook != bit(usual))) board.chess960 = true;
    } else {
      rook = rooks & bit(home + lower - 'a');
      board.chess960 = true;
    }
    if (!rook)
      refuse(std::string("castling right ") + c + ", but there is no rook of " + side_name(side) +
             " to castle with");
    if (board.castling & rook) continue;
    board.castling |= rook;
    board.key ^= kZobrist.castling[static_cast<std::size_t>(lowest_bit(rook))];
  }
}

Fen read_fen(std::string_view text) {
  const auto fields = fields_of(text);
  if (fields.empty()) refuse("the FEN is empty");
  if (fields.size() > 6)
    refuse("the FEN has " + std::to_string(fields.size()) + " fields, expected at most 6");
  Fen fen;
  Board& board = fen.board;
  read_squares(board, fields[0]);
  if (fields.size() < 2) refuse("the side to move is missing: expected w or b after the board");
  if (fields[1] != "w" && fields[1] != "b")
    refuse("bad side to move \"" + std::string(fields[1]) + "\", expected w or b");
  check_pieces(board);
  if (fields[1] == "b") {
    board.side = kBlack;
    board.key ^= kZobrist.black;
  }
  if (fields.size() > 2) read_castling(board, fields[2]);
  check_turn(board);
  if (fields.size() > 3) fen.passed = read_passed(board, fields[3]);
  if (fen.passed != kNoSquare) board.offer_en_passant(fen.passed);
  if (fields.size() > 4) board.clock = read_number(fields[4], "halfmove clock", 0);
  if (fields.size() > 5) board.number = read_number(fields[5], "move number", 1);
  return fen;
}

std::string write_fen(const Board& board) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const int square = square_at(file, rank);
      const Piece piece = board.piece_at(square);
      if (piece == kNoPiece) {
        ++empty;
        continue;
      }
      if (empty) text += static_cast<char>('0' + empty);
      empty = 0;
      const char letter = kPieceLetters[piece];
      text += board.side_at(square) == kWhite
                  ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter)))
                  : letter;
    }
    if (empty) text += static_cast<char>('0' + empty);
    if (rank) text += '/';
  }
  text += board.side == kWhite ? " w " : " b ";
  if (!board.castling) text += '-';
  for (const int side : {kWhite, kBlack}) {
    const Bits rooks = board.castling & rank_bits(side == kWhite ? 0 : 7);
    for (int file = 7; file >= 0; --file) {  // the king's side first, as in KQkq
      if (!(rooks & file_bits(file))) continue;
      char letter = static_cast<char>('a' + file);
      if (!board.chess960) letter = file == 7 ? 'k' : 'q';
      text += side == kWhite ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter)))
                             : letter;
    }
  }
  text += ' ';
  text += board.en_passant == kNoSquare ? "-" : square_name(board.en_passant);
  text.append(" ").append(std::to_string(board.clock));
  return text.append(" ").append(std::to_string(board.number));
}

}  // namespace chess

std::string Chess::to_text() const { return chess::write_fen(board_); }

Chess Chess::from_text(std::string_view text) {
  if (text == "startpos") return Chess();
  const chess::Fen fen = chess::read_fen(text);
  Chess game(fen.board);
  game.shown_.start(game.shown_.complete(), fen.passed);
  return game;
}

}  // namespace kibitz
