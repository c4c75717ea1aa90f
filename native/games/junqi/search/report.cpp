#include "games/junqi/search/report.h"

#include <cmath>

namespace kibitz::junqi {
namespace {

/// Points as an expected result: a commander ahead is about 62%.
double chance_of(double points) { return 1.0 / (1.0 + std::exp(-points / 200.0)); }

}  // namespace

JunqiMoveReport::JunqiMoveReport(const RootMove& searched, std::string about)
    : root(searched), belief(std::move(about)) {
  move = searched.move;
  visits = searched.worlds + searched.extra;
  votes = searched.permitted ? searched.worlds : 0;
  min_visits = searched.asked;
  guaranteed = searched.extra + (searched.included && !searched.permitted ? searched.worlds : 0);
  value = chance_of(searched.value);
  first_value = chance_of(searched.parts.score);
  lcb = chance_of(searched.mean - 2 * searched.deviation);
  score = searched.value;
  score_stdev = searched.deviation;
  permitted = searched.permitted;
  pruned = searched.pruned;
  line.assign(searched.line.begin(), searched.line.end());
}

JunqiSearchReport::JunqiSearchReport(const View& view, const Belief& belief,
                                     const JunqiReport& report) {
  for (const RootMove& root : report.moves)
    junqi_moves.emplace_back(root, belief_text(view, belief, to_of(root.move)));
  for (const JunqiMoveReport& move : junqi_moves) {
    visits += move.visits;
    guaranteed += move.guaranteed;
  }
  simulations = nodes = report.nodes;
  value = chance_of(report.value);
  score = report.value;
  if (!junqi_moves.empty()) first_value = junqi_moves[0].first_value;
  seconds = report.seconds;
  depth = report.depth;
  mean_depth = report.depth;
  stop = report.stop;
  style_applied = report.style_applied;
}

}  // namespace kibitz::junqi
