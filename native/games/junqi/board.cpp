#include "games/junqi/board.h"

#include <bit>
#include <stdexcept>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

/// A piece's part of the hash: its number and node from a table, its kind as a rotation.
std::uint64_t part(int piece, int node, Kind kind) {
  static const auto table = [] {
    std::vector<std::uint64_t> out(kPieces * kNodes);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = mix64(mix64(i) + 0x6a756e7169ULL);
    return out;
  }();
  return std::rotl(table[static_cast<std::size_t>(piece * kNodes + node)], static_cast<int>(kind));
}

}  // namespace

Junqi::Junqi()
    : Junqi([] {
        std::array<Layout, kSeats> layouts;
        layouts.fill(named_layouts()[0].second);
        return layouts;
      }()) {}

Junqi::Junqi(const std::array<Layout, kSeats>& layouts, const Options& options)
    : Placement(options) {
  kinds_.fill(Kind::kUnknown);
  for (int seat = 0; seat < kSeats; ++seat) {
    if (!alive(seat)) continue;
    const auto faults = layout_faults(layouts[as_index(seat)]);
    if (!faults.empty())
      throw std::invalid_argument(std::string("layout of ") + kSeatLetters[as_index(seat)] + ": " +
                                  fault_text(faults));
    for (int place = 0; place < kArmy; ++place) {
      const int piece = seat * kArmy + place;
      kinds_[as_index(piece)] = layouts[as_index(seat)][as_index(place)];
      stand(piece, origin_of(piece));
    }
    flag_known_[as_index(seat)] = options.information == Information::kOpen;
  }
  if (!alive(options.first)) throw std::invalid_argument("nobody sits where first= says");
  turn_ = static_cast<std::uint8_t>(options.first);
  rebuild();
}

void Junqi::rebuild() {
  pieces_hash_ = 0;
  for (int piece = 0; piece < kPieces; ++piece) {
    if (kinds_[as_index(piece)] == Kind::kFlag)
      flags_[as_index(owner_of(piece))] = static_cast<std::uint8_t>(piece);
    if (on_board(piece)) pieces_hash_ ^= part(piece, node_of(piece), kinds_[as_index(piece)]);
  }
}

void Junqi::put(int piece, int node) {
  stand(piece, node);
  pieces_hash_ ^= part(piece, node, kinds_[as_index(piece)]);
}

void Junqi::take(int piece) {
  pieces_hash_ ^= part(piece, node_of(piece), kinds_[as_index(piece)]);
  lift(piece);
}

void list_moves(const Junqi& board, int seat, MoveList<Junqi>& list) {
  list.clear();
  if (board.is_over() || !board.alive(seat)) return;
  for (int piece = seat * kArmy; piece < (seat + 1) * kArmy; ++piece) {
    const Kind what = board.kind(piece);
    if (!board.on_board(piece) || !is_mobile(what)) continue;
    const int from = board.node_of(piece);
    targets(board, piece, what == Kind::kEngineer).each([&](int to) {
      list.push(move_of(from, to));
    });
  }
}

bool can_move(const Junqi& board, int seat) {
  for (int piece = seat * kArmy; piece < (seat + 1) * kArmy; ++piece)
    if (board.on_board(piece) && is_mobile(board.kind(piece)) && has_exit(board, piece))
      return true;
  return false;
}

Layout layout_of(const Junqi& board, int seat) {
  Layout out;
  for (int place = 0; place < kArmy; ++place)
    out[static_cast<std::size_t>(place)] = board.kind(seat * kArmy + place);
  return out;
}

void Junqi::legal_moves(MoveList<Junqi>& list) const { list_moves(*this, turn_, list); }

bool Junqi::is_legal(Move move) const {
  const int from = from_of(move), to = to_of(move);
  if (from >= kNodes || to >= kNodes || is_over()) return false;
  const int piece = piece_at(from);
  if (piece == kNowhere || owner_of(piece) != turn_ || !is_mobile(kinds_[as_index(piece)]))
    return false;
  return targets(*this, piece, kinds_[as_index(piece)] == Kind::kEngineer).has(to);
}

void Junqi::fall(int piece, Event& event) {
  take(piece);
  const int seat = owner_of(piece);
  if (kinds_[as_index(piece)] == Kind::kCommander) {
    // Nobody learns anything new where the flag was known already.
    if (!flag_known_[as_index(seat)])
      event.flag_at[as_index(seat)] = static_cast<std::uint8_t>(node_of(flag(seat)));
    flag_known_[as_index(seat)] = true;
  }
}

void Junqi::leave(int seat, Out why, Event& event) {
  event.out[as_index(seat)] = why;
  for (int piece = seat * kArmy; piece < (seat + 1) * kArmy; ++piece)
    if (on_board(piece)) take(piece);
  remove_army(seat);
}

void Junqi::end_turn(Event& event) {
  ++ply_;
  pass_turn();
  for (bool changed = true; changed && team_alive(*this, 0) && team_alive(*this, 1);) {
    changed = false;
    for (int seat = 0; seat < kSeats && !changed; ++seat) {
      if (!alive(seat) || (seat != turn_ && !options_.stuck_at_once) || can_move(*this, seat))
        continue;
      leave(seat, Out::kStuck, event);
      if (seat == turn_) pass_turn();
      changed = true;
    }
  }
}

Event Junqi::play(Move move) {
  Event event;
  event.seat = turn_;
  event.move = move;
  const int from = from_of(move), to = to_of(move);
  const int piece = piece_at(from), other = piece_at(to);
  // Public knowledge: whoever goes where a straight run does not lead is an engineer.
  if (kinds_[as_index(piece)] == Kind::kEngineer && !turned_[as_index(piece)])
    turned_[as_index(piece)] = !graph_->straight_targets(from, occupied()).has(to);
  moved_[as_index(piece)] = true;
  if (other == kNowhere) {
    ++quiet_;
    take(piece);
    put(piece, to);
  } else {
    quiet_ = 0;
    event.outcome = battle(kinds_[as_index(piece)], kinds_[as_index(other)]);
    const bool attacker_dies = event.outcome != Outcome::kWon;
    const bool defender_dies = event.outcome != Outcome::kLost;
    const int loser = owner_of(other);
    if (attacker_dies) fall(piece, event);
    if (defender_dies) fall(other, event);
    if (!attacker_dies) {
      take(piece);
      put(piece, to);
    }
    if (defender_dies && kinds_[as_index(other)] == Kind::kFlag)
      leave(loser, Out::kFlagTaken, event);
  }
  end_turn(event);
  return event;
}

Event Junqi::resign(int seat, int reason) {
  if (is_over()) throw std::invalid_argument("the game is over");
  if (!alive(seat)) throw std::invalid_argument("that seat is out already");
  Event event;
  event.type = EventType::kResigned;
  event.seat = static_cast<std::uint8_t>(seat);
  event.reason = static_cast<std::uint8_t>(reason);
  const bool own_turn = seat == turn_;
  leave(seat, Out::kResigned, event);
  if (own_turn) end_turn(event);
  return event;
}

Event Junqi::skip(int reason) {
  if (is_over()) throw std::invalid_argument("the game is over");
  Event event;
  event.type = EventType::kSkipped;
  event.seat = turn_;
  event.reason = static_cast<std::uint8_t>(reason);
  end_turn(event);
  return event;
}

Event Junqi::agree_draw() {
  if (is_over()) throw std::invalid_argument("the game is over");
  Event event;
  event.type = EventType::kDrawAgreed;
  event.seat = turn_;
  draw_agreed_ = true;
  return event;
}

std::string Junqi::to_text() const {
  std::string out = options_.to_text() + " turn=" + kSeatLetters[turn_] +
                    " quiet=" + std::to_string(quiet_) + " ply=" + std::to_string(ply_);
  if (draw_agreed_) out += " drawn";
  for (int seat = 0; seat < kSeats; ++seat) {
    if (kinds_[as_index(seat * kArmy)] == Kind::kUnknown)
      continue;  // no such seat with two players
    out += std::string(" ") + kSeatLetters[as_index(seat)] + (alive(seat) ? ":" : "-:");
    for (int place = 0; place < kArmy; ++place) {
      const int piece = seat * kArmy + place;
      if (place) out += ',';
      out += kind_letter(kinds_[as_index(piece)]);
      if (turned_[as_index(piece)]) out += '*';
      if (piece == flag(seat) && flag_known_[as_index(seat)]) out += '!';
      if (!on_board(piece)) {
        if (moved_[as_index(piece)]) out += '>';
        out += 'x';
      } else if (moved_[as_index(piece)]) {
        out += ">" + node_name(node_of(piece));
      }
    }
  }
  return out;
}

}  // namespace kibitz::junqi
