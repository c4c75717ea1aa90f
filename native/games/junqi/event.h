// What everybody at the table sees of a turn, and how it is written.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "games/game.h"
#include "games/junqi/kinds.h"
#include "games/junqi/nodes.h"

namespace kibitz::junqi {

/// A move is from * 256 + to.
constexpr Move move_of(int from, int to) { return static_cast<Move>(from << 8 | to); }
constexpr int from_of(Move move) { return move >> 8; }
constexpr int to_of(Move move) { return move & 0xff; }

std::string move_text(Move move);        // S11-C31
Move parse_move(std::string_view text);  // also with x, a result and notes after it; syntax only

enum class EventType : std::uint8_t { kMoved, kResigned, kSkipped, kDrawAgreed };

/// Why a seat left the game.
enum class Out : std::uint8_t { kNo, kFlagTaken, kStuck, kResigned };

/// The public part of a turn: all that a view ever learns.
struct Event {
  EventType type = EventType::kMoved;
  std::uint8_t seat = 0;    // who moved, resigned or was skipped
  std::uint8_t reason = 0;  // why a seat resigned or was skipped, as a record has it; 0 is not said
  Move move = kNoMove;
  Outcome outcome = Outcome::kMove;
  std::array<std::uint8_t, kSeats> flag_at{kNowhere, kNowhere, kNowhere, kNowhere};  // revealed now
  std::array<Out, kSeats> out{};                                                     // out now

  bool operator==(const Event&) const = default;
};

/// `S11-C31`, `S11xN15+` (won), `-` (lost), `=` (both died), then `!N62` for a flag revealed,
/// `~N` flag taken, `^N` stuck; `resign:E`, `skip:W`, with a reason `skip:W#2`; `draw:agreed`.
std::string event_text(const Event& event);
/// Reads what `event_text` writes; the seat of a move is the caller's to fill in.
Event parse_event(std::string_view text);

}  // namespace kibitz::junqi
