// Background work whose owner is a Python object.
#pragma once

#include <nanobind/nanobind.h>

#include "base/background_work.h"
#include "bind/checks.h"

namespace kibitz::bind {

/// `wait` for Python, where `seconds` are checked. Others get the interpreter's lock during a wait.
/// A mere look at work that runs keeps it: to get it back takes as long as the others like.
template <class Work>
bool wait_unlocked(Work& work, double seconds) {
  const double most = checked_seconds(seconds);
  if (most <= 0 && work.running()) return false;
  const nanobind::gil_scoped_release unlocked;
  return work.wait(most);
}

class BackgroundJob : public BackgroundWork {
 protected:
  ~BackgroundJob() = default;

  /// Python drops its objects with the lock held, and the work may want it.
  void finish() {
    const nanobind::gil_scoped_release unlocked;
    BackgroundWork::finish();
  }
};

}  // namespace kibitz::bind
