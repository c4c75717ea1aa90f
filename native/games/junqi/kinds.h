// The twelve kinds of piece, sets of kinds, and battle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kibitz::junqi {

/// In the order of the `.jql` codes 2 to 13; from kCommander on, a smaller number is a higher rank.
enum class Kind : std::uint8_t {
  kFlag,
  kMine,
  kBomb,
  kCommander,
  kGeneral,
  kDivision,
  kBrigade,
  kRegiment,
  kBattalion,
  kCompany,
  kPlatoon,
  kEngineer,
  kUnknown
};

inline constexpr int kKinds = 12;
inline constexpr int kArmy = 25;

/// How many of each kind an army has.
inline constexpr std::array<int, kKinds> kInventory = {1, 3, 2, 1, 1, 2, 2, 2, 2, 3, 3, 3};

/// A set of kinds, one bit each.
using KindSet = std::uint16_t;
inline constexpr KindSet kAllKinds = (1u << kKinds) - 1;
constexpr KindSet set_of(Kind kind) { return static_cast<KindSet>(1u << static_cast<int>(kind)); }
inline constexpr KindSet kStatic = set_of(Kind::kFlag) | set_of(Kind::kMine);
inline constexpr KindSet kMobile = kAllKinds & ~kStatic;

constexpr bool is_ranked(Kind kind) { return kind >= Kind::kCommander && kind <= Kind::kEngineer; }
constexpr bool is_mobile(Kind kind) { return kind >= Kind::kBomb && kind <= Kind::kEngineer; }

/// What everyone sees of a move.
enum class Outcome : std::uint8_t { kMove, kWon, kLost, kBothDied };

/// The first rule that matches decides; the attacker can move.
constexpr Outcome battle(Kind attacker, Kind defender) {
  if (attacker == Kind::kBomb || defender == Kind::kBomb) return Outcome::kBothDied;
  if (defender == Kind::kFlag) return Outcome::kWon;
  if (defender == Kind::kMine) return attacker == Kind::kEngineer ? Outcome::kWon : Outcome::kLost;
  if (attacker == defender) return Outcome::kBothDied;
  return attacker < defender ? Outcome::kWon : Outcome::kLost;
}

/// Letters of the notation: `F` flag, `M` mine, `B` bomb, 9 commander down to 1 engineer, `?`.
inline constexpr std::string_view kKindLetters = "FMB987654321?";
inline char kind_letter(Kind kind) { return kKindLetters[static_cast<std::size_t>(kind)]; }
std::optional<Kind> kind_of_letter(char letter);

/// `commander`, `engineer`, ...
const char* kind_name(Kind kind);
/// The Chinese name.
const char* kind_chinese(Kind kind);
/// Letters of a set, such as `MF1`.
std::string kinds_text(KindSet kinds);

}  // namespace kibitz::junqi
