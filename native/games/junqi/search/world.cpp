#include "games/junqi/search/world.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "base/core_turns.h"

namespace kibitz::junqi {
namespace {

constexpr std::int64_t kSmallestTable = 1 << 10, kLargestTable = 1 << 14;
constexpr std::size_t kSpares = 64;
constexpr std::size_t kCaptures = 4;  // a quiescence node looks at so many
// Rounding in shifted windows must not prune what is equal.
constexpr double kSlack = 1e-7;

/// Where a piece that is no engineer can go from a node with nothing in the way.
const Nodes& farthest_targets(const Graph& graph, int node) {
  using Table = std::array<Nodes, kNodes>;
  static const auto table_of = [](int players) {
    Table out;
    for (int from = 0; from < kNodes; ++from)
      out[static_cast<std::size_t>(from)] = Graph::of(players).straight_targets(from, {});
    return out;
  };
  static const Table four = table_of(4), two = table_of(2);
  return (graph.players() == 4 ? four : two)[static_cast<std::size_t>(node)];
}

std::mutex pool_mutex;
std::uint64_t signatures = 0;

}  // namespace

WorldSearch::Table::Table(std::size_t size) : size_(size) {
  const std::lock_guard lock(pool_mutex);
  signature_ = mix64(++signatures);
  auto& pool = spare_memory();
  if (!pool.empty()) {
    memory_ = std::move(pool.back());
    pool.pop_back();
  }
  if (memory_.entries.size() < size) memory_.entries.resize(size);
  memory_.good.assign(static_cast<std::size_t>(kNodes * kNodes), 0);
}

WorldSearch::Table::~Table() {
  if (memory_.good.empty()) return;  // moved from
  const std::lock_guard lock(pool_mutex);
  auto& pool = spare_memory();
  if (pool.size() < kSpares) pool.push_back(std::move(memory_));
}

std::vector<WorldSearch::Memory>& WorldSearch::spare_memory() {
  static std::vector<Memory> pool;
  return pool;
}

WorldSearch::WorldSearch(const Junqi& world, int team, const JunqiOptions& options,
                         const Scorer& scorer, const Knowledge& knowledge,
                         const Scorer::Expected& expected, const HistoryRecorder& history,
                         const Deadline& deadline, std::int64_t nodes)
    : world_(world),
      facts_(world),
      team_(team),
      side_(team == 0 ? 1.0 : -1.0),
      baseline_(scorer.position(world, facts_)),
      options_(options),
      scorer_(scorer),
      knowledge_(knowledge),
      expected_(expected),
      history_(history),
      deadline_(deadline),
      table_(options.use_table ? std::bit_ceil(static_cast<std::size_t>(
                                     std::clamp(nodes, kSmallestTable, kLargestTable)))
                               : 0) {
  for (int seat = 0; seat < kSeats; ++seat)
    army_[static_cast<std::size_t>(seat)] = scorer.army(world, seat);
  for (auto& pair : killers_) pair.fill(kNoMove);
}

bool WorldSearch::out_of_time() {
  ++nodes_;
  if (most_nodes_ > 0 && nodes_ > most_nodes_) aborted_ = true;
  if ((nodes_ & 31) == 0) {
    CoreTurn::rest();
    if (deadline_.passed()) aborted_ = true;
  }
  return aborted_;
}

void WorldSearch::keep_line(int ply, Move move) {
  auto& line = lines_[static_cast<std::size_t>(ply)];
  const auto& rest = lines_[static_cast<std::size_t>(ply + 1)];
  line.assign(1, move);
  line.insert(line.end(), rest.begin(), rest.end());
}

double WorldSearch::after(Move move, int depth, double unseen) {
  Junqi next = world_;
  const int piece = next.piece_at(from_of(move)), other = next.piece_at(to_of(move));
  const Event event = next.play(move);
  history_.make(world_.ply(), move, piece, other, event.outcome);
  const double wide = 1e12;
  unseen_ = unseen;
  const double value = search(next, depth - 1, 1, -wide, wide);
  unseen_ = 0;
  history_.unmake();
  line_.assign(1, move);
  line_.insert(line_.end(), lines_[1].begin(), lines_[1].end());
  return value;
}

double WorldSearch::value(int depth) {
  const double value = search(world_, depth, 0, -1e12, 1e12);
  line_ = lines_[0];
  return value;
}

double WorldSearch::child(const Junqi& board, const Scored& scored, double sign, int depth,
                          int left, int ply, double alpha, double beta, bool quiet) {
  const double s = sign * scored.score, d = options_.discount;
  Junqi next = board;
  const int piece = next.piece_at(from_of(scored.move)), other = next.piece_at(to_of(scored.move));
  const Event event = next.play(scored.move);
  history_.make(board.ply(), scored.move, piece, other, event.outcome);
  double low = -1e12, high = 1e12;
  if (options_.use_alpha_beta) {
    low = (alpha - s) / d;
    high = (beta - s) / d;
  }
  const double unseen = unseen_;
  unseen_ += scored.unseen;
  const double value = quiet ? quiesce(next, left - 1, ply + 1, low, high)
                             : search(next, depth - 1, ply + 1, low, high);
  unseen_ = unseen;
  history_.unmake();
  return s + d * value;
}

double WorldSearch::surprise(const Junqi& board, Move move) const {
  const int target = board.piece_at(to_of(move));
  if (target == kNowhere || !knowledge_.unknown[static_cast<std::size_t>(target)]) return 0;
  const Kind attacker = board.kind(board.piece_at(from_of(move))), other = board.kind(target);
  const auto t = static_cast<std::size_t>(target);
  const Weights& w = scorer_.weights();
  const double flag = knowledge_.outside[t][0];
  const double army = army_[static_cast<std::size_t>(owner_of(target))];
  const double expected = expected_[static_cast<std::size_t>(attacker)][t] - flag * w.pieces_flag;
  return w.leaf_material * (expected - scorer_.pieces(attacker, other)) +
         (flag - (other == Kind::kFlag)) * army;
}

WorldSearch::Scored WorldSearch::scored_of(const Junqi& board, const Stage& stage, Move move,
                                           bool maximizing) const {
  const MoveParts parts = scorer_.evaluate_move(board, stage, move, history_, knowledge_, facts_);
  const int target = board.piece_at(to_of(move));
  const Weights& w = scorer_.weights();
  const double score = parts.exchange + w.worlds_later * (parts.score - parts.exchange);
  if (target == kNowhere || !knowledge_.unknown[static_cast<std::size_t>(target)])
    return {move, static_cast<float>(parts.score), score};
  const Kind attacker = board.kind(board.piece_at(from_of(move)));
  const double looks =
      parts.score - parts.exchange +
      expected_[static_cast<std::size_t>(attacker)][static_cast<std::size_t>(target)];
  const double share = maximizing ? w.worlds_blind : w.worlds_blind_reply;
  const double unseen = share == 0 ? 0 : (maximizing ? share : -share) * surprise(board, move);
  return {move, static_cast<float>(looks), score + share * (looks - parts.score), unseen};
}

double WorldSearch::search(const Junqi& board, int depth, int ply, double alpha, double beta) {
  if (depth <= 0 && options_.quiescence > 0 && !board.is_over())
    return quiesce(board, static_cast<int>(options_.quiescence), ply, alpha, beta);
  lines_[static_cast<std::size_t>(ply)].clear();
  if (out_of_time()) return 0;
  if (depth <= 0 || board.is_over() || ply >= kMaxPly) return leaf(board);

  // Scoring reads how long ago a capture was, so the ply belongs to the key like the history.
  Entry* entry = nullptr;
  std::uint64_t key = 0;
  Move first = kNoMove;
  if (!table_.empty()) {
    key = board.hash() ^ mix64(history_.signature() + static_cast<std::uint64_t>(board.ply()));
    if (unseen_ != 0) key ^= mix64(std::bit_cast<std::uint64_t>(unseen_));
    entry = &table_[key];
    key ^= table_.signature();  // the place stays the same, so that a search does too
    if (entry->key == key && entry->bound != Bound::kNone) {
      first = entry->best;
      if (entry->depth == depth &&
          (entry->bound == Bound::kExact ||
           (entry->bound == Bound::kLower && entry->value >= beta + kSlack) ||
           (entry->bound == Bound::kUpper && entry->value <= alpha - kSlack))) {
        if (first != kNoMove) lines_[static_cast<std::size_t>(ply)].assign(1, first);
        return entry->value;
      }
    }
  }

  const int seat = board.to_move();
  const bool maximizing = board.team(seat) == team_;
  const double sign = maximizing ? 1.0 : -1.0;
  const Stage stage = scorer_.stage(board, seat, facts_, knowledge_);
  MoveList<Junqi> moves;
  board.legal_moves(moves);
  std::array<Scored, Junqi::kMaxMoves> scored;
  std::size_t count = 0;
  for (const Move move : moves) {
    scored[count++] = scored_of(board, stage, move, maximizing);
  }
  // The beam is cut by these looks alone, the best for the mover first; what was learned elsewhere
  // only orders what is left, so that it cannot change the value.
  const auto better = [](const Scored& a, const Scored& b) {
    return a.order != b.order ? a.order > b.order : a.move < b.move;
  };
  const auto end = [&](std::size_t n) { return scored.begin() + static_cast<std::ptrdiff_t>(n); };
  const std::int64_t beam =
      !maximizing && options_.reply_width > 0 ? options_.reply_width : options_.beam_width;
  if (beam > 0 && count > static_cast<std::size_t>(beam)) {
    const auto width = static_cast<std::size_t>(beam);
    std::nth_element(scored.begin(), end(width), end(count), better);
    count = width;
  }
  const auto& killers = killers_[static_cast<std::size_t>(ply)];
  for (std::size_t i = 0; i < count; ++i) {
    const Move move = scored[i].move;
    scored[i].order = static_cast<float>(scored[i].score);
    if (move == first) scored[i].order += 1e6f;
    if (move == killers[0] || move == killers[1]) scored[i].order += 30.0f;
    scored[i].order += 0.01f * static_cast<float>(std::min<std::uint32_t>(table_.good(move), 2000));
  }
  std::sort(scored.begin(), end(count), better);

  const double alpha0 = alpha, beta0 = beta;
  double best = maximizing ? -1e12 : 1e12;
  Move best_move = kNoMove;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = child(board, scored[i], sign, depth, 0, ply, alpha, beta, false);
    if (aborted_) return best_move == kNoMove ? 0 : best;
    if (best_move == kNoMove || (maximizing ? value > best : value < best)) {
      best = value;
      best_move = scored[i].move;
      keep_line(ply, best_move);
    }
    if (maximizing)
      alpha = std::max(alpha, best);
    else
      beta = std::min(beta, best);
    if (options_.use_alpha_beta && alpha > beta + kSlack) {
      auto& slots = killers_[static_cast<std::size_t>(ply)];
      if (slots[0] != best_move) slots = {best_move, slots[0]};
      table_.good(best_move) += static_cast<std::uint32_t>(depth * depth);
      break;
    }
  }
  if (entry) {
    const Bound bound = best >= beta0    ? Bound::kLower
                        : best <= alpha0 ? Bound::kUpper
                                         : Bound::kExact;
    *entry = {key, best, best_move, static_cast<std::int8_t>(depth), bound};
  }
  return best;
}

double WorldSearch::quiesce(const Junqi& board, int left, int ply, double alpha, double beta) {
  lines_[static_cast<std::size_t>(ply)].clear();
  if (out_of_time()) return 0;
  double best = leaf(board);
  if (left <= 0 || board.is_over() || ply >= kMaxPly) return best;
  const int seat = board.to_move();
  const bool maximizing = board.team(seat) == team_;
  const double sign = maximizing ? 1.0 : -1.0;
  if (maximizing)
    alpha = std::max(alpha, best);
  else
    beta = std::min(beta, best);
  if (options_.use_alpha_beta && alpha > beta + kSlack) return best;

  const Stage stage = scorer_.stage(board, seat, facts_, knowledge_);
  const Weights& w = scorer_.weights();
  const double share = maximizing ? w.worlds_blind : w.worlds_blind_reply;
  const Graph& graph = board.graph();
  const Nodes all = board.occupied();
  const Nodes enemies = team_occupied(board, 1 - board.team(seat)).minus(graph.camps());
  std::array<Scored, 64> scored;
  std::size_t count = 0;
  board.occupied(seat).each([&](int from) {
    const Kind kind = board.kind(board.piece_at(from));
    if (!is_mobile(kind) || graph.headquarters().has(from)) return;
    const bool engineer = kind == Kind::kEngineer;
    if (!engineer && !farthest_targets(graph, from).meets(enemies)) return;
    const Nodes reach =
        engineer ? graph.engineer_targets(from, all) : graph.straight_targets(from, all);
    (reach & enemies).each([&](int to) {
      const auto target = static_cast<std::size_t>(board.piece_at(to));
      double gain = scorer_.exchange(board, stage, move_of(from, to));
      if (knowledge_.unknown[target])
        gain += (maximizing ? share : std::max(share, w.worlds_plausible)) *
                (expected_[static_cast<std::size_t>(kind)][target] - gain);
      if (gain > 0 && count < scored.size())
        scored[count++] = {move_of(from, to), static_cast<float>(gain), gain};
    });
  });
  const std::size_t most = std::min(count, kCaptures);
  std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(most),
                    scored.begin() + static_cast<std::ptrdiff_t>(count),
                    [](const Scored& a, const Scored& b) {
                      return a.score != b.score ? a.score > b.score : a.move < b.move;
                    });
  for (std::size_t i = 0; i < most; ++i) {
    scored[i] = scored_of(board, stage, scored[i].move, maximizing);
    const double value = child(board, scored[i], sign, 0, left, ply, alpha, beta, true);
    if (aborted_) return best;
    if (maximizing ? value > best : value < best) {
      best = value;
      keep_line(ply, scored[i].move);
    }
    if (maximizing)
      alpha = std::max(alpha, best);
    else
      beta = std::min(beta, best);
    if (options_.use_alpha_beta && alpha > beta + kSlack) break;
  }
  return best;
}

}  // namespace kibitz::junqi
