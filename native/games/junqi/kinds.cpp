#include "games/junqi/kinds.h"

namespace kibitz::junqi {
namespace {

constexpr std::array<const char*, kKinds + 1> kKindNames = {
    "flag",     "mine",      "bomb",    "commander", "general",  "division", "brigade",
    "regiment", "battalion", "company", "platoon",   "engineer", "unknown"};
constexpr std::array<const char*, kKinds + 1> kChinese = {"军旗", "地雷", "炸弹", "司令", "军长",
                                                          "师长", "旅长", "团长", "营长", "连长",
                                                          "排长", "工兵", "未知"};

}  // namespace

std::optional<Kind> kind_of_letter(char letter) {
  const auto at = kKindLetters.find(
      letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<Kind>(at);
}

const char* kind_name(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
const char* kind_chinese(Kind kind) { return kChinese[static_cast<std::size_t>(kind)]; }

std::string kinds_text(KindSet kinds) {
  std::string out;
  for (int k = 0; k < kKinds; ++k)
    if (kinds >> k & 1) out += kind_letter(static_cast<Kind>(k));
  return out;
}

}  // namespace kibitz::junqi
