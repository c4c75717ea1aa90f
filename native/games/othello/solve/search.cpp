#include "games/othello/solve/search.h"

#include <utility>

#include "base/core_turns.h"
#include "games/othello/evaluate/patterns.h"
#include "games/othello/solve/guess.h"
#include "games/othello/solve/parity.h"
#include "games/othello/solve/stability.h"

namespace kibitz::othello {

namespace {

constexpr int kNone = LastEmpties::kNone;
constexpr int kShallowEmpties = 6;     // up to here: no table, moves in order of parity only
constexpr int kTableEmpties = 7;       // from here on, remember positions
constexpr int kLargeEmpties = 13;      // from here on, in the large table
constexpr int kCutoffEmpties = 10;     // from here on, ask the table about the children first
constexpr int kGuessEmpties = 13;      // from here on, order moves by guesses
constexpr int kPatternEmpties = 13;    // from here on, by patterns where there are some
constexpr int kDeepGuessEmpties = 18;  // from here on, by guesses one ply deeper
constexpr int kBudgetEmpties = 10;     // from here on, look at the limits
// What a reply less is worth when moves are ordered, in 1/1024 of a disc: beside an evaluation the
// number of replies says which of the good moves has the smallest tree.
constexpr int kReplyOrder = 1 << 10;
constexpr int kPatternReplyOrder = 1 << 12;
constexpr std::uint64_t kClockStride = 20000;

/// A position as it is guessed at while moves are ordered: by a hand-made estimate, ...
struct HandView {
  static constexpr int kUnit = kGuessUnit;
  Bits player, opponent;

  int value() const { return guess(player, opponent); }
  HandView after(int square, Bits turned) const {
    return {opponent & ~turned, player | turned | bit(square)};
  }
  HandView passed() const { return {opponent, player}; }
};

/// ... or by the evaluation's patterns.
struct PatternView {
  static constexpr int kUnit = kDiscUnit;
  const PatternWeights* weights;
  PatternBoard board;
  Bits player = board.game().player, opponent = board.game().opponent;

  PatternView(const PatternWeights& from, Bits mine, Bits theirs)
      : weights(&from), board(game_of(mine, theirs)) {}
  PatternView(const PatternWeights& from, const PatternBoard& at) : weights(&from), board(at) {}

  int value() const { return board.evaluate(*weights); }
  PatternView after(int square, Bits turned) const {
    PatternBoard next = board;
    next.place(square, turned);
    return {*weights, next};
  }
  PatternView passed() const {
    PatternBoard next = board;
    next.pass();
    return {*weights, next};
  }

 private:
  static Othello game_of(Bits mine, Bits theirs) {
    Othello game;
    game.player = mine;
    game.opponent = theirs;
    game.side = 0;
    return game;
  }
};

// Below the first alpha there are too rarely enough stable discs for a cutoff to be worth counting
// them; below the second not even all discs of the opponent are enough.
bool stability_may_cut(Bits opponent, int alpha, int empties) {
  return alpha >= 2 * empties - 4 && alpha >= 64 - 2 * std::popcount(opponent);
}

// The best score against these stable discs of the opponent.
int most_left_by(Bits opponent, Bits player) {
  return 64 - 2 * std::popcount(stable_discs(opponent, player));
}

}  // namespace

void EndgameSearch::begin(const SolveLimits& limits) {
  limits_ = limits;
  clock_.restart();
  last_.nodes = 0;
  next_clock_check_ = kClockStride;
  aborted_ = limits.seconds <= 0 || limits.nodes == 0 ||
             (limits.stop != nullptr && limits.stop->load(std::memory_order_relaxed));
  large_.new_search();
  small_.new_search();
}

bool EndgameSearch::out_of_budget() {
  if (aborted_) return true;
  const std::uint64_t nodes = last_.nodes;
  if (nodes >= limits_.nodes) aborted_ = true;
  if (nodes >= next_clock_check_) {
    next_clock_check_ = nodes + kClockStride;
    if (clock_.seconds() >= limits_.seconds) aborted_ = true;
    CoreTurn::rest();
    if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) aborted_ = true;
  }
  return aborted_;
}

int EndgameSearch::search(Bits player, Bits opponent, int alpha, int beta) {
  return node(player, opponent, alpha, beta, std::popcount(~(player | opponent)));
}

EndgameTable& EndgameSearch::table_for(int empties) {
  return empties >= kLargeEmpties ? large_ : small_;
}

int EndgameSearch::best_known(Bits player, Bits opponent) {
  const int empties = std::popcount(~(player | opponent));
  const Known* known = table_for(empties).find(player, opponent);
  return known == nullptr ? kPass : known->best;
}

EndgameSearch::Candidate& EndgameSearch::Candidates::pick(int i) {
  int best = i;
  for (int k = i + 1; k < size; ++k) {
    if (items[static_cast<std::size_t>(k)].order > items[static_cast<std::size_t>(best)].order) {
      best = k;
    }
  }
  if (best != i)
    std::swap(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(best)]);
  return items[static_cast<std::size_t>(i)];
}

void EndgameSearch::list_moves(Bits player, Bits opponent, Bits moves, Candidates& list) const {
  while (moves != 0) {
    const int square = pop_lowest(moves);
    list.items[static_cast<std::size_t>(list.size++)] = {flips(square, player, opponent), 0,
                                                         square};
  }
}

template <int Empties>
int EndgameSearch::shallow(Bits player, Bits opponent, int alpha, unsigned odd_quarters) {
  ++last_.nodes;
  if (Empties > 4 && stability_may_cut(opponent, alpha, Empties)) {
    const int most = most_left_by(opponent, player);
    if (most <= alpha) return most;
  }
  Bits moves = mobility(player, opponent);
  if (moves == 0) {
    if (mobility(opponent, player) == 0) return final_margin(player, opponent);
    return -shallow<Empties>(opponent, player, ~alpha, odd_quarters);
  }
  int best = kNone;
  Bits odd = moves & kQuarterMasks[odd_quarters];
  do {
    const int square = pop_by_parity(moves, odd);
    const Bits turned = flips(square, player, opponent);
    const Bits next_player = opponent & ~turned;
    const Bits next_opponent = player | turned | bit(square);
    const unsigned next_odd = odd_quarters ^ quarter_bit(square);
    int score;
    if constexpr (Empties == 4)
      score = -last_.three(next_player, next_opponent, ~alpha, next_odd);
    else
      score = -shallow<Empties - 1>(next_player, next_opponent, ~alpha, next_odd);
    best = std::max(best, score);
  } while (best <= alpha && moves != 0);
  return best;
}

int EndgameSearch::shallow_above(Bits player, Bits opponent, int alpha, int empties) {
  Bits empty = ~(player | opponent);
  const unsigned odd_quarters = odd_quarters_of(empty);
  if (empties == 6) return shallow<6>(player, opponent, alpha, odd_quarters);
  if (empties == 5) return shallow<5>(player, opponent, alpha, odd_quarters);
  if (empties == 4) return shallow<4>(player, opponent, alpha, odd_quarters);
  if (empties == 3) return last_.three(player, opponent, alpha, odd_quarters);
  if (empties == 0) return final_margin(player, opponent);
  const int a = pop_lowest(empty);
  if (empties == 1) return last_.one(player, a);
  return last_.two(player, opponent, alpha, a, pop_lowest(empty));
}

// Almost every window is one wide; another is narrowed step by step.
int EndgameSearch::shallow_between(Bits player, Bits opponent, int alpha, int beta, int empties) {
  int score = shallow_above(player, opponent, alpha, empties);
  while (score > alpha && score < beta) {
    alpha = score;
    score = std::max(score, shallow_above(player, opponent, alpha, empties));
  }
  return score;
}

void EndgameSearch::order_moves(Bits player, Bits opponent, int empties, Candidates& list,
                                const Known& known) {
  const Bits empty = ~(player | opponent);
  const Bits odd = kQuarterMasks[odd_quarters_of(empty)];
  const bool by_patterns = evaluation_ && empties >= kPatternEmpties;
  const int reply_order = by_patterns ? kPatternReplyOrder : kReplyOrder;
  for (int i = 0; i < list.size; ++i) {
    Candidate& move = list.items[static_cast<std::size_t>(i)];
    const Bits next_player = opponent & ~move.turned;
    const Bits next_opponent = player | move.turned | bit(move.square);
    if (move.turned == opponent) {
      move.order = 1 << 30;  // nothing left of the opponent: no better move exists
    } else if (move.square == known.best) {
      move.order = 1 << 29;
    } else if (move.square == known.second) {
      move.order = 1 << 28;
    } else {
      const Bits replies = mobility(next_player, next_opponent);
      const int reply_count = std::popcount(replies) + std::popcount(replies & kCorners);
      const int open = std::popcount(around(next_opponent) & empty);
      move.order = -reply_count * reply_order - open * (1 << 5);
      if (bit(move.square) & odd) move.order += 1 << 8;
      if (bit(move.square) & kCorners) move.order += 1 << 9;
    }
  }
  if (by_patterns)
    add_guesses(PatternView(evaluation_->weights, player, opponent), empties, list);
  else if (empties >= kGuessEmpties)
    add_guesses(HandView{player, opponent}, empties, list);
}

/// Adds what the view expects of each move, unless its place is settled already.
template <class View>
void EndgameSearch::add_guesses(const View& view, int empties, Candidates& list) {
  constexpr int kDiscOrder = 1 << 10;
  const int depth = empties >= kDeepGuessEmpties ? 1 : 0;
  for (int i = 0; i < list.size; ++i) {
    Candidate& move = list.items[static_cast<std::size_t>(i)];
    if (move.order >= 1 << 28) continue;
    move.order -= kDiscOrder / View::kUnit *
                  guess_search(view.after(move.square, move.turned), -64 * View::kUnit,
                               64 * View::kUnit, depth, empties - 1);
  }
}

int EndgameSearch::node(Bits player, Bits opponent, int alpha, int beta, int empties) {
  if (empties <= kShallowEmpties) return shallow_between(player, opponent, alpha, beta, empties);
  ++last_.nodes;
  const bool tabled = empties >= kTableEmpties;
  EndgameTable& table = table_for(empties);
  if (tabled) table.prefetch(player, opponent);
  if (empties >= kBudgetEmpties && out_of_budget()) return 0;

  if (stability_may_cut(opponent, alpha, empties)) {
    const int most = most_left_by(opponent, player);
    if (most <= alpha) return most;
    beta = std::min(beta, most + 1);
  }
  Known known;
  if (const Known* entry = tabled ? table.find(player, opponent) : nullptr; entry != nullptr) {
    known = *entry;
    if (known.lower >= beta || known.lower == known.upper) return known.lower;
    if (known.upper <= alpha) return known.upper;
    alpha = std::max(alpha, known.lower - 1);
    beta = std::min(beta, known.upper + 1);
  }
  const Bits moves = mobility(player, opponent);
  if (moves == 0) {
    if (mobility(opponent, player) == 0) return final_margin(player, opponent);
    return -node(opponent, player, -beta, -alpha, empties);
  }
  Candidates list;
  list_moves(player, opponent, moves, list);
  if (empties >= kCutoffEmpties) {
    const EndgameTable& below = table_for(empties - 1);
    for (int i = 0; i < list.size; ++i) {
      const Candidate& move = list.items[static_cast<std::size_t>(i)];
      below.prefetch(opponent & ~move.turned, player | move.turned | bit(move.square));
    }
    for (int i = 0; i < list.size; ++i) {
      const Candidate& move = list.items[static_cast<std::size_t>(i)];
      const Known* child =
          below.find(opponent & ~move.turned, player | move.turned | bit(move.square));
      if (child != nullptr && -child->upper >= beta) {
        table.store(player, opponent, empties, alpha, beta, -child->upper, move.square);
        return -child->upper;
      }
    }
  }
  if (list.size > 1) order_moves(player, opponent, empties, list, known);

  int best = kNone;
  int best_square = kPass;
  int low = alpha;
  for (int i = 0; i < list.size; ++i) {
    const Candidate& move = list.pick(i);
    const Bits next_player = opponent & ~move.turned;
    const Bits next_opponent = player | move.turned | bit(move.square);
    int score;
    if (i == 0 || beta - low == 1) {
      score = -node(next_player, next_opponent, -beta, -low, empties - 1);
    } else {
      score = -node(next_player, next_opponent, -low - 1, -low, empties - 1);
      if (score > low && score < beta) {
        score = -node(next_player, next_opponent, -beta, -score + 1, empties - 1);
      }
    }
    if (aborted_) return 0;
    if (score > best) {
      best = score;
      best_square = move.square;
      if (score >= beta) break;
      low = std::max(low, score);
    }
  }
  if (tabled) table.store(player, opponent, empties, alpha, beta, best, best_square);
  return best;
}

template <class View>
int EndgameSearch::guess_search(const View& view, int alpha, int beta, int depth, int empties) {
  ++last_.nodes;
  if (depth <= 0) return view.value();
  if (depth >= 3 && out_of_budget()) return 0;
  const Bits player = view.player, opponent = view.opponent;
  const Bits moves = mobility(player, opponent);
  if (moves == 0) {
    if (mobility(opponent, player) == 0) return final_margin(player, opponent) * View::kUnit;
    return -guess_search(view.passed(), -beta, -alpha, depth, empties);
  }
  Candidates list;
  list_moves(player, opponent, moves, list);
  Known known;
  if (depth >= 2) {
    if (const Known* entry = table_for(empties).find(player, opponent); entry != nullptr)
      known = *entry;
    for (int i = 0; i < list.size; ++i) {
      Candidate& move = list.items[static_cast<std::size_t>(i)];
      move.order = move.square == known.best     ? 1 << 20
                   : move.square == known.second ? 1 << 19
                                                 : -view.after(move.square, move.turned).value();
    }
  }
  int best = -(1 << 20);
  int best_square = kPass;
  for (int i = 0; i < list.size; ++i) {
    const Candidate& move = depth >= 2 ? list.pick(i) : list.items[static_cast<std::size_t>(i)];
    const int score =
        -guess_search(view.after(move.square, move.turned), -beta, -alpha, depth - 1, empties - 1);
    if (score > best) {
      best = score;
      best_square = move.square;
      if (score >= beta) break;
      alpha = std::max(alpha, score);
    }
  }
  if (aborted_) return 0;
  if (depth >= 3 && empties >= kTableEmpties)
    table_for(empties).hint(player, opponent, empties, best_square);
  return best;
}

/// Deeper and deeper, so that each search finds the moves of the one before in the table.
template <class View>
int EndgameSearch::deepened(const View& view, int depth, int empties) {
  int estimate = view.value();
  for (int d = 1; d <= depth && !out_of_budget(); ++d)
    estimate = guess_search(view, -(1 << 20), 1 << 20, d, empties);
  return estimate / View::kUnit;
}

int EndgameSearch::warm_up(Bits player, Bits opponent, int depth) {
  const int empties = std::popcount(~(player | opponent));
  if (evaluation_)
    return deepened(PatternView(evaluation_->weights, player, opponent), depth, empties);
  return deepened(HandView{player, opponent}, depth, empties);
}

}  // namespace kibitz::othello
