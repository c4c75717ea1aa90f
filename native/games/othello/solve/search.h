// The search under the endgame solvers: exact alpha-beta on bitboards.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "games/othello/evaluate/evaluation.h"
#include "games/othello/solve/last.h"
#include "games/othello/solve/table.h"

namespace kibitz::othello {

/// When to give up. A solver that gives up says so; it never guesses.
struct SolveLimits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  const std::atomic<bool>* stop = nullptr;  // may be set by another thread
};

/// Exact scores, for the side to move, of positions of any size, given time. One instance a thread;
/// no allocation after construction.
class EndgameSearch {
 public:
  /// With an evaluation, moves far from the end are ordered by it; the scores are the same.
  explicit EndgameSearch(std::size_t table_bytes,
                         std::shared_ptr<const OthelloEvaluation> evaluation = nullptr)
      : large_(table_bytes), small_(kSmallTable), evaluation_(std::move(evaluation)) {}

  void begin(const SolveLimits& limits);
  void clear() {
    large_.clear();
    small_.clear();
  }
  bool aborted() const { return aborted_; }
  std::uint64_t nodes() const { return last_.nodes; }
  double seconds() const { return clock_.seconds(); }

  /// The score if it is inside (alpha, beta), else a bound on that side. Void once aborted().
  int search(Bits player, Bits opponent, int alpha, int beta);

  /// Looks `depth` plies ahead by the evaluation or by guesses, to find a good order of moves;
  /// returns the expected score in discs.
  int warm_up(Bits player, Bits opponent, int depth);

  /// The move the search thought best here, or kPass if it never met the position.
  int best_known(Bits player, Bits opponent);

 private:
  struct Candidate {
    Bits turned;
    int order;
    int square;
  };
  struct Candidates {
    std::array<Candidate, 60> items;
    int size = 0;
    Candidate& pick(int i);  // moves the best of items i.. to place i
  };

  int node(Bits player, Bits opponent, int alpha, int beta, int empties);
  // Up to six empty squares. The first two ask whether the score is above alpha, as LastEmpties.
  template <int Empties>
  int shallow(Bits player, Bits opponent, int alpha, unsigned odd_quarters);
  int shallow_above(Bits player, Bits opponent, int alpha, int empties);
  int shallow_between(Bits player, Bits opponent, int alpha, int beta, int empties);
  template <class View>
  int guess_search(const View& view, int alpha, int beta, int depth, int empties);
  template <class View>
  int deepened(const View& view, int depth, int empties);
  template <class View>
  void add_guesses(const View& view, int empties, Candidates& list);
  void list_moves(Bits player, Bits opponent, Bits moves, Candidates& list) const;
  void order_moves(Bits player, Bits opponent, int empties, Candidates& list, const Known& known);
  EndgameTable& table_for(int empties);
  bool out_of_budget();

  /// Most positions are near the end; theirs is small enough to stay in the processor's cache.
  static constexpr std::size_t kSmallTable = std::size_t{256} << 10;
  EndgameTable large_, small_;
  std::shared_ptr<const OthelloEvaluation> evaluation_;
  LastEmpties last_;
  SolveLimits limits_;
  Stopwatch clock_;
  bool aborted_ = false;
  std::uint64_t next_clock_check_ = 0;
};

}  // namespace kibitz::othello
