#include "search/junqi_options.h"

namespace kibitz::junqi {

std::vector<OptionInfo> junqi_option_table() { KIBITZ_OPTION_ROWS(KIBITZ_JUNQI_OPTIONS) }

void set_junqi_option(JunqiOptions& options, const std::string& name, const std::string& text) {
  if (name == "weights") {
    options.weights = text;
    options.values = text.empty() ? Weights{} : read_weights(text);
    return;
  }
  KIBITZ_OPTION_SET(KIBITZ_JUNQI_OPTIONS)
}

Cost cost_of_change(const JunqiOptions& before, const JunqiOptions& after) {
  KIBITZ_OPTION_COST(KIBITZ_JUNQI_OPTIONS)
}

namespace {

Prune pruning_of(JunqiPruning word) {
  switch (word) {
    case JunqiPruning::kNone:
      return Prune::kNone;
    case JunqiPruning::kProgressive:
      return Prune::kProgressive;
    case JunqiPruning::kStatistical:
      return Prune::kStatistical;
  }
  return Prune::kNone;
}

}  // namespace

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

SearchConfig JunqiOptions::config() const {
  const bool classic = mode == JunqiMode::kClassic;
  SearchConfig config;
  config.depth = static_cast<int>(classic && depth == JunqiOptions{}.depth ? 3 : depth);
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
  config.prune = pruning_of(prune);
  config.threads = static_cast<int>(threads);
  config.seed = static_cast<std::uint64_t>(seed);
  config.classic = classic;
  return config;
}

}  // namespace kibitz::junqi
