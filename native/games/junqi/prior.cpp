#include "games/junqi/prior.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

/// Of 1000 players, so many put each kind (flag, mine, bomb, commander down to engineer) at a
/// place. Recorded players count 64 parts: the 32 layouts of eight games, their mirror images half,
/// and the shares of 69 recorded layouts where these are known. The set-ups of the engine's own
/// games count 24 parts for the named ones with their mirror images and 24 for random ones, so that
/// a player who does as nobody in the records is not misjudged altogether; the flag stands where
/// people put it.
constexpr std::array<std::array<int, kKinds>, kArmy> kPlaced = {{
    {{0, 0, 0, 236, 51, 185, 137, 120, 63, 110, 58, 39}},    // row 1 column 1
    {{0, 0, 0, 41, 50, 63, 67, 54, 63, 126, 144, 392}},      // row 1 column 2
    {{0, 0, 0, 41, 19, 82, 167, 171, 109, 172, 119, 121}},   // row 1 column 3
    {{0, 0, 0, 46, 55, 74, 73, 50, 82, 123, 128, 367}},      // row 1 column 4
    {{0, 0, 0, 162, 50, 169, 146, 169, 73, 128, 60, 43}},    // row 1 column 5
    {{0, 0, 155, 30, 43, 169, 85, 151, 89, 145, 83, 50}},    // row 2 column 1
    {{0, 0, 53, 13, 44, 31, 45, 31, 59, 89, 117, 517}},      // row 2 column 3
    {{0, 0, 155, 30, 60, 169, 76, 151, 80, 127, 101, 50}},   // row 2 column 5
    {{0, 0, 123, 75, 120, 111, 102, 93, 84, 142, 111, 39}},  // row 3 column 1
    {{0, 0, 389, 22, 89, 82, 46, 59, 50, 84, 89, 90}},       // row 3 column 2
    {{0, 0, 330, 19, 75, 80, 39, 43, 39, 68, 89, 219}},      // row 3 column 4
    {{0, 0, 128, 97, 111, 98, 106, 93, 89, 150, 88, 39}},    // row 3 column 5
    {{0, 0, 77, 35, 27, 89, 147, 111, 138, 168, 151, 56}},   // row 4 column 1
    {{0, 0, 105, 12, 15, 30, 70, 44, 105, 107, 240, 271}},   // row 4 column 3
    {{0, 0, 73, 35, 27, 89, 133, 138, 138, 186, 124, 56}},   // row 4 column 5
    {{0, 165, 83, 9, 21, 105, 105, 127, 162, 94, 59, 70}},   // row 5 column 1
    {{0, 440, 37, 13, 30, 60, 64, 38, 64, 63, 90, 100}},     // row 5 column 2
    {{0, 170, 69, 22, 26, 42, 91, 65, 96, 170, 197, 52}},    // row 5 column 3
    {{0, 461, 31, 17, 20, 58, 49, 36, 54, 60, 78, 134}},     // row 5 column 4
    {{0, 170, 83, 9, 21, 105, 100, 122, 158, 94, 63, 74}},   // row 5 column 5
    {{0, 455, 25, 8, 11, 26, 44, 26, 61, 129, 156, 59}},     // row 6 column 1
    {{630, 88, 10, 3, 4, 9, 9, 9, 9, 61, 159, 10}},          // row 6 column 2
    {{0, 502, 26, 9, 11, 22, 36, 50, 22, 173, 84, 66}},      // row 6 column 3
    {{370, 154, 18, 6, 8, 16, 16, 16, 16, 100, 263, 17}},    // row 6 column 4
    {{0, 395, 28, 9, 12, 33, 47, 33, 96, 130, 148, 70}},     // row 6 column 5
}};

using PriorTable = std::array<std::array<double, kKinds>, kArmy>;

/// A function and not a lambda, which a compiler would evaluate while compiling, for many seconds.
PriorTable make_layout_prior() {
  PriorTable t{};
  for (int place = 0; place < kArmy; ++place)
    for (int k = 0; k < kKinds; ++k)
      if (kinds_allowed(place) & set_of(static_cast<Kind>(k)))
        t[as_index(place)][as_index(k)] =
            std::max(kPlaced[as_index(place)][as_index(k)], 1) / 1000.0;
  // Each place holds one piece, each kind its number: scaled by turns until both hold.
  for (int round = 0; round < 500; ++round) {
    for (auto& row : t) {
      double sum = 0;
      for (const double x : row) sum += x;
      for (double& x : row) x /= sum;
    }
    for (int k = 0; k < kKinds; ++k) {
      double sum = 0;
      for (const auto& row : t) sum += row[as_index(k)];
      for (auto& row : t) row[as_index(k)] *= kInventory[as_index(k)] / sum;
    }
  }
  return t;
}

}  // namespace

const std::array<std::array<double, kKinds>, kArmy>& layout_prior() {
  static const PriorTable table = make_layout_prior();
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
        std::array<double, kKinds> speaks{};
        if (behaviour.conduct != 0)
          for (const int row : conduct_rows(view, view.conduct(piece), piece))
            for (std::size_t k = 0; k < kKinds; ++k)
              speaks[k] += (*behaviour.table)[as_index(row)][k];
        for (int k = 0; k < kKinds; ++k) {
          const Kind kind = static_cast<Kind>(k);
          double weight =
              std::pow(layout_prior()[as_index(place)][as_index(k)] + 1e-4, behaviour.prior);
          weight *= std::exp(bold * strength(kind) * 2.0 + behaviour.conduct * speaks[as_index(k)]);
          if (back && !view.moved(piece) && !is_mobile(kind))
            weight *= 1.0 + behaviour.unmoved_back * turns;
          unit.weight[as_index(k)] = weight;
        }
      }
      unit_of[as_index(piece)] = static_cast<int>(units.size());
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
