#include "search/junqi_report.h"

#include <cmath>

namespace kibitz::junqi {
namespace {

/// Points as an expected result: a commander ahead is about 62%.
double chance_of(double points) { return 1.0 / (1.0 + std::exp(-points / 200.0)); }

}  // namespace

JunqiMoveReport::JunqiMoveReport(const RootMove& found, std::string about)
    : root(found), belief(std::move(about)) {
  move = found.move;
  visits = found.worlds + found.extra;
  votes = found.permitted ? found.worlds : 0;
  min_visits = found.asked;
  guaranteed = found.extra + (found.included && !found.permitted ? found.worlds : 0);
  value = chance_of(found.value);
  first_value = chance_of(found.parts.score);
  lcb = chance_of(found.mean - 2 * found.deviation);
  score = found.value;
  score_stdev = found.deviation;
  permitted = found.permitted;
  pruned = found.pruned;
  line.assign(found.line.begin(), found.line.end());
}

JunqiSearchReport::JunqiSearchReport(const View& view, const Belief& belief,
                                     const JunqiReport& report) {
  for (const RootMove& root : report.moves)
    found.emplace_back(root, belief_text(view, belief, to_of(root.move)));
  for (const JunqiMoveReport& move : found) {
    visits += move.visits;
    guaranteed += move.guaranteed;
  }
  simulations = nodes = report.nodes;
  value = chance_of(report.value);
  score = report.value;
  if (!found.empty()) first_value = found[0].first_value;
  seconds = report.seconds;
  depth = report.depth;
  mean_depth = report.depth;
  stop = report.stop;
  style_applied = report.style_applied;
}

}  // namespace kibitz::junqi
