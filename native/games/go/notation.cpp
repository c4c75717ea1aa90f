// Go positions and moves as text.
//
//     X.../..../.O../.... w rules=japanese komi=6.5 ko=B2 passes=1
//
// Rows from the top, the side to move, then what differs from a fresh position.
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "games/go/position.h"

namespace kibitz {

using namespace go;

namespace {

constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRST";

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(value));
  return text;
}

float read_number(std::string_view name, std::string_view text, float most) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(std::fabs(value) <= most) ||
      value * 2 != std::round(value * 2))
    refuse(std::string(name) + " must be a whole or half number from " + number(-most) + " to " +
           number(most) + ", not '" + std::string(text) + "'");
  return value;
}

int read_count(std::string_view name, std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > most)
    refuse(std::string(name) + " must be a number from 0 to " + std::to_string(most) + ", not '" +
           std::string(text) + "'");
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Visits the stones of `X.O/...`; throws when it is no board, or not one of these sizes.
template <class Visit>
void read_rows(std::string_view text, int columns, int rows, const Visit& visit) {
  const auto lines = split(text, '/');
  if (static_cast<int>(lines.size()) != rows) refuse("the board has rows of different number");
  for (int y = 0; y < rows; ++y) {
    const auto line = lines[static_cast<std::size_t>(y)];
    if (static_cast<int>(line.size()) != columns)
      refuse("row " + std::to_string(y + 1) + " of the board has " + std::to_string(line.size()) +
             " points, expected " + std::to_string(columns));
    for (int x = 0; x < columns; ++x) {
      const char c = line[static_cast<std::size_t>(x)];
      if (c == '.' || c == '-' || c == '+') continue;
      if (c != 'X' && c != 'x' && c != '#' && c != 'O' && c != 'o')
        refuse(std::string("the board holds '") + c + "', expected X (black), O (white) or .");
      visit(y * columns + x, c == 'O' || c == 'o' ? kWhite : kBlack);
    }
  }
}

std::string write_rows(const Board& board, const CellSet& black, const CellSet& white) {
  std::string text;
  for (int p = 0; p < board.points(); ++p) {
    if (p && p % board.columns() == 0) text += '/';
    const Cell cell = board.cell(p);
    text += black.has(cell) ? 'X' : white.has(cell) ? 'O' : '.';
  }
  return text;
}

}  // namespace

std::string Go::move_text(Move move) const {
  std::string text;
  if (move & kOutOfTurn) text = side_ == kBlack ? "W:" : "B:";
  const int point = move & ~kMarks;
  if (point == pass()) {
    text += "pass";
  } else {
    text += kColumns[static_cast<std::size_t>(point % columns())];
    text += std::to_string(rows() - point / columns());
  }
  if (move & kTolerated) text += '!';
  return text;
}

Move Go::parse_move(std::string_view given) const {
  std::string text;
  for (const char c : given) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  Move marks = 0;
  std::string_view rest = text;
  if (rest.size() > 2 && rest[1] == ':' && (rest[0] == 'B' || rest[0] == 'W')) {
    if ((rest[0] == 'B') != (side_ == kBlack)) marks |= kOutOfTurn;
    rest.remove_prefix(2);
  }
  if (rest.size() > 1 && rest.back() == '!') {
    marks |= kTolerated;
    rest.remove_suffix(1);
  }
  if (rest == "PASS") return static_cast<Move>(pass() | marks);
  const auto column = rest.empty() ? std::string_view::npos : kColumns.find(rest[0]);
  int row = 0;
  if (column != std::string_view::npos && rest.size() >= 2 && rest.size() <= 3) {
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), row);
    if (error != std::errc{} || end != rest.data() + rest.size()) row = 0;
  }
  if (row < 1 || row > rows() || static_cast<int>(column) >= columns())
    refuse("'" + std::string(given) + "' is no point of a " + std::to_string(columns()) + "x" +
           std::to_string(rows()) + " board, expected one such as " +
           move_text(static_cast<Move>(0)) + ", or pass");
  return static_cast<Move>(((rows() - row) * columns() + static_cast<int>(column)) | marks);
}

std::string Go::to_text() const {
  const Snapshot now = snapshot();
  std::string text = write_rows(board_, now.black, now.white);
  text += side_ == kBlack ? " b" : " w";
  text += " rules=" + rules_.to_text() + " komi=" + number(komi_);
  const auto vertex = [this](Cell cell) {
    return move_text(static_cast<Move>(board_.point(cell)));
  };
  if (board_.ko() != kNoCell) text += " ko=" + vertex(board_.ko());
  if (passes_) text += " passes=" + std::to_string(passes_);
  if (phase_) text += " phase=" + std::to_string(phase_);
  Go fresh(columns(), rows(), rules_, komi_);
  fresh.board_ = board_;
  fresh.board_.set_taken(kBlack, 0);
  fresh.board_.set_taken(kWhite, 0);
  fresh.start(0);
  if (white_bonus_ != fresh.white_bonus_) text += " bonus=" + number(white_bonus_);
  if (white_handicap_ != fresh.white_handicap_) text += " handicap=" + number(white_handicap_);
  if (rules_.button && !button_) text += " button=0";
  if (phase_ == 2) text += " second=" + write_rows(board_, second_black_, second_white_);
  std::string blocked;
  for (int p = 0; p < board_.points(); ++p)
    if (blocked_.has(board_.cell(p)))
      blocked += (blocked.empty() ? "" : ",") + vertex(board_.cell(p));
  if (!blocked.empty()) text += " blocked=" + blocked;
  if (is_over()) text += is_void() ? " end=void" : " end=score";
  return text;
}

Go Go::from_text(std::string_view text) {
  const auto words = split(text, ' ');
  const auto lines = split(words[0], '/');
  const int rows = static_cast<int>(lines.size()), columns = static_cast<int>(lines[0].size());
  if (columns < kLeastSide || columns > kMostSide || rows < kLeastSide || rows > kMostSide)
    refuse(
        "a board has 2 to 19 rows and columns, written as X../.O./... with rows from the top; "
        "got " +
        std::to_string(columns) + " columns and " + std::to_string(rows) + " rows");
  if (words.size() < 2 || (words[1] != "b" && words[1] != "w"))
    refuse("after the board comes the side to move, b or w");

  Rules rules = Rules::from_text("chinese");
  std::string_view komi_text;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].substr(0, 6) == "rules=") rules = Rules::from_text(words[i].substr(6));
    if (words[i].substr(0, 5) == "komi=") komi_text = words[i].substr(5);
  }
  const float komi =
      komi_text.empty() ? rules.usual_komi() : read_number("komi", komi_text, kMostKomi);
  Go game(columns, rows, rules, komi);
  read_rows(words[0], columns, rows, [&](int point, Stone stone) {
    if (!game.set_up(point, stone))
      refuse("the stones around " + game.move_text(static_cast<Move>(point)) + " have no liberty");
  });
  game.start(words[1] == "b" ? 0 : 1);

  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].empty()) continue;
    const auto equals = words[i].find('=');
    const auto name = words[i].substr(0, equals);
    const auto value = equals == std::string_view::npos ? "" : words[i].substr(equals + 1);
    if (name == "rules" || name == "komi") continue;
    const auto cell = [&game](std::string_view vertex) {
      const Move move = static_cast<Move>(game.parse_move(vertex) & ~kMarks);
      if (move == game.pass()) refuse("'pass' is no point of the board");
      return game.board_.cell(move);
    };
    if (name == "ko") {
      game.board_.set_ko(cell(value));
    } else if (name == "passes") {
      game.passes_ = static_cast<std::uint8_t>(read_count(name, value, 3));
    } else if (name == "phase") {
      game.phase_ = static_cast<std::uint8_t>(read_count(name, value, 2));
      if (game.phase_ && game.area_scoring()) refuse("phase is for territory scoring only");
    } else if (name == "bonus") {
      game.white_bonus_ = read_number(name, value, 10000.0f);
    } else if (name == "handicap") {
      game.white_handicap_ = read_number(name, value, 400.0f);
    } else if (name == "button") {
      game.button_ = read_count(name, value, 1) == 1;
    } else if (name == "second") {
      read_rows(value, columns, rows, [&](int point, Stone stone) {
        (stone == kBlack ? game.second_black_ : game.second_white_).add(game.board_.cell(point));
      });
    } else if (name == "blocked") {
      for (const auto vertex : split(value, ',')) game.set_blocked(cell(vertex), true);
    } else if (name == "end") {
      if (value != "score" && value != "void")
        refuse("end is score or void, not '" + std::string(value) + "'");
      if (value == "score")
        game.finish();
      else
        game.end_ = End::kVoid;
    } else {
      refuse(
          "unknown word '" + std::string(words[i]) +
          "', expected rules=, komi=, ko=, passes=, phase=, bonus=, handicap=, button=, second=, "
          "blocked= or end=");
    }
  }
  if (game.phase_ > 0) {
    game.past_.clear();
    game.past_.push(game.ko_hash(game.board_.hash(), game.side_));
  }
  return game;
}

}  // namespace kibitz
