#include "evaluate/junqi_weights.h"

#include <cmath>
#include <stdexcept>

namespace kibitz::junqi {
namespace {

double Weights::* field(const std::string& name) {
#define KIBITZ_WEIGHT(section, key, value, doc) \
  if (name == #section "." #key) return &Weights::section##_##key;
  KIBITZ_JUNQI_WEIGHTS(KIBITZ_WEIGHT)
#undef KIBITZ_WEIGHT
  throw std::invalid_argument("no weight \"" + name + "\"");
}

}  // namespace

double Weights::worth(Kind kind) const {
  const double worths[kKinds] = {pieces_flag,      pieces_mine,     pieces_bomb,
                                 pieces_commander, pieces_general,  pieces_division,
                                 pieces_brigade,   pieces_regiment, pieces_battalion,
                                 pieces_company,   pieces_platoon,  pieces_engineer};
  return worths[static_cast<int>(kind)];
}

void Weights::set(const std::string& name, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("weight " + name + " must be a number");
  this->*field(name) = value;
}

double Weights::get(const std::string& name) const { return this->*field(name); }

std::vector<WeightInfo> weight_table() {
  return {
#define KIBITZ_WEIGHT(section, name, value, doc) {#section, #name, doc, value},
      KIBITZ_JUNQI_WEIGHTS(KIBITZ_WEIGHT)
#undef KIBITZ_WEIGHT
  };
}

}  // namespace kibitz::junqi
