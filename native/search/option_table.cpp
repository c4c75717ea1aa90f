#include "search/option_table.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace kibitz {

namespace {

/// Older spellings of options, accepted wherever the present one is and shown nowhere.
constexpr std::pair<std::string_view, std::string_view> kOlderNames[] = {
    {"forced_in_root_value", "guaranteed_in_root_value"},
};

}  // namespace

std::string current_option_name(const std::string& name) {
  for (const auto& [older, current] : kOlderNames)
    if (name == older) return std::string(current);
  return name;
}

}  // namespace kibitz

namespace kibitz::option_values {

/// kThirdWord -> third-word
static std::string word_for(std::string_view enumerator) {
  std::string word;
  for (const char c : enumerator.substr(1)) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !word.empty()) word += '-';
    word += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word;
}

std::vector<std::string> words_in(std::string_view enumerators) {
  constexpr std::string_view kBetween = "(), ";
  std::vector<std::string> words;
  for (std::size_t begin = 0, end = 0;; begin = end) {
    begin = enumerators.find_first_not_of(kBetween, begin);
    if (begin == std::string_view::npos) return words;
    end = enumerators.find_first_of(kBetween, begin);
    words.push_back(word_for(enumerators.substr(begin, end - begin)));
  }
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

std::size_t word_index(const std::vector<std::string>& words, const std::string& name,
                       const std::string& text) {
  const auto at = std::find(words.begin(), words.end(), text);
  if (at == words.end()) {
    std::string expected = "one of";
    for (const auto& word : words) expected += " " + word;
    refuse(name, expected, text);
  }
  return static_cast<std::size_t>(at - words.begin());
}

void refuse_unknown(const std::string& name) {
  throw std::invalid_argument("unknown option " + name);
}

PeerOption katago(const std::string& name) { return {"katago", name, 0, 0, "", "", ""}; }

PeerOption katago(const std::string& name, double least, double most) {
  return {"katago", name, least, most, "", "", ""};
}

PeerOption katago_flag(const std::string& name, const std::string& when_true,
                       const std::string& when_false) {
  return {"katago", name, 0, 1, "", when_true, when_false};
}

PeerOption lc0(const std::string& name) { return {"lc0", name, 0, 0, "", "", ""}; }

PeerOption lc0(const std::string& name, const std::string& initial) {
  return {"lc0", name, 0, 0, initial, "", ""};
}

PeerOption lc0(const std::string& name, double least, double most, const std::string& initial) {
  return {"lc0", name, least, most, initial, "", ""};
}

OptionInfo row(OptionInfo info) {
  for (PeerOption& peer : info.peers) {
    if (peer.least == peer.most) {
      peer.least = info.least;
      peer.most = info.most;
    }
    if (peer.initial.empty()) peer.initial = info.initial;
    if (info.kind == "flag" && peer.when_true.empty()) {
      peer.when_true = "true";
      peer.when_false = "false";
    }
  }
  return info;
}

}  // namespace kibitz::option_values
