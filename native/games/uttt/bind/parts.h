// The parts of ultimate tic-tac-toe's binding that have files of their own.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_uttt_solver(nanobind::module_& m);

}  // namespace kibitz::bind
