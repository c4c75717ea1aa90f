// Go positions and moves as text.
//
//     X.../..../.O../.... w rules=japanese komi=6.5 ko=B2 passes=1
//
// Rows from the top, the side to move, then what differs from a fresh position.
#include "games/go/notation.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "games/go/count.h"
#include "games/go/play.h"
#include "games/go/scoring.h"

namespace kibitz::go {

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

std::string move_text(const State& s, Move move) {
  std::string text;
  if (move & kOutOfTurn) text = s.side == kBlack ? "W:" : "B:";
  const int point = move & ~kMarks;
  if (point == pass(s)) {
    text += "pass";
  } else {
    text += kColumns[static_cast<std::size_t>(point % s.board.columns())];
    text += std::to_string(s.board.rows() - point / s.board.columns());
  }
  if (move & kTolerated) text += '!';
  return text;
}

Move parse_move(const State& s, std::string_view given) {
  std::string text;
  for (const char c : given) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  Move marks = 0;
  std::string_view rest = text;
  if (rest.size() > 2 && rest[1] == ':' && (rest[0] == 'B' || rest[0] == 'W')) {
    if ((rest[0] == 'B') != (s.side == kBlack)) marks |= kOutOfTurn;
    rest.remove_prefix(2);
  }
  if (rest.size() > 1 && rest.back() == '!') {
    marks |= kTolerated;
    rest.remove_suffix(1);
  }
  if (rest == "PASS") return static_cast<Move>(pass(s) | marks);
  const auto column = rest.empty() ? std::string_view::npos : kColumns.find(rest[0]);
  int row = 0;
  if (column != std::string_view::npos && rest.size() >= 2 && rest.size() <= 3) {
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), row);
    if (error != std::errc{} || end != rest.data() + rest.size()) row = 0;
  }
  if (row < 1 || row > s.board.rows() || static_cast<int>(column) >= s.board.columns())
    refuse("'" + std::string(given) + "' is no point of a " + std::to_string(s.board.columns()) +
           "x" + std::to_string(s.board.rows()) + " board, expected one such as " +
           move_text(s, static_cast<Move>(0)) + ", or pass");
  return static_cast<Move>(((s.board.rows() - row) * s.board.columns() + static_cast<int>(column)) |
                           marks);
}

std::string to_text(const State& s) {
  const Snapshot now = snapshot(s);
  std::string text = write_rows(s.board, now.black, now.white);
  text += s.side == kBlack ? " b" : " w";
  text += " rules=" + s.rules.to_text() + " komi=" + number(s.komi);
  const auto vertex = [&s](Cell cell) {
    return move_text(s, static_cast<Move>(s.board.point(cell)));
  };
  if (s.board.ko() != kNoCell) text += " ko=" + vertex(s.board.ko());
  if (s.passes) text += " passes=" + std::to_string(s.passes);
  if (s.phase) text += " phase=" + std::to_string(s.phase);
  State fresh = empty_board(s.board.columns(), s.board.rows(), s.rules, s.komi);
  fresh.board = s.board;
  fresh.board.set_taken(kBlack, 0);
  fresh.board.set_taken(kWhite, 0);
  start(fresh, 0);
  if (s.white_bonus != fresh.white_bonus) text += " bonus=" + number(s.white_bonus);
  if (s.white_handicap != fresh.white_handicap) text += " handicap=" + number(s.white_handicap);
  if (s.rules.button && !s.button) text += " button=0";
  if (s.phase == 2) text += " second=" + write_rows(s.board, s.second_black, s.second_white);
  const auto listed = [&](const CellSet& cells) {
    std::string points;
    for (int p = 0; p < s.board.points(); ++p)
      if (cells.has(s.board.cell(p)))
        points += (points.empty() ? "" : ",") + vertex(s.board.cell(p));
    return points;
  };
  if (!s.blocked.empty()) text += " blocked=" + listed(s.blocked);
  if (!s.dead.empty()) text += " dead=" + listed(s.dead);
  switch (s.end) {
    case End::kPlaying:
      break;
    case End::kScored:
      text += " end=score";
      break;
    case End::kVoid:
      text += " end=void";
      break;
    case End::kAgreed:
      text += " end=agreed";
      break;
  }
  return text;
}

State from_text(std::string_view text) {
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
  State game = empty_board(columns, rows, rules, komi);
  read_rows(words[0], columns, rows, [&](int point, Stone stone) {
    if (!set_up(game, point, stone))
      refuse("the stones around " + move_text(game, static_cast<Move>(point)) + " have no liberty");
  });
  start(game, words[1] == "b" ? 0 : 1);

  bool agreed = false;
  CellSet dead;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].empty()) continue;
    const auto equals = words[i].find('=');
    const auto name = words[i].substr(0, equals);
    const auto value = equals == std::string_view::npos ? "" : words[i].substr(equals + 1);
    if (name == "rules" || name == "komi") continue;
    const auto cell = [&game](std::string_view vertex) {
      const Move move = static_cast<Move>(parse_move(game, vertex) & ~kMarks);
      if (move == pass(game)) refuse("'pass' is no point of the board");
      return game.board.cell(move);
    };
    if (name == "ko") {
      game.board.set_ko(cell(value));
    } else if (name == "passes") {
      game.passes = static_cast<std::uint8_t>(read_count(name, value, 3));
    } else if (name == "phase") {
      game.phase = static_cast<std::uint8_t>(read_count(name, value, 2));
      if (game.phase && area_scoring(game)) refuse("phase is for territory scoring only");
    } else if (name == "bonus") {
      game.white_bonus = read_number(name, value, 10000.0f);
    } else if (name == "handicap") {
      game.white_handicap = read_number(name, value, 400.0f);
    } else if (name == "button") {
      game.button = read_count(name, value, 1) == 1;
    } else if (name == "second") {
      read_rows(value, columns, rows, [&](int point, Stone stone) {
        (stone == kBlack ? game.second_black : game.second_white).add(game.board.cell(point));
      });
    } else if (name == "blocked") {
      for (const auto vertex : split(value, ',')) set_blocked(game, cell(vertex), true);
    } else if (name == "dead") {
      CellSet cells;
      for (const auto vertex : split(value, ',')) cells.add(cell(vertex));
      dead = whole_chains(game.board, cells);
    } else if (name == "end") {
      if (value != "score" && value != "void" && value != "agreed")
        refuse("end is score, agreed or void, not '" + std::string(value) + "'");
      if (value == "score")
        finish(game);
      else if (value == "agreed")
        agreed = true;
      else
        game.end = End::kVoid;
    } else {
      refuse(
          "unknown word '" + std::string(words[i]) +
          "', expected rules=, komi=, ko=, passes=, phase=, bonus=, handicap=, button=, second=, "
          "blocked=, dead= or end=");
    }
  }
  if (agreed)
    settle(game, dead);
  else if (!dead.empty())
    refuse("dead stones are of a game with end=agreed");
  if (game.phase > 0) {
    game.past.clear();
    game.past.push(ko_hash(game, game.board.hash(), game.side));
  }
  return game;
}

}  // namespace kibitz::go
