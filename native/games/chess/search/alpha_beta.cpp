#include "games/chess/search/alpha_beta.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "games/chess/evaluate/settle.h"
#include "games/chess/search/table_scores.h"

namespace kibitz {
namespace {

using chess::Bits;

constexpr std::size_t kKeptScores = 1 << 15;
/// Steps of a reduction in one ply.
constexpr int kPly = 1024;

/// The n-th move of a node is searched so much less deep, before anything is known about it.
struct Reductions {
  std::array<int, 256> logs{};
  Reductions() {
    for (int i = 1; i < 256; ++i)
      logs[static_cast<std::size_t>(i)] = static_cast<int>(std::lround(20.5 * std::log(i)));
  }
  int of(int depth, int n) const {
    return logs[static_cast<std::size_t>(std::min(depth, 255))] *
           logs[static_cast<std::size_t>(std::min(n, 255))];
  }
};
const Reductions kReductions;

bool has_pieces(const chess::Board& board) {
  const Bits own = board.sides[board.side];
  return (own & ~board.pieces[chess::kPawn] & ~board.pieces[chess::kKing]) != 0;
}

}  // namespace

ChessAlphaBeta::ChessAlphaBeta(ChessJudge judge, AlphaBetaTable& table,
                               const std::atomic<bool>& stop, bool learn)
    : AlphaBetaLimits(stop),
      judge_(std::move(judge)),
      table_(&table),
      line_(kBack + kMostPly + kMostCaptures + 2),
      learn_(learn),
      kept_(kKeptScores) {
  if (const chess::Nnue* network = judge_.network ? judge_.network->nnue() : nullptr)
    sums_.emplace(*network, kMostPly + kMostCaptures + 2);
}

void ChessAlphaBeta::remember(const Chess& root) {
  const auto keys = root.keys().all();
  path_.assign(keys.begin(), keys.end());
  before_ = path_.size();
  path_.resize(before_ + kMostPly + kMostCaptures + 2);
  line_.assign(line_.size(), Frame{kUnknownStanding});
}

void ChessAlphaBeta::enter(const Board& root, Move move) {
  Frame& at = frame(0);
  at.move = move;
  at.made = ChessHistory::arrival(root.now, move);
  at.standing = root.now.in_check() ? kUnknownStanding : evaluate(root.now, 0);
}

int ChessAlphaBeta::late(int depth, int n) {
  if (depth < 3 || n < 2) return 0;
  return std::clamp((kReductions.of(depth, n) - kPly / 2) / kPly, 0, depth - 2);
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

int ChessAlphaBeta::evaluate(const chess::Board& board, int ply) {
  Kept& kept = kept_[board.key % kKeptScores];
  if (kept.key != board.key) {
    const int score = sums_ ? sums_->score(board, ply) : judge_.evaluate(board);
    kept = {board.key, std::clamp(score, 1 - kLeastMate, kLeastMate - 1)};
  }
  return kept.score;
}

/// A deeper search of the same position is kept, unless the new one knows the score.
void ChessAlphaBeta::store(const chess::Board& board, const std::optional<TableEntry>& known,
                           int score, Move move, int depth, int ply, Bound bound, bool pv) {
  if (known && bound != Bound::kExact && depth + 4 < known->depth) return;
  TableEntry entry;
  entry.score = static_cast<std::int16_t>(to_table(score, ply));
  entry.move = move;
  entry.depth = static_cast<std::uint8_t>(std::clamp(depth, 0, 255));
  entry.selectivity = pv;
  entry.bound = bound;
  table_->store(board.key, entry);
}

int ChessAlphaBeta::node(const chess::Board& board, int alpha, int beta, int depth, int ply,
                         bool cut, bool check) {
  const bool restricted = reaches(ply);
  if (depth <= 0 || ply >= kMostPly) return quiet(board, alpha, beta, ply, check);
  if (out_of_budget()) return 0;
  path_[before_ + static_cast<std::size_t>(ply) - 1] = board.key;
  if (drawn(board, ply)) return 0;
  alpha = std::max(alpha, -kMate + ply);
  beta = std::min(beta, kMate - ply - 1);
  if (alpha >= beta) return alpha;

  Frame& here = frame(ply);
  here.doubled = frame(ply - 1).doubled;
  Node at{board,   alpha,       beta,       depth, ply,   beta - alpha > 1,
          cut,     check,       restricted, false, false, kUnknownStanding,
          kNoMove, std::nullopt};
  at.was_pv = at.pv;
  const bool whole = here.excluded == kNoMove;
  if (!restricted) {
    at.known = table_->find(board.key);
    if (at.known) {
      at.first = at.known->move;
      at.was_pv |= at.known->selectivity != 0;
      const int score = from_table(at.known->score, ply);
      if (!at.pv && whole && at.known->depth >= depth && board.clock < 90 &&
          answers(at.known->bound, score, beta)) {
        if (learn_ && score >= beta && at.first != kNoMove && !board.is_capture(at.first))
          history_.change(board, at.first, before(ply), std::min(100 * depth, 1000));
        return score;
      }
    }
  }
  if (!check) {
    at.standing = evaluate(board, ply) + history_.correction(board);
    here.standing = at.standing;
    const int two = frame(ply - 2).standing, four = frame(ply - 4).standing;
    at.improving = at.standing > (two != kUnknownStanding ? two : four);
    if (at.known && whole) {
      const int score = from_table(at.known->score, ply);
      if (std::abs(score) < kLeastMate && answers(at.known->bound, score, at.standing + 1))
        at.standing = score;
    }
  } else {
    here.standing = kUnknownStanding;
  }
  frame(ply + 1).killers = {kNoMove, kNoMove};
  frame(ply + 1).cutoffs = 0;
  if (!at.pv && !check && !restricted && whole && std::abs(beta) < kLeastMate)
    if (const auto score = cut_early(at)) return *score;
  // A node without a move to begin with is not worth its depth.
  if (at.first == kNoMove && !restricted && ply > 0 && at.depth >= 4 && (at.pv || cut)) --at.depth;
  return moves_of(at);
}

std::optional<int> ChessAlphaBeta::cut_early(const Node& at) {
  const int depth = at.depth;
  if (depth <= 3 && at.standing + 200 + 150 * depth * depth <= at.alpha) {
    const int score = quiet(at.board, at.alpha, at.beta, at.ply, false);
    if (stopped() || score <= at.alpha) return score;
  }
  if (depth <= 8 && !at.was_pv && at.standing - 75 * (depth - at.improving) >= at.beta)
    return (2 * at.standing + at.beta) / 3;
  if (frame(at.ply - 1).move != kNoMove && depth >= 3 && at.standing >= at.beta &&
      frame(at.ply).standing >= at.beta + 60 - 8 * depth && has_pieces(at.board)) {
    const int score = pass(at);
    if (stopped()) return 0;
    if (score >= at.beta) return score >= kLeastMate ? at.beta : score;
  }
  return probable_cut(at);
}

/// Lets the mover pass: who is still ahead by `beta` has no need of a move.
int ChessAlphaBeta::pass(const Node& at) {
  chess::Board passed = at.board;
  passed.pass();
  table_->prefetch(passed.key);
  const int less = 4 + at.depth / 3 + std::min((at.standing - at.beta) / 100, 4);
  Frame& here = frame(at.ply);
  here.move = kNoMove;
  here.made = ChessHistory::kNone;
  return -node(passed, -at.beta, -at.beta + 1, at.depth - less, at.ply + 1, !at.cut, false);
}

/// A capture that is far above beta in a shallow search is above it in a deep one.
std::optional<int> ChessAlphaBeta::probable_cut(const Node& at) {
  const int high = at.beta + 100 - 30 * at.improving;
  if (at.depth < 5 ||
      (at.known && at.known->depth >= at.depth - 3 && from_table(at.known->score, at.ply) < high))
    return std::nullopt;
  MoveList<Chess> moves;
  chess::detail::LoudSink sink{at.board, moves};
  chess::generate(at.board, sink);
  const int missing = high - frame(at.ply).standing;
  std::array<Candidate, Chess::kMaxMoves> list;
  std::size_t count = 0;
  for (const Move move : moves)
    if (chess::exchange_reaches(at.board, move, missing))
      list[count++] = {
          move, false, false,
          move == at.first ? ChessCandidates::kFirst : order_of_capture(at.board, move)};
  for (std::size_t i = 0; i < count; ++i) {
    ChessCandidates{list.data(), count}.pick(i);
    const Move move = list[i].move;
    chess::Board child = at.board;
    child.play(move);
    table_->prefetch(child.key);
    Frame& here = frame(at.ply);
    here.move = move;
    here.made = ChessHistory::arrival(at.board, move);
    const bool checks = child.in_check();
    int score = -quiet(child, -high, -high + 1, at.ply + 1, checks);
    if (score >= high)
      score = -node(child, -high, -high + 1, at.depth - 4, at.ply + 1, !at.cut, checks);
    if (stopped()) return 0;
    if (score >= high) {
      store(at.board, at.known, score, move, at.depth - 3, at.ply, Bound::kLower, at.was_pv);
      return std::abs(score) < kLeastMate ? score - (high - at.beta) : score;
    }
  }
  return std::nullopt;
}

ChessAlphaBeta::Extension ChessAlphaBeta::extension(const Node& at) {
  const int depth = at.depth;
  if (!at.known || at.first == kNoMove || depth < 6 || at.known->depth < depth - 3 ||
      at.known->bound == Bound::kUpper)
    return {};
  const int score = from_table(at.known->score, at.ply);
  if (std::abs(score) >= kLeastMate) return {};
  const int below = score - (1 + (at.was_pv && !at.pv)) * depth;
  Frame& here = frame(at.ply);
  here.excluded = at.first;
  const int others = node(at.board, below - 1, below, (depth - 1) / 2, at.ply, at.cut, at.check);
  here.excluded = kNoMove;
  if (stopped()) return {};
  if (others < below) return {!at.pv && others < below - 12 && here.doubled <= 6 ? 2 : 1, {}};
  // Several moves are above beta.
  if (below >= at.beta) return {0, below};
  if (score >= at.beta) return {at.pv ? -1 : -2, {}};
  return {at.cut ? -1 : 0, {}};
}

ChessAlphaBeta::Verdict ChessAlphaBeta::judged(const Node& at, const Candidate& candidate,
                                               int best) const {
  if (best <= -kLeastMate || at.restricted || !has_pieces(at.board)) return Verdict::kSearch;
  const auto skipped_if = [](bool prune) { return prune ? Verdict::kSkip : Verdict::kSearch; };
  const int tried = frame(at.ply).tried;
  const int depth = at.depth;
  const int less = (kReductions.of(depth, tried) + kPly / 2) / kPly + !at.improving;
  const int left = std::max(depth - 1 - less, 0);
  if (candidate.checks || !candidate.quiet) {
    if (!candidate.checks && !at.check && left <= 6 &&
        at.standing + 150 + 100 * left + won(at.board, candidate.move) +
                history_.of_capture(at.board, candidate.move) / 100 <=
            at.alpha)
      return Verdict::kSkip;
    // A queen given with check may mate: it is looked at from depth 5 on.
    const int stake = candidate.checks ? -180 * depth : -100 * depth;
    return skipped_if(!chess::exchange_reaches(at.board, candidate.move, stake));
  }
  if (tried > (3 + depth * depth) / (2 - at.improving)) return Verdict::kSkipQuiet;
  if (at.check) return Verdict::kSearch;
  const int known =
      history_.as_answer(ChessHistory::arrival(at.board, candidate.move), before(at.ply));
  if (left <= 5 && known < -3000 * depth) return Verdict::kSkip;
  if (left <= 10 && at.standing + 70 + 70 * left + known / 200 <= at.alpha) return Verdict::kSkip;
  return skipped_if(
      !chess::exchange_reaches(at.board, candidate.move, -20 * left * left - 15 * left));
}

int ChessAlphaBeta::reduction(const Node& at, const Candidate& candidate, bool checks) const {
  int less = kReductions.of(at.depth, frame(at.ply).tried) + kPly / 2;
  less -= kPly * (at.was_pv + at.pv + checks);
  less += kPly * !at.improving;
  if (at.cut) less += 2 * kPly;
  if (at.first != kNoMove && at.board.is_capture(at.first)) less += kPly;
  if (frame(at.ply + 1).cutoffs > 3) less += kPly;
  if (candidate.quiet) {
    if (candidate.order >= ChessCandidates::kKiller) less -= kPly;
    const int order = candidate.order >= ChessCandidates::kKiller
                          ? history_.of(at.board, candidate.move, before(at.ply))
                          : candidate.order;
    less -= order * (kPly / 64) / 128;
  } else {
    less -= history_.of_capture(at.board, candidate.move) * (kPly / 64) / 128;
  }
  return less >> 10;
}

int ChessAlphaBeta::search_move(const Node& at, const Candidate& candidate,
                                const chess::Board& child, bool checks, int low, int depth) {
  const int tried = frame(at.ply).tried;
  const auto scout = [&](int plies, bool cut) {
    return -node(child, -low - 1, -low, plies, at.ply + 1, cut, checks);
  };
  int score;
  if (at.depth >= 2 && tried > 1 + at.pv && !at.restricted &&
      (candidate.quiet || !at.was_pv || candidate.order < 0)) {
    const int reduced = std::clamp(depth - reduction(at, candidate, checks), 1, depth + 1);
    score = scout(reduced, true);
    if (score > low && reduced < depth && !stopped()) score = scout(depth, !at.cut);
  } else {
    if (at.pv && tried == 1) return -node(child, -at.beta, -low, depth, at.ply + 1, false, checks);
    score = scout(depth, tried == 1 ? !at.cut : true);
  }
  if (at.pv && score > low && score < at.beta && !stopped())
    score = -node(child, -at.beta, -low, depth, at.ply + 1, false, checks);
  return score;
}

int ChessAlphaBeta::moves_of(Node& at) {
  Frame& here = frame(at.ply);
  const bool whole = here.excluded == kNoMove;
  Extension longer;
  if (whole && !at.restricted) {
    longer = extension(at);
    if (stopped()) return 0;
    if (longer.cut) return *longer.cut;
  }
  MoveList<Chess> moves;
  chess::list_moves(at.board, moves);
  if (moves.empty()) return at.check ? -kMate + at.ply : 0;
  if (at.restricted) {
    permit(moves, at.board.side, at.ply);
    if (moves.empty()) return quiet(at.board, at.alpha, at.beta, at.ply, at.check);
  }
  std::array<Candidate, Chess::kMaxMoves> list;
  ChessCandidates all{list.data(), static_cast<std::size_t>(moves.size())};
  // The table's move first: where it refutes the position, the others need no order.
  const auto known = std::find(moves.begin(), moves.end(), at.first);
  const bool begins = known != moves.end();
  if (begins) {
    std::swap(*known, *moves.begin());
    list[0] = {at.first, is_quiet(at.board, at.first), false, ChessCandidates::kFirst};
  }

  const int doubled = frame(at.ply - 1).doubled;
  int best = -kInfinity, low = at.alpha;
  Move best_move = kNoMove;
  here.tried = 0;
  for (std::size_t i = 0; i < all.count; ++i) {
    if (i == static_cast<std::size_t>(begins)) order(at, moves, i, list.data());
    if (i > 0 || !begins) all.pick(at.board, i);
    const Candidate& candidate = list[i];
    if (candidate.move == here.excluded) continue;
    ++here.tried;
    if (const Verdict verdict = judged(at, candidate, best); verdict != Verdict::kSearch) {
      if (verdict == Verdict::kSkipQuiet) all.drop_quiet(i + 1);
      continue;
    }
    chess::Board child = at.board;
    child.play(candidate.move);
    table_->prefetch(child.key);
    here.move = candidate.move;
    here.made = ChessHistory::arrival(at.board, candidate.move);
    const int extra = candidate.move == at.first ? longer.plies : 0;
    here.doubled = doubled + (extra == 2);
    const int score =
        search_move(at, candidate, child, child.in_check(), low, at.depth - 1 + extra);
    if (stopped()) return 0;
    if (score > best) {
      best = score;
      if (score > low) {
        low = score;
        best_move = candidate.move;
      }
    }
    if (best >= at.beta) {
      ++here.cutoffs;
      reward(at, list.data(), i + 1, best);
      break;
    }
  }
  if (best == -kInfinity) return at.alpha;  // the excluded move is the only one
  if (at.restricted || !whole) return best;
  const Bound bound = best >= at.beta   ? Bound::kLower
                      : best > at.alpha ? Bound::kExact
                                        : Bound::kUpper;
  store(at.board, at.known, best, best_move, at.depth, at.ply, bound, at.was_pv);
  const int standing = here.standing;
  const bool tells = bound == Bound::kExact || (bound == Bound::kLower) == (best > standing);
  if (learn_ && !at.check && tells && std::abs(best) < kLeastMate &&
      (best_move == kNoMove || !at.board.is_capture(best_move)))
    history_.correct(at.board, at.depth, best - evaluate(at.board, at.ply));
  return best;
}

int ChessAlphaBeta::order_of_capture(const chess::Board& board, Move move) const {
  return 8 * won(board, move) + history_.of_capture(board, move) / 8;
}

/// The table's move, then captures that lose nothing, killers, quiet moves by history, and
/// captures that lose something.
void ChessAlphaBeta::order(const Node& at, const MoveList<Chess>& moves, std::size_t first,
                           Candidate* out) const {
  const chess::Board& board = at.board;
  const auto past = before(at.ply);
  const auto& killers = frame(at.ply).killers;
  const ChessThreats threats(board);
  for (auto i = first; i < static_cast<std::size_t>(moves.size()); ++i) {
    const Move move = moves[static_cast<int>(i)];
    const auto piece = board.piece_at(chess::from_square(move));
    Candidate& candidate = out[i];
    candidate = {move, is_quiet(board, move), threats.checks(piece, chess::to_square(move)), 0};
    if (!candidate.quiet)
      candidate.order = ChessCandidates::kCapture + order_of_capture(board, move);
    else if (move == killers[0] || move == killers[1])
      candidate.order = ChessCandidates::kKiller + (move == killers[0]);
    else
      candidate.order = history_.of(board, move, past) + threats.order(piece, move);
  }
}

void ChessAlphaBeta::reward(const Node& at, const Candidate* tried, std::size_t count, int score) {
  const int depth = at.depth + (score > at.beta + 80);
  const int bonus = std::min(16 * depth * depth + 32 * depth, 2000);
  const Candidate& chosen = tried[count - 1];
  const Move excluded = frame(at.ply).excluded;
  if (learn_) {
    const auto past = before(at.ply);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      if (tried[i].move == excluded) continue;
      if (!tried[i].quiet)
        history_.change_capture(at.board, tried[i].move, -bonus);
      else if (chosen.quiet)
        history_.change(at.board, tried[i].move, past, -bonus);
    }
    if (chosen.quiet)
      history_.change(at.board, chosen.move, past, bonus);
    else
      history_.change_capture(at.board, chosen.move, bonus);
  }
  if (!chosen.quiet) return;
  auto& killers = frame(at.ply).killers;
  if (killers[0] != chosen.move) killers = {chosen.move, killers[0]};
}

}  // namespace kibitz
