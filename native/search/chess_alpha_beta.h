// Alpha-beta for chess below the root moves: principal variation search with a transposition table,
// quiescence, null moves, late move reductions, pruning near the leaves, killers and history. The
// root (deepening, steering, threads, reports) is alpha_beta_root.h.
//
// Threads: one search a thread; the table and the network are shared.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/alpha_beta_limits.h"
#include "search/alpha_beta_root.h"
#include "search/alpha_beta_table.h"
#include "search/chess_judge.h"
#include "search/plan_below.h"

namespace kibitz {

class ChessAlphaBeta : public AlphaBetaLimits, public PlanBelow {
 public:
  using Board = ChessJudge::Board;
  static constexpr int kInfinity = ChessJudge::kMostScore + 1;
  static constexpr int kMate = ChessJudge::kMate, kLeastMate = ChessJudge::kLeastMate;

  ChessAlphaBeta(ChessJudge judge, AlphaBetaTable& table, const std::atomic<bool>& stop);

  ChessJudge& judge() { return judge_; }
  /// The game's past, for repetitions. `root` is where the search begins.
  void remember(const Chess& root);
  /// The score if it is inside (alpha, beta), else a bound on that side; void once stopped().
  /// `ply` is the distance from the root.
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
  int quiet(const chess::Board& board, int alpha, int beta);
  int evaluate(const chess::Board& board);
  bool drawn(const chess::Board& board, int ply) const;
  int pass(const chess::Board& board, int beta, int depth, int ply, int margin);
  void order(const chess::Board& board, const MoveList<Chess>& moves, Move first, int ply,
             Candidate* out) const;
  /// Remembers the quiet move that refuted a position, and that those before it did not.
  void reward(int side, const Candidate* tried, std::size_t count, int depth, int ply);
  /// Where the history of a quiet move stands.
  static std::size_t place(int side, Move move) {
    return static_cast<std::size_t>(side << 12 | (move & 0xfff));
  }

  ChessJudge judge_;
  AlphaBetaTable* table_;
  std::size_t before_ = 0;                    // keys of the game, the root's among them
  std::vector<std::uint64_t> path_;           // the same, then those of the line under way
  std::array<int, kMostPly + 2> standing_{};  // evaluations along the line
  std::array<std::array<Move, 2>, kMostPly + 2> killers_;
  std::array<std::int16_t, 2 * 4096> history_{};
  std::vector<Kept> kept_;  // evaluations, by key
};

template <>
struct NodeSearch<ChessJudge> {
  using Type = ChessAlphaBeta;
};

static_assert(RootJudge<ChessJudge>);

}  // namespace kibitz
