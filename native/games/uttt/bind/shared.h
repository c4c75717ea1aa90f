// The tables that searches of ultimate tic-tac-toe may ask, set from Python.
#pragma once

#include <memory>

#include "games/uttt/solve/tables.h"

namespace kibitz::bind {

/// Only touched while the interpreter's lock is held; a search keeps the tables it was given.
std::shared_ptr<const uttt::Tables>& uttt_engine_tables();

}  // namespace kibitz::bind
