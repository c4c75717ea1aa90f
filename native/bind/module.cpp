// The native module. Each game and each shared family of types has a file of its own.
#include "bind/bind.h"
#include "bind/text.h"

NB_MODULE(KIBITZ_MODULE, m) {
  // A thread that waits for input when the program ends keeps objects alive; that is no leak of
  // ours.
  nanobind::set_leak_warnings(false);
  m.doc() = "The native core of Kibitz: rules, tree search, solvers.";
  kibitz::bind::bind_errors();
  kibitz::bind::bind_search_types(m);
  kibitz::bind::bind_batcher(m);
  kibitz::bind::bind_network_program(m);
  kibitz::bind::bind_sparse_stem(m);
  kibitz::bind::bind_othello(m);
  kibitz::bind::bind_go(m);
  kibitz::bind::bind_othello_solver(m);
  kibitz::bind::bind_othello_evaluation(m);
  kibitz::bind::bind_chess(m);
  kibitz::bind::bind_chess_alpha_beta(m);
  kibitz::bind::bind_uttt(m);
  kibitz::bind::bind_uttt_solver(m);
  m.attr("HAS_STYLE") = KIBITZ_STYLE != 0;
#if KIBITZ_STYLE
  kibitz::bind::bind_style(m);
#endif
  kibitz::bind::bind_junqi(m);
  kibitz::bind::bind_junqi_search(m);
}
