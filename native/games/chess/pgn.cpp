#include "games/chess/pgn.h"

#include <cctype>
#include <stdexcept>

#include "games/chess/fen.h"
#include "games/chess/generate.h"
#include "games/chess/notation.h"

namespace kibitz::chess {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr std::size_t kLongestToken = 64;
constexpr std::size_t kLongestTag = 4096;
constexpr std::size_t kMostTags = 1000;
// The longest possible game has 17,697 plies; engines' tests play on.
constexpr std::size_t kMostPlies = 100'000;

bool is_blank(int c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/// Characters of a move, a number or a result.
bool in_token(int c) {
  return std::isalnum(c) || c == '+' || c == '#' || c == '=' || c == '-' || c == '/' || c == '*' ||
         c == ':' || c == '!' || c == '?' || c == '.' || c == '_' || c == '@';
}

bool is_result(std::string_view token) {
  return token == "1-0" || token == "0-1" || token == "1/2-1/2" || token == "*" || token == "1/2";
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string_view PgnGame::tag(std::string_view name) const {
  for (const auto& [key, value] : tags)
    if (key == name) return value;
  return {};
}

PgnReader::PgnReader(ByteSource source) : source_(std::move(source)), buffer_(kBuffer) {
  // A byte order mark is no part of the text.
  for (const int c : {0xef, 0xbb, 0xbf}) {
    if (peek() != c) break;
    ++at_;
  }
}

bool PgnReader::refill() {
  if (ended_) return false;
  end_ = source_(buffer_.data(), buffer_.size());
  at_ = 0;
  ended_ = end_ == 0;
  return !ended_;
}

int PgnReader::get() {
  const int c = peek();
  if (c == kEnd) return c;
  ++at_;
  ++column_;
  if (c == '\n') {
    ++line_;
    column_ = 0;
  }
  return c;
}

void PgnReader::skip_line() {
  for (int c = get(); c != kEnd && c != '\n';) c = get();
}

/// Blanks and lines that begin with a percent sign, which are for other programs.
void PgnReader::skip_blank() {
  for (;;) {
    const int c = peek();
    if (c == '%' && at_line_start())
      skip_line();
    else if (is_blank(c))
      get();
    else
      return;
  }
}

/// From after the opening brace; false when another game begins before it is closed.
bool PgnReader::skip_comment() {
  for (int c = get(); c != '}'; c = get()) {
    if (c == kEnd) return false;
    if (c != '\n' || peek() != '[') continue;
    // A comment may hold a bracket at a line's start, but hardly the word that begins a game.
    std::size_t matched = 0;
    constexpr std::string_view kOpening = "[Event ";
    while (matched < kOpening.size() && peek() == kOpening[matched]) {
      get();
      ++matched;
    }
    if (matched == kOpening.size()) {
      skip_line();
      return false;
    }
  }
  return true;
}

/// From after the opening parenthesis, variations within variations included.
bool PgnReader::skip_variation() {
  for (int depth = 1; depth > 0;) {
    const bool line_start = at_line_start();
    if (line_start && peek() == '[') return false;
    const int c = get();
    if (c == kEnd) return false;
    if (c == '{' && !skip_comment()) return false;
    if (c == ';') skip_line();
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
  return true;
}

bool PgnReader::next(PgnGame& game) {
  game = PgnGame{};
  skip_blank();
  // Whatever stands between games is not ours: comments, stray brackets of a broken game.
  while (peek() == '{' || peek() == ';' || peek() == ')' || peek() == '}') {
    const int c = get();
    if (c == '{') skip_comment();
    if (c == ';') skip_line();
    skip_blank();
  }
  if (peek() == kEnd) return false;
  game.number = ++games_;
  game.line = line_;
  read_tags(game);
  set_up(game);
  read_moves(game);
  if (game.result == "*" && is_result(game.tag("Result"))) game.result = game.tag("Result");
  if (game.result == "1/2") game.result = "1/2-1/2";
  return true;
}

void PgnReader::fail(PgnGame& game, std::string reason) {
  if (game.problem.empty()) game.problem = std::move(reason);
}

void PgnReader::read_tags(PgnGame& game) {
  while (peek() == '[') {
    if (game.tags.size() >= kMostTags) {
      fail(game, "more than " + std::to_string(kMostTags) + " tags");
      skip_line();
    } else if (!read_tag(game)) {
      fail(game, "broken tag in line " + std::to_string(line_));
      skip_line();
    }
    skip_blank();
  }
}

/// `[Name "value"]`, quotes and backslashes within the value escaped.
bool PgnReader::read_tag(PgnGame& game) {
  get();
  std::string name, value;
  while (peek() == ' ' || peek() == '\t') get();
  while (std::isalnum(peek()) || peek() == '_') {
    if (name.size() > kLongestTag) return false;
    name += static_cast<char>(get());
  }
  while (peek() == ' ' || peek() == '\t') get();
  if (name.empty() || peek() != '"') return false;
  get();
  for (;;) {
    if (peek() == '\n' || peek() == kEnd || value.size() > kLongestTag) return false;
    const int c = get();
    if (c == '\\' && (peek() == '"' || peek() == '\\')) {
      value += static_cast<char>(get());
      continue;
    }
    value += static_cast<char>(c);
    if (c != '"') continue;
    // Many programs leave quotes within a value as they are; the one that ends it is before a
    // bracket.
    while (peek() == ' ' || peek() == '\t') value += static_cast<char>(get());
    if (peek() == ']') break;
  }
  get();
  value.erase(value.rfind('"'));
  game.tags.emplace_back(std::move(name), std::move(value));
  return true;
}

/// The start position from the tags FEN and Variant.
void PgnReader::set_up(PgnGame& game) {
  game.start = Board::start();
  const std::string variant = lower(game.tag("Variant"));
  const bool is_960 =
      variant.find("960") != std::string::npos || variant.find("fischer") != std::string::npos;
  const bool usual = variant.empty() || variant == "standard" || variant == "chess" ||
                     variant == "normal" || variant == "from position";
  if (!usual && !is_960)
    fail(game, "the variant " + std::string(game.tag("Variant")) + " is not chess");
  const std::string_view fen = game.tag("FEN");
  if (!fen.empty()) {
    try {
      game.start = read_fen(fen).board;
    } catch (const std::invalid_argument& error) {
      fail(game, std::string("bad FEN tag: ") + error.what());
    }
  }
  if (is_960) game.start.chess960 = true;
}

/// One word of movetext into `token_`; a move number's dots end it, so that "1.e4" is two words.
bool PgnReader::read_token() {
  token_.clear();
  while (in_token(peek())) {
    const int c = get();
    if (token_.size() < kLongestToken) token_ += static_cast<char>(c);
    const bool number = c == '.' && std::isdigit(static_cast<unsigned char>(token_[0]));
    if (number && peek() != '.') break;
  }
  return !token_.empty();
}

void PgnReader::read_moves(PgnGame& game) {
  Board board = game.start;
  for (;;) {
    skip_blank();
    const bool line_start = at_line_start();
    const int c = peek();
    if (c == kEnd || (c == '[' && line_start)) return;
    if (in_token(c)) {
      read_token();
      if (is_result(token_)) {
        game.result = token_;
        return;
      }
      // After a problem the rest of the game is only skipped.
      if (game.problem.empty()) read_move(game, board);
      continue;
    }
    get();
    if (c == '{' && !skip_comment()) return fail(game, "a comment is not closed");
    if (c == '(' && !skip_variation()) return fail(game, "a variation is not closed");
    if (c == ';') skip_line();
    if (c == '$')
      while (std::isdigit(peek())) get();
    if (c == '{' || c == '(' || c == ';' || c == '$' || c == '<' || c == '>') continue;
    if (c == '[')  // some programs put tags amid the moves
      skip_line();
    else
      fail(game, "unexpected character in line " + std::to_string(line_));
  }
}

void PgnReader::read_move(PgnGame& game, Board& board) {
  std::string_view token = token_;
  // "12." and "12..." are numbers, "12" alone too; "$" was dealt with; "!?" may stand apart.
  if (token.find_first_not_of("0123456789.") == std::string_view::npos) return;
  if (token.find_first_not_of("!?+-=") == std::string_view::npos && token != "--") return;
  if (token == "e.p." || token == "ep") return;
  Move move = read_uci(board, token);
  const char* problem = "the move is illegal";
  if (move == kNoMove) {
    const SanRead read = read_san(board, token);
    move = read.move;
    problem = read.problem;
  } else if (!is_legal(board, move)) {
    move = kNoMove;
  }
  if (move == kNoMove) {
    fail(game, "move " + std::to_string(board.number) + (board.side == kWhite ? ". " : "... ") +
                   std::string(token) + " in line " + std::to_string(line_) + ": " + problem);
    return;
  }
  if (game.moves.size() >= kMostPlies)
    return fail(game, "more than " + std::to_string(kMostPlies) + " plies");
  game.moves.push_back(move);
  board.play(move);
}

}  // namespace kibitz::chess
