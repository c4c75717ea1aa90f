#include "games/junqi/search/races.h"

#include <algorithm>
#include <cmath>

namespace kibitz::junqi {
namespace {

/// Positions that one race may take.
constexpr std::int64_t kRaceNodes = 400;
/// Worlds whose races are solved; further ones are taken to be like these.
constexpr std::size_t kRaceWorlds = 12;

bool near(const Junqi& board, int node, int flag) {
  return board.graph().steps(node, flag) <= kRaceSteps;
}

bool takes_flag(const Junqi& board, Move move) {
  const int target = board.piece_at(to_of(move));
  return target != kNowhere && board.kind(target) == Kind::kFlag;
}

}  // namespace

double RootRaces::stake(const Junqi& world, int victim, int plies) const {
  const double worth = scorer_.weights().pieces_flag + scorer_.army(world, victim);
  return worth * std::pow(options_.discount, plies);
}

void RootRaces::run(const std::vector<Move>& moves, const Deadline& deadline) {
  moves_ = moves;
  decides_.assign(moves.size(), false);
  races_.clear();
  FlagSolver solver(kRaceNodes);
  for (std::size_t w = 0; w < std::min(worlds_.size(), kRaceWorlds) && !deadline.passed(); ++w)
    judge(w, solver);
  nodes_ = solver.nodes();
}

void RootRaces::run_added(const Deadline& deadline) {
  FlagSolver solver(kRaceNodes);
  const std::size_t first = races_.size(), last = std::min(worlds_.size(), first + kRaceWorlds);
  for (std::size_t w = first; w < last && !deadline.passed(); ++w) judge(w, solver);
  nodes_ += solver.nodes();
}

void RootRaces::judge(std::size_t w, FlagSolver& solver) {
  const Junqi& world = worlds_[w];
  const int team = view_.team(view_.seat()), plies = static_cast<int>(options_.race_plies);
  std::vector<Race> judged(moves_.size());
  for (int victim = 0; victim < kSeats; ++victim) {
    if (!world.alive(victim)) continue;
    const int flag = world.node_of(world.flag(victim));
    const bool ours = world.team(victim) == team;
    // A flag that was not shown is a guess: theirs is in this headquarters only in some worlds, and
    // the enemies do not know yet which of ours they should take.
    const double sure = view_.flag_known(victim) ? 1.0 : scorer_.weights().worlds_flag_unseen;
    int idle = 0;  // when the flag falls if we do something else
    if (ours) {
      Junqi next = world;
      next.skip();
      idle = solver.falls_in(next, victim, plies);
    }
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      const Move move = moves_[i];
      int fall = idle;
      // A seat that goes out takes its intruders with it.
      const bool takes_part = ours ? near(world, to_of(move), flag) ||
                                         near(world, from_of(move), flag) || takes_flag(world, move)
                                   : races(world, move) && near(world, to_of(move), flag);
      if (takes_part) {
        Junqi next = world;
        next.play(move);
        fall = next.alive(victim) ? solver.falls_in(next, victim, plies) : 0;
        // A flag that is guessed is the search's own to weigh.
        if (!ours && !next.alive(victim) && view_.flag_known(victim)) {
          decides_[i] = true;
          judged[i].taken = scorer_.army(world, victim);
        }
      }
      if (ours) {
        if (idle > 0 && fall == 0) decides_[i] = true;
        if (fall > 0) {
          const double worth = stake(world, victim, fall);
          if (worth > judged[i].loss) judged[i].loss = worth;
          judged[i].sure = sure;
        }
      } else if (takes_part && fall > 0) {
        decides_[i] = true;
        judged[i].gain = std::max(judged[i].gain, sure * stake(world, victim, fall));
      }
    }
  }
  races_.push_back(std::move(judged));
}

const RootRaces::Race* RootRaces::find(std::size_t world, Move move) const {
  if (races_.empty()) return nullptr;
  const auto at = std::find(moves_.begin(), moves_.end(), move);
  if (at == moves_.end()) return nullptr;
  return &races_[world % races_.size()][static_cast<std::size_t>(at - moves_.begin())];
}

bool RootRaces::decides(Move move) const {
  const auto at = std::find(moves_.begin(), moves_.end(), move);
  return at != moves_.end() && decides_[static_cast<std::size_t>(at - moves_.begin())];
}

double RootRaces::corrected(std::size_t world, Move move, double base, double value) const {
  const Race* race = find(world, move);
  if (!race) return value;
  // The flag itself is in the base. Taking it at once is worth no less than racing for it.
  base += race->taken;
  if (race->taken > 0) value = std::max(value, base);
  if (race->gain > 0) value = std::max(value, base + race->gain);
  if (race->loss > 0) value += race->sure * std::min(0.0, base - race->loss - value);
  return value;
}

double RootRaces::outlook(Move move) const {
  double sum = 0;
  for (std::size_t w = 0; w < races_.size(); ++w) sum += corrected(w, move, 0, 0);
  return races_.empty() ? 0 : sum / static_cast<double>(races_.size());
}

}  // namespace kibitz::junqi
