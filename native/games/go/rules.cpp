#include "games/go/rules.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace kibitz::go {
namespace {

Rules area(Ko ko, Tax tax, bool suicide, HandicapBonus bonus, bool friendly, bool button = false) {
  return {ko, Scoring::kArea, tax, suicide, button, bonus, friendly};
}
Rules territory(Tax tax) {
  return {Ko::kSimple, Scoring::kTerritory, tax, false, false, HandicapBonus::kZero, false};
}

constexpr const char* kKoWords[] = {"SIMPLE", "POSITIONAL", "SITUATIONAL"};
constexpr const char* kScoringWords[] = {"AREA", "TERRITORY"};
constexpr const char* kTaxWords[] = {"NONE", "SEKI", "ALL"};
constexpr const char* kBonusWords[] = {"0", "N-1", "N"};

/// Takes `prefix` off the front of `text`.
bool take(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <class Word, std::size_t kCount>
Word take_word(std::string_view& text, const char* field, const char* const (&words)[kCount]) {
  std::string expected;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (take(text, words[i])) return static_cast<Word>(i);
    expected += std::string(i ? ", " : "") + words[i];
  }
  throw std::invalid_argument(std::string("rules: ") + field + " takes one of " + expected +
                              ", not '" + std::string(text) + "'");
}

bool take_flag(std::string_view& text, const char* field) {
  constexpr const char* kWords[] = {"0", "1"};
  return take_word<int>(text, field, kWords) == 1;
}

}  // namespace

const std::vector<std::pair<std::string, Rules>>& presets() {
  using enum HandicapBonus;
  static const std::vector<std::pair<std::string, Rules>> table = {
      {"tromp-taylor", Rules{}},
      {"chinese", area(Ko::kSimple, Tax::kNone, false, kN, true)},
      {"chinese-ogs", area(Ko::kPositional, Tax::kNone, false, kN, true)},
      {"chinese-kgs", area(Ko::kPositional, Tax::kNone, false, kN, true)},
      {"japanese", territory(Tax::kSeki)},
      {"korean", territory(Tax::kSeki)},
      {"stone-scoring", area(Ko::kSimple, Tax::kAll, false, kZero, true)},
      {"ancient-area", area(Ko::kSimple, Tax::kAll, false, kZero, true)},
      {"ancient-territory", territory(Tax::kAll)},
      {"aga", area(Ko::kSituational, Tax::kNone, false, kNMinusOne, true)},
      {"bga", area(Ko::kSituational, Tax::kNone, false, kNMinusOne, true)},
      {"french", area(Ko::kSituational, Tax::kNone, false, kNMinusOne, true)},
      {"aga-button", area(Ko::kSituational, Tax::kNone, false, kNMinusOne, true, true)},
      {"new-zealand", area(Ko::kSituational, Tax::kNone, true, kZero, true)},
      {"ing", area(Ko::kPositional, Tax::kNone, true, kZero, true)},
      {"goe", area(Ko::kPositional, Tax::kNone, true, kZero, true)},
      {"nz", area(Ko::kSituational, Tax::kNone, true, kZero, true)},
  };
  return table;
}

float Rules::usual_komi() const {
  if (scoring == Scoring::kTerritory) return 6.5f;
  static const Rules new_zealand = from_text("new-zealand");
  return button || *this == new_zealand ? 7.0f : 7.5f;
}

std::string Rules::to_text() const {
  for (const auto& [name, rules] : presets())
    if (rules == *this) return name;
  std::string text = std::string("ko") + kKoWords[static_cast<int>(ko)];
  text += std::string("score") + kScoringWords[static_cast<int>(scoring)];
  text += std::string("tax") + kTaxWords[static_cast<int>(tax)];
  text += suicide ? "sui1" : "sui0";
  if (button) text += "button1";
  if (handicap_bonus != HandicapBonus::kZero)
    text += std::string("whb") + kBonusWords[static_cast<int>(handicap_bonus)];
  if (friendly_pass) text += "fpok1";
  return text;
}

Rules Rules::from_text(std::string_view text) {
  std::string name;
  for (const char c : text)
    name +=
        c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto squeezed = [](std::string word) {
    std::erase(word, '-');
    return word;
  };
  for (const auto& [preset, rules] : presets())
    if (squeezed(preset) == squeezed(name)) return rules;

  Rules rules;
  bool tax_given = false;
  std::string_view rest = text;
  while (!rest.empty()) {
    if (take(rest, "ko")) {
      rules.ko = take_word<Ko>(rest, "ko", kKoWords);
    } else if (take(rest, "scoring") || take(rest, "score")) {
      rules.scoring = take_word<Scoring>(rest, "score", kScoringWords);
    } else if (take(rest, "tax")) {
      rules.tax = take_word<Tax>(rest, "tax", kTaxWords);
      tax_given = true;
    } else if (take(rest, "sui")) {
      rules.suicide = take_flag(rest, "sui");
    } else if (take(rest, "button")) {
      rules.button = take_flag(rest, "button");
    } else if (take(rest, "whb")) {
      rules.handicap_bonus = take_word<HandicapBonus>(rest, "whb", kBonusWords);
    } else if (take(rest, "fpok")) {
      rules.friendly_pass = take_flag(rest, "fpok");
    } else {
      std::string names;
      for (const auto& [preset, unused] : presets()) names += (names.empty() ? "" : ", ") + preset;
      throw std::invalid_argument("unknown rules '" + std::string(text) + "', expected one of " +
                                  names);
    }
  }
  if (text.empty()) throw std::invalid_argument("rules are empty, expected a name such as chinese");
  if (!tax_given && rules.scoring == Scoring::kTerritory) rules.tax = Tax::kSeki;
  if (rules.button && rules.scoring == Scoring::kTerritory)
    throw std::invalid_argument("rules: a button needs area scoring");
  return rules;
}

}  // namespace kibitz::go
