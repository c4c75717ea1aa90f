#include "search/side_search_report.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace kibitz {
namespace {

/// Takes over what a look found of a move. What the search itself thinks of it (prior, votes,
/// selection, preference, standing) stays.
void take_findings(MoveReport& move, const MoveReport& look) {
  move.value = look.value;
  move.first_value = look.first_value;
  move.lcb = look.lcb;
  move.draw = look.draw;
  move.score = look.score;
  move.score_stdev = look.score_stdev;
  move.lead = look.lead;
  move.style = look.style;
  move.utility = look.utility;
  move.utility_lcb = look.utility_lcb;
  move.line = look.line;
  move.line_visits = look.line_visits;
  move.ownership = look.ownership;
  move.ownership_stdev = look.ownership_stdev;
}

/// Adds a look's visits and, where they are more than the search's own or prove something, what
/// they found. True where its value is the move's now.
bool add_side_visits(MoveReport& move, const MoveReport& look) {
  const Bounds proven{std::max(move.proven.low, look.proven.low),
                      std::min(move.proven.high, look.proven.high)};
  const bool taken = look.visits > move.visits || proven != move.proven;
  if (taken) take_findings(move, look);
  move.proven = proven;
  move.value = proven.clamp(move.value);
  move.visits += look.visits;
  move.guaranteed += look.visits;
  return taken;
}

/// 1 for a proven win, -1 for a proven loss.
int proven_rank(const MoveReport& move) {
  return move.proven.low == 2 ? 1 : move.proven.high == 0 ? -1 : 0;
}

using Family = std::span<const TreeRow>;

/// Each root move's rows.
std::vector<Family> families(const std::vector<TreeRow>& rows) {
  std::vector<Family> out;
  for (std::size_t begin = 0, end; begin < rows.size(); begin = end) {
    for (end = begin + 1; end < rows.size() && rows[end].depth > 0;) ++end;
    out.emplace_back(rows.data() + begin, end - begin);
  }
  return out;
}

}  // namespace

std::vector<Guarantee> guarantees_of(const Plan& plan, bool separate_tree) {
  std::vector<Guarantee> out;
  std::copy_if(plan.include.begin(), plan.include.end(), std::back_inserter(out),
               [separate_tree](const Guarantee& guarantee) {
                 return guarantee.separate_tree == separate_tree;
               });
  return out;
}

void add_side_search(SearchReport& report, const SearchReport& looks,
                     const std::vector<Guarantee>& asked) {
  for (MoveReport& move : report.moves) {
    for (const Guarantee& guarantee : asked)
      if (guarantee.move == move.move) move.min_visits = guarantee.min_visits;
    const auto look = std::find_if(looks.moves.begin(), looks.moves.end(),
                                   [&](const MoveReport& it) { return it.move == move.move; });
    if (look == looks.moves.end() || look->visits == 0) continue;
    move.looks_better = add_side_visits(move, *look);
    report.visits += look->visits;
    report.guaranteed += look->visits;
  }
  report.simulations += looks.simulations;
  report.nodes += looks.nodes;
  report.memory_bytes += looks.memory_bytes;
  report.depth = std::max(report.depth, looks.depth);
  std::stable_sort(
      report.moves.begin(), report.moves.end(), [](const MoveReport& a, const MoveReport& b) {
        return a.standing != b.standing ? a.standing < b.standing : proven_rank(a) > proven_rank(b);
      });
  if (report.moves.empty()) return;
  const MoveReport& best = report.moves.front();
  for (MoveReport& move : report.moves)
    move.looks_better = move.looks_better && move.permitted && move.lcb > best.value;
  if (!best.permitted) return;
  report.proven.low = std::max(report.proven.low, best.proven.low);
  report.value = report.proven.clamp(report.value);
}

std::vector<TreeRow> join_rows(std::vector<TreeRow> rows, const std::vector<TreeRow>& looks) {
  if (looks.empty()) return rows;
  std::vector<Family> joined = families(rows);
  for (const Family look : families(looks)) {
    const auto same = std::find_if(joined.begin(), joined.end(), [&](Family family) {
      return family.front().move == look.front().move;
    });
    if (same == joined.end())
      joined.push_back(look);
    else if (same->front().visits < look.front().visits)
      *same = look;
  }
  std::stable_sort(joined.begin(), joined.end(),
                   [](Family a, Family b) { return a.front().visits > b.front().visits; });
  std::vector<TreeRow> out;
  for (const Family family : joined) out.insert(out.end(), family.begin(), family.end());
  return out;
}

}  // namespace kibitz
