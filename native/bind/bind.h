// What the files of bind/ add to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_search_types(nanobind::module_& m);
void bind_batcher(nanobind::module_& m);
void bind_network_program(nanobind::module_& m);
void bind_sparse_stem(nanobind::module_& m);

}  // namespace kibitz::bind
