// One network program, and one table of evaluations, used by several threads at once; run under the
// thread sanitizer by `make tsan`.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "evaluate/cache.h"
#include "evaluate/callout.h"
#include "search/tree_search.h"
#include "tests/check.h"
#include "tests/games/noughts/noughts.h"
#include "tests/small_network.h"

using namespace kibitz;
using kibitz::test::Noughts;

namespace {

/// A program keeps what it needs for each run apart.
void programs() {
  const auto program = test::small_program();
  const int count = 8;
  const auto in = test::numbers(std::size_t{count} * 81 * 16);
  std::vector<float> mean(std::size_t{count} * 16);
  const float* inputs[] = {in.data()};
  float* outputs[] = {mean.data(), nullptr};
  program->run(count, inputs, outputs);
  std::vector<std::vector<float>> means(4, std::vector<float>(mean.size()));
  std::vector<std::thread> threads;
  for (auto& own : means)
    threads.emplace_back([&] {
      float* to[] = {own.data(), nullptr};
      for (int again = 0; again < 5; ++again) program->run(count, inputs, to);
    });
  for (auto& thread : threads) thread.join();
  for (const auto& own : means) CHECK(own == mean);
}

/// Searches with several threads share a table of evaluations; it is small, so that entries are
/// replaced while others read.
void remembered_evaluations() {
  std::atomic<int> asked{0};
  const auto network = std::make_shared<CalloutEvaluator<Noughts>>([&](const NetworkBatch& batch) {
    asked += batch.count;
    std::fill_n(batch.policy, batch.count * batch.shape.policy, 0.0f);
  });
  const auto table = std::make_shared<EvaluationTable>(4000, 9);
  const auto cached = std::make_shared<CachedEvaluator<Noughts>>(network, table, 0, false);
  Options options;
  options.threads = 3;
  options.rule = SelectionRule::kPuct;
  options.batch = 2;
  TreeSearch<Noughts> one(Noughts{}, cached, options), other(Noughts{}, cached, options);
  Budget budget;
  budget.simulations = 3000;
  one.start({}, budget);
  other.start({}, budget);
  while (!one.wait(0.001)) table->clear();
  while (!other.wait(1.0)) {
  }
  CHECK(one.report().visits > 0);
  CHECK(other.report().visits > 0);
  CHECK(asked > 0);
}

}  // namespace

int main() {
  programs();
  remembered_evaluations();
  return kibitz::test::report();
}
