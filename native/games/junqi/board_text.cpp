// Reading a true board from its notation.
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/index.h"
#include "games/junqi/board.h"

namespace kibitz::junqi {
namespace {

std::vector<std::string_view> words_of(std::string_view text, char between) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::uint16_t number(std::string_view word, std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 0 || value > 60000)
    throw std::invalid_argument(quoted(word) + " takes a number from 0 to 60000");
  return static_cast<std::uint16_t>(value);
}

}  // namespace

Junqi Junqi::read(std::string_view text, bool partial) {
  Options options;
  std::array<std::string_view, kSeats> armies;
  std::array<bool, kSeats> out{};
  int turn = -1;
  bool drawn = false;
  std::uint16_t quiet = 0, ply = 0;
  for (const auto word : words_of(text, ' ')) {
    const auto seat = kSeatLetters.find(word[0]);
    const bool gone = word.size() > 2 && word[1] == '-' && word[2] == ':';
    if (seat != std::string_view::npos && word.size() > 1 && (word[1] == ':' || gone)) {
      if (!armies[seat].empty()) throw std::invalid_argument("a seat is given twice");
      armies[seat] = word.substr(gone ? 3 : 2);
      out[seat] = gone;
    } else if (word.substr(0, 5) == "turn=") {
      const auto which = word.size() == 6 ? kSeatLetters.find(word[5]) : std::string_view::npos;
      if (which == std::string_view::npos)
        throw std::invalid_argument("turn= takes a seat S, E, N or W");
      turn = static_cast<int>(which);
    } else if (word.substr(0, 6) == "quiet=") {
      quiet = number(word, word.substr(6));
    } else if (word.substr(0, 4) == "ply=") {
      ply = number(word, word.substr(4));
    } else if (word == "drawn") {
      drawn = true;
    } else {
      options.read(word);
    }
  }
  Placement empty(options);
  Junqi board(empty);
  board.kinds_.fill(Kind::kUnknown);
  for (int seat = 0; seat < kSeats; ++seat) {
    const std::string name(1, kSeatLetters[as_index(seat)]);
    if (!empty.alive(seat)) {
      if (!armies[as_index(seat)].empty())
        throw std::invalid_argument("with two players there is no seat " + name);
      continue;
    }
    const auto tokens = words_of(armies[as_index(seat)], ',');
    if (tokens.size() != kArmy)
      throw std::invalid_argument("seat " + name + " has " + std::to_string(tokens.size()) +
                                  " pieces, expected 25");
    for (int place = 0; place < kArmy; ++place) {
      const int piece = seat * kArmy + place;
      const auto token = tokens[as_index(place)];
      const auto kind = kind_of_letter(token[0]);
      if (!kind || (*kind == Kind::kUnknown && !partial))
        throw std::invalid_argument("seat " + name + ": no piece " + quoted(token));
      board.kinds_[as_index(piece)] = *kind;
      int node = origin_of(piece);
      for (std::size_t at = 1; at < token.size(); ++at) {
        if (token[at] == '*') {
          board.turned_[as_index(piece)] = true;
        } else if (token[at] == '!') {
          board.flag_known_[as_index(seat)] = true;
        } else if (token[at] == 'x') {
          node = kNowhere;
        } else if (token[at] == '>') {
          board.moved_[as_index(piece)] = true;
          if (token.substr(at + 1) == "x") continue;
          node = parse_node(token.substr(at + 1));
          break;
        } else {
          throw std::invalid_argument("seat " + name + ": no piece " + quoted(token));
        }
      }
      if (node == kNowhere || out[as_index(seat)]) continue;
      if (!board.graph().all().has(node))
        throw std::invalid_argument("this board has no node " + node_name(node));
      if (board.piece_at(node) != kNowhere)
        throw std::invalid_argument("two pieces on " + node_name(node));
      board.stand(piece, node);
    }
    const auto faults = layout_faults(layout_of(board, seat));
    if (!partial && !faults.empty())
      throw std::invalid_argument("seat " + name + ": " + fault_text(faults));
    if (options.information == Information::kOpen) board.flag_known_[as_index(seat)] = true;
    if (out[as_index(seat)]) board.alive_ = static_cast<std::uint8_t>(board.alive_ & ~(1 << seat));
  }
  if (!empty.alive(options.first)) throw std::invalid_argument("nobody sits where first= says");
  if (turn < 0) throw std::invalid_argument("the seat to move is missing, expected such as turn=S");
  if (!empty.alive(turn)) throw std::invalid_argument("the seat to move does not exist");
  if (!board.alive(turn) && team_alive(board, 0) && team_alive(board, 1))
    throw std::invalid_argument("the seat to move is out");
  board.turn_ = static_cast<std::uint8_t>(turn);
  board.quiet_ = quiet;
  board.ply_ = ply;
  board.draw_agreed_ = drawn;
  board.rebuild();
  if (partial) return board;
  for (int seat = 0; seat < kSeats; ++seat)
    if (board.alive(seat) && !board.on_board(board.flag(seat)))
      throw std::invalid_argument(std::string("seat ") + kSeatLetters[as_index(seat)] +
                                  " plays on without its flag");
  if (!board.is_over() && !can_move(board, turn))
    throw std::invalid_argument("the seat to move has no move, so it should be out");
  return board;
}

}  // namespace kibitz::junqi
