// Threads that share cores by turns; run under the thread sanitizer by `make tsan`.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "base/core_turns.h"
#include "tests/check.h"

using namespace kibitz;
using namespace std::chrono_literals;

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Threads that search until they are stopped, and how many did so at once.
class Searches {
 public:
  explicit Searches(int count, bool urgent = false) : turns_(static_cast<std::size_t>(count)) {
    for (auto& turns : turns_) {
      turns = 0;
      threads_.emplace_back([this, &turns, urgent] { search(turns, urgent); });
    }
  }
  ~Searches() { end(); }

  void end() {
    stop_ = true;
    wake_core_turn(stop_);
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }
  int at_once() const { return most_; }
  long least() const {
    long least = std::numeric_limits<long>::max();
    for (const auto& turns : turns_) least = std::min(least, turns.load());
    return least;
  }
  long rounds() const {
    long sum = 0;
    for (const auto& turns : turns_) sum += turns;
    return sum;
  }

 private:
  void search(std::atomic<long>& turns, bool urgent) {
    const CoreTurn turn(stop_, kForever, urgent);
    while (!stop_) {
      const int now = ++working_;
      int most = most_;
      while (most < now && !most_.compare_exchange_weak(most, now)) {
      }
      std::this_thread::sleep_for(1ms);
      ++turns;
      --working_;
      CoreTurn::rest();
    }
  }

  std::atomic<bool> stop_{false};
  std::atomic<int> working_{0}, most_{0};
  std::vector<std::atomic<long>> turns_;
  std::vector<std::thread> threads_;
};

/// Waits until it holds, for a minute at the most.
template <class Condition>
bool comes(const Condition& condition) {
  for (int i = 0; i < 60'000 && !condition(); ++i) std::this_thread::sleep_for(1ms);
  return condition();
}

void nobody_shares() {
  Searches searches(6);
  CHECK(comes([&] { return searches.at_once() == 6; }));
}

void all_get_turns() {
  share_cores(2, 0);
  {
    Searches searches(4);  // not more than twice the cores
    CHECK(comes([&] { return searches.least() >= 20; }));
    CHECK_EQ(searches.at_once(), 2);
  }
  {
    Searches searches(5);  // a core is left to whoever answers, once all are there
    CHECK(comes([&] { return searches.least() >= 20; }));
    CHECK(searches.at_once() <= 2);
  }
  stop_sharing_cores();
}

void urgent_ones_go_first() {
  share_cores(1, 0);
  Searches others(6);
  CHECK(comes([&] { return others.least() >= 1; }));
  {
    Searches urgent(2, true);
    CHECK(comes([&] { return urgent.least() >= 1; }));
    const long before = others.rounds(), begun = urgent.rounds();
    CHECK(comes([&] { return urgent.rounds() >= begun + 50; }));
    CHECK_EQ(others.rounds(), before);
  }
  const long before = others.rounds();
  CHECK(comes([&] { return others.rounds() > before + 10; }));
  others.end();
  stop_sharing_cores();
}

void waiting_ends() {
  share_cores(1, 0);
  const std::atomic<bool> never{false};
  std::atomic<bool> stop{false};
  const CoreTurn mine(never, kForever, false);  // and it is not given away
  std::thread timed([&] { const CoreTurn turn(never, 0.02, false); });
  timed.join();
  std::atomic<bool> ended{false};
  std::thread stopped([&] {
    const CoreTurn turn(stop, kForever, false);
    ended = true;
  });
  std::this_thread::sleep_for(10ms);
  CHECK(!ended);
  stop = true;
  wake_core_turn(stop);
  stopped.join();
  // Whoever waits goes on when nobody shares the cores any more.
  std::thread freed([&] { const CoreTurn turn(never, kForever, false); });
  std::this_thread::sleep_for(10ms);
  stop_sharing_cores();
  freed.join();
  CHECK(ended);
}

void urgency_is_for_one_start() {
  CHECK(!take_urgency());
  make_next_start_urgent();
  std::thread([] { CHECK(!take_urgency()); }).join();  // another thread's start
  CHECK(take_urgency());
  CHECK(!take_urgency());
}

}  // namespace

int main() {
  nobody_shares();
  all_get_turns();
  urgent_ones_go_first();
  waiting_ends();
  urgency_is_for_one_start();
  return kibitz::test::report();
}
