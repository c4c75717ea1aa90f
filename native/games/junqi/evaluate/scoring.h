// Hand-written scoring of Junqi moves and positions.
//
// A move's score has five parts: score = attack_ev - risk + pos_gain + defense. At the root they
// are computed from beliefs (chances of kinds), inside a search from the kinds of a sampled world;
// which pieces are unknown is the same in both, for a world is only one way the truth could be.
#pragma once

#include <array>

#include "games/junqi/board.h"
#include "games/junqi/evaluate/weights.h"
#include "games/junqi/history.h"
#include "games/junqi/view.h"

namespace kibitz::junqi {

struct MoveParts {
  double score = 0;
  double attack_ev = 0;  // expected gain of an attack, with what it teaches
  double risk = 0;       // expected cost of standing where the move ends
  double pos_gain = 0;   // advance, camps, railway, centre
  double defense = 0;    // guarding the flag, meeting intruders, the back rows
  double exchange = 0;   // the part of attack_ev that is only pieces won and lost
};

/// What the side to move believes about every piece, in the shape scoring reads.
struct Knowledge {
  std::array<std::array<float, kKinds>, kPieces> chance{};
  std::array<float, kPieces>
      uncertainty{};                    // 0 for a piece that is known, else 1 - its best chance
  std::array<bool, kPieces> unknown{};  // not identified in public
  /// What those who do not know a piece must think of it: our beliefs of theirs, and of our own
  /// pieces what layouts and movement tell everybody.
  std::array<std::array<float, kKinds>, kPieces> outside{};
  std::array<std::array<float, kNodes>, kSeats> to_flag{};  // expected moves to the seat's flag

  /// From the marginals of a view's beliefs.
  static Knowledge of(const View& view,
                      const std::array<std::array<float, kKinds>, kPieces>& chance);
  /// Of a fully known board: nothing is unknown.
  static Knowledge of(const Junqi& board);
};

/// A sampled world's fixed facts: where the flags are, who the high pieces are.
struct WorldFacts {
  std::array<std::array<float, kNodes>, kSeats> to_flag{};
  std::array<std::array<std::uint8_t, 4>, kSeats> high{};  // commander, general, two divisions
  std::array<std::uint8_t, kSeats> hq{};                   // the flag's node

  explicit WorldFacts(const Junqi& board);
};

/// The seat to move and what holds for all its moves; made once a node.
struct Stage {
  int seat = 0, ply = 0;
  unsigned friends = 0;                       // seats, one bit each
  std::array<bool, kSeats> commander_gone{};  // dead or visible
  std::array<bool, kSeats> endgame{};
  bool high_left = true;  // more than one of commander, general and divisions
  /// From beliefs only: how far the seat's side is ahead in what can move, 0 to 1; and how much it
  /// should press for a decision, which grows with the plies without a battle.
  double ahead = 0, press = 0;
};

class Scorer {
 public:
  explicit Scorer(const Weights& weights);

  const Weights& weights() const { return w_; }

  Stage stage(const View& view, const Knowledge& knowledge) const;
  Stage stage(const Junqi& world, int seat, const WorldFacts& facts,
              const Knowledge& knowledge) const;

  /// From beliefs: never looks at anything but the view and what follows from it.
  MoveParts evaluate_move(const View& view, const Stage& stage, Move move,
                          const Knowledge& knowledge) const;
  /// Of a world, with the history as the search has made it.
  MoveParts evaluate_move(const Junqi& world, const Stage& stage, Move move,
                          const HistoryRecorder& history, const Knowledge& knowledge,
                          const WorldFacts& facts) const;
  /// What a kind expects of attacking a piece it does not know: kinds by pieces.
  using Expected = std::array<std::array<float, kPieces>, kKinds>;
  Expected expected_exchanges(const Knowledge& knowledge) const;

  /// Pieces won minus pieces lost by a move in a world.
  double exchange(const Junqi& world, const Stage& stage, Move move) const;
  /// The same for an attack of one kind on another, a flag counting nothing.
  double pieces(Kind attacker, Kind defender) const {
    return exchange_[static_cast<std::size_t>(attacker)][static_cast<std::size_t>(defender)];
  }
  /// What `position` loses when the seat leaves the board.
  double army(const Junqi& world, int seat) const;

  /// The position's worth for the first team minus the other's: material, flags, mobility.
  double position(const Junqi& world, const WorldFacts& facts) const;

 private:
  template <class Source>
  MoveParts score(const Source& source, const Stage& stage, Move move,
                  const HistoryRecorder& history, const Knowledge& knowledge) const;
  void weigh_sides(const View& view, const Knowledge& knowledge, Stage& stage) const;
  double flag_factor(Kind attacker, int target_seat, const Stage& stage) const;

  Weights w_;
  std::array<double, kKinds> worth_{};
  std::array<std::array<double, kKinds>, kKinds> exchange_{};  // attacker, defender; flags apart
};

/// Nodes at most two edges away.
const Nodes& within_two(const Graph& graph, int node);

}  // namespace kibitz::junqi
