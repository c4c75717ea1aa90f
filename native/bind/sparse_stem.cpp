// The first convolution of a network in Python.
#include "nets/sparse_stem.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>

#include "bind/bind.h"
#include "bind/checks.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using Planes = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

nets::SparseStem make(const Planes& weights, int rows, int columns) {
  in_range("rows", rows, 1, 1024);
  in_range("columns", columns, 1, 1024);
  const auto size = [&](std::size_t i) { return static_cast<int>(weights.shape(i)); };
  return nets::SparseStem({weights.data(), weights.size()}, size(0), size(1), size(2), size(3),
                          rows, columns);
}

nb::ndarray<nb::numpy, float> run(const nets::SparseStem& stem, const Planes& planes) {
  const auto fits = [](std::size_t have, int want) {
    return have == static_cast<std::size_t>(want);
  };
  if (!fits(planes.shape(1), stem.inputs()) || !fits(planes.shape(2), stem.rows()) ||
      !fits(planes.shape(3), stem.columns()))
    throw nb::value_error("planes of another shape than the network was made for");
  const std::size_t count = planes.shape(0);
  auto out = std::make_unique<float[]>(count * stem.floats());
  {
    const nb::gil_scoped_release unlocked;
    stem.run(planes.data(), static_cast<int>(count), out.get());
  }
  const std::size_t shape[] = {count, static_cast<std::size_t>(stem.rows()),
                               static_cast<std::size_t>(stem.columns()),
                               static_cast<std::size_t>(stem.outputs())};
  float* data = out.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return nb::ndarray<nb::numpy, float>(data, 4, shape, owner);
}

}  // namespace

void bind_sparse_stem(nb::module_& m) {
  nb::class_<nets::SparseStem>(m, "SparseStem",
                               "A convolution of planes that are mostly zeros, for one board size.")
      .def(nb::new_(&make), "weights"_a, "rows"_a, "columns"_a)
      .def("__call__", &run, "planes"_a, "Points by channels: [n, rows, columns, outputs].");
}

}  // namespace kibitz::bind
