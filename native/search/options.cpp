#include "search/options.h"

namespace kibitz {

std::vector<OptionInfo> option_table() { KIBITZ_OPTION_ROWS(KIBITZ_SEARCH_OPTIONS) }

void set_option(Options& options, const std::string& name,
                const std::string& text){KIBITZ_OPTION_SET(KIBITZ_SEARCH_OPTIONS)}

Cost cost_of_change(const Options& before, const Options& after) {
  KIBITZ_OPTION_COST(KIBITZ_SEARCH_OPTIONS)
}

}  // namespace kibitz
