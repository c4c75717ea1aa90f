// An error of a Python callable on its way through the core. nanobind's own exception can be handed
// back to Python once; this one as often as there are searches that waited for the callable.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <memory>
#include <utility>

namespace kibitz::bind {

class PythonFailure final : public std::exception {
 public:
  /// Call with the interpreter's lock.
  explicit PythonFailure(const nanobind::python_error& error)
      : PythonFailure(nanobind::borrow(error.value())) {}
  explicit PythonFailure(nanobind::object raised)
      : value_(new nanobind::object(std::move(raised)), [](nanobind::object* object) {
          // The last copy may be dropped on a search thread, which does not hold the lock.
          const nanobind::gil_scoped_acquire lock;
          delete object;
        }) {}

  const char* what() const noexcept override { return "Python code raised an error"; }
  void restore() const { PyErr_SetObject(value_->type().ptr(), value_->ptr()); }

 private:
  std::shared_ptr<nanobind::object> value_;
};

/// Makes every PythonFailure that reaches Python the error it was.
inline void register_python_failure() {
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const PythonFailure& failure) {
      failure.restore();
    }
  });
}

}  // namespace kibitz::bind
