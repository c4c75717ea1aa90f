#include "games/chess/style/options.h"

namespace kibitz::style {

std::vector<OptionInfo> style_option_table() { KIBITZ_OPTION_ROWS(KIBITZ_STYLE_OPTIONS) }

void set_style_option(StyleOptions& options, const std::string& name,
                      const std::string& text){KIBITZ_OPTION_SET(KIBITZ_STYLE_OPTIONS)}

Cost cost_of_change(const StyleOptions& before, const StyleOptions& after) {
  KIBITZ_OPTION_COST(KIBITZ_STYLE_OPTIONS)
}

}  // namespace kibitz::style
