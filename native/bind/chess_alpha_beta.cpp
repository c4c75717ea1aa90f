// The alpha-beta search of chess in Python, and the options of the family.
#include "search/chess_alpha_beta.h"

#include <nanobind/nanobind.h>

#include <functional>

#include "bind/alpha_beta_binding.h"
#include "bind/bind.h"
#include "bind/chess_accumulators.h"
#include "bind/option_binding.h"
#include "search/alpha_beta_options.h"

namespace nb = nanobind;

namespace kibitz::bind {
namespace {

std::function<ChessJudge()> judges_of(const ChessAccumulators* network) {
  return [kept = network ? network->network : nullptr] { return ChessJudge(kept); };
}

}  // namespace

void bind_chess_alpha_beta(nb::module_& m) {
  nb::class_<AlphaBetaOptions> options(m, "AlphaBetaOptions",
                                       "Values of the options of the alpha-beta family.");
  bind_option_class(options, &set_alpha_beta_option);
  KIBITZ_BIND_OPTION_FIELDS(KIBITZ_ALPHA_BETA_OPTIONS, AlphaBetaOptions, options)
  m.def("alpha_beta_option_table", &alpha_beta_option_table,
        "Every option of the alpha-beta family.");
  bind_alpha_beta<ChessJudge>(m, "ChessAlphaBeta", &judges_of,
                              nb::arg("network").none() = nb::none());
}

}  // namespace kibitz::bind
