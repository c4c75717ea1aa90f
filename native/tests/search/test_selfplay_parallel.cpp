// Gumbel selection and self-play on a small game: the order of sequential halving, a search that is
// driven step by step, and games that do not depend on what is played beside them.
#include <map>
#include <memory>
#include <vector>

#include "evaluate/callout.h"
#include "evaluate/playout.h"
#include "search/gumbel.h"
#include "search/selfplay.h"
#include "tests/check.h"
#include "tests/games/noughts/noughts.h"

using namespace kibitz;
using kibitz::test::Noughts;

namespace {

/// Answers that depend on the position alone.
void judge(const NetworkBatch& batch) {
  const int moves = batch.shape.policy, floats = batch.shape.plane_floats();
  for (int i = 0; i < batch.count; ++i) {
    std::uint64_t key = 1;
    for (int j = 0; j < floats; ++j)
      key = mix64(key + (batch.planes[i * floats + j] > 0 ? 1u : 0u));
    for (int j = 0; j < moves; ++j)
      batch.policy[i * moves + j] =
          static_cast<float>(mix64(key + static_cast<std::uint64_t>(j) + 1) >> 40) / 8e6f;
    const float win = static_cast<float>(mix64(key) >> 40) / 16777216.0f;
    batch.outcomes[i] = {win, 0.0f, 1.0f - win, 0.0f};
  }
}

std::shared_ptr<Evaluator<Noughts>> network() {
  return std::make_shared<CalloutEvaluator<Noughts>>(judge);
}
std::shared_ptr<Evaluator<Noughts>> playouts() {
  return std::make_shared<PlayoutEvaluator<Noughts>>(false);
}

Budget visits(std::int64_t n) {
  Budget budget;
  budget.visits = n;
  return budget;
}

std::vector<std::int64_t> halving(std::int64_t moves, std::int64_t simulations) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < simulations; ++i)
    out.push_back(considered_visits(moves, simulations, i));
  return out;
}

std::map<Move, std::int64_t> visits_of(const SearchReport& report) {
  std::map<Move, std::int64_t> out;
  for (const MoveReport& move : report.moves) out[move.move] = move.visits;
  return out;
}

SelfplayRules rules(SelectionRule rule) {
  SelfplayRules out;
  out.options.rule = rule;
  out.options.evaluator = EvaluatorKind::kNetwork;
  out.budget = visits(12);
  return out;
}

using Play = std::vector<std::vector<Move>>;

template <class Make>
Play played(const SelfplayRules& rules, Make make, int at_once, int threads, int games = 24) {
  Selfplay<Noughts> play(rules, make(), at_once, threads, {});
  std::vector<std::shared_ptr<Selfplay<Noughts>::Ticket>> tickets;
  for (int i = 0; i < games; ++i)
    tickets.push_back(play.give(i, Noughts{}, {}, mix64(static_cast<std::uint64_t>(i))));
  Play out;
  for (auto& ticket : tickets) {
    while (!ticket->wait(1.0)) {
    }
    out.emplace_back();
    for (const SearchedPly& ply : ticket->record().plies) out.back().push_back(ply.move);
  }
  return out;
}

void sequential_halving_goes_through_the_moves() {
  using Row = std::vector<std::int64_t>;
  CHECK(halving(1, 4) == (Row{0, 1, 2, 3}));
  CHECK(halving(2, 5) == (Row{0, 0, 1, 1, 2}));
  CHECK(halving(4, 16) == (Row{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  CHECK(halving(16, 4) == (Row{0, 0, 0, 0}));
  CHECK(halving(3, 7) == (Row{0, 0, 0, 1, 1, 2, 2}));
}

void a_search_in_steps_is_the_same_search() {
  for (const auto rule : {SelectionRule::kPuct, SelectionRule::kGumbel}) {
    Options options;
    options.rule = rule;
    TreeSearch<Noughts> threaded(Noughts{}, network(), options),
        stepped(Noughts{}, network(), options);
    threaded.start(Plan{}, visits(60));
    while (!threaded.wait(1.0)) {
    }
    stepped.begin(Plan{}, visits(60));
    const auto evaluator = network();
    Rng rng(9);
    for (auto leaves = stepped.gather(); !leaves.empty(); leaves = stepped.gather()) {
      evaluator->evaluate(leaves, rng);
      stepped.absorb();
    }
    CHECK(visits_of(threaded.report()) == visits_of(stepped.report()));
    CHECK(stepped.report().visits == 60);
    CHECK(stepped.report().stop == StopReason::kVisits);
  }
}

void noise_is_another_one_for_each_position_and_seed() {
  Options options;
  options.rule = SelectionRule::kPuct;
  options.root_dirichlet = 0.5;
  std::map<std::map<Move, std::int64_t>, int> different;
  for (int seed = 0; seed < 20; ++seed) {
    options.seed = seed;
    TreeSearch<Noughts> search(Noughts{}, network(), options);
    search.start(Plan{}, visits(30));
    while (!search.wait(1.0)) {
    }
    ++different[visits_of(search.report())];
  }
  CHECK(different.size() > 10);
}

void games_do_not_depend_on_those_beside_them() {
  for (const auto rule : {SelectionRule::kPuct, SelectionRule::kGumbel}) {
    SelfplayRules which = rules(rule);
    which.options.symmetry = SymmetryUse::kRandom;
    which.fast_visits = 4;
    const Play alone = played(which, network, 1, 1);
    CHECK(played(which, network, 24, 1) == alone);
    CHECK(played(which, network, 7, 3) == alone);
    bool differ = false;
    for (const auto& game : alone) differ = differ || game != alone.front();
    CHECK(differ);
  }
  SelfplayRules random = rules(SelectionRule::kUcb1);
  random.options.evaluator = EvaluatorKind::kPlayout;
  CHECK(played(random, playouts, 5, 2) == played(random, playouts, 1, 1));
}

void records_tell_what_was_searched() {
  SelfplayRules which = rules(SelectionRule::kGumbel);
  which.fast_visits = 3;
  which.full_share = 0.5;
  which.resign = 0.45;
  which.resign_plies = 1;
  which.play_out = 0.5;
  int full = 0, fast = 0, gave_up = 0, played_out = 0;
  Selfplay<Noughts> play(which, network(), 8, 1, {});
  for (int i = 0; i < 40; ++i) {
    const auto ticket = play.give(i, Noughts{}, {4}, mix64(static_cast<std::uint64_t>(i)));
    while (!ticket->wait(1.0)) {
    }
    const auto& record = ticket->record();
    CHECK(record.id == i);
    CHECK(record.plies[0].move == 4 && record.plies[0].entries.empty());
    Noughts position = record.start;
    for (std::size_t at = 0; at < record.plies.size(); ++at) {
      const SearchedPly& ply = record.plies[at];
      CHECK(position.is_legal(ply.move));
      if (at > 0) {
        float shares = 0.0f;
        std::uint32_t visits = 0;
        for (const RootEntry& entry : ply.entries) shares += entry.policy, visits += entry.visits;
        CHECK(shares > 0.999f && shares < 1.001f);
        CHECK(visits <= (ply.full ? 11u : 2u));
        (ply.full ? full : fast) += 1;
      }
      position.play(ply.move);
    }
    CHECK(position == record.last);
    CHECK(record.result() >= 0.0f);
    gave_up += record.gave_up();
    played_out += record.resigned >= 0 && record.played_out;
    if (record.gave_up()) CHECK(record.result() == (record.resigned == 0 ? 0.0f : 1.0f));
    if (!record.gave_up()) CHECK(record.last.is_over());
  }
  CHECK(full > 20 && fast > 20 && gave_up > 3 && played_out > 3);
}

void an_error_of_the_network_reaches_every_caller() {
  const auto broken = std::make_shared<CalloutEvaluator<Noughts>>(
      [](const NetworkBatch&) { throw std::runtime_error("out of order"); });
  Selfplay<Noughts> play(rules(SelectionRule::kPuct), broken, 4, 2, {});
  const auto first = play.give(0, Noughts{}, {}, 1);
  bool reported = false;
  try {
    while (!first->wait(1.0)) {
    }
  } catch (const std::runtime_error& error) {
    reported = std::string(error.what()) == "out of order";
  }
  CHECK(reported);
}

}  // namespace

int main() {
  sequential_halving_goes_through_the_moves();
  a_search_in_steps_is_the_same_search();
  noise_is_another_one_for_each_position_and_seed();
  games_do_not_depend_on_those_beside_them();
  records_tell_what_was_searched();
  an_error_of_the_network_reaches_every_caller();
  return kibitz::test::report();
}
