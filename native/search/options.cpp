#include "search/options.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace kibitz {
namespace option_values {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
  return parts;
}

std::string shown(double x) {
  std::ostringstream out;
  out.precision(15);
  out << x;
  return out.str();
}

[[noreturn]] static void refuse(const std::string& name, const std::string& expected,
                                const std::string& text) {
  throw std::invalid_argument("option " + name + " takes " + expected + ", not '" + text + "'");
}

void assign_int(std::int64_t& out, const std::string& name, const std::string& text,
                std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    refuse(name, "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
           text);
  out = value;
}

void assign_real(double& out, const std::string& name, const std::string& text, double least,
                 double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // The comparison is written so that a NaN fails it.
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(value >= least && value <= most))
    refuse(name, "a number from " + shown(least) + " to " + shown(most), text);
  out = value;
}

void assign_flag(bool& out, const std::string& name, const std::string& text) {
  if (text == "true" || text == "yes" || text == "on" || text == "1")
    out = true;
  else if (text == "false" || text == "no" || text == "off" || text == "0")
    out = false;
  else
    refuse(name, "true or false", text);
}

void assign_word(std::string& out, const std::string& name, const std::string& text,
                 const std::string& choices) {
  const auto words = split(choices);
  if (std::find(words.begin(), words.end(), text) == words.end()) {
    std::string expected = "one of";
    for (const auto& word : words) expected += " " + word;
    refuse(name, expected, text);
  }
  out = text;
}

}  // namespace option_values

using namespace option_values;

std::vector<OptionInfo> option_table() {
  std::vector<OptionInfo> rows;
#define KIBITZ_INT(name, value, least, most, doc) \
  rows.push_back({#name, "int", std::to_string(value), doc, double(least), double(most), {}});
#define KIBITZ_REAL(name, value, least, most, doc) \
  rows.push_back({#name, "real", shown(value), doc, least, most, {}});
#define KIBITZ_FLAG(name, value, doc) \
  rows.push_back({#name, "flag", (value) ? "true" : "false", doc, 0, 1, {}});
#define KIBITZ_WORD(name, value, choices, doc) \
  rows.push_back({#name, "word", value, doc, 0, 0, split(choices)});
  KIBITZ_SEARCH_OPTIONS(KIBITZ_INT, KIBITZ_REAL, KIBITZ_FLAG, KIBITZ_WORD)
#undef KIBITZ_INT
#undef KIBITZ_REAL
#undef KIBITZ_FLAG
#undef KIBITZ_WORD
  return rows;
}

void set_option(Options& options, const std::string& name, const std::string& text) {
#define KIBITZ_INT(field, value, least, most, doc) \
  if (name == #field) return assign_int(options.field, name, text, least, most);
#define KIBITZ_REAL(field, value, least, most, doc) \
  if (name == #field) return assign_real(options.field, name, text, least, most);
#define KIBITZ_FLAG(field, value, doc) \
  if (name == #field) return assign_flag(options.field, name, text);
#define KIBITZ_WORD(field, value, choices, doc) \
  if (name == #field) return assign_word(options.field, name, text, choices);
  KIBITZ_SEARCH_OPTIONS(KIBITZ_INT, KIBITZ_REAL, KIBITZ_FLAG, KIBITZ_WORD)
#undef KIBITZ_INT
#undef KIBITZ_REAL
#undef KIBITZ_FLAG
#undef KIBITZ_WORD
  throw std::invalid_argument("unknown option " + name);
}

}  // namespace kibitz
