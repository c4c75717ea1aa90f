#include "games/junqi/search/classic.h"

#include <algorithm>

#include "games/junqi/search/belief.h"

namespace kibitz::junqi {

ClassicSearch::ClassicSearch(const Junqi& world, int team, const JunqiOptions& options,
                             const Scorer& scorer, const Knowledge& knowledge,
                             const HistoryRecorder& history, const Deadline& deadline)
    : world_(world),
      facts_(world),
      team_(team),
      options_(options),
      scorer_(scorer),
      knowledge_(knowledge),
      history_(history),
      deadline_(deadline) {}

double ClassicSearch::best_immediate(const Junqi& board, int seat) const {
  MoveList<Junqi> moves;
  list_moves(board, seat, moves);
  const Stage stage = scorer_.stage(board, seat, facts_, knowledge_);
  double best = moves.empty() ? 0 : -1e12;
  for (const Move move : moves)
    best = std::max(best,
                    scorer_.evaluate_move(board, stage, move, history_, knowledge_, facts_).score);
  return best;
}

double ClassicSearch::evaluate_state(const Junqi& board) const {
  double sides[2] = {-1e12, -1e12};
  for (int seat = 0; seat < kSeats; ++seat) {
    if (!board.alive(seat)) continue;
    double& best = sides[board.team(seat) == team_ ? 0 : 1];
    best = std::max(best, best_immediate(board, seat));
  }
  for (double& best : sides)
    if (best < -1e11) best = 0;
  return sides[0] - sides[1];
}

double ClassicSearch::after(Move move, int depth) {
  Junqi next = world_;
  const int piece = next.piece_at(from_of(move)), other = next.piece_at(to_of(move));
  const Event event = next.play(move);
  history_.make(world_.ply(), move, piece, other, event.outcome);
  const double value = search(next, depth - 1, -1e12, 1e12);
  history_.unmake();
  return value;
}

double ClassicSearch::search(const Junqi& board, int depth, double alpha, double beta) {
  ++nodes_;
  const auto known = table_.find(board.hash());
  if (known != table_.end()) return known->second;
  if (depth <= 0 || board.is_over() || deadline_.passed())
    return table_[board.hash()] = evaluate_state(board);

  const int seat = board.to_move();
  const bool maximizing = board.team(seat) == team_;
  const Stage stage = scorer_.stage(board, seat, facts_, knowledge_);
  MoveList<Junqi> moves;
  board.legal_moves(moves);
  std::vector<std::pair<double, Move>> scored;
  for (const Move move : moves)
    scored.emplace_back(
        scorer_.evaluate_move(board, stage, move, history_, knowledge_, facts_).score, move);
  std::sort(scored.begin(), scored.end(), [maximizing](const auto& a, const auto& b) {
    if (a.first != b.first) return maximizing ? a.first > b.first : a.first < b.first;
    return a.second < b.second;
  });
  if (options_.beam_width > 0 && scored.size() > static_cast<std::size_t>(options_.beam_width))
    scored.resize(static_cast<std::size_t>(options_.beam_width));

  double best = maximizing ? -1e12 : 1e12;
  for (const auto& [score, move] : scored) {
    Junqi next = board;
    const int piece = next.piece_at(from_of(move)), other = next.piece_at(to_of(move));
    const Event event = next.play(move);
    history_.make(board.ply(), move, piece, other, event.outcome);
    const double total =
        (maximizing ? score : -score) + options_.discount * search(next, depth - 1, alpha, beta);
    history_.unmake();
    if (maximizing) {
      best = std::max(best, total);
      alpha = std::max(alpha, best);
    } else {
      best = std::min(best, total);
      beta = std::min(beta, best);
    }
    if (options_.use_alpha_beta && beta <= alpha) break;
  }
  return table_[board.hash()] = best;
}

double classic_state_value(const View& view, const JunqiOptions& options) {
  const Weights& weights = options.values_for(view.players());
  const Scorer scorer(weights);
  const Belief belief =
      believe(view, weights, static_cast<int>(options.samples_for(view.players())),
              static_cast<std::uint64_t>(options.seed));
  const Deadline never;
  double sum = 0;
  for (const WorldKinds& kinds : belief.worlds)
    sum += ClassicSearch(view.world(kinds), view.team(view.seat()), options, scorer,
                         belief.knowledge, view.history(), never)
               .static_value();
  return sum / static_cast<double>(belief.worlds.size());
}

}  // namespace kibitz::junqi
