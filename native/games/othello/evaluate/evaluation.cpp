#include "games/othello/evaluate/evaluation.h"

#include <cmath>
#include <mutex>
#include <utility>

namespace kibitz {
namespace {

std::mutex mutex;
std::shared_ptr<const OthelloEvaluation> current;

}  // namespace

double OthelloEvaluation::chance(int score, int empties) const {
  const double discs = static_cast<double>(score) / othello::kDiscUnit;
  const auto stage = static_cast<std::size_t>(othello::stage_of(empties));
  return 1.0 / (1.0 + std::exp(-discs / width[stage]));
}

std::shared_ptr<const OthelloEvaluation> current_othello_evaluation() {
  const std::lock_guard lock(mutex);
  return current;
}

void set_current_othello_evaluation(std::shared_ptr<const OthelloEvaluation> evaluation) {
  const std::lock_guard lock(mutex);
  current = std::move(evaluation);
}

}  // namespace kibitz
