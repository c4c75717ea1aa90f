// The pattern evaluation of ultimate tic-tac-toe as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "games/uttt/evaluate/patterns.h"

namespace kibitz::bind {

struct UtttPatterns {
  std::shared_ptr<const uttt::Patterns> patterns;
};

void bind_uttt_patterns(nanobind::module_& m);

}  // namespace kibitz::bind
