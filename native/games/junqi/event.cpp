#include "games/junqi/event.h"

#include <charconv>
#include <stdexcept>

namespace kibitz::junqi {
namespace {

int parse_seat(char letter) {
  const auto seat = kSeatLetters.find(letter);
  if (seat == std::string_view::npos)
    throw std::invalid_argument("no seat " + quoted({&letter, 1}) + ", expected S, E, N or W");
  return static_cast<int>(seat);
}

constexpr const char* kDrawText = "draw:agreed";

char seat_letter(int seat) { return kSeatLetters[static_cast<std::size_t>(seat)]; }

}  // namespace

std::string move_text(Move move) { return node_name(from_of(move)) + "-" + node_name(to_of(move)); }

Move parse_move(std::string_view text) {
  if (text.size() < 6)
    throw std::invalid_argument("no move " + quoted(text) + ", expected from-to such as S11-C31");
  const bool joined = text[3] != '-' && text[3] != 'x';
  const int from = parse_node(text.substr(0, 3));
  const int to = parse_node(text.substr(joined ? 3 : 4, 3));
  return move_of(from, to);
}

std::string event_text(const Event& event) {
  if (event.type == EventType::kDrawAgreed) return kDrawText;
  if (event.type == EventType::kResigned || event.type == EventType::kSkipped) {
    std::string out = event.type == EventType::kResigned ? "resign:" : "skip:";
    out += seat_letter(event.seat);
    if (event.reason != 0) out += "#" + std::to_string(event.reason);
    for (int s = 0; s < kSeats; ++s)
      if (event.out[static_cast<std::size_t>(s)] == Out::kStuck)
        out += std::string("^") + seat_letter(s);
    return out;
  }
  std::string out = node_name(from_of(event.move));
  out += event.outcome == Outcome::kMove ? '-' : 'x';
  out += node_name(to_of(event.move));
  if (event.outcome == Outcome::kWon) out += '+';
  if (event.outcome == Outcome::kLost) out += '-';
  if (event.outcome == Outcome::kBothDied) out += '=';
  for (std::size_t s = 0; s < kSeats; ++s)
    if (event.flag_at[s] != kNowhere) out += "!" + node_name(event.flag_at[s]);
  for (std::size_t s = 0; s < kSeats; ++s) {
    if (event.out[s] == Out::kFlagTaken) out += std::string("~") + seat_letter(static_cast<int>(s));
    if (event.out[s] == Out::kStuck) out += std::string("^") + seat_letter(static_cast<int>(s));
  }
  return out;
}

Event parse_event(std::string_view text) {
  const auto fail = [&](const char* why) {
    return std::invalid_argument("no event " + quoted(text) + ": " + why);
  };
  Event event;
  if (text == kDrawText) {
    event.type = EventType::kDrawAgreed;
    return event;
  }
  std::size_t at = 0;
  for (const auto& [word, type] :
       {std::pair<std::string_view, EventType>{"resign:", EventType::kResigned},
        {"skip:", EventType::kSkipped}}) {
    if (text.substr(0, word.size()) != word) continue;
    if (text.size() <= word.size()) throw fail("the seat is missing");
    event.type = type;
    event.seat = static_cast<std::uint8_t>(parse_seat(text[word.size()]));
    if (type == EventType::kResigned) event.out[event.seat] = Out::kResigned;
    at = word.size() + 1;
    if (at < text.size() && text[at] == '#') {
      const char* const begin = text.data() + at + 1;
      const char* const end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(begin, end, event.reason);
      if (error != std::errc{}) throw fail("a reason is a number from 0 to 255");
      at = static_cast<std::size_t>(rest - text.data());
    }
  }
  if (at == 0) {
    event.move = parse_move(text);
    at = 7;
    if (text[3] == 'x') {
      if (text.size() < 8) throw fail("an attack ends in +, - or =");
      if (text[7] == '+')
        event.outcome = Outcome::kWon;
      else if (text[7] == '-')
        event.outcome = Outcome::kLost;
      else if (text[7] == '=')
        event.outcome = Outcome::kBothDied;
      else
        throw fail("an attack ends in +, - or =");
      at = 8;
    } else if (text[3] != '-') {
      throw fail("expected - or x between the nodes");
    }
  }
  while (at < text.size()) {
    const char mark = text[at++];
    if (mark == '!') {
      if (at + 3 > text.size()) throw fail("a flag's node is missing");
      const int node = parse_node(text.substr(at, 3));
      if (!is_headquarters(node)) throw fail("a flag stands in a headquarters");
      event.flag_at[static_cast<std::size_t>(arm_of(node))] = static_cast<std::uint8_t>(node);
      at += 3;
    } else if (mark == '~' || mark == '^') {
      if (at >= text.size()) throw fail("the seat that is out is missing");
      event.out[static_cast<std::size_t>(parse_seat(text[at++]))] =
          mark == '~' ? Out::kFlagTaken : Out::kStuck;
    } else {
      throw fail("unknown mark after the move");
    }
  }
  return event;
}

}  // namespace kibitz::junqi
