#include "games/junqi/prior.h"

#include <algorithm>
#include <cmath>

namespace kibitz::junqi {
namespace {

constexpr std::size_t u(int i) { return static_cast<std::size_t>(i); }

struct Share {
  int row, column;
  double share;
};

/// From 69 recorded layouts.
struct Statistic {
  Kind kind;
  std::vector<Share> shares;
};

const std::vector<Statistic>& statistics() {
  static const std::vector<Statistic> all = {
      {Kind::kFlag, {{6, 2, 0.67}, {6, 4, 0.33}}},
      {Kind::kMine, {{6, 3, 0.58}, {6, 1, 0.51}, {5, 4, 0.39}}},
      {Kind::kCommander, {{1, 1, 0.35}, {1, 5, 0.20}}},
      {Kind::kEngineer,
       {{2, 3, 0.46}, {3, 4, 0.38}, {1, 2, 0.35}, {4, 3, 0.35}, {1, 4, 0.30}, {1, 3, 0.13}}},
      {Kind::kBomb, {{3, 2, 0.29}, {3, 4, 0.25}, {2, 1, 0.22}, {2, 5, 0.22}}},
  };
  return all;
}

}  // namespace

const std::array<std::array<double, kKinds>, kArmy>& layout_prior() {
  static const auto table = [] {
    std::array<std::array<double, kKinds>, kArmy> t{};
    for (int k = 0; k < kKinds; ++k) {
      const Kind kind = static_cast<Kind>(k);
      std::array<bool, kArmy> given{};
      double left = kInventory[u(k)];
      for (const auto& statistic : statistics())
        if (statistic.kind == kind)
          for (const Share& share : statistic.shares)
            for (int place = 0; place < kArmy; ++place)
              if (kPlaces[u(place)] == (share.row - 1) * 5 + share.column - 1) {
                t[u(place)][u(k)] = share.share;
                given[u(place)] = true;
                left -= share.share;
              }
      int open = 0;
      for (int place = 0; place < kArmy; ++place)
        open += !given[u(place)] && (kinds_allowed(place) & set_of(kind));
      for (int place = 0; place < kArmy; ++place)
        if (!given[u(place)] && (kinds_allowed(place) & set_of(kind)))
          t[u(place)][u(k)] = std::max(left, 0.01) / open;
    }
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
