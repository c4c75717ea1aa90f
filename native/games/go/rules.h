// The rules of Go that differ from place to place, as KataGo names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kibitz::go {

enum class Ko : std::uint8_t { kSimple, kPositional, kSituational };
enum class Scoring : std::uint8_t { kArea, kTerritory };
enum class Tax : std::uint8_t { kNone, kSeki, kAll };
enum class HandicapBonus : std::uint8_t { kZero, kNMinusOne, kN };

/// Everything but the komi, which belongs to a game more than to a rule set.
struct Rules {
  Ko ko = Ko::kPositional;
  Scoring scoring = Scoring::kArea;
  Tax tax = Tax::kNone;
  bool suicide = true;  // of several stones; a single stone may never take its own last liberty
  bool button = false;
  HandicapBonus handicap_bonus = HandicapBonus::kZero;
  bool friendly_pass = false;

  bool operator==(const Rules&) const = default;

  /// The komi a game under these rules has when nobody says.
  float usual_komi() const;

  /// A preset's name if it has one, else every field: `koSIMPLEscoreAREAtaxNONEsui0whbNfpok1`.
  std::string to_text() const;
  /// Reads both forms; throws std::invalid_argument that says what was expected.
  static Rules from_text(std::string_view text);
};

/// The names of the presets with their rules; each rule set once, under its usual name first.
const std::vector<std::pair<std::string, Rules>>& presets();

inline constexpr float kMostKomi = 400.0f;

}  // namespace kibitz::go
