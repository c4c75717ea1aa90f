// Background work whose owner is a Python object.
#pragma once

#include <nanobind/nanobind.h>

#include "base/background_work.h"
#include "bind/checks.h"

namespace kibitz::bind {

/// Call `wait` without the interpreter's lock.
class BackgroundJob : public BackgroundWork {
 public:
  /// Refuses seconds that are no number.
  bool wait(double seconds) { return BackgroundWork::wait(checked_seconds(seconds)); }

 protected:
  ~BackgroundJob() = default;

  /// Python drops its objects with the lock held, and the work may want it.
  void finish() {
    const nanobind::gil_scoped_release unlocked;
    BackgroundWork::finish();
  }
};

}  // namespace kibitz::bind
