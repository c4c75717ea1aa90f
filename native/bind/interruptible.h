// A count that may take for ever, run so that Ctrl-C is heard.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>

namespace kibitz::bind {

/// `work(stop)` on a thread of its own. Call with the interpreter's lock, which is given up
/// meanwhile.
template <class Work>
std::uint64_t interruptible(const Work& work) {
  using namespace std::chrono_literals;
  std::atomic<bool> stop{false};
  auto answer = std::async(std::launch::async, [&] { return work(&stop); });
  for (;;) {
    {
      const nanobind::gil_scoped_release unlocked;
      if (answer.wait_for(50ms) == std::future_status::ready) break;
    }
    if (PyErr_CheckSignals() != 0) {
      stop = true;
      const nanobind::gil_scoped_release unlocked;
      answer.wait();
      break;
    }
  }
  if (PyErr_Occurred()) throw nanobind::python_error();
  return answer.get();
}

}  // namespace kibitz::bind
