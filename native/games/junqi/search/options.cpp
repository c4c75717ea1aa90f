#include "games/junqi/search/options.h"

namespace kibitz::junqi {

std::vector<OptionInfo> junqi_option_table() { KIBITZ_OPTION_ROWS(KIBITZ_JUNQI_OPTIONS) }

void set_junqi_option(JunqiOptions& options, const std::string& name, const std::string& text) {
  if (name == "weights") {
    options.weights = text;
    options.values = text.empty() ? Weights{} : read_weights(text);
    options.values_two =
        text.empty() ? two_player_weights() : read_weights(text, two_player_weights());
    return;
  }
  KIBITZ_OPTION_SET(KIBITZ_JUNQI_OPTIONS)
}

Cost cost_of_change(const JunqiOptions& before,
                    const JunqiOptions& after){KIBITZ_OPTION_COST(KIBITZ_JUNQI_OPTIONS)}

std::optional<Category> JunqiOptions::preferred_category() const {
  switch (style) {
    case JunqiStyle::kNone:
      return std::nullopt;
    case JunqiStyle::kAggressive:
      return Category::kAggressive;
    case JunqiStyle::kBalanced:
      return Category::kBalanced;
    case JunqiStyle::kDefensive:
      return Category::kDefensive;
    case JunqiStyle::kProbing:
      return Category::kProbing;
  }
  return std::nullopt;
}

}  // namespace kibitz::junqi
