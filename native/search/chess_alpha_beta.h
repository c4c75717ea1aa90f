// Alpha-beta for chess below the root moves: principal variation search with a transposition table,
// quiescence, null moves, late move reductions, singular extensions, pruning near the leaves,
// killers and history. The root (deepening, steering, threads, reports) is alpha_beta_root.h.
//
// Threads: one search a thread; the table and the network are shared.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/alpha_beta_limits.h"
#include "search/alpha_beta_root.h"
#include "search/alpha_beta_table.h"
#include "search/chess_history.h"
#include "search/chess_judge.h"
#include "search/plan_below.h"

namespace kibitz {

class ChessAlphaBeta : public AlphaBetaLimits, public PlanBelow {
 public:
  using Board = ChessJudge::Board;
  static constexpr int kInfinity = ChessJudge::kMostScore + 1;
  static constexpr int kMate = ChessJudge::kMate, kLeastMate = ChessJudge::kLeastMate;

  /// One that does not `learn` says the same about a position whatever it searched before.
  ChessAlphaBeta(ChessJudge judge, AlphaBetaTable& table, const std::atomic<bool>& stop,
                 bool learn = true);

  ChessJudge& judge() { return judge_; }
  /// The game's past, for repetitions. `root` is where the search begins.
  void remember(const Chess& root);
  /// The score if it is inside (alpha, beta), else a bound on that side; void once stopped().
  /// `ply` is the distance from the root, 0 for the board that was remembered.
  int search(const Board& board, int alpha, int beta, int depth, int, int ply = 1) {
    return node(board.now, alpha, beta, depth, ply, true);
  }

 private:
  static constexpr int kMostPly = 200;
  struct Candidate {
    Move move;
    bool quiet;
    int order;
  };
  struct Kept {
    std::uint64_t key = 0;
    int score = 0;
  };

  int node(const chess::Board& board, int alpha, int beta, int depth, int ply, bool may_pass);
  /// Captures alone, at the end of a line.
  int quiet(const chess::Board& board, int alpha, int beta);
  int evaluate(const chess::Board& board);
  bool drawn(const chess::Board& board, int ply) const;
  int pass(const chess::Board& board, int beta, int depth, int ply, int margin);
  void order(const chess::Board& board, const MoveList<Chess>& moves, Move first, int ply,
             Candidate* out) const;
  /// Remembers the quiet move that refuted a position, and that those before it did not.
  void reward(const chess::Board& board, const Candidate* tried, std::size_t count, int depth,
              int ply);
  /// Plies that the table's move is searched deeper: one when all others are far worse.
  int extension(const chess::Board& board, const TableEntry& known, int depth, int ply);
  ChessHistory::Before before(int ply) const {
    return {made_[static_cast<std::size_t>(ply + 1)], made_[static_cast<std::size_t>(ply)]};
  }
  void store(const chess::Board& board, int score, Move move, int depth, int ply, Bound bound);

  ChessJudge judge_;
  AlphaBetaTable* table_;
  std::size_t before_ = 0;                    // keys of the game, the root's among them
  std::vector<std::uint64_t> path_;           // the same, then those of the line under way
  std::array<int, kMostPly + 2> standing_{};  // evaluations along the line
  std::array<std::array<Move, 2>, kMostPly + 2> killers_;
  std::array<ChessHistory::Arrival, kMostPly + 4> made_;  // moves of the line, two plies further on
  std::array<Move, kMostPly + 2> excluded_;               // a move that a node is searched without
  ChessHistory history_;
  bool learn_;
  std::vector<Kept> kept_;  // evaluations, by key
};

template <>
struct NodeSearch<ChessJudge> {
  using Type = ChessAlphaBeta;
};

static_assert(RootJudge<ChessJudge>);

}  // namespace kibitz
