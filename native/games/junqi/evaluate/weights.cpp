#include "games/junqi/evaluate/weights.h"

#include <cmath>
#include <fstream>
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

Weights two_player_weights() {
  Weights weights;
  weights.behaviour_conduct = 1;
  return weights;
}

Weights read_weights(const std::string& path, Weights weights) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument("cannot read the weights file " + path);
  const auto trim = [](std::string text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return std::string();
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  };
  std::string section, line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto fail = [&](const std::string& why) {
      return std::invalid_argument(path + " line " + std::to_string(number) + ": " + why);
    };
    line = trim(line.substr(0, line.find_first_of("#;")));
    if (line.empty()) continue;
    if (line.front() == '[') {
      if (line.back() != ']') throw fail("a section ends with ]");
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const auto equals = line.find('=');
    if (equals == std::string::npos) throw fail("expected name = value");
    try {
      std::size_t used = 0;
      const std::string text = trim(line.substr(equals + 1));
      const double value = std::stod(text, &used);
      if (used != text.size()) throw fail("\"" + text + "\" is no number");
      weights.set(section + "." + trim(line.substr(0, equals)), value);
    } catch (const std::out_of_range&) {
      throw fail("the number is too large");
    } catch (const std::invalid_argument& error) {
      if (std::string(error.what()) == "stod") throw fail("the value is no number");
      if (std::string(error.what()).find(" line ") != std::string::npos) throw;
      throw fail(error.what());
    }
  }
  return weights;
}

}  // namespace kibitz::junqi
