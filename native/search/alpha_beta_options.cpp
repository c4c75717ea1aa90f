#include "search/alpha_beta_options.h"

namespace kibitz {

std::vector<OptionInfo> alpha_beta_option_table() { KIBITZ_OPTION_ROWS(KIBITZ_ALPHA_BETA_OPTIONS) }

void set_alpha_beta_option(AlphaBetaOptions& options, const std::string& name,
                           const std::string& text){KIBITZ_OPTION_SET(KIBITZ_ALPHA_BETA_OPTIONS)}

Cost cost_of_change(const AlphaBetaOptions& before, const AlphaBetaOptions& after) {
  KIBITZ_OPTION_COST(KIBITZ_ALPHA_BETA_OPTIONS)
}

}  // namespace kibitz
