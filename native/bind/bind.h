// What the binding files share: the functions that fill the module, and templates that give every
// game the same face in Python.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_search_types(nanobind::module_& m);
void bind_batcher(nanobind::module_& m);
void bind_network_program(nanobind::module_& m);
void bind_sparse_stem(nanobind::module_& m);
void bind_othello(nanobind::module_& m);
void bind_go(nanobind::module_& m);
void bind_othello_solver(nanobind::module_& m);
void bind_othello_evaluation(nanobind::module_& m);
void bind_chess(nanobind::module_& m);
void bind_chess_alpha_beta(nanobind::module_& m);
void bind_uttt(nanobind::module_& m);
void bind_uttt_solver(nanobind::module_& m);
void bind_style(nanobind::module_& m);
void bind_junqi(nanobind::module_& m);
void bind_junqi_search(nanobind::module_& m);

}  // namespace kibitz::bind
