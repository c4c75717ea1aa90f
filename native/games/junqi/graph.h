// The board as a graph: roads, railways, straight lines, distances. Two boards exist, for four and
// for two players; both are made once and never change, so threads share them freely.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/junqi/nodes.h"

namespace kibitz::junqi {

/// One direction of travel along a straight railway line, nearest node first.
struct Ray {
  std::uint8_t length = 0;
  std::array<std::uint8_t, 12> nodes{};
};

class Graph {
 public:
  /// `players` is 4 or 2; throws std::invalid_argument otherwise.
  static const Graph& of(int players);

  int players() const { return players_; }
  const Nodes& all() const { return all_; }
  const Nodes& camps() const { return camps_; }
  const Nodes& headquarters() const { return headquarters_; }
  const Nodes& railway() const { return railway_; }
  /// Nodes one edge away, road or railway.
  const Nodes& neighbours(int node) const { return neighbours_[index(node)]; }
  const Nodes& rail_neighbours(int node) const { return rail_[index(node)]; }
  const std::vector<Ray>& rays(int node) const { return rays_[index(node)]; }
  const std::vector<std::vector<int>>& lines() const { return lines_; }
  int road_edges() const { return road_edges_; }
  int rail_edges() const { return rail_edges_; }

  /// Where a piece on `node` can go, everything in its way included as a target: one step, or a
  /// straight railway run up to the first occupied node.
  Nodes straight_targets(int node, const Nodes& occupied) const {
    Nodes out = neighbours_[index(node)];
    for (const Ray& ray : rays_[index(node)])
      for (int i = 0; i < ray.length; ++i) {
        out.set(ray.nodes[index(i)]);
        if (occupied.has(ray.nodes[index(i)])) break;
      }
    return out;
  }
  /// The same for an engineer, who takes any path over empty railway nodes.
  Nodes engineer_targets(int node, const Nodes& occupied) const;

  /// Moves a lone ordinary piece needs from one node to another on an empty board; 255 if it
  /// cannot.
  int distance(int from, int to) const { return distance_[index(from)][index(to)]; }
  /// Steps (edges, whatever they are) between two nodes; 255 where there is no way.
  int steps(int from, int to) const { return steps_[index(from)][index(to)]; }
  /// Nodes within one step of a headquarters, and within one move of those on an empty board.
  const Nodes& ring1(int headquarters) const { return neighbours_[index(headquarters)]; }

 private:
  explicit Graph(int players);
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void join(int a, int b, bool rail);
  void add_line(std::vector<int> nodes);
  void build_arm(int arm);
  void build_four();
  void build_two();
  void measure();

  int players_;
  int road_edges_ = 0, rail_edges_ = 0;
  Nodes all_, camps_, headquarters_, railway_;
  std::array<Nodes, kNodes> neighbours_{}, rail_{};
  std::array<std::vector<Ray>, kNodes> rays_;
  std::vector<std::vector<int>> lines_;
  using Distances = std::array<std::array<std::uint8_t, kNodes>, kNodes>;
  Distances distance_{}, steps_{};
};

}  // namespace kibitz::junqi
