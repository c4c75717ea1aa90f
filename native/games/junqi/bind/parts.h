// The parts of Junqi's binding that have files of their own.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_junqi_search(nanobind::module_& m);

}  // namespace kibitz::bind
