// Junqi's report in the form that every game has (search/report.h), with what Junqi adds.
#pragma once

#include <string>
#include <vector>

#include "games/junqi/search/search.h"

namespace kibitz::junqi {

/// A visit is a root move searched in a world; there is none until the first depth is done.
struct JunqiMoveReport : MoveReport {
  JunqiMoveReport(const RootMove& searched, std::string about);

  RootMove root;
  std::string belief;  // what is believed of the move's target
};

struct JunqiSearchReport : SearchReport {
  JunqiSearchReport() = default;
  JunqiSearchReport(const View& view, const Belief& belief, const JunqiReport& report);

  std::vector<JunqiMoveReport> junqi_moves;
  bool style_applied = false;  // there were moves of the style's behaviour
};

}  // namespace kibitz::junqi
