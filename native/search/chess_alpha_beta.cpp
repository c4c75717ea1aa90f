#include "search/chess_alpha_beta.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluate/chess_settle.h"

namespace kibitz {
namespace {

using chess::Bits;

constexpr std::size_t kKeptScores = 1 << 15;
/// Marks a standing score that is not known, in check.
constexpr int kUnknown = -40000;
constexpr int kFirst = 1 << 28, kCapture = 1 << 24, kKiller = 1 << 20;  // orders of moves

/// Plies that the n-th move of a node is searched less deep.
struct Reductions {
  std::array<std::array<std::int8_t, 64>, 64> plies{};
  Reductions() {
    for (int depth = 1; depth < 64; ++depth)
      for (int n = 1; n < 64; ++n)
        plies[static_cast<std::size_t>(depth)][static_cast<std::size_t>(n)] =
            static_cast<std::int8_t>(0.6 + std::log(depth) * std::log(n) / 2.1);
  }
  int of(int depth, int n) const {
    return plies[static_cast<std::size_t>(std::min(depth, 63))]
                [static_cast<std::size_t>(std::min(n, 63))];
  }
};
const Reductions kReductions;

/// Scores of a mate count from the root in a search, from the position in the table.
int to_table(int score, int ply) {
  if (score >= ChessAlphaBeta::kLeastMate) return score + ply;
  if (score <= -ChessAlphaBeta::kLeastMate) return score - ply;
  return score;
}
int from_table(int score, int ply) {
  if (score >= ChessAlphaBeta::kLeastMate) return score - ply;
  if (score <= -ChessAlphaBeta::kLeastMate) return score + ply;
  return score;
}

bool has_pieces(const chess::Board& board) {
  const Bits own = board.sides[board.side];
  return (own & ~board.pieces[chess::kPawn] & ~board.pieces[chess::kKing]) != 0;
}

/// Moves the best candidate from i on to place i.
template <class Candidate>
void pick(Candidate* moves, std::size_t i, std::size_t count) {
  std::size_t best = i;
  for (std::size_t k = i + 1; k < count; ++k)
    if (moves[k].order > moves[best].order) best = k;
  std::swap(moves[i], moves[best]);
}

}  // namespace

ChessAlphaBeta::ChessAlphaBeta(ChessJudge judge, AlphaBetaTable& table,
                               const std::atomic<bool>& stop, bool learn)
    : AlphaBetaLimits(stop),
      judge_(std::move(judge)),
      table_(&table),
      path_(kMostPly + 2),
      kept_(kKeptScores),
      learn_(learn) {
  made_.fill(ChessHistory::kNone);
  excluded_.fill(kNoMove);
}

void ChessAlphaBeta::remember(const Chess& root) {
  const auto keys = root.keys().all();
  path_.assign(keys.begin(), keys.end());
  before_ = path_.size();
  for (auto& pair : killers_) pair = {kNoMove, kNoMove};
  path_.resize(before_ + kMostPly + 2);
}

/// A position that stood since the root is a draw; one from before it must have stood twice.
bool ChessAlphaBeta::drawn(const chess::Board& board, int ply) const {
  if (board.insufficient_material()) return true;
  if (board.clock >= 100) return !chess::is_checkmate(board);
  const auto here = static_cast<std::ptrdiff_t>(before_) + ply - 1;
  const auto oldest = std::max<std::ptrdiff_t>(0, here - board.clock);
  int stood = 0;
  for (std::ptrdiff_t i = here - 4; i >= oldest; i -= 2)
    if (path_[static_cast<std::size_t>(i)] == board.key)
      if (i + 1 >= static_cast<std::ptrdiff_t>(before_) || ++stood == 2) return true;
  return false;
}

int ChessAlphaBeta::evaluate(const chess::Board& board) {
  Kept& kept = kept_[board.key % kKeptScores];
  if (kept.key != board.key)
    kept = {board.key, std::clamp(judge_.evaluate(board), 1 - kLeastMate, kLeastMate - 1)};
  return kept.score;
}

int ChessAlphaBeta::quiet(const chess::Board& board, int alpha, int beta) {
  std::uint64_t seen = 0;
  const auto judge = [&](const chess::Board& at) {
    ++seen;
    return evaluate(at);
  };
  const int score = chess::settle(judge, board, alpha, beta);
  count_leaves(seen);
  return std::clamp(score, 1 - kLeastMate, kLeastMate - 1);
}

void ChessAlphaBeta::store(const chess::Board& board, int score, Move move, int depth, int ply,
                           Bound bound) {
  TableEntry entry;
  entry.score = static_cast<std::int16_t>(to_table(score, ply));
  entry.move = move;
  entry.depth = static_cast<std::uint8_t>(std::clamp(depth, 0, 255));
  entry.bound = bound;
  table_->store(board.key, entry);
}

int ChessAlphaBeta::extension(const chess::Board& board, const TableEntry& known, int depth,
                              int ply) {
  const int score = from_table(known.score, ply);
  if (depth < 7 || known.depth < depth - 3 || known.bound == Bound::kUpper ||
      std::abs(score) >= kLeastMate)
    return 0;
  const int below = score - 2 * depth;
  const auto at = static_cast<std::size_t>(ply);
  excluded_[at] = known.move;
  const int others = node(board, below - 1, below, (depth - 1) / 2, ply, false);
  excluded_[at] = kNoMove;
  return !stopped() && others < below;
}

/// Lets the mover pass: who is still ahead by `beta` has no need of a move.
int ChessAlphaBeta::pass(const chess::Board& board, int beta, int depth, int ply, int margin) {
  chess::Board passed = board;
  passed.pass();
  const int less = 4 + depth / 4 + std::min(margin / 200, 3);
  made_[static_cast<std::size_t>(ply + 2)] = ChessHistory::kNone;
  return -node(passed, -beta, -beta + 1, depth - less, ply + 1, false);
}

int ChessAlphaBeta::node(const chess::Board& board, int alpha, int beta, int depth, int ply,
                         bool may_pass) {
  if (out_of_budget()) return 0;
  const auto at = static_cast<std::size_t>(ply);
  path_[before_ + at - 1] = board.key;
  if (drawn(board, ply)) return 0;
  alpha = std::max(alpha, -kMate + ply);
  beta = std::min(beta, kMate - ply - 1);
  if (alpha >= beta) return alpha;
  const bool check = board.in_check();
  if (check) ++depth;
  if (ply >= kMostPly) return quiet(board, alpha, beta);

  const bool pv = beta - alpha > 1, restricted = reaches(ply);
  const Move excluded = excluded_[at];
  Move first = kNoMove;
  std::optional<TableEntry> known;
  if (!restricted) {
    known = table_->find(board.key);
    if (known) {
      first = known->move;
      const int score = from_table(known->score, ply);
      if (!pv && excluded == kNoMove && known->depth >= depth &&
          (known->bound == Bound::kExact || (known->bound == Bound::kLower && score >= beta) ||
           (known->bound == Bound::kUpper && score <= alpha)))
        return score;
    }
  }
  if (depth <= 0) {
    const int score = quiet(board, alpha, beta);
    if (!restricted && !known)
      store(board, score, kNoMove, 0, ply,
            score >= beta   ? Bound::kLower
            : score > alpha ? Bound::kExact
                            : Bound::kUpper);
    return score;
  }
  const int standing = check ? kUnknown : evaluate(board) + history_.correction(board);
  standing_[at] = standing;
  const bool improving = !check && ply >= 3 && standing > standing_[at - 2];
  if (!pv && !check && !restricted && excluded == kNoMove && std::abs(beta) < kLeastMate) {
    if (depth <= 6 && standing - (improving ? 60 : 90) * depth >= beta) return standing;
    if (may_pass && depth >= 3 && standing >= beta && has_pieces(board)) {
      const int score = pass(board, beta, depth, ply, standing - beta);
      if (stopped()) return 0;
      if (score >= beta) return score >= kLeastMate ? beta : score;
    }
  }
  if (first == kNoMove && depth >= 5) --depth;
  int longer = 0;
  if (first != kNoMove && known && !restricted && excluded == kNoMove) {
    longer = extension(board, *known, depth, ply);
    if (stopped()) return 0;
  }

  MoveList<Chess> moves;
  chess::list_moves(board, moves);
  if (moves.empty()) return check ? -kMate + ply : 0;
  if (restricted) {
    permit(moves, board.side, ply);
    if (moves.empty()) return quiet(board, alpha, beta);
  }
  std::array<Candidate, Chess::kMaxMoves> list;
  order(board, moves, first, ply, list.data());
  const auto count = static_cast<std::size_t>(moves.size());

  int best = -kInfinity, low = alpha, quiets = 0;
  Move best_move = kNoMove;
  killers_[at + 1] = {kNoMove, kNoMove};
  for (std::size_t i = 0; i < count; ++i) {
    pick(list.data(), i, count);
    const Candidate& candidate = list[i];
    if (candidate.move == excluded) continue;
    chess::Board child = board;
    child.play(candidate.move);
    table_->prefetch(child.key);
    const bool checks = child.in_check();
    if (!pv && !check && !restricted && best > -kLeastMate && !checks) {
      if (candidate.quiet) {
        if (depth <= 4 && quiets > (improving ? 4 : 2) + depth * depth) continue;
        if (depth <= 6 && standing + 80 + 90 * depth <= alpha) continue;
        if (depth <= 4 && candidate.order < -4000 * depth) continue;
        if (depth <= 6 && chess::exchange_score(board, candidate.move) < -50 * depth) continue;
      } else if (depth <= 4 && candidate.order < 0 &&
                 chess::exchange_score(board, candidate.move) < -90 * depth) {
        continue;
      }
    }
    quiets += candidate.quiet;
    made_[at + 2] = ChessHistory::arrival(board, candidate.move);
    int score;
    if (best == -kInfinity) {
      const int deeper = candidate.move == first ? longer : 0;
      score = -node(child, -beta, -low, depth - 1 + deeper, ply + 1, true);
    } else {
      int less = 0;
      if (depth >= 3 && i >= 2 && !check && !restricted &&
          (candidate.quiet || candidate.order < 0)) {
        less = kReductions.of(depth, static_cast<int>(i)) - pv - checks + !improving;
        if (candidate.quiet)
          less -= candidate.order >= kKiller ? 1 : std::clamp(candidate.order / 12000, -2, 2);
        less = std::clamp(less, 0, depth - 2);
      }
      score = -node(child, -low - 1, -low, depth - 1 - less, ply + 1, true);
      if (score > low && less > 0) score = -node(child, -low - 1, -low, depth - 1, ply + 1, true);
      if (score > low && score < beta) score = -node(child, -beta, -low, depth - 1, ply + 1, true);
    }
    if (stopped()) return 0;
    if (score > best) {
      best = score;
      if (score > low) {
        low = score;
        best_move = candidate.move;
      }
    }
    if (best >= beta) {
      if (candidate.quiet) reward(board, list.data(), i + 1, depth, ply);
      break;
    }
  }
  if (best == -kInfinity) return alpha;  // the excluded move is the only one
  if (restricted || excluded != kNoMove) return best;
  const Bound bound = best >= beta ? Bound::kLower : best > alpha ? Bound::kExact : Bound::kUpper;
  store(board, best, best_move, depth, ply, bound);
  const bool tells = bound == Bound::kExact || (bound == Bound::kLower) == (best > standing);
  if (learn_ && !check && tells && std::abs(best) < kLeastMate &&
      (best_move == kNoMove || !board.is_capture(best_move)))
    history_.correct(board, depth, best - evaluate(board));
  return best;
}

/// The table's move, then captures that lose nothing, killers, quiet moves by history, and
/// captures that lose something.
void ChessAlphaBeta::order(const chess::Board& board, const MoveList<Chess>& moves, Move first,
                           int ply, Candidate* out) const {
  const auto past = before(ply);
  const auto& killers = killers_[static_cast<std::size_t>(ply)];
  for (const Move move : moves) {
    const bool capture = board.is_capture(move);
    const bool quiet = !capture && chess::promotion_of(move) != chess::kQueen;
    int order;
    if (move == first) {
      order = kFirst;
    } else if (!quiet) {
      const auto taken = board.is_en_passant(move) || !capture
                             ? chess::kPawn
                             : board.piece_at(chess::to_square(move));
      const auto taker = board.piece_at(chess::from_square(move));
      const int won = chess::exchange_value(taken), risked = chess::exchange_value(taker);
      const int lost = risked > won ? std::min(0, chess::exchange_score(board, move)) : 0;
      order = lost < 0 ? lost - kCapture : kCapture + 16 * won - risked / 16;
    } else if (move == killers[0] || move == killers[1]) {
      order = kKiller + (move == killers[0]);
    } else {
      order = history_.of(board, move, past);
    }
    *out++ = {move, quiet, order};
  }
}

void ChessAlphaBeta::reward(const chess::Board& board, const Candidate* tried, std::size_t count,
                            int depth, int ply) {
  const int bonus = std::min(16 * depth * depth + 32 * depth, 2000);
  const auto past = before(ply);
  const Move move = tried[count - 1].move;
  for (std::size_t i = 0; learn_ && i + 1 < count; ++i)
    if (tried[i].quiet && tried[i].move != excluded_[static_cast<std::size_t>(ply)])
      history_.change(board, tried[i].move, past, -bonus);
  if (learn_) history_.change(board, move, past, bonus);
  auto& killers = killers_[static_cast<std::size_t>(ply)];
  if (killers[0] != move) killers = {move, killers[0]};
}

}  // namespace kibitz
