#include "games/othello/board.h"

#include <stdexcept>

namespace kibitz {

namespace othello {

namespace {

Bits mirror_files(Bits b) {  // a <-> h
  b = ((b >> 1) & 0x5555555555555555ULL) | ((b & 0x5555555555555555ULL) << 1);
  b = ((b >> 2) & 0x3333333333333333ULL) | ((b & 0x3333333333333333ULL) << 2);
  return ((b >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((b & 0x0F0F0F0F0F0F0F0FULL) << 4);
}

Bits mirror_rows(Bits b) {  // 1 <-> 8
  b = ((b >> 8) & 0x00FF00FF00FF00FFULL) | ((b & 0x00FF00FF00FF00FFULL) << 8);
  b = ((b >> 16) & 0x0000FFFF0000FFFFULL) | ((b & 0x0000FFFF0000FFFFULL) << 16);
  return (b >> 32) | (b << 32);
}

Bits transpose(Bits b) {  // b1 <-> a2
  Bits t = (b ^ (b >> 7)) & 0x00AA00AA00AA00AAULL;
  b ^= t ^ (t << 7);
  t = (b ^ (b >> 14)) & 0x0000CCCC0000CCCCULL;
  b ^= t ^ (t << 14);
  t = (b ^ (b >> 28)) & 0x00000000F0F0F0F0ULL;
  return b ^ t ^ (t << 28);
}

Bits neighbours(Bits b) {
  const Bits row = b | ((b << 1) & ~0x0101010101010101ULL) | ((b >> 1) & ~0x8080808080808080ULL);
  return row | (row << 8) | (row >> 8);
}

// Discs are only ever placed next to discs, so all of them hang together with the centre.
bool hangs_together(Bits discs) {
  Bits reached = discs & kCentre;
  for (;;) {
    const Bits next = neighbours(reached) & discs;
    if (next == reached) return reached == discs;
    reached = next;
  }
}

std::string square_name(int square) {
  return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

enum class Content { kBlack, kWhite, kEmpty, kUnknown };

Content content_of(char c) {
  switch (c) {
    case 'X':
    case 'x':
    case '*':
      return Content::kBlack;
    case 'O':
    case 'o':
    case '0':
      return Content::kWhite;
    case '-':
    case '.':
      return Content::kEmpty;
    default:
      return Content::kUnknown;
  }
}

std::string quoted(char c) {
  if (c >= ' ' && c <= '~') return std::string("'") + c + "'";
  return "byte " + std::to_string(static_cast<unsigned>(static_cast<unsigned char>(c)));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

Bits transformed(Bits board, int symmetry) {
  if (symmetry & 1) board = mirror_files(board);
  if (symmetry & 2) board = mirror_rows(board);
  if (symmetry & 4) board = transpose(board);
  return board;
}

int transformed_square(int square, int symmetry) {
  if (square == kPass) return kPass;
  return std::countr_zero(transformed(bit(square), symmetry));
}

}  // namespace othello

int Othello::score() const {
  const int margin = is_over() ? othello::final_margin(player, opponent)
                               : std::popcount(player) - std::popcount(opponent);
  return side == 0 ? margin : -margin;
}

float Othello::result() const {
  const int difference = std::popcount(black()) - std::popcount(white());
  return difference > 0 ? 1.0F : difference < 0 ? 0.0F : 0.5F;
}

void Othello::write_features(float* planes, float* /*globals*/) const {
  for (const Bits plane : {player, opponent, mobility()})
    for (int square = 0; square < 64; ++square) *planes++ = static_cast<float>(plane >> square & 1);
}

Othello Othello::transformed(int symmetry) const {
  return {othello::transformed(player, symmetry), othello::transformed(opponent, symmetry), side};
}

std::string Othello::to_text() const {
  std::string text(66, '-');
  for (int square = 0; square < 64; ++square) {
    if (black() >> square & 1) text[static_cast<std::size_t>(square)] = 'X';
    if (white() >> square & 1) text[static_cast<std::size_t>(square)] = 'O';
  }
  text[64] = ' ';
  text[65] = side == 0 ? 'X' : 'O';
  return text;
}

Othello Othello::from_text(std::string_view text) {
  using othello::Content;
  text = othello::trimmed(text);
  Bits black = 0;
  Bits white = 0;
  const std::size_t length = text.find_first_of(" \t");
  const std::string_view squares = text.substr(0, length);
  // Bad characters first: a stray one is the likelier cause of a wrong length, and has a place to
  // point at.
  for (std::size_t i = 0; i < squares.size() && i < 64; ++i) {
    const int square = static_cast<int>(i);
    switch (othello::content_of(squares[i])) {
      case Content::kBlack:
        black |= othello::bit(square);
        break;
      case Content::kWhite:
        white |= othello::bit(square);
        break;
      case Content::kEmpty:
        break;
      case Content::kUnknown:
        throw std::invalid_argument("bad character " + othello::quoted(squares[i]) + " at square " +
                                    othello::square_name(square) + " (character " +
                                    std::to_string(i + 1) + "): expected X, O or -");
    }
  }
  if (squares.size() == 65 && length == std::string_view::npos &&
      othello::content_of(squares[64]) != Content::kUnknown) {
    throw std::invalid_argument("expected a space between the 64 squares and the side to move");
  }
  if (squares.size() != 64) {
    throw std::invalid_argument("expected 64 squares, found " + std::to_string(squares.size()));
  }
  if (length == std::string_view::npos) {
    throw std::invalid_argument("the side to move is missing: expected X or O after the squares");
  }
  const std::string_view mover = othello::trimmed(text.substr(length));
  const Content content = mover.size() == 1 ? othello::content_of(mover[0]) : Content::kUnknown;
  if (content != Content::kBlack && content != Content::kWhite) {
    throw std::invalid_argument("bad side to move \"" + std::string(mover) + "\": expected X or O");
  }
  const Bits missing = othello::kCentre & ~(black | white);
  if (missing != 0) {
    throw std::invalid_argument("impossible position: the centre square " +
                                othello::square_name(lowest_bit(missing)) +
                                " is empty, but it holds a disc from the start");
  }
  if (!othello::hangs_together(black | white)) {
    throw std::invalid_argument(
        "impossible position: some discs do not connect to the centre through other discs");
  }
  if (content == Content::kBlack) return {black, white, 0};
  return {white, black, 1};
}

std::string Othello::move_text(Move move) const {
  return move == kPass ? "pass" : othello::square_name(move);
}

Move Othello::parse_move(std::string_view text) const {
  std::string lower;
  for (const char c : othello::trimmed(text)) {
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (lower == "pass" || lower == "pa" || lower == "--") return kPass;
  if (lower.size() == 2 && lower[0] >= 'a' && lower[0] <= 'h' && lower[1] >= '1' &&
      lower[1] <= '8') {
    return static_cast<Move>((lower[1] - '1') * 8 + (lower[0] - 'a'));
  }
  throw std::invalid_argument("bad move \"" + std::string(text) +
                              "\": expected a square a1 to h8, or pass");
}

}  // namespace kibitz
