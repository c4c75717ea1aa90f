// The native module: what all games share, then each game of the registry.
#include "bind/bind.h"
#include "bind/text.h"
// Another list of games: KIBITZ_GAME of CMakeLists.txt.
#ifndef KIBITZ_REGISTRY
#define KIBITZ_REGISTRY "games/registry.h"
#endif
#include KIBITZ_REGISTRY

namespace kibitz::bind {
#define KIBITZ_DECLARE_GAME(name) void bind_##name(nanobind::module_& m);
KIBITZ_GAMES(KIBITZ_DECLARE_GAME)
}  // namespace kibitz::bind

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
#define KIBITZ_BIND_GAME(name) kibitz::bind::bind_##name(m);
  KIBITZ_GAMES(KIBITZ_BIND_GAME)
}
