// What one seat may know: its own pieces (its ally's or everybody's, by the information option),
// where all pieces stand, and the public events. A view gets events, never the board, so it
// cannot peek: there is nothing hidden in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "games/junqi/board.h"
#include "games/junqi/conduct.h"
#include "games/junqi/history.h"
#include "games/junqi/placement.h"

namespace kibitz::junqi {

/// A battle between two pieces and how it ended: what it says about their kinds, living or dead.
struct Relation {
  std::uint8_t attacker, defender;
  Outcome outcome;
};

class View : public Placement {
 public:
  /// The view of a seat at a position that is only known as it stands: reads the public marks of
  /// the board and the kinds of the seats this one may see.
  View(const Junqi& board, int seat);

  int seat() const { return seat_; }
  bool knows(int of_seat) const;
  /// What is known of a piece from rules and events alone, one piece at a time.
  KindSet possible(int piece) const { return possible_[as_index(piece)]; }
  /// The kind where only one is possible, else kUnknown.
  Kind kind(int piece) const;
  bool turned(int piece) const { return turned_[as_index(piece)]; }
  bool flag_known(int of_seat) const { return flag_known_[as_index(of_seat)]; }
  const std::vector<Relation>& relations() const { return relations_; }
  const HistoryRecorder& history() const { return history_; }
  /// The same view with another record of what pieces did: who invades, who is restless.
  View with_history(HistoryRecorder history) const {
    View out = *this;
    out.history_ = std::move(history);
    return out;
  }
  const Conduct& conduct(int piece) const { return conduct_[as_index(piece)]; }
  const std::vector<Event>& events() const { return events_; }

  void observe(const Event& event);

  /// The seat's own moves when it is its turn; it knows its own pieces, so these are exact.
  void legal_moves(MoveList<Junqi>& list) const;
  bool is_legal(Move move) const;

  /// A board with these kinds (100 of them) for the pieces: one way the truth could be.
  Junqi world(const std::array<Kind, kPieces>& kinds) const;

  /// The seat, the options, the known layouts at the start, and the events: `S 4 dark draw=70
  /// S:915.../... | S11-C31 E11xS15= ...`. Views that began in mid-game begin with a board:
  /// unknown kinds are `?` there.
  std::string to_text() const;
  static View from_text(std::string_view text);
  std::uint64_t hash() const;

  bool operator==(const View& other) const {
    return seat_ == other.seat_ && Placement::operator==(other) && possible_ == other.possible_ &&
           turned_ == other.turned_ && events_ == other.events_;
  }

 private:
  void restrict(int piece, KindSet kinds) { possible_[as_index(piece)] &= kinds; }
  void fall(int piece, const Event& event);
  void leave(int of_seat, Out why);

  int seat_;
  std::array<KindSet, kPieces> possible_{};
  std::array<bool, kPieces> turned_{};
  std::array<bool, kSeats> flag_known_{};
  std::vector<Relation> relations_;
  HistoryRecorder history_;
  std::array<Conduct, kPieces> conduct_{};
  std::vector<Event> events_;
  std::string start_;  // how the notation begins
};

}  // namespace kibitz::junqi
