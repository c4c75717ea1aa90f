// Beliefs against brute force on small problems, and against the truth in real games.
#include <bit>
#include <cmath>
#include <functional>

#include "games/junqi/prior.h"
#include "tests/check.h"
#include "tests/games/junqi/play.h"

using namespace kibitz;
using namespace kibitz::junqi;

namespace {

struct Problem {
  std::vector<Unit> units;
  std::vector<Inventory> inventories;
  std::vector<Clash> clashes;
};

/// Two or three small armies with a hidden truth, battles that follow from it, and some facts.
Problem random_problem(Rng& rng) {
  Problem p;
  std::vector<Kind> truth;
  const int groups = 2 + static_cast<int>(rng.below(2));
  const int size = groups == 2 ? 5 : 4;
  for (int g = 0; g < groups; ++g) {
    Inventory inventory{};
    for (int i = 0; i < size; ++i) {
      const auto k = rng.below(kKinds);
      ++inventory[k];
      truth.push_back(static_cast<Kind>(k));
      Unit unit;
      unit.group = g;
      for (double& w : unit.weight) w = 0.2 + rng.unit();
      if (rng.below(3) == 0)  // something is known of it
        unit.possible = static_cast<KindSet>((rng.next() & kAllKinds) | set_of(truth.back()));
      p.units.push_back(unit);
    }
    p.inventories.push_back(inventory);
  }
  const int total = groups * size;
  for (int tries = 0; tries < 6; ++tries) {
    const int a = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    const int d = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    const auto ua = static_cast<std::size_t>(a), ud = static_cast<std::size_t>(d);
    if (p.units[ua].group == p.units[ud].group || !is_mobile(truth[ua])) continue;
    p.clashes.push_back({a, d, battle(truth[ua], truth[ud])});
  }
  return p;
}

/// Every assignment, the slow and obvious way.
double brute_force(const Problem& p, Marginals& marginals) {
  marginals.assign(p.units.size(), {});
  std::vector<int> kinds(p.units.size());
  auto left = p.inventories;
  double total = 0;
  std::function<void(std::size_t, double)> go = [&](std::size_t i, double weight) {
    if (i == p.units.size()) {
      for (const Clash& c : p.clashes) {
        const auto a = static_cast<Kind>(kinds[static_cast<std::size_t>(c.attacker)]);
        const auto d = static_cast<Kind>(kinds[static_cast<std::size_t>(c.defender)]);
        if (a == Kind::kFlag || a == Kind::kMine || battle(a, d) != c.outcome) return;
      }
      total += weight;
      for (std::size_t j = 0; j < kinds.size(); ++j)
        marginals[j][static_cast<std::size_t>(kinds[j])] += weight;
      return;
    }
    for (std::size_t k = 0; k < kKinds; ++k) {
      int& stock = left[static_cast<std::size_t>(p.units[i].group)][k];
      if (!stock || !(p.units[i].possible >> k & 1)) continue;
      --stock;
      kinds[i] = static_cast<int>(k);
      go(i + 1, weight * p.units[i].weight[k]);
      ++stock;
    }
  };
  go(0, 1.0);
  for (auto& row : marginals)
    for (double& x : row) x /= total;
  return total;
}

void test_small_problems() {
  Rng rng(2026);
  double worst_mean = 0, sum_mean = 0;
  long kinds_seen = 0, kinds_left = 0;
  const int cases = 1200;
  for (int number = 0; number < cases; ++number) {
    const Problem p = random_problem(rng);
    Marginals truth, marginals;
    CHECK(brute_force(p, truth) > 0);
    Beliefs beliefs(p.units, p.inventories, p.clashes);
    CHECK(beliefs.propagate());
    Beliefs narrowed = beliefs;
    CHECK(beliefs.exact(marginals, 10'000'000));
    bool same = true, sound = true;
    for (std::size_t i = 0; i < truth.size(); ++i)
      for (std::size_t k = 0; k < kKinds; ++k) {
        same = same && std::abs(truth[i][k] - marginals[i][k]) < 1e-9;
        const bool real = truth[i][k] > 0;
        same = same && real == ((beliefs.possible(static_cast<int>(i)) >> k & 1) != 0);
        const bool kept = narrowed.possible(static_cast<int>(i)) >> k & 1;
        sound = sound && (kept || !real);  // propagation never drops what can be
        kinds_seen += real;
        kinds_left += kept;
      }
    CHECK(same);
    CHECK(sound);
    // The walk visits assignments as often as they weigh.
    if (number % 4) continue;
    const auto samples = narrowed.sample(rng, 1500, 12, 30);
    CHECK_EQ(samples.size(), 1500u);
    bool fit = true;
    for (const auto& sample : samples) fit = fit && narrowed.fits(sample.kinds);
    CHECK(fit);
    const Marginals walked = marginals_of(samples);
    double mean = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
      for (std::size_t k = 0; k < kKinds; ++k) mean += std::abs(truth[i][k] - walked[i][k]) / 2;
    mean /= static_cast<double>(truth.size());
    worst_mean = std::max(worst_mean, mean);
    sum_mean += mean;
  }
  std::cout << cases << " small cases equal brute force; propagation keeps " << kinds_left
            << " kinds where " << kinds_seen << " are possible; sampled marginals are off by "
            << 4 * sum_mean / cases << " on average, " << worst_mean << " at most\n";
  CHECK(4 * sum_mean / cases < 0.02);
  CHECK(worst_mean < 0.25);  // tight little problems can fall into parts no exchange joins
}

void test_games() {
  Rng rng(9);
  for (int round = 0; round < 8; ++round) {
    Junqi game = dealt(rng, round % 4 == 3 ? 2 : 4);
    View view(game, kSouth);
    for (int ply = 0; ply < 200 && !game.is_over() && game.alive(kSouth); ++ply) {
      MoveList<Junqi> list;
      game.legal_moves(list);
      const Move move = lively_move(rng, game, list, 3);
      view.observe(game.play(move));
      if (ply % 20) continue;
      ViewBeliefs made = beliefs_of(view, Behaviour{});
      CHECK(made.beliefs.propagate());
      Assignment truth;
      bool possible = true;
      for (std::size_t i = 0; i < made.pieces.size(); ++i) {
        truth.push_back(game.kind(made.pieces[i]));
        possible = possible && (made.beliefs.possible(static_cast<int>(i)) & set_of(truth.back()));
      }
      CHECK(possible);
      CHECK(made.beliefs.fits(truth));
      const auto samples = made.beliefs.sample(rng, 8, 200, 2);
      CHECK_EQ(samples.size(), 8u);
      for (const auto& sample : samples) CHECK(made.beliefs.fits(sample.kinds));
    }
  }
}

void test_prior() {
  const auto& prior = layout_prior();
  for (std::size_t place = 0; place < kArmy; ++place) {
    double sum = 0;
    for (const double x : prior[place]) sum += x;
    CHECK(std::abs(sum - 1) < 1e-3);
  }
  // What was recorded comes out again: flag at (6,2) 67%, engineer at (2,3) 46%.
  CHECK(std::abs(prior[21][0] - 0.67) < 0.1);
  CHECK(std::abs(prior[6][static_cast<std::size_t>(Kind::kEngineer)] - 0.46) < 0.1);
}

}  // namespace

int main() {
  test_prior();
  test_small_problems();
  test_games();
  return test::report();
}
