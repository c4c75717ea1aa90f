// Noughts and crosses in Python: all that a game without anything of its own needs.
#include "bind/game_binding.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "bind/selfplay_binding.h"
#include "tests/games/noughts/noughts.h"

namespace kibitz::bind {

using test::Noughts;

void bind_noughts(nanobind::module_& m) {
  auto bound = bind_game<Noughts>(m, "Noughts", "A position of noughts and crosses.");
  bind_sample(bound);
  bind_tree_search<Noughts>(m, "NoughtsSearch");
  bind_selfplay<Noughts>(m, "NoughtsSelfplay");
}

}  // namespace kibitz::bind
