// Alpha-beta for chess below the root moves: principal variation search with a transposition table,
// quiescence, null moves, late move reductions, singular extensions, pruning near the leaves,
// killers and history. The root (deepening, steering, threads, reports) is alpha_beta_root.h.
//
// Threads: one search a thread; the table and the network are shared.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/chess/search/history.h"
#include "games/chess/search/judge.h"
#include "games/chess/search/move_order.h"
#include "search/alpha_beta_limits.h"
#include "search/alpha_beta_root.h"
#include "search/alpha_beta_table.h"
#include "search/plan_below.h"

namespace kibitz {

class ChessAlphaBeta : public AlphaBetaLimits, public PlanBelow {
 public:
  using Board = ChessJudge::Board;
  static constexpr int kInfinity = ChessJudge::kMostScore + 1;
  static constexpr int kAside = 2;
  static constexpr int kMate = ChessJudge::kMate, kLeastMate = ChessJudge::kLeastMate;

  /// One that does not `learn` says the same about a position whatever it searched before.
  ChessAlphaBeta(ChessJudge judge, AlphaBetaTable& table, const std::atomic<bool>& stop,
                 bool learn = true);

  ChessJudge& judge() { return judge_; }
  /// The game's past, for repetitions. `root` is where the search begins.
  void remember(const Chess& root);
  /// The move from the root to the board that is searched next.
  void enter(const Board& root, Move move);
  /// Plies that the n-th root move, counted from zero, is searched less deep at first.
  static int late(int depth, int n);
  /// The score if it is inside (alpha, beta), else a bound on that side; void once stopped().
  /// `ply` is the distance from the root, 0 for the board that was remembered.
  int search(const Board& board, int alpha, int beta, int depth, int, int ply = 1) {
    return node(board.now, alpha, beta, depth, ply, false, board.now.in_check());
  }

 private:
  static constexpr int kMostPly = 200, kMostCaptures = 20;
  /// Plies before the root that a frame may be asked for.
  static constexpr int kBack = 4;
  using Candidate = ChessCandidate;
  enum class Verdict { kSearch, kSkip, kSkipQuiet };
  struct Kept {
    std::uint64_t key = 0;
    int score = 0;
  };
  /// One ply of the line under way.
  struct Frame {
    int standing;                                      // the evaluation
    Move move = kNoMove;                               // that is searched
    ChessHistory::Arrival made = ChessHistory::kNone;  // the same
    Move excluded = kNoMove;                           // that the node is searched without
    std::array<Move, 2> killers{kNoMove, kNoMove};
    int tried = 0;    // moves so far
    int cutoffs = 0;  // children that failed high
    int doubled = 0;  // extensions of two plies on the way here
  };
  /// What is known about a node before its moves are searched.
  struct Node {
    const chess::Board& board;
    int alpha, beta, depth, ply;
    bool pv, cut, check, restricted, improving, was_pv;
    int standing;
    Move first;  // the table's move
    std::optional<TableEntry> known;
  };

  /// `cut`: is the node expected to fail high?
  int node(const chess::Board& board, int alpha, int beta, int depth, int ply, bool cut,
           bool check);
  /// What the moves of a node give.
  int moves_of(Node& at);
  /// The score of a node that need not be searched, by the evaluation or a shallow search.
  std::optional<int> cut_early(const Node& at);
  std::optional<int> probable_cut(const Node& at);
  /// Is the move worth searching?
  Verdict judged(const Node& at, const Candidate& candidate, int best) const;
  int reduction(const Node& at, const Candidate& candidate, bool checks) const;
  int search_move(const Node& at, const Candidate& candidate, const chess::Board& child,
                  bool checks, int low, int depth);
  /// Captures alone, at the end of a line; with quiet checks at its first ply (`checking`).
  int quiet(const chess::Board& board, int alpha, int beta, int ply, bool check,
            bool checking = true);
  int evaluate(const chess::Board& board, int ply);
  bool drawn(const chess::Board& board, int ply) const;
  int pass(const Node& at);
  /// Orders the moves from place `first` on.
  void order(const Node& at, const MoveList<Chess>& moves, std::size_t first, Candidate* out) const;
  int order_of_capture(const chess::Board& board, Move move) const;
  /// Remembers the move that refuted a position, and that those before it did not.
  void reward(const Node& at, const Candidate* tried, std::size_t count, int score);
  /// Plies that the table's move is searched deeper, or a score that ends the node.
  struct Extension {
    int plies = 0;
    std::optional<int> cut;
  };
  Extension extension(const Node& at);
  Frame& frame(int ply) { return line_[static_cast<std::size_t>(ply + kBack)]; }
  const Frame& frame(int ply) const { return line_[static_cast<std::size_t>(ply + kBack)]; }
  ChessHistory::Before before(int ply) const {
    return {frame(ply - 1).made, frame(ply - 2).made, frame(ply - 4).made};
  }
  void store(const chess::Board& board, const std::optional<TableEntry>& known, int score,
             Move move, int depth, int ply, Bound bound, bool pv);

  ChessJudge judge_;
  AlphaBetaTable* table_;
  std::size_t before_ = 0;           // keys of the game, the root's among them
  std::vector<std::uint64_t> path_;  // the same, then those of the line under way
  std::vector<Frame> line_;
  ChessHistory history_;
  bool learn_;
  std::vector<Kept> kept_;  // evaluations, by key
  std::optional<chess::NnueSums> sums_;
};

template <>
struct NodeSearch<ChessJudge> {
  using Type = ChessAlphaBeta;
};

static_assert(RootJudge<ChessJudge>);

}  // namespace kibitz
