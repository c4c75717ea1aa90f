// The parts of chess's binding that have files of their own.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_chess_alpha_beta(nanobind::module_& m);
void bind_chess_nnue(nanobind::module_& m);
void bind_style(nanobind::module_& m);

}  // namespace kibitz::bind
