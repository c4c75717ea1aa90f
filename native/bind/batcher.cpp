// The batcher in Python: give it to several searches as their network.
#include "evaluate/batcher.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <utility>

#include "bind/bind.h"
#include "bind/checks.h"
#include "bind/network_function.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

void bind_batcher(nb::module_& m) {
  register_python_failure();
  nb::class_<Batcher>(
      m, "Batcher", nb::dynamic_attr(),
      "Joins the calls of searches that run at the same time, so that a network judges "
      "their positions together. Give it to each search in place of the network.")
      .def(nb::new_([](nb::object network, int most, int callers) {
             in_range("most", most, 1, 65536);
             in_range("callers", callers, 1, 65536);
             const bool optimistic = uses_optimism(network), styled = predicts_style(network);
             auto made = std::make_shared<Batcher>(network_from(std::move(network)), most, callers);
             made->uses_optimism = optimistic;
             made->predicts_style = styled;
             return made;
           }),
           "network"_a, "most"_a = 64, "callers"_a = 1)
      .def_ro("uses_optimism", &Batcher::uses_optimism)
      .def_ro("predicts_style", &Batcher::predicts_style)
      .def_prop_ro("calls", &Batcher::calls)
      .def_prop_ro("positions", &Batcher::positions);
}

}  // namespace kibitz::bind
