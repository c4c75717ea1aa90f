#include "search/chess_leaf_search.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace kibitz {
namespace {

/// Small: it is emptied for every leaf, so that what is said depends on the position alone.
constexpr std::size_t kTableBytes = std::size_t{1} << 14;

}  // namespace

ChessLeafSearch::Worker::Worker(const ChessJudge& judge)
    : table(kTableBytes), search(judge, table, never, false) {}

ChessLeafSearch::ChessLeafSearch(ChessJudge judge, std::shared_ptr<Evaluator<Chess>> plain,
                                 int depth)
    : judge_(std::move(judge)), plain_(std::move(plain)), depth_(depth) {}

std::unique_ptr<ChessLeafSearch::Worker> ChessLeafSearch::taken() {
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

void ChessLeafSearch::give_back(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

void ChessLeafSearch::evaluate(std::span<Leaf<Chess>> leaves, Rng&) {
  auto worker = taken();
  constexpr int kAll = ChessAlphaBeta::kInfinity, kMost = ChessAlphaBeta::kLeastMate;
  for (auto& leaf : leaves) {
    const ChessJudge::Board board = judge_.board(*leaf.position);
    worker->table.clear();
    worker->search.begin(std::numeric_limits<std::uint64_t>::max());
    worker->search.remember(*leaf.position);
    const int score = worker->search.search(board, -kAll, kAll, depth_, 0, 0);
    Outcome outcome = judge_.outcome(board, std::clamp(score, -kMost, kMost));
    if (board.now.side == chess::kBlack) {
      outcome.value = 1.0f - outcome.value;
      outcome.score = -outcome.score;
    }
    leaf.outcome = outcome;
  }
  give_back(std::move(worker));
}

}  // namespace kibitz
