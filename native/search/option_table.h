// What a search's table of options is turned into: fields, checks, and rows for whoever shows them.
//
// A table is a macro that is given four others and applies one to each row:
//
//     #define MY_OPTIONS(INT, REAL, FLAG, WORD)        \
//       INT (name, default, least, most, what it does) \
//       REAL(name, default, least, most, what it does) \
//       FLAG(name, default, what it does)              \
//       WORD(name, default, choices, what it does)
//
//     struct MyOptions { KIBITZ_OPTION_FIELDS(MY_OPTIONS) };
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kibitz {

/// A row of a table, for whoever shows or checks options.
struct OptionInfo {
  std::string name, kind, initial, doc;
  double least = 0, most = 0;
  std::vector<std::string> choices;
};

/// The parts of the macros below. Those that assign throw std::invalid_argument that says what the
/// option takes.
namespace option_values {
std::vector<std::string> split(const std::string& choices);
std::string shown(double x);
void assign_int(std::int64_t& out, const std::string& name, const std::string& text,
                std::int64_t least, std::int64_t most);
void assign_real(double& out, const std::string& name, const std::string& text, double least,
                 double most);
void assign_flag(bool& out, const std::string& name, const std::string& text);
void assign_word(std::string& out, const std::string& name, const std::string& text,
                 const std::string& choices);
[[noreturn]] void refuse_unknown(const std::string& name);
}  // namespace option_values

}  // namespace kibitz

// clang-format off
/// The fields of a struct of options, with their defaults.
#define KIBITZ_OPTION_FIELDS(TABLE)                                                              \
  TABLE(KIBITZ_INT_FIELD, KIBITZ_REAL_FIELD, KIBITZ_FLAG_FIELD, KIBITZ_WORD_FIELD)
#define KIBITZ_INT_FIELD(name, value, least, most, doc) std::int64_t name = value;
#define KIBITZ_REAL_FIELD(name, value, least, most, doc) double name = value;
#define KIBITZ_FLAG_FIELD(name, value, doc) bool name = value;
#define KIBITZ_WORD_FIELD(name, value, choices, doc) std::string name = value;

/// The body of a function that gives every row.
#define KIBITZ_OPTION_ROWS(TABLE)                                                                \
  using namespace ::kibitz::option_values;                                                       \
  return {TABLE(KIBITZ_INT_ROW, KIBITZ_REAL_ROW, KIBITZ_FLAG_ROW, KIBITZ_WORD_ROW)};
#define KIBITZ_INT_ROW(name, value, least, most, doc)                                            \
  {#name, "int", std::to_string(value), doc, double(least), double(most), {}},
#define KIBITZ_REAL_ROW(name, value, least, most, doc)                                           \
  {#name, "real", shown(value), doc, least, most, {}},
#define KIBITZ_FLAG_ROW(name, value, doc)                                                        \
  {#name, "flag", (value) ? "true" : "false", doc, 0, 1, {}},
#define KIBITZ_WORD_ROW(name, value, choices, doc)                                               \
  {#name, "word", value, doc, 0, 0, split(choices)},

/// The body of `void set(Options& options, const std::string& name, const std::string& text)`.
#define KIBITZ_OPTION_SET(TABLE)                                                                 \
  using namespace ::kibitz::option_values;                                                       \
  TABLE(KIBITZ_INT_SET, KIBITZ_REAL_SET, KIBITZ_FLAG_SET, KIBITZ_WORD_SET)                       \
  refuse_unknown(name);
#define KIBITZ_INT_SET(field, value, least, most, doc)                                           \
  if (name == #field) return assign_int(options.field, name, text, least, most);
#define KIBITZ_REAL_SET(field, value, least, most, doc)                                          \
  if (name == #field) return assign_real(options.field, name, text, least, most);
#define KIBITZ_FLAG_SET(field, value, doc)                                                       \
  if (name == #field) return assign_flag(options.field, name, text);
#define KIBITZ_WORD_SET(field, value, choices, doc)                                              \
  if (name == #field) return assign_word(options.field, name, text, choices);
// clang-format on
