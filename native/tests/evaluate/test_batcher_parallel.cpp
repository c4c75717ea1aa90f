// The batcher under many callers: everyone gets his own answer, shapes are not mixed, errors reach
// those whose batch failed.
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "evaluate/batcher.h"
#include "tests/check.h"

using namespace kibitz;

namespace {

std::atomic<int> largest{0};

/// Answers with the first plane's number, so that a caller knows his own.
void echo(const NetworkBatch& batch) {
  const FeatureShape& shape = batch.shape;
  const int count = batch.count;
  int known = largest.load();
  while (known < count && !largest.compare_exchange_weak(known, count)) {
  }
  for (int i = 0; i < count; ++i) {
    const float number = batch.planes[i * shape.plane_floats()];
    if (number < 0) throw std::runtime_error("negative");
    for (int k = 0; k < shape.policy; ++k)
      batch.policy[i * shape.policy + k] = number + static_cast<float>(k);
    batch.outcomes[i].score = shape.globals ? batch.globals[i * shape.globals] : number;
    batch.outcomes[i].lead = batch.optimism[i];
  }
}

/// One caller: `rounds` requests of `count` positions. The number of wrong answers.
int call(Batcher& batcher, const FeatureShape& shape, int who, int count, int rounds) {
  int wrong = 0;
  const auto n = static_cast<std::size_t>(count);
  std::vector<float> planes(n * static_cast<std::size_t>(shape.plane_floats()));
  std::vector<float> globals(n * static_cast<std::size_t>(shape.globals));
  std::vector<float> policy(n * static_cast<std::size_t>(shape.policy));
  const std::vector<float> optimism(n, static_cast<float>(who));
  std::vector<NetworkOutcome> outcomes(n);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      planes[i * static_cast<std::size_t>(shape.plane_floats())] =
          static_cast<float>(who * 1000 + round * 10) + static_cast<float>(i);
      if (shape.globals) globals[i * static_cast<std::size_t>(shape.globals)] = -1.0f;
    }
    batcher({shape, count, planes.data(), globals.data(), optimism.data(), policy.data(),
             outcomes.data(), nullptr});
    for (std::size_t i = 0; i < n; ++i) {
      const float number = planes[i * static_cast<std::size_t>(shape.plane_floats())];
      wrong += policy[i * static_cast<std::size_t>(shape.policy) + 1] != number + 1.0f;
      wrong += outcomes[i].lead != optimism[i];
      wrong += outcomes[i].score != (shape.globals ? -1.0f : number);
    }
  }
  return wrong;
}

void test_everyone_gets_his_own() {
  const FeatureShape small{2, 3, 3, 0, 4}, large{1, 5, 5, 2, 6};
  for (const int callers : {1, 2}) {
    Batcher batcher(echo, 16, callers);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int who = 0; who < 12; ++who)
      threads.emplace_back(
          [&, who] { wrong += call(batcher, who % 3 ? small : large, who, 1 + who % 3, 200); });
    for (auto& thread : threads) thread.join();
    CHECK_EQ(wrong.load(), 0);
    CHECK_EQ(batcher.positions(), 200L * (1 + 2 + 3) * 4);
    CHECK(batcher.calls() <= 200L * 12);
  }
  CHECK(largest.load() <= 16);
}

void test_more_than_the_most_go_alone() {
  Batcher batcher(echo, 4, 1);
  CHECK_EQ(call(batcher, FeatureShape{1, 1, 1, 0, 2}, 1, 9, 3), 0);
  CHECK_EQ(batcher.calls(), 3L);
}

void test_errors_reach_the_callers() {
  Batcher batcher(echo, 8, 1);
  const FeatureShape shape{1, 1, 1, 0, 1};
  const float bad = -1.0f, good = 3.0f;
  float policy = 0;
  NetworkOutcome outcome;
  const float plain = 0.0f;
  NetworkBatch asked{shape, 1, &bad, nullptr, &plain, &policy, &outcome, nullptr};
  CHECK_THROWS(std::runtime_error, batcher(asked), "negative");
  asked.planes = &good;
  batcher(asked);  // and the next one is served
  CHECK_EQ(policy, 3.0f);
}

}  // namespace

int main() {
  test_everyone_gets_his_own();
  test_more_than_the_most_go_alone();
  test_errors_reach_the_callers();
  return kibitz::test::report();
}
