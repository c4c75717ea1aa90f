// A sentence for people as a code and its values; src/kibitz/texts has the words of each language.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kibitz {

struct Sentence {
  std::string code;
  std::vector<std::pair<std::string, std::string>> values{};
};

}  // namespace kibitz
