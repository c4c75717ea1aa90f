#include "games/junqi/graph.h"

#include <cctype>
#include <stdexcept>

namespace kibitz::junqi {

std::string node_name(int node) {
  if (node >= kCentre)
    return "C" + std::to_string((node - kCentre) / 3 + 1) +
           std::to_string((node - kCentre) % 3 + 1);
  return kSeatLetters[static_cast<std::size_t>(arm_of(node))] + std::to_string(row_of(node)) +
         std::to_string(column_of(node));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "\"";
  for (const char letter : text.substr(0, kMost))
    out += letter >= ' ' && letter <= '~' ? letter : '?';
  return out + (text.size() > kMost ? "...\"" : "\"");
}

int parse_node(std::string_view text) {
  const auto fail = [&] {
    return std::invalid_argument("no node " + quoted(text) +
                                 ", expected an arm S E N W with row 1-6 and column 1-5 such as "
                                 "S11, or the centre C11 to C33");
  };
  if (text.size() != 3) throw fail();
  const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  const int row = text[1] - '0', column = text[2] - '0';
  if (letter == 'C') {
    if (row < 1 || row > 3 || column < 1 || column > 3) throw fail();
    return centre_at(row, column);
  }
  const auto arm = kSeatLetters.find(letter);
  if (arm == std::string_view::npos || row < 1 || row > 6 || column < 1 || column > 5) throw fail();
  return node_at(static_cast<int>(arm), row, column);
}

const Graph& Graph::of(int players) {
  static const Graph four(4), two(2);
  if (players == 4) return four;
  if (players == 2) return two;
  throw std::invalid_argument("Junqi has 2 or 4 players, not " + std::to_string(players));
}

Graph::Graph(int players) : players_(players) {
  if (players == 4)
    build_four();
  else
    build_two();
  measure();
}

void Graph::join(int a, int b, bool rail) {
  neighbours_[index(a)].set(b);
  neighbours_[index(b)].set(a);
  if (rail) {
    rail_[index(a)].set(b);
    rail_[index(b)].set(a);
    railway_.set(a);
    railway_.set(b);
    ++rail_edges_;
  } else {
    ++road_edges_;
  }
}

void Graph::add_line(std::vector<int> nodes) {
  const int size = static_cast<int>(nodes.size());
  for (int at = 0; at < size; ++at)
    for (const int step : {-1, 1}) {
      Ray ray;
      for (int i = at + step; i >= 0 && i < size; i += step)
        ray.nodes[ray.length++] = static_cast<std::uint8_t>(nodes[index(i)]);
      if (ray.length) rays_[index(nodes[index(at)])].push_back(ray);
    }
  lines_.push_back(std::move(nodes));
}

void Graph::build_arm(int arm) {
  const auto n = [arm](int row, int column) { return node_at(arm, row, column); };
  for (int row = 1; row <= 6; ++row)
    for (int column = 1; column <= 5; ++column) {
      all_.set(n(row, column));
      if (is_camp(n(row, column))) camps_.set(n(row, column));
      if (is_headquarters(n(row, column))) headquarters_.set(n(row, column));
      if (column < 5) join(n(row, column), n(row, column + 1), row == 1 || row == 5);
      if (row < 6)
        join(n(row, column), n(row + 1, column), row < 5 && (column == 1 || column == 5));
      // Camps share diagonals with each other; each edge is added by its upper end.
      if (row < 6)
        for (const int side : {-1, 1})
          if (column + side >= 1 && column + side <= 5 &&
              (is_camp(n(row, column)) || is_camp(n(row + 1, column + side))))
            join(n(row, column), n(row + 1, column + side), false);
    }
  for (const int row : {1, 5}) add_line({n(row, 1), n(row, 2), n(row, 3), n(row, 4), n(row, 5)});
}

void Graph::build_four() {
  for (int arm = 0; arm < kSeats; ++arm) build_arm(arm);
  for (int i = 1; i <= 3; ++i)
    for (int j = 1; j <= 3; ++j) {
      all_.set(centre_at(i, j));
      if (j < 3) join(centre_at(i, j), centre_at(i, j + 1), true);
      if (i < 3) join(centre_at(i, j), centre_at(i + 1, j), true);
    }
  const auto c = centre_at;
  const int joins[4][3] = {{c(3, 1), c(3, 2), c(3, 3)},
                           {c(3, 3), c(2, 3), c(1, 3)},
                           {c(1, 3), c(1, 2), c(1, 1)},
                           {c(1, 1), c(2, 1), c(3, 1)}};
  for (int arm = 0; arm < kSeats; ++arm) {
    for (int k = 0; k < 3; ++k) join(node_at(arm, 1, 2 * k + 1), joins[arm][k], true);
    join(node_at(arm, 1, 5), node_at((arm + 1) % 4, 1, 1), true);  // the arc to the next seat
  }
  // An arm's column from the back rail to the front, as a line begins; and the other way round.
  const auto up = [](std::vector<int>& line, int arm, int column) {
    for (int row = 5; row >= 1; --row) line.push_back(node_at(arm, row, column));
  };
  const auto down = [](std::vector<int>& line, int arm, int column) {
    for (int row = 1; row <= 5; ++row) line.push_back(node_at(arm, row, column));
  };
  const auto across = [&](int arm, int column, std::vector<int> middle, int other, int there) {
    std::vector<int> line;
    up(line, arm, column);
    line.insert(line.end(), middle.begin(), middle.end());
    down(line, other, there);
    add_line(std::move(line));
  };
  across(kSouth, 1, {c(3, 1), c(2, 1), c(1, 1)}, kNorth, 5);
  across(kSouth, 5, {c(3, 3), c(2, 3), c(1, 3)}, kNorth, 1);
  across(kWest, 1, {c(1, 1), c(1, 2), c(1, 3)}, kEast, 5);
  across(kWest, 5, {c(3, 1), c(3, 2), c(3, 3)}, kEast, 1);
  add_line({node_at(kSouth, 1, 3), c(3, 2), c(2, 2), c(1, 2), node_at(kNorth, 1, 3)});
  add_line({node_at(kWest, 1, 3), c(2, 1), c(2, 2), c(2, 3), node_at(kEast, 1, 3)});
  for (int arm = 0; arm < kSeats; ++arm) across(arm, 5, {}, (arm + 1) % 4, 1);
}

void Graph::build_two() {
  build_arm(kSouth);
  build_arm(kNorth);
  for (const int column : {1, 3, 5})
    join(node_at(kSouth, 1, column), node_at(kNorth, 1, 6 - column), true);
  for (const int column : {1, 5}) {
    std::vector<int> line;
    for (int row = 5; row >= 1; --row) line.push_back(node_at(kSouth, row, column));
    for (int row = 1; row <= 5; ++row) line.push_back(node_at(kNorth, row, 6 - column));
    add_line(std::move(line));
  }
  add_line({node_at(kSouth, 1, 3), node_at(kNorth, 1, 3)});
}

Nodes Graph::engineer_targets(int node, const Nodes& occupied) const {
  Nodes out = neighbours_[index(node)];
  if (!railway_.has(node)) return out;
  Nodes reached = rail_[index(node)], open = reached.minus(occupied), done;
  done.set(node);
  while (open.any()) {
    Nodes next;
    open.each([&](int at) { next |= rail_[index(at)]; });
    done |= open;
    reached |= next;
    open = next.minus(occupied).minus(done);
  }
  reached.clear(node);
  return out | reached;
}

void Graph::measure() {
  // Breadth first from every node; `next_of` is where one more step leads.
  const auto fill = [this](Distances& distances, const auto& next_of) {
    for (int from = 0; from < kNodes; ++from) {
      auto& row = distances[index(from)];
      row.fill(255);
      if (!all_.has(from)) continue;
      Nodes front, seen;
      front.set(from);
      for (int steps = 0; front.any(); ++steps) {
        Nodes next;
        seen |= front;
        front.each([&](int at) {
          row[index(at)] = static_cast<std::uint8_t>(steps);
          next |= next_of(at, steps);
        });
        front = next.minus(seen);
      }
    }
  };
  const Nodes nothing;
  fill(steps_, [this](int at, int) { return neighbours_[index(at)]; });
  fill(distance_, [&](int at, int steps) {
    // A piece that enters a headquarters stays there.
    return steps > 0 && headquarters_.has(at) ? nothing : straight_targets(at, nothing);
  });
}

}  // namespace kibitz::junqi
