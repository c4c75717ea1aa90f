// Background work whose owner is a Python object.
#pragma once

#include <nanobind/nanobind.h>

#include "base/background_work.h"

namespace kibitz::bind {

/// Call `wait` without the interpreter's lock.
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
