// Wall-clock time for budgets, and the one place that knows how long a second is.
#pragma once

#include <chrono>

namespace kibitz {

/// Seconds since construction or the last restart.
class Stopwatch {
 public:
  Stopwatch() { restart(); }
  void restart() { start_ = std::chrono::steady_clock::now(); }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

}  // namespace kibitz
