// The recommendation: the votes for each root move (search/votes.h), and the order of moves that
// follows from them.
//
// Threads: reads only; may run beside the search once the root is open.
#pragma once

#include <optional>
#include <vector>

#include "search/report.h"
#include "search/search_state.h"
#include "search/votes.h"

namespace kibitz {

class Recommendation {
 public:
  explicit Recommendation(const SearchParts& search) : search_(search) {}

  /// The root's moves, in the order of its children, with their votes.
  std::vector<Voter> voters() const;
  /// How far the values of a root move's visits are spread, with a doubt that `count` visits leave.
  double value_variance(std::size_t index, std::int64_t count) const;
  /// Can no other move overtake the best within the budget any more?
  bool decided() const;
  /// Sorts the moves, the one to play first. They come in the order of the root's children.
  void order(std::vector<MoveReport>& moves) const;
  /// Puts the move that the plan's style likes most, of those that its budget can pay for, first of
  /// the sorted moves. Returns the win probability that it costs; nothing where the style has no
  /// say.
  std::optional<double> spend_style_budget(std::vector<MoveReport>& moves) const;

 private:
  /// KataGo's play selection value, and how far the lower bound of the utility is from its mean.
  struct PlaySelection {
    double value = 0.0, radius = 0.0;
  };
  std::vector<PlaySelection> play_selection(const std::vector<MoveReport>& moves,
                                            bool by_votes) const;
  /// A move's value as the choice compares it: where values rise with visits, the one it had when
  /// its visits were as many as the search's own now.
  double comparable_value(std::size_t index, const MoveReport& move) const;
  void add_improved_policy(std::vector<MoveReport>& moves) const;
  void keep_bounds_possible(std::vector<MoveReport>& moves) const;
  bool better(const MoveReport& a, const MoveReport& b) const;

  const SearchParts& search_;
};

}  // namespace kibitz
