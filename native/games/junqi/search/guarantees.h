// Guaranteed worlds: moves that the user asked about are searched in as many sampled worlds as was
// asked, one ply deep, in turns among them. What is found there is a look, not a vote: values and
// order come from the search.
#pragma once

#include <vector>

#include "games/junqi/search/search.h"

namespace kibitz::junqi {

class Guarantees {
 public:
  Guarantees(const View& view, const JunqiOptions& options, const Scorer& scorer,
             const Belief& belief, const Scorer::Expected& expected,
             const std::vector<Guarantee>& asked, const Deadline& deadline);

  /// The search itself has looked at every root move in so many worlds.
  void credit(std::size_t worlds) { searched_ = static_cast<std::int64_t>(worlds); }

  /// Is there a guaranteed world that can still be given?
  bool pending() const;
  /// One world more for each move that lacks one.
  void serve_round();
  std::int64_t nodes() const { return nodes_; }
  /// Worlds given to a move so far.
  int given(Move move) const;

 private:
  struct AskedMove {
    Move move;
    std::int64_t asked;
    int given = 0;
  };
  bool lacks(const AskedMove& move) const { return searched_ + move.given < move.asked; }

  const View& view_;
  const JunqiOptions& options_;
  const Scorer& scorer_;
  const Belief& belief_;
  const Scorer::Expected& expected_;
  const Deadline& deadline_;
  std::vector<AskedMove> moves_;
  std::vector<WorldKinds> more_;
  std::size_t round_ = 0;
  std::int64_t searched_ = 0, nodes_ = 0;
};

}  // namespace kibitz::junqi
