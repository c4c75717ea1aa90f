// Where every piece stands and whose turn it is: what all can see, whatever the variant. The true
// board adds the kinds, a view adds what its seat knows of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/index.h"
#include "games/junqi/event.h"
#include "games/junqi/graph.h"
#include "games/junqi/layout.h"

namespace kibitz::junqi {

inline constexpr int kPieces = kSeats * kArmy;  // a piece's number is seat * 25 + place
constexpr int owner_of(int piece) { return piece / kArmy; }
constexpr int place_of(int piece) { return piece % kArmy; }
/// The node a piece was set up on.
constexpr int origin_of(int piece) {
  return owner_of(piece) * kArmNodes + kPlaces[static_cast<std::size_t>(place_of(piece))];
}

/// Who sees what: only one's own pieces, one's ally's too, or everything.
enum class Information : std::uint8_t { kDark, kAllies, kOpen };

struct Options {
  int players = 4;
  Information information = Information::kDark;
  int draw_plies = 70;         // plies without a battle; 0 is never
  bool stuck_at_once = false;  // a seat without a move is out at once, not on its turn
  int first = 0;               // the seat that begins

  bool operator==(const Options&) const = default;
  std::string to_text() const;  // `4 dark draw=70`
  /// One word of it, or `qq` for the rules of QQ's records: E begins, a seat without a move is out
  /// at once, 71 quiet plies are a draw. Throws std::invalid_argument.
  void read(std::string_view word);
};

class Placement {
 public:
  explicit Placement(const Options& options);

  const Options& options() const { return options_; }
  const Graph& graph() const { return *graph_; }
  int players() const { return options_.players; }
  int to_move() const { return turn_; }
  bool alive(int seat) const { return alive_ >> seat & 1; }
  int ply() const { return ply_; }
  int quiet_plies() const { return quiet_; }
  /// Opposite seats are allies with four players.
  int team(int seat) const { return options_.players == 4 ? seat & 1 : seat >> 1; }
  int ally(int seat) const { return options_.players == 4 ? seat ^ 2 : -1; }
  bool is_over() const;
  /// The players agreed on a draw.
  bool draw_agreed() const { return draw_agreed_; }
  /// The first team's (S, N): 1, 0.5 or 0. Only when the game is over.
  float result() const;

  int piece_at(int node) const { return on_[as_index(node)]; }  // kNowhere if none
  int node_of(int piece) const { return at_[as_index(piece)]; }
  bool on_board(int piece) const { return at_[as_index(piece)] != kNowhere; }
  bool moved(int piece) const { return moved_[as_index(piece)]; }
  const Nodes& occupied(int seat) const { return occupied_[as_index(seat)]; }
  Nodes occupied() const { return occupied_[0] | occupied_[1] | occupied_[2] | occupied_[3]; }

  bool operator==(const Placement& other) const;

 protected:
  void stand(int piece, int node);
  void lift(int piece);
  void remove_army(int seat);
  void pass_turn();  // to the next seat that is alive

  Options options_;
  const Graph* graph_;
  std::array<std::uint8_t, kPieces> at_;
  std::array<std::uint8_t, kNodes> on_;
  std::array<bool, kPieces> moved_{};
  std::array<Nodes, kSeats> occupied_{};
  std::uint8_t turn_ = 0, alive_ = 0;
  std::uint16_t quiet_ = 0, ply_ = 0;
  bool draw_agreed_ = false;
};

bool team_alive(const Placement& placement, int team);

/// Every node a team stands on.
inline Nodes team_occupied(const Placement& placement, int team) {
  if (placement.players() == 2) return placement.occupied(team * 2);
  return placement.occupied(team) | placement.occupied(team + 2);
}

/// Which nodes are headquarters.
extern const std::array<bool, kNodes> kHeadquarters;

/// Where a mobile piece may go: not onto its own side, not onto a camp that is taken, and from a
/// headquarters nowhere.
inline Nodes targets(const Placement& placement, int piece, bool engineer) {
  const int from = placement.node_of(piece);
  if (kHeadquarters[static_cast<std::size_t>(from)]) return {};
  const Graph& graph = placement.graph();
  const Nodes all = placement.occupied();
  const Nodes reach =
      engineer ? graph.engineer_targets(from, all) : graph.straight_targets(from, all);
  const int side = placement.team(owner_of(piece));
  return reach.minus(team_occupied(placement, side)).minus(graph.camps() & all);
}

/// True when a mobile piece on this node could move at all; the kind does not matter for that.
bool has_exit(const Placement& placement, int piece);

}  // namespace kibitz::junqi
