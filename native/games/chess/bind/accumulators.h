// Chess networks of sums as Python holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "games/chess/evaluate/accumulators.h"

namespace kibitz::bind {

struct ChessAccumulators {
  std::shared_ptr<const chess::Accumulators> network;
};

void bind_chess_accumulators(nanobind::module_& m);

}  // namespace kibitz::bind
