#include "games/chess/search/leaf_search.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "search/alpha_beta_table.h"

namespace kibitz {
namespace {

/// Small: it is emptied for every leaf, so that what is said depends on the position alone.
constexpr std::size_t kTableBytes = std::size_t{1} << 14;
/// The share of the priors that the move of a search gets.
constexpr float kChosenShare = 0.5f;

struct Worker {
  explicit Worker(const ChessJudge& judge)
      : table(kTableBytes), search(judge, table, never, false) {}
  std::atomic<bool> never{false};
  AlphaBetaTable table;
  ChessAlphaBeta search;
};

struct Judged {
  int score;
  Move move;
};

}  // namespace

class ChessLeafSearch::Searches {
 public:
  Searches(const ChessJudge& judge, int depth) : judge_(judge), depth_(depth) {}

  /// The mover's score, and the move it is for.
  Judged judge(const Chess& position) {
    constexpr int kAll = ChessAlphaBeta::kInfinity;
    auto worker = taken();
    const ChessJudge::Board board = judge_.board(position);
    worker->table.clear();
    worker->search.begin(std::numeric_limits<std::uint64_t>::max());
    worker->search.remember(position);
    const int score = worker->search.search(board, -kAll, kAll, depth_, 0, 0);
    const auto known = worker->table.find(board.now.key);
    give_back(std::move(worker));
    return {score, known ? known->move : kNoMove};
  }

 private:
  std::unique_ptr<Worker> taken() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return std::make_unique<Worker>(judge_);
  }
  void give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }

  ChessJudge judge_;
  int depth_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

ChessLeafSearch::ChessLeafSearch(ChessJudge judge, std::shared_ptr<Evaluator<Chess>> plain,
                                 int depth)
    : judge_(std::move(judge)),
      plain_(std::move(plain)),
      searches_(std::make_shared<Searches>(judge_, depth)) {}

void ChessLeafSearch::evaluate(std::span<Leaf<Chess>> leaves, Rng&) {
  constexpr int kMost = ChessAlphaBeta::kLeastMate;
  for (auto& leaf : leaves) {
    const ChessJudge::Board board = judge_.board(*leaf.position);
    const int score = searches_->judge(*leaf.position).score;
    Outcome outcome = judge_.outcome(board, std::clamp(score, -kMost, kMost));
    if (board.now.side == chess::kBlack) {
      outcome.value = 1.0f - outcome.value;
      outcome.score = -outcome.score;
    }
    leaf.outcome = outcome;
  }
}

PriorFunction<Chess> ChessLeafSearch::quick_priors() const {
  auto plain = plain_->quick_priors();
  if (!plain) return plain;
  return [plain = std::move(plain), searches = searches_](
             const Chess& position, std::span<const Move> moves, std::span<float> priors) {
    plain(position, moves, priors);
    const auto chosen = std::find(moves.begin(), moves.end(), searches->judge(position).move);
    if (chosen == moves.end()) return;
    for (float& prior : priors) prior *= 1.0f - kChosenShare;
    priors[static_cast<std::size_t>(chosen - moves.begin())] += kChosenShare;
  };
}

}  // namespace kibitz
