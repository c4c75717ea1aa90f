// The module `_cpu`: asked by the loader which of the compiled cores this CPU can run.
#include <nanobind/nanobind.h>

#include "bind/cpu_levels.h"

namespace nb = nanobind;

NB_MODULE(_cpu, m) {
  m.def(
      "levels",
      [] {
        nb::list names;
        for (const char* level : kibitz::cpu_levels()) names.append(level);
        return nb::typed<nb::list, nb::str>(names);
      },
      "CPU levels this machine can run, worst first: ``baseline``, ``v3``, ``v4``.");
}
