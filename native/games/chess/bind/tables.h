// Syzygy tables inside the tree: a Python prober as the oracle of chess searches.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "evaluate/evaluator.h"
#include "games/chess/game.h"

namespace kibitz::bind {

/// The oracle that searches configured from now on ask; null for none.
std::shared_ptr<const Oracle<Chess>> chess_tables();
void bind_chess_tables(nanobind::module_& m);

}  // namespace kibitz::bind
