// What has happened, piece by piece: public facts only. A view keeps one for the game so far; the
// search goes on writing into a copy as it makes moves, and takes them back as it unmakes them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/junqi/event.h"
#include "games/junqi/placement.h"

namespace kibitz::junqi {

/// What one piece has done.
struct Activity {
  std::uint8_t moves = 0;          // turns it moved, attacks included
  std::uint8_t attacks = 0;        // battles it began
  std::uint8_t defences = 0;       // battles it was attacked in and survived
  std::uint8_t captures = 0;       // pieces it took, whoever began
  std::int16_t last_capture = -1;  // the ply of the last one
  std::uint8_t victims = 0;        // seats it took a piece of lately, one bit each

  /// 0 quiet to 3 restless: how much it has attacked and moved about.
  int level() const {
    const int points = 3 * attacks + moves;
    return points >= 9 ? 3 : points >= 6 ? 2 : points >= 3 ? 1 : 0;
  }
};

/// A battle, with the pieces by number; the dead keep theirs.
struct Battle {
  std::uint16_t ply;
  std::uint8_t attacker, defender;
  Outcome outcome;
};

class HistoryRecorder {
 public:
  /// A turn at `ply`: `piece` moved; `other` was attacked, or is kNowhere.
  void make(int ply, Move move, int piece, int other, Outcome outcome);
  /// Takes the last `make` back.
  void unmake();

  int size() const { return static_cast<int>(turns_.size()); }
  Move move(int i) const { return turns_[static_cast<std::size_t>(i)].move; }
  const std::vector<Battle>& battles() const { return battles_; }
  const Activity& activity(int piece) const { return activity_[static_cast<std::size_t>(piece)]; }

  /// An enemy piece that took one of `seats`' (a bit set) pieces in the last `window` plies.
  bool is_invader(int piece, unsigned seats, int ply, int window) const {
    const Activity& did = activity(piece);
    return did.last_capture >= 0 && ply - did.last_capture <= window && (did.victims & seats);
  }
  /// Equal for histories that scoring cannot tell apart.
  std::uint64_t signature() const { return signature_; }

 private:
  struct Turn {
    Move move;
    std::uint8_t piece, other;
    bool battle;
    Activity before, other_before;
    std::uint64_t signature;
  };
  static std::uint64_t part(int piece, const Activity& did);

  std::array<Activity, kPieces> activity_{};
  std::vector<Turn> turns_;
  std::vector<Battle> battles_;
  std::uint64_t signature_ = 0;
};

}  // namespace kibitz::junqi
