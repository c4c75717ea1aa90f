// The parts of Othello's binding that have files of their own.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_othello_solver(nanobind::module_& m);
void bind_othello_evaluation(nanobind::module_& m);

}  // namespace kibitz::bind
