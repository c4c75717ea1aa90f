// Threads that share cores by turns; run under the thread sanitizer by `make tsan`.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/core_turns.h"
#include "tests/check.h"

#ifdef __linux__
#include <sys/wait.h>
#include <unistd.h>
#endif

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

/// With fewer searches there is a core more for them, though nobody has ended its turn.
void who_gives_up_waiting_makes_room() {
  share_cores(2, 0);
  const std::atomic<bool> never{false};
  std::atomic<bool> first{false}, last{false};
  std::atomic<int> begun{0};
  {
    const CoreTurn mine(never, kForever, false);
    std::vector<std::thread> waiting;
    {
      std::atomic<bool> holds{false}, goes{false};
      std::thread other([&] {
        const CoreTurn turn(never, kForever, false);
        holds = true;
        while (!goes) std::this_thread::sleep_for(1ms);
      });
      CHECK(comes([&] { return holds.load(); }));
      for (int i = 0; i < 4; ++i)
        waiting.emplace_back([&, i] {
          const CoreTurn turn(i == 0 ? first : last, kForever, false);
          ++begun;
          while (!last) std::this_thread::sleep_for(1ms);
        });
      std::this_thread::sleep_for(200ms);
      CHECK_EQ(begun.load(), 0);
      goes = true;
      other.join();
    }
    std::this_thread::sleep_for(50ms);
    CHECK_EQ(begun.load(), 0);  // five searches: a core is left to whoever answers
    first = true;
    wake_core_turn(first);
    CHECK(comes([&] { return begun.load() == 2; }));
    last = true;
    wake_core_turn(last);
    for (auto& thread : waiting) thread.join();
  }
  stop_sharing_cores();
}

void one_turn_inside_another() {
  share_cores(1, 0);
  const std::atomic<bool> never{false};
  const Stopwatch watch;
  {
    const CoreTurn outer(never, kForever, false);
    {
      const CoreTurn inner(never, 20.0, false);
    }
    CHECK(watch.seconds() < 10.0);
    std::thread other([&] {
      const CoreTurn turn(never, 0.01, false);
      CHECK(watch.seconds() >= 0.01);  // the outer turn goes on
    });
    other.join();
  }
  stop_sharing_cores();
}

#ifdef __linux__
void a_forked_process_shares_nothing() {
  share_cores(1, 0);
  const std::atomic<bool> never{false};
  bool free = false;
  std::thread([&] {
    const CoreTurn mine(never, kForever, false);
    std::thread([&] {
      const pid_t child = fork();
      if (child == 0) {
        const Stopwatch watch;
        const CoreTurn turn(never, 20.0, false);  // nobody is there who would end it
        stop_sharing_cores();
        _exit(watch.seconds() < 10.0 ? 0 : 1);
      }
      int status = -1;
      waitpid(child, &status, 0);
      free = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }).join();
  }).join();
  CHECK(free);
  stop_sharing_cores();
}
#endif

void urgency_is_for_one_start() {
  CHECK(!take_urgency());
  make_next_start_urgent();
  make_next_start_urgent(false);  // the first start failed
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
  who_gives_up_waiting_makes_room();
  one_turn_inside_another();
#ifdef __linux__
  a_forked_process_shares_nothing();
#endif
  urgency_is_for_one_start();
  return kibitz::test::report();
}
