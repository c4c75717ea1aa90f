#include "games/othello/search/options.h"

namespace kibitz {

std::vector<OptionInfo> othello_option_table() { KIBITZ_OPTION_ROWS(KIBITZ_OTHELLO_OPTIONS) }

void set_othello_option(OthelloOptions& options, const std::string& name,
                        const std::string& text){KIBITZ_OPTION_SET(KIBITZ_OTHELLO_OPTIONS)}

Cost cost_of_change(const OthelloOptions& before, const OthelloOptions& after) {
  KIBITZ_OPTION_COST(KIBITZ_OTHELLO_OPTIONS)
}

}  // namespace kibitz
