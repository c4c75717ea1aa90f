#include "search/junqi_options.h"

#include <stdexcept>

namespace kibitz::junqi {

using namespace option_values;

std::vector<OptionInfo> junqi_option_table() {
  std::vector<OptionInfo> rows;
#define KIBITZ_INT(name, value, least, most, doc) \
  rows.push_back({#name, "int", std::to_string(value), doc, double(least), double(most), {}});
#define KIBITZ_REAL(name, value, least, most, doc) \
  rows.push_back({#name, "real", shown(value), doc, least, most, {}});
#define KIBITZ_FLAG(name, value, doc) \
  rows.push_back({#name, "flag", (value) ? "true" : "false", doc, 0, 1, {}});
#define KIBITZ_WORD(name, value, choices, doc) \
  rows.push_back({#name, "word", value, doc, 0, 0, split(choices)});
  KIBITZ_JUNQI_OPTIONS(KIBITZ_INT, KIBITZ_REAL, KIBITZ_FLAG, KIBITZ_WORD)
#undef KIBITZ_INT
#undef KIBITZ_REAL
#undef KIBITZ_FLAG
#undef KIBITZ_WORD
  return rows;
}

void set_junqi_option(JunqiOptions& options, const std::string& name, const std::string& text) {
  if (name == "weights") {
    options.weights = text;
    options.values = text.empty() ? Weights{} : read_weights(text);
    return;
  }
#define KIBITZ_INT(field, value, least, most, doc) \
  if (name == #field) return assign_int(options.field, name, text, least, most);
#define KIBITZ_REAL(field, value, least, most, doc) \
  if (name == #field) return assign_real(options.field, name, text, least, most);
#define KIBITZ_FLAG(field, value, doc) \
  if (name == #field) return assign_flag(options.field, name, text);
#define KIBITZ_WORD(field, value, choices, doc) \
  if (name == #field) return assign_word(options.field, name, text, choices);
  KIBITZ_JUNQI_OPTIONS(KIBITZ_INT, KIBITZ_REAL, KIBITZ_FLAG, KIBITZ_WORD)
#undef KIBITZ_INT
#undef KIBITZ_REAL
#undef KIBITZ_FLAG
#undef KIBITZ_WORD
  throw std::invalid_argument("unknown option " + name);
}

SearchConfig JunqiOptions::config() const {
  SearchConfig config;
  config.depth = static_cast<int>(mode == "classic" && depth == JunqiOptions{}.depth ? 3 : depth);
  config.beam_width = static_cast<int>(beam_width);
  config.reply_width = static_cast<int>(reply_width);
  config.root_width = static_cast<int>(root_width);
  config.discount = discount;
  config.time_limit_ms = 0;
  config.use_alpha_beta = use_alpha_beta;
  config.use_table = use_table;
  config.iterative = iterative;
  config.quiescence = static_cast<int>(quiescence);
  config.worlds = static_cast<int>(worlds);
  config.samples = static_cast<int>(samples);
  config.apply_style_filter_first_ply = apply_style_filter_first_ply;
  config.prune = prune == "progressive"   ? Prune::kProgressive
                 : prune == "statistical" ? Prune::kStatistical
                                          : Prune::kNone;
  config.threads = static_cast<int>(threads);
  config.seed = static_cast<std::uint64_t>(seed);
  config.classic = mode == "classic";
  return config;
}

}  // namespace kibitz::junqi
