#include "bind/text.h"

#include <exception>
#include <stdexcept>

namespace kibitz::bind {
namespace {

void raise(PyObject* type, const std::exception& error) {
  if (PyObject* text = to_str(error.what())) {
    PyErr_SetObject(type, text);
    Py_DECREF(text);
  }
}

}  // namespace

void bind_errors() {
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::invalid_argument& error) {
      raise(PyExc_ValueError, error);
    }
  });
}

}  // namespace kibitz::bind
