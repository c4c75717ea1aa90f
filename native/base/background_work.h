// Long work on a thread of its own: started, waited for, stopped.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/core_turns.h"

namespace kibitz {

/// Used from one thread, except `stop`. A class that derives from it calls `finish` in its
/// destructor, while what the work uses is still there.
class BackgroundWork {
 public:
  BackgroundWork() = default;
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;

  /// Whether the work ended within so many seconds; throws what the work threw, once.
  bool wait(double seconds) {
    std::unique_lock lock(mutex_);
    const bool done = ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                                      [this] { return done_.load(); });
    if (done && error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return done;
  }
  void stop() {
    stop_ = true;
    wake_core_turn(stop_);
  }
  bool running() const { return !done_; }

 protected:
  ~BackgroundWork() = default;

  /// Starts `work` when what was started before has ended.
  template <class Work>
  void run(Work work) {
    settle();
    stop_ = false;
    done_ = false;
    error_ = nullptr;
    thread_ = std::thread([this, work = std::move(work)] {
      std::exception_ptr error;
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      error_ = error;
      done_ = true;
      ended_.notify_all();
    });
  }
  /// Waits until nothing runs.
  void settle() {
    if (thread_.joinable()) thread_.join();
  }
  void finish() {
    stop();
    settle();
  }

  std::mutex mutex_;
  /// What the work looks at to hear of a stop.
  std::atomic<bool> stop_{false};

 private:
  std::thread thread_;
  std::condition_variable ended_;
  std::exception_ptr error_;
  std::atomic<bool> done_{true};
};

}  // namespace kibitz
