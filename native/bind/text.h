// Text between Python and the core, in one place: every binding file includes this instead of
// nanobind's casters of strings.
//
// The core takes bytes and judges them itself, so no str may fail on the way in. A str can hold
// surrogates that UTF-8 has no bytes for: those that stand for undecodable bytes of the command
// line or of a file name become those bytes again, others are written as \udXXX. On the way out,
// bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace kibitz::bind {

/// The UTF-8 of a str. `kept` holds the bytes where Python has none to lend.
inline bool utf8(nanobind::handle text, std::string& kept, std::string_view& utf8_text) noexcept {
  if (!PyUnicode_Check(text.ptr())) return false;
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
    utf8_text = {bytes, static_cast<std::size_t>(size)};
    return true;
  }
  PyErr_Clear();
  for (const char* policy : {"surrogateescape", "backslashreplace"}) {
    if (PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", policy)) {
      kept.assign(PyBytes_AsString(encoded), static_cast<std::size_t>(PyBytes_Size(encoded)));
      Py_DECREF(encoded);
      utf8_text = kept;
      return true;
    }
    PyErr_Clear();
  }
  return false;
}

inline PyObject* to_str(std::string_view bytes) noexcept {
  return PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
}

/// Makes exceptions of the core Python's, whatever bytes their message quotes.
void bind_errors();

}  // namespace kibitz::bind

namespace nanobind::detail {

template <>
struct type_caster<std::string> {
  NB_TYPE_CASTER(std::string, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    std::string_view utf8_text;
    if (!kibitz::bind::utf8(source, value, utf8_text)) return false;
    if (utf8_text.data() != value.data()) value.assign(utf8_text);
    return true;
  }

  static handle from_cpp(const std::string& value, rv_policy, cleanup_list*) noexcept {
    return kibitz::bind::to_str(value);
  }
};

template <>
struct type_caster<std::string_view> {
  NB_TYPE_CASTER(std::string_view, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    return kibitz::bind::utf8(source, kept_, value);
  }

  static handle from_cpp(std::string_view value, rv_policy, cleanup_list*) noexcept {
    return kibitz::bind::to_str(value);
  }

 private:
  std::string kept_;
};

}  // namespace nanobind::detail
