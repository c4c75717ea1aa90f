// The true board: every piece's kind, and the rules. Only a referee, a record or a fully open game
// holds one; a player holds a View.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "games/junqi/placement.h"

namespace kibitz::junqi {

class Junqi : public Placement {
 public:
  static constexpr const char* kName = "junqi";
  static constexpr int kMaxMoves = 512;  // 192 was the most in recorded games

  /// Four (or two, S and N) legal layouts; throws std::invalid_argument with a layout's faults.
  Junqi(const std::array<Layout, kSeats>& layouts, const Options& options = {});
  Junqi();  // four times the first named layout

  void legal_moves(MoveList<Junqi>& list) const;
  bool is_legal(Move move) const;
  /// Plays a legal move and tells what everyone saw.
  Event play(Move move);
  Event resign(int seat, int reason = 0);
  /// The seat to move loses its turn; no rule asks for it, but clocks do.
  Event skip(int reason = 0);
  /// Both sides agreed: the game is over.
  Event agree_draw();

  Kind kind(int piece) const { return kinds_[as_index(piece)]; }
  /// The seat's flag, standing or fallen.
  int flag(int seat) const { return flags_[as_index(seat)]; }
  bool flag_known(int seat) const { return flag_known_[as_index(seat)]; }
  /// Publicly an engineer: it turned a corner on the railway.
  bool turned(int piece) const { return turned_[as_index(piece)]; }
  std::uint64_t hash() const {
    return pieces_hash_ ^ mix64(static_cast<std::uint64_t>(turn_) << 20 |
                                static_cast<std::uint64_t>(draw_agreed_) << 24 |
                                static_cast<std::uint64_t>(alive_) << 16 | quiet_);
  }

  /// `4 dark draw=70 turn=S quiet=0 ply=0 S:9,1,... E:... N:... W:...`: 25 pieces a seat in the
  /// order of the layout, each its kind, then `*` publicly an engineer, `!` flag revealed, `>C31`
  /// moved to, `x` dead. A seat that is out has `S-` before its pieces instead of `S`. `drawn`
  /// after the plies: by agreement.
  std::string to_text() const;
  static Junqi from_text(std::string_view text) { return read(text, false); }

  bool operator==(const Junqi& other) const {
    return Placement::operator==(other) && kinds_ == other.kinds_ && turned_ == other.turned_ &&
           flag_known_ == other.flag_known_;
  }

 private:
  friend class View;  // makes worlds of what it knows
  explicit Junqi(const Placement& placement) : Placement(placement) {}
  /// `partial` lets kinds be `?`, as the notation of a view has them.
  static Junqi read(std::string_view text, bool partial);
  void put(int piece, int node);
  void take(int piece);
  void fall(int piece, Event& event);
  void leave(int seat, Out why, Event& event);
  void end_turn(Event& event);
  void rebuild();  // flags and hash from kinds and places

  std::array<Kind, kPieces> kinds_{};
  std::array<bool, kPieces> turned_{};
  std::array<bool, kSeats> flag_known_{};
  std::array<std::uint8_t, kSeats> flags_{};
  std::uint64_t pieces_hash_ = 0;
};

/// The moves a seat would have were it its turn.
void list_moves(const Junqi& board, int seat, MoveList<Junqi>& list);
bool can_move(const Junqi& board, int seat);
/// How a seat set up.
Layout layout_of(const Junqi& board, int seat);

}  // namespace kibitz::junqi
