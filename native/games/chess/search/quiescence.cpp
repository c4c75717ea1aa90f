// The end of a line of an alpha-beta search of chess: captures alone, and all moves out of check.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "games/chess/evaluate/settle.h"
#include "games/chess/search/alpha_beta.h"
#include "games/chess/search/table_scores.h"

namespace kibitz {
namespace {

/// Lists what chess::detail::LoudSink does, and quiet moves that check directly.
struct CheckSink : chess::detail::LoudSink {
  const chess::CheckSquares& squares;
  void piece(int from, chess::Bits targets) {
    LoudSink::piece(from, targets);
    const chess::Bits quiet = targets & ~board.occupied();
    chess::Bits checks = quiet & squares.from[board.piece_at(from)];
    while (checks) list.push(chess::make_move(from, pop_lowest(checks)));
  }
  void pawns(chess::Bits targets, int step) {
    LoudSink::pawns(targets, step);
    chess::Bits checks = targets & ~board.occupied() & squares.from[chess::kPawn];
    while (checks) {
      const int to = pop_lowest(checks);
      list.push(chess::make_move(to - step, to));
    }
  }
};

}  // namespace

int ChessAlphaBeta::quiet(const chess::Board& board, int alpha, int beta, int ply, bool check,
                          bool checking) {
  if (out_of_budget()) return 0;
  path_[before_ + static_cast<std::size_t>(ply) - 1] = board.key;
  if (drawn(board, ply)) return 0;
  if (ply >= kMostPly + kMostCaptures) return check ? 0 : evaluate(board, ply);
  const bool pv = beta - alpha > 1;
  const auto known = table_->find(board.key);
  const int table_score = known ? from_table(known->score, ply) : 0;
  if (known && !pv && answers(known->bound, table_score, beta)) return table_score;

  int best = -kMate + ply;
  int standing = kUnknownStanding;
  const int floor = alpha;
  if (!check) {
    standing = best = evaluate(board, ply) + history_.correction(board);
    if (known && std::abs(table_score) < kLeastMate && answers(known->bound, table_score, best + 1))
      best = table_score;
    if (best >= beta) {
      if (!known) store(board, known, best, kNoMove, 0, ply, Bound::kLower, false);
      return best;
    }
    alpha = std::max(alpha, best);
  }
  MoveList<Chess> moves;
  if (check) {
    chess::list_moves(board, moves);
    if (moves.empty()) return best;
  } else if (checking) {
    const chess::CheckSquares squares(board);
    CheckSink sink{{board, moves}, squares};
    chess::generate(board, sink);
    if (moves.empty() && sink.others == 0) return 0;
  } else {
    chess::detail::LoudSink sink{board, moves};
    chess::generate(board, sink);
    if (moves.empty() && sink.others == 0) return 0;
  }
  const Move first = known ? known->move : kNoMove;
  std::array<Candidate, Chess::kMaxMoves> list;
  const auto past = before(ply);
  std::size_t count = 0;
  for (const Move move : moves) {
    const bool capture = board.is_capture(move) || chess::promotion_of(move) == chess::kQueen;
    const int order = move == first ? ChessCandidates::kFirst
                      : capture     ? ChessCandidates::kCapture + order_of_capture(board, move)
                                    : history_.of(board, move, past);
    list[count++] = {move, !capture, false, order};
  }
  Move best_move = kNoMove;
  int quiets = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ChessCandidates{list.data(), count}.pick(i);
    const Candidate& candidate = list[i];
    if (best > -kLeastMate) {
      if (check && candidate.quiet && ++quiets > 2) continue;
      // What cannot reach alpha even when the piece is won for nothing need not be tried.
      if (!check && !candidate.quiet && standing + 110 + won(board, candidate.move) <= alpha) {
        best = std::max(best, standing + 110 + won(board, candidate.move));
        continue;
      }
      if (!chess::exchange_reaches(board, candidate.move, 0)) continue;
    }
    chess::Board child = board;
    child.play(candidate.move);
    table_->prefetch(child.key);
    Frame& here = frame(ply);
    here.move = candidate.move;
    here.made = ChessHistory::arrival(board, candidate.move);
    const int score = -quiet(child, -beta, -alpha, ply + 1, child.in_check(), false);
    if (stopped()) return 0;
    if (score > best) {
      best = score;
      if (score > alpha) {
        alpha = score;
        best_move = candidate.move;
        if (score >= beta) break;
      }
    }
  }
  store(board, known, best, best_move, 0, ply,
        best >= beta   ? Bound::kLower
        : best > floor ? Bound::kExact
                       : Bound::kUpper,
        pv);
  return best;
}

}  // namespace kibitz
