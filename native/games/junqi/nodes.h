// Nodes of the Junqi board and sets of them. The numbering is the same for two and four players:
// arm * 30 + (row - 1) * 5 + (column - 1) with arms S, E, N, W, then the nine centre nodes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace kibitz::junqi {

inline constexpr int kSeats = 4;
inline constexpr int kArmNodes = 30;
inline constexpr int kNodes = 129;
inline constexpr int kCentre = 120;  // the first of C11, C12, ... C33
inline constexpr std::uint8_t kNowhere = 0xff;

enum Seat : int { kSouth, kEast, kNorth, kWest };
inline constexpr std::string_view kSeatLetters = "SENW";

constexpr int node_at(int arm, int row, int column) {
  return arm * kArmNodes + (row - 1) * 5 + (column - 1);
}
constexpr int centre_at(int i, int j) { return kCentre + (i - 1) * 3 + (j - 1); }

/// The arm a node belongs to, -1 for the centre.
constexpr int arm_of(int node) { return node < kCentre ? node / kArmNodes : -1; }
/// 1 (front) to 6 (back); 0 in the centre.
constexpr int row_of(int node) { return node < kCentre ? node % kArmNodes / 5 + 1 : 0; }
constexpr int column_of(int node) { return node < kCentre ? node % 5 + 1 : 0; }

constexpr bool is_camp(int node) {
  const int r = row_of(node), c = column_of(node);
  return ((r == 2 || r == 4) && (c == 2 || c == 4)) || (r == 3 && c == 3);
}
constexpr bool is_headquarters(int node) {
  return row_of(node) == 6 && (column_of(node) == 2 || column_of(node) == 4);
}

/// `S11`, `N62`, `C22`.
std::string node_name(int node);
/// What somebody wrote, for a message: in quotes, cut to a length, plain characters only.
std::string quoted(std::string_view text);
/// Throws std::invalid_argument; letters in either case.
int parse_node(std::string_view text);

/// A set of nodes.
struct Nodes {
  std::array<std::uint64_t, 3> words{};

  void set(int node) { words[static_cast<unsigned>(node) >> 6] |= std::uint64_t{1} << (node & 63); }
  void clear(int node) {
    words[static_cast<unsigned>(node) >> 6] &= ~(std::uint64_t{1} << (node & 63));
  }
  bool has(int node) const { return (words[static_cast<unsigned>(node) >> 6] >> (node & 63)) & 1; }
  bool any() const { return (words[0] | words[1] | words[2]) != 0; }
  int count() const {
    return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]);
  }
  Nodes operator|(const Nodes& o) const {
    return {{words[0] | o.words[0], words[1] | o.words[1], words[2] | o.words[2]}};
  }
  Nodes operator&(const Nodes& o) const {
    return {{words[0] & o.words[0], words[1] & o.words[1], words[2] & o.words[2]}};
  }
  Nodes minus(const Nodes& o) const {
    return {{words[0] & ~o.words[0], words[1] & ~o.words[1], words[2] & ~o.words[2]}};
  }
  Nodes& operator|=(const Nodes& o) { return *this = *this | o; }
  bool meets(const Nodes& o) const { return (*this & o).any(); }
  bool operator==(const Nodes&) const = default;

  /// Calls `visit(node)` for every node, lowest first.
  template <class Visit>
  void each(Visit&& visit) const {
    for (int w = 0; w < 3; ++w)
      for (std::uint64_t rest = words[static_cast<unsigned>(w)]; rest; rest &= rest - 1)
        visit(w * 64 + std::countr_zero(rest));
  }
};

}  // namespace kibitz::junqi
