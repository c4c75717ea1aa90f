#include "search/option_table.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace kibitz::option_values {

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

void refuse_unknown(const std::string& name) {
  throw std::invalid_argument("unknown option " + name);
}

}  // namespace kibitz::option_values
