#include "games/junqi/placement.h"

#include <charconv>
#include <stdexcept>

#include "base/index.h"

namespace kibitz::junqi {

const std::array<bool, kNodes> kHeadquarters = [] {
  std::array<bool, kNodes> out{};
  for (int node = 0; node < kNodes; ++node)
    out[static_cast<std::size_t>(node)] = is_headquarters(node);
  return out;
}();

std::string Options::to_text() const {
  constexpr const char* names[] = {"dark", "allies", "open"};
  std::string out = std::to_string(players) + " " + names[static_cast<int>(information)] +
                    " draw=" + std::to_string(draw_plies);
  if (stuck_at_once) out += " stuck-at-once";
  if (first != 0) out += std::string(" first=") + kSeatLetters[static_cast<std::size_t>(first)];
  return out;
}

void Options::read(std::string_view word) {
  if (word == "2" || word == "4") {
    players = word[0] - '0';
  } else if (word == "dark") {
    information = Information::kDark;
  } else if (word == "allies") {
    information = Information::kAllies;
  } else if (word == "open") {
    information = Information::kOpen;
  } else if (word == "stuck-at-once") {
    stuck_at_once = true;
  } else if (word == "qq") {
    stuck_at_once = true;
    draw_plies = 71;
    first = 1;
  } else if (word.substr(0, 6) == "first=") {
    const auto seat = word.size() == 7 ? kSeatLetters.find(word[6]) : std::string_view::npos;
    if (seat == std::string_view::npos)
      throw std::invalid_argument("first= takes a seat S, E, N or W");
    first = static_cast<int>(seat);
  } else if (word.substr(0, 5) == "draw=") {
    const auto number = word.substr(5);
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), draw_plies);
    if (error != std::errc{} || end != number.data() + number.size() || draw_plies < 0 ||
        draw_plies > 60000)
      throw std::invalid_argument("draw= takes plies from 0 (never) to 60000, got " +
                                  quoted(number));
  } else {
    throw std::invalid_argument("unknown word " + quoted(word) +
                                ", expected 2 or 4, dark, allies or open, draw=N, "
                                "stuck-at-once, first=SEAT or qq");
  }
}

Placement::Placement(const Options& options)
    : options_(options), graph_(&Graph::of(options.players)) {
  at_.fill(kNowhere);
  on_.fill(kNowhere);
  alive_ = options.players == 4 ? 0b1111 : 0b0101;
}

bool team_alive(const Placement& placement, int team) {
  for (int seat = 0; seat < kSeats; ++seat)
    if (placement.alive(seat) && placement.team(seat) == team) return true;
  return false;
}

bool Placement::is_over() const {
  return draw_agreed_ || !team_alive(*this, 0) || !team_alive(*this, 1) ||
         (options_.draw_plies > 0 && quiet_ >= options_.draw_plies);
}

float Placement::result() const {
  const bool first = team_alive(*this, 0), second = team_alive(*this, 1);
  if (first == second) return 0.5f;
  return first ? 1.0f : 0.0f;
}

bool has_exit(const Placement& placement, int piece) {
  const int from = placement.node_of(piece);
  if (kHeadquarters[static_cast<std::size_t>(from)]) return false;
  // A longer run begins with a step, so a piece that cannot step cannot run.
  const Graph& graph = placement.graph();
  return graph.neighbours(from)
      .minus(team_occupied(placement, placement.team(owner_of(piece))))
      .minus(graph.camps() & placement.occupied())
      .any();
}

bool Placement::operator==(const Placement& other) const {
  return options_ == other.options_ && at_ == other.at_ && moved_ == other.moved_ &&
         turn_ == other.turn_ && alive_ == other.alive_ && quiet_ == other.quiet_ &&
         draw_agreed_ == other.draw_agreed_;
}

void Placement::stand(int piece, int node) {
  at_[as_index(piece)] = static_cast<std::uint8_t>(node);
  on_[as_index(node)] = static_cast<std::uint8_t>(piece);
  occupied_[as_index(owner_of(piece))].set(node);
}

void Placement::lift(int piece) {
  const int node = at_[as_index(piece)];
  at_[as_index(piece)] = kNowhere;
  on_[as_index(node)] = kNowhere;
  occupied_[as_index(owner_of(piece))].clear(node);
}

void Placement::remove_army(int seat) {
  for (int piece = seat * kArmy; piece < (seat + 1) * kArmy; ++piece)
    if (on_board(piece)) lift(piece);
  alive_ = static_cast<std::uint8_t>(alive_ & ~(1 << seat));
}

void Placement::pass_turn() {
  for (int tries = 0; tries < kSeats; ++tries) {
    turn_ = static_cast<std::uint8_t>((turn_ + 1) & 3);
    if (alive(turn_)) return;
  }
}

}  // namespace kibitz::junqi
