// A struct of options in Python, from its table (search/option_table.h).
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <type_traits>

#include "bind/text.h"
#include "search/option_table.h"

namespace kibitz::bind {

/// A value as Python sees it: words instead of enumerators.
template <class Value>
auto python_value(const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return word_of(value);
  else
    return value;
}

/// What every class of options can do; `set` is the table's function that sets one.
template <class Options>
void bind_option_class(nanobind::class_<Options>& options,
                       void (*set)(Options&, const std::string&, const std::string&)) {
  using namespace nanobind::literals;
  options.def(nanobind::init<>());
  options.def(
      "set",
      [set](Options& self, const std::string& name, const std::string& text) {
        set(self, name, text);
      },
      "name"_a, "text"_a, "Sets an option from text; ValueError says what was expected.");
  options.def(
      "cost_of_change",
      [](const Options& before, const Options& after) { return cost_of_change(before, after); },
      "after"_a, "What becomes of a search with these options that is given others.");
}

}  // namespace kibitz::bind

/// Every row of TABLE as a read-only attribute.
#define KIBITZ_BIND_OPTION_FIELDS(TABLE, Class, options)                                 \
  const auto field = [&options](const char* name, auto member) {                         \
    (options).def_prop_ro(                                                               \
        name, [member](const Class& self) { return bind::python_value(self.*member); }); \
  };                                                                                     \
  using Bound = Class;                                                                   \
  TABLE(KIBITZ_BIND_FIELD, KIBITZ_BIND_FIELD, KIBITZ_BIND_FIELD, KIBITZ_BIND_FIELD,      \
        KIBITZ_BIND_FIELD)
#define KIBITZ_BIND_FIELD(name, ...) field(#name, &Bound::name);
