#include "base/core_turns.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

#ifdef __linux__
#include <pthread.h>
#include <sys/resource.h>
#endif

namespace kibitz {

namespace {

using Clock = std::chrono::steady_clock;
using core_turns::Wanted;

/// How long a turn lasts when others wait: short, so that a hundred searches all get on, and long
/// beside what a change of threads costs.
constexpr std::chrono::milliseconds kTurn{4};
/// With so many searches for each core one core is left to whoever answers.
constexpr int kCrowd = 2;

struct Waiting {
  const std::atomic<bool>* stop;
  std::condition_variable called;
  bool has_core = false;
};

struct Cores {
  std::mutex mutex;
  int holders = 0, cores = 0, nice = 0, working = 0;
  std::deque<Waiting*> urgent, others;

  int most() const {
    const auto searching = working + static_cast<int>(urgent.size() + others.size());
    return std::max(1, searching > kCrowd * cores ? cores - 1 : cores);
  }
  void note_waiting() {
    core_turns::wanted = !urgent.empty()   ? Wanted::kUrgently
                         : !others.empty() ? Wanted::kYes
                                           : Wanted::kNo;
  }
  /// Gives free cores to those who wait longest.
  void hand_out() {
    while (!(urgent.empty() && others.empty()) && (holders == 0 || working < most())) {
      auto& queue = urgent.empty() ? others : urgent;
      Waiting& next = *queue.front();
      queue.pop_front();
      ++working;
      next.has_core = true;
      next.called.notify_one();
    }
    note_waiting();
  }
};

/// Never destroyed: threads of searches may outlive static objects.
Cores& shared_cores() {
  static Cores* cores = [] {
    static Cores* made = new Cores;
#ifdef __linux__
    // The threads that have the cores are not in a forked process, and the mutex may be locked.
    ::pthread_atfork(nullptr, nullptr, [] {
      new (made) Cores;
      core_turns::wanted = Wanted::kNo;
    });
#endif
    return made;
  }();
  return *cores;
}

thread_local CoreTurn* turn_of_thread = nullptr;
thread_local bool next_is_urgent = false;

/// Once a thread: its priority is not raised again.
void lower_priority([[maybe_unused]] int nice) {
#ifdef __linux__
  thread_local bool lowered = false;
  if (lowered || nice <= 0) return;
  lowered = true;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + nice);
#endif
}

}  // namespace

void share_cores(int cores, int nice) {
  Cores& all = shared_cores();
  const std::lock_guard lock(all.mutex);
  ++all.holders;
  all.cores = std::max(1, cores);
  all.nice = nice;
  all.hand_out();
}

void stop_sharing_cores() {
  Cores& all = shared_cores();
  const std::lock_guard lock(all.mutex);
  all.holders = std::max(0, all.holders - 1);  // a forked process may end what it does not have
  all.hand_out();
}

void make_next_start_urgent(bool urgent) { next_is_urgent = urgent; }

bool take_urgency() { return std::exchange(next_is_urgent, false); }

void wake_core_turn(const std::atomic<bool>& stop) {
  Cores& all = shared_cores();
  const std::lock_guard lock(all.mutex);
  for (auto* queue : {&all.urgent, &all.others})
    for (Waiting* waiting : *queue)
      if (waiting->stop == &stop) waiting->called.notify_one();
}

CoreTurn::CoreTurn(const std::atomic<bool>& stop, double seconds, bool urgent)
    : stop_(&stop), since_(Clock::now()), urgent_(urgent) {
  if (turn_of_thread != nullptr) return;
  constexpr double kLongest = 1e8;
  end_ = since_ + std::chrono::duration_cast<Clock::duration>(
                      std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongest)));
  turn_of_thread = this;
  enter();
}

CoreTurn::~CoreTurn() {
  if (turn_of_thread != this) return;
  leave();
  turn_of_thread = nullptr;
}

void CoreTurn::rest_now() {
  CoreTurn* turn = turn_of_thread;
  if (turn == nullptr || !turn->has_core_) return;
  const bool urgently = core_turns::wanted.load(std::memory_order_relaxed) == Wanted::kUrgently;
  if (turn->urgent_ && !urgently) return;
  const bool gives_way = urgently && !turn->urgent_;
  if (!gives_way && Clock::now() - turn->since_ < kTurn) return;
  turn->leave();
  turn->enter();
}

void CoreTurn::enter() {
  Cores& all = shared_cores();
  std::unique_lock lock(all.mutex);
  if (all.holders == 0) return;
  lower_priority(all.nice);
  Waiting waiting{stop_, {}, false};
  auto& queue = urgent_ ? all.urgent : all.others;
  queue.push_back(&waiting);
  all.hand_out();
  waiting.called.wait_until(
      lock, end_, [&] { return waiting.has_core || stop_->load(std::memory_order_relaxed); });
  has_core_ = waiting.has_core;
  if (!has_core_) {
    std::erase(queue, &waiting);
    all.hand_out();  // with fewer searches there may be a core more for them
  }
  since_ = Clock::now();
}

void CoreTurn::leave() {
  if (!has_core_) return;
  has_core_ = false;
  Cores& all = shared_cores();
  const std::lock_guard lock(all.mutex);
  --all.working;
  all.hand_out();
}

}  // namespace kibitz
