// The alpha-beta search of chess in Python.
#include "games/chess/search/alpha_beta.h"

#include <nanobind/nanobind.h>

#include <functional>

#include "bind/alpha_beta_binding.h"
#include "games/chess/bind/accumulators.h"
#include "games/chess/bind/parts.h"

namespace nb = nanobind;

namespace kibitz::bind {
namespace {

std::function<ChessJudge()> judges_of(const ChessAccumulators* network) {
  return [kept = network ? network->network : nullptr] { return ChessJudge(kept); };
}

}  // namespace

void bind_chess_alpha_beta(nb::module_& m) {
  bind_alpha_beta<ChessJudge>(m, "ChessAlphaBeta", &judges_of,
                              nb::arg("network").none() = nb::none());
}

}  // namespace kibitz::bind
