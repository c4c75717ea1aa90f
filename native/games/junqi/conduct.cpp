#include "games/junqi/conduct.h"

#include <algorithm>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

void count(std::uint8_t& counter) {
  counter = static_cast<std::uint8_t>(counter + (counter < 255));
}

Nodes reach_of(const Graph& graph, const Nodes& from, const Nodes& occupied) {
  Nodes reach;
  from.each([&](int node) { reach |= graph.straight_targets(node, occupied); });
  return reach;
}

/// The number of limits that a count has reached.
template <std::size_t N>
int step(int counted, const int (&limits)[N]) {
  int reached = 0;
  for (const int limit : limits) reached += counted >= limit;
  return reached;
}

/// Where the rows of a sign begin.
enum Rows : int {
  kAttacks = 0,
  kAttacksOnTakers = 4,
  kQuietMoves = 7,
  kUnmoved = 12,
  kApproachesToTakers = 28,
  kApproaches = 31,
  kFlights = 35,
  kStays = 38,
  kCamp = 42,
  kAbstained = 44,
  kPlace = 52,
};

}  // namespace

const ConductTable& learned_conduct() {
  // Flag, mine, bomb, commander down to engineer.
  static const ConductTable table = [] {
    ConductTable rows = {
        // Attacks on pieces that took nothing: 0, 1, 2, 3 and more.
        {{0, 0, 0.07f, -0.09f, -0.18f, -0.11f, -0.07f, 0.02f, 0.01f, -0.03f, 0.03f, 0.03f}},
        {{0, 0, -0.92f, -0.09f, 0.05f, 0.12f, 0.14f, -0.05f, -0.03f, 0.08f, 0.02f, -1.63f}},
        {{0, 0, 0, 0, -0.06f, -0.1f, 0, -0.03f, 0.16f, 0.35f, 0.02f, -0.37f}},
        {{0, 0, 0, -0.1f, -0.1f, 0, -0.08f, 0.22f, 0.47f, 0.04f, -0.04f, -0.09f}},
        // Attacks on takers: 0, 1, 2 and more.
        {{0, 0, -0.05f, -0.08f, -0.17f, -0.03f, 0.03f, 0.01f, 0.04f, 0.03f, 0.02f, 0}},
        {{0, 0, 0.31f, -0.12f, 0.01f, -0.01f, -0.21f, -0.02f, -0.24f, -0.55f, 0.18f, -0.52f}},
        {{0, 0, 0, 0.03f, 0.26f, -0.16f, -0.4f, -0.22f, -0.36f, 0.22f, 0.17f, 0}},
        // Quiet moves: 0, 1, 2 to 3, 4 to 7, 8 and more.
        {{0, 0, -0.03f, 0.26f, 0.26f, 0.15f, -0.04f, -0.13f, 0, -0.14f, -0.18f, -1.29f}},
        {{0, 0, 0.02f, -0.04f, -0.19f, -0.06f, 0.05f, -0.04f, 0, 0.03f, 0.04f, -0.01f}},
        {{0, 0, 0.08f, -0.15f, -0.2f, -0.14f, -0.12f, 0.14f, 0.05f, -0.04f, 0.06f, 0.08f}},
        {{0, 0, -0.14f, -0.5f, -0.41f, -0.04f, -0.02f, 0.2f, 0.06f, 0.19f, 0.01f, 0.15f}},
        {{0, 0, 0.29f, -0.37f, -0.75f, -0.61f, 0.09f, 0, 0.07f, 0.04f, 0.23f, 0.09f}},
        // Never moved after 5, 10, 20, 40 turns: row 1, rows 2 to 4, row 5, row 6.
        {{0, 0, 0, -0.57f, -0.68f, -0.17f, -0.14f, 0.18f, 0, -0.11f, -0.06f, 0.22f}},
        {{0, 0, 0, -0.67f, -0.43f, -0.14f, -0.2f, 0.28f, 0.04f, -0.14f, -0.07f, 0.14f}},
        {{0, 0, 0, -0.25f, 0.08f, -0.04f, -0.03f, 0.31f, -0.09f, -0.14f, -0.26f, 0.07f}},
        {{0, 0, 0, 0, -0.02f, -0.01f, 0.2f, 0.18f, -0.15f, -0.29f, -0.21f, 0.19f}},
        {{0, 0, 0.03f, -0.01f, -0.18f, -0.01f, 0.12f, 0.01f, 0.04f, -0.08f, -0.07f, 0.07f}},
        {{0, 0, 0.02f, 0.04f, -0.18f, -0.08f, 0.07f, -0.04f, 0.05f, -0.04f, -0.06f, 0.18f}},
        {{0, 0, -0.04f, 0, 0.12f, 0.07f, 0.17f, 0.02f, -0.06f, -0.15f, -0.06f, 0.07f}},
        {{0, 0, -0.15f, 0.02f, 0.14f, 0, 0.25f, 0.01f, -0.13f, -0.12f, -0.13f, 0.28f}},
        {{0, 0.02f, -0.15f, 0, -0.2f, -0.18f, -0.17f, -0.07f, 0.16f, 0.02f, 0.17f, -0.13f}},
        {{0, 0.04f, -0.06f, 0.09f, -0.18f, -0.17f, -0.17f, -0.1f, 0.14f, -0.02f, 0.12f, -0.14f}},
        {{0, 0.09f, 0.05f, 0.31f, 0.02f, 0.11f, -0.15f, -0.1f, -0.04f, -0.21f, -0.17f, 0.04f}},
        {{0, 0.18f, 0.02f, 0.26f, 0.16f, 0, -0.13f, 0.04f, -0.34f, -0.59f, -0.8f, 0.21f}},
        {{0, -0.02f, 0.06f, 0.02f, -0.14f, -0.49f, -0.07f, -0.22f, -0.15f, 0.18f, 0.06f, -0.15f}},
        {{0, -0.03f, 0.14f, 0.27f, -0.15f, -0.58f, -0.04f, -0.29f, -0.11f, 0.16f, 0.03f, -0.06f}},
        {{0, -0.07f, 0.28f, 0.6f, 0.01f, -0.48f, 0.01f, -0.08f, 0, 0.13f, -0.08f, 0.11f}},
        {{0, -0.12f, 0.06f, 0.57f, 0.19f, -0.64f, -0.08f, 0.18f, 0, 0.17f, -0.12f, 0.51f}},
        // Approaches to takers: 0, 1, 2 and more.
        {{0, 0, 0.01f, -0.1f, -0.1f, -0.02f, 0.02f, 0.03f, 0.03f, -0.01f, 0.02f, 0}},
        {{0, 0, 0.09f, -0.08f, -0.04f, -0.01f, -0.15f, -0.16f, -0.02f, 0.12f, 0.1f, -0.02f}},
        {{0, 0, 0.41f, 0.07f, -0.1f, -0.44f, -0.05f, -0.1f, -0.14f, 0.1f, 0.2f, 0.06f}},
        // Approaches to other pieces: 0, 1, 2, 3 and more.
        {{0, 0, 0.06f, -0.01f, -0.05f, -0.01f, -0.01f, 0.01f, -0.05f, -0.06f, -0.07f, 0.1f}},
        {{0, 0, -0.26f, -0.07f, -0.06f, 0.03f, -0.07f, -0.05f, 0.12f, 0.15f, 0.22f, -1.2f}},
        {{0, 0, -0.46f, -0.17f, -0.19f, -0.23f, 0.02f, 0.03f, 0.26f, 0.18f, 0.32f, -0.93f}},
        {{0, 0, -0.26f, -0.27f, -0.47f, -0.26f, 0.21f, 0.16f, 0.05f, -0.04f, 0.51f, -1.28f}},
        // Flights: 0, 1, 2 and more.
        {{0, 0, 0.05f, 0, -0.06f, -0.05f, -0.09f, 0, 0.01f, 0.03f, 0.05f, 0}},
        {{0, 0, -0.56f, -0.76f, -0.4f, 0.15f, 0.38f, 0.06f, 0.15f, -0.18f, -0.18f, -0.15f}},
        {{0, 0, -0.1f, -0.59f, -0.52f, 0.07f, 0.46f, 0.1f, -0.3f, -0.53f, -0.03f, 0.39f}},
        // Stays: 0, 1, 2 to 3, 4 and more.
        {{0, -0.04f, 0.03f, 0.05f, -0.05f, -0.05f, -0.01f, 0.01f, 0.01f, 0.02f, -0.01f, 0.06f}},
        {{0, 0.14f, 0.05f, -0.13f, -0.44f, 0, 0.04f, -0.02f, -0.04f, -0.01f, -0.04f, 0.07f}},
        {{0, 0.23f, -0.34f, -0.58f, -0.58f, -0.24f, -0.01f, 0.09f, 0.14f, -0.07f, 0.14f, -0.18f}},
        {{0, 0.36f, -0.27f, -0.46f, -0.97f, -0.53f, -0.29f, 0, 0.08f, 0.04f, -0.02f, -0.11f}},
        // Out of a camp, in one.
        {{0, 0, 0.14f, -0.02f, -0.32f, -0.18f, 0.08f, 0.09f, 0.08f, 0.13f, 0.04f, -0.2f}},
        {{0, 0, -0.02f, -0.27f, -0.33f, -0.07f, 0.03f, 0.05f, 0.01f, -0.05f, -0.05f, 0.12f}},
        // Abstained without having moved, then having moved: 0, 1 to 2, 3 to 5, 6 and more.
        {{0, -0.05f, 0.03f, 0.17f, -0.06f, -0.05f, 0.02f, -0.01f, 0.01f, 0.03f, -0.01f, 0.08f}},
        {{0, 0.16f, -0.02f, -0.43f, -0.24f, -0.08f, -0.03f, 0.08f, -0.02f, -0.01f, -0.18f, 0.06f}},
        {{0, 0.15f, -0.33f, -0.56f, -0.7f, -0.32f, -0.02f, 0.12f, 0.2f, -0.08f, -0.05f, 0.21f}},
        {{0, 0.4f, -0.19f, -1.02f, -0.91f, -0.59f, -0.43f, 0.04f, 0.03f, -0.09f, 0.11f, -0.19f}},
        {{0, 0, 0.11f, 0.34f, 0.17f, 0.11f, -0.06f, -0.16f, -0.12f, -0.03f, 0.01f, -0.12f}},
        {{0, 0, -0.03f, -0.38f, 0, 0.07f, 0.08f, 0.06f, -0.07f, -0.13f, 0.01f, 0.07f}},
        {{0, 0, -0.46f, -0.41f, -0.4f, -0.1f, 0.02f, 0.05f, 0.14f, 0.02f, 0.05f, 0.29f}},
        {{0, 0, -0.37f, -0.31f, -0.66f, -0.45f, -0.04f, 0.13f, 0.27f, 0.26f, 0.16f, -0.02f}},
    };
    // Places are fitted along, so that the other rows do not learn the set-ups of the games at
    // hand, but the prior of layouts is what counts.
    rows.resize(kPlace + kArmy);
    return rows;
  }();
  return table;
}

void observe_conduct(const Placement& before, const HistoryRecorder& history, Move move,
                     std::array<Conduct, kPieces>& conduct) {
  const int from = from_of(move), to = to_of(move), seat = before.to_move();
  const int piece = before.piece_at(from), other = before.piece_at(to);
  const Graph& graph = before.graph();
  const Nodes all = before.occupied(), enemies = team_occupied(before, 1 - before.team(seat));
  const Nodes targets = enemies.minus(graph.camps());
  const auto taker = [&](int node) { return history.activity(before.piece_at(node)).captures > 0; };
  Nodes takers;
  enemies.minus(graph.headquarters()).each([&](int node) {
    if (taker(node)) takers.set(node);
  });
  const Nodes threatened = reach_of(graph, takers, all).minus(graph.camps());
  before.occupied(seat).minus(graph.headquarters()).each([&](int node) {
    if (node == from) return;
    Conduct& did = conduct[as_index(before.piece_at(node))];
    if (threatened.has(node)) count(did.stays);
    if (graph.straight_targets(node, all).meets(targets)) count(did.abstained);
  });
  Conduct& did = conduct[as_index(piece)];
  if (other != kNowhere) {
    count(taker(to) ? did.attacks_on_takers : did.attacks);
    return;
  }
  count(did.quiet_moves);
  Nodes after = all;
  after.clear(from);
  after.set(to);
  if (threatened.has(from) && !reach_of(graph, takers, after).minus(graph.camps()).has(to))
    count(did.flights);
  bool near = false, near_taker = false;
  (graph.straight_targets(to, after) & targets).each([&](int node) {
    (taker(node) ? near_taker : near) = true;
  });
  if (near) count(did.approaches);
  if (near_taker) count(did.approaches_to_takers);
}

std::vector<int> conduct_rows(const Placement& placement, const Conduct& did, int piece) {
  std::vector<int> rows;
  const bool moved = placement.moved(piece);
  if (moved) {
    rows = {kAttacks + step(did.attacks, {1, 2, 3}),
            kAttacksOnTakers + step(did.attacks_on_takers, {1, 2}),
            kQuietMoves + step(did.quiet_moves, {1, 2, 4, 8}),
            kApproachesToTakers + step(did.approaches_to_takers, {1, 2}),
            kApproaches + step(did.approaches, {1, 2, 3}),
            kFlights + step(did.flights, {1, 2})};
    if (placement.on_board(piece))
      rows.push_back(kCamp + placement.graph().camps().has(placement.node_of(piece)));
  } else if (const int turns = placement.ply() / placement.players(); turns >= 5) {
    rows.push_back(kUnmoved + 4 * step(row_of(origin_of(piece)), {2, 5, 6}) +
                   step(turns, {10, 20, 40}));
  }
  rows.push_back(kStays + step(did.stays, {1, 2, 4}));
  rows.push_back(kAbstained + 4 * moved + step(did.abstained, {1, 3, 6}));
  rows.push_back(kPlace + place_of(piece));
  return rows;
}

}  // namespace kibitz::junqi
