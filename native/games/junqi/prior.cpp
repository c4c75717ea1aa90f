#include "games/junqi/prior.h"

#include <algorithm>
#include <cmath>

namespace kibitz::junqi {
namespace {

constexpr std::size_t u(int i) { return static_cast<std::size_t>(i); }

/// Of 1000 players, so many put each kind (flag, mine, bomb, commander down to engineer) at a
/// place. From the 32 layouts of eight recorded games, their mirror images counting half; the
/// shares of 69 recorded layouts where these are known (flag, mines, commander, engineers, bombs),
/// which also count as 16 layouts everywhere else.
constexpr std::array<std::array<int, kKinds>, kArmy> kPlaced = {{
    {{0, 0, 0, 324, 24, 176, 108, 108, 71, 132, 43, 13}},    // row 1 column 1
    {{0, 0, 0, 37, 68, 38, 78, 38, 54, 146, 195, 347}},      // row 1 column 2
    {{0, 0, 0, 51, 13, 74, 189, 166, 119, 179, 86, 123}},    // row 1 column 3
    {{0, 0, 0, 46, 78, 57, 89, 31, 89, 142, 166, 303}},      // row 1 column 4
    {{0, 0, 0, 202, 20, 147, 121, 194, 89, 166, 45, 16}},    // row 1 column 5
    {{0, 0, 226, 5, 41, 137, 52, 136, 120, 184, 63, 36}},    // row 2 column 1
    {{0, 0, 43, 4, 61, 19, 44, 19, 70, 105, 156, 478}},      // row 2 column 3
    {{0, 0, 225, 5, 72, 137, 37, 136, 105, 154, 93, 36}},    // row 2 column 5
    {{0, 0, 105, 67, 115, 145, 81, 97, 81, 149, 141, 18}},   // row 3 column 1
    {{0, 0, 316, 5, 124, 111, 46, 54, 37, 96, 104, 106}},    // row 3 column 2
    {{0, 0, 230, 3, 96, 103, 34, 27, 21, 68, 102, 315}},     // row 3 column 4
    {{0, 0, 113, 105, 99, 122, 89, 97, 89, 165, 103, 18}},   // row 3 column 5
    {{0, 0, 89, 29, 14, 74, 144, 97, 144, 211, 180, 18}},    // row 4 column 1
    {{0, 0, 137, 4, 9, 19, 88, 42, 88, 74, 212, 327}},       // row 4 column 3
    {{0, 0, 81, 29, 14, 74, 120, 144, 144, 243, 134, 18}},   // row 4 column 5
    {{0, 147, 115, 5, 10, 161, 128, 152, 105, 53, 37, 87}},  // row 5 column 1
    {{0, 362, 33, 12, 41, 67, 90, 43, 74, 76, 61, 139}},     // row 5 column 2
    {{0, 140, 91, 27, 33, 20, 136, 90, 113, 169, 123, 58}},  // row 5 column 3
    {{0, 400, 22, 19, 24, 64, 64, 40, 56, 72, 40, 199}},     // row 5 column 4
    {{0, 155, 115, 5, 10, 161, 121, 144, 97, 53, 45, 94}},   // row 5 column 5
    {{0, 514, 12, 3, 7, 22, 38, 22, 69, 130, 114, 69}},      // row 6 column 1
    {{602, 91, 6, 2, 3, 7, 7, 7, 7, 10, 254, 5}},            // row 6 column 2
    {{0, 638, 13, 3, 7, 15, 40, 66, 15, 73, 47, 82}},        // row 6 column 3
    {{398, 145, 11, 3, 7, 13, 13, 13, 13, 20, 356, 9}},      // row 6 column 4
    {{0, 409, 17, 5, 10, 36, 43, 35, 129, 131, 100, 87}},    // row 6 column 5
}};

}  // namespace

const std::array<std::array<double, kKinds>, kArmy>& layout_prior() {
  static const auto table = [] {
    std::array<std::array<double, kKinds>, kArmy> t{};
    for (int place = 0; place < kArmy; ++place)
      for (int k = 0; k < kKinds; ++k)
        if (kinds_allowed(place) & set_of(static_cast<Kind>(k)))
          t[u(place)][u(k)] = std::max(kPlaced[u(place)][u(k)], 1) / 1000.0;
    // Each place holds one piece, each kind its number: scaled by turns until both hold.
    for (int round = 0; round < 500; ++round) {
      for (auto& row : t) {
        double sum = 0;
        for (const double x : row) sum += x;
        for (double& x : row) x /= sum;
      }
      for (int k = 0; k < kKinds; ++k) {
        double sum = 0;
        for (const auto& row : t) sum += row[u(k)];
        for (auto& row : t) row[u(k)] *= kInventory[u(k)] / sum;
      }
    }
    return t;
  }();
  return table;
}

double strength(Kind kind) {
  switch (kind) {
    case Kind::kFlag:
    case Kind::kMine:
      return 0.0;
    case Kind::kBomb:
      return 0.4;
    default:
      return 1.0 - 0.9 * (static_cast<int>(kind) - static_cast<int>(Kind::kCommander)) / 8.0;
  }
}

ViewBeliefs beliefs_of(const View& view, const Behaviour& behaviour) {
  std::vector<Unit> units;
  std::vector<int> pieces;
  std::vector<Inventory> inventories;
  std::array<int, kPieces> unit_of{};
  for (int seat = 0; seat < kSeats; ++seat) {
    if (view.players() == 2 && (seat & 1)) continue;
    const int group = static_cast<int>(inventories.size());
    inventories.push_back(kInventory);
    const int turns = view.ply() / view.players();
    for (int place = 0; place < kArmy; ++place) {
      const int piece = seat * kArmy + place;
      Unit unit;
      unit.group = group;
      unit.possible = view.possible(piece);
      if (!view.knows(seat)) {
        const Activity& did = view.history().activity(piece);
        const double bold =
            behaviour.attack * std::min<int>(did.attacks, 3) + behaviour.restless * did.level();
        const bool back = row_of(origin_of(piece)) >= 5;
        for (int k = 0; k < kKinds; ++k) {
          const Kind kind = static_cast<Kind>(k);
          double weight = std::pow(layout_prior()[u(place)][u(k)] + 1e-4, behaviour.prior);
          weight *= std::exp(bold * strength(kind) * 2.0);
          if (back && !view.moved(piece) && !is_mobile(kind))
            weight *= 1.0 + behaviour.unmoved_back * turns;
          unit.weight[u(k)] = weight;
        }
      }
      unit_of[u(piece)] = static_cast<int>(units.size());
      units.push_back(unit);
      pieces.push_back(piece);
    }
  }
  std::vector<Clash> clashes;
  for (const Relation& relation : view.relations())
    clashes.push_back({unit_of[relation.attacker], unit_of[relation.defender], relation.outcome});
  return {Beliefs(std::move(units), std::move(inventories), std::move(clashes)), std::move(pieces)};
}

}  // namespace kibitz::junqi
