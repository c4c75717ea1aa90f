// How well a tree search knows the value of a move.
//
// What it averages is not independent, so the spread of its leaves says too little. How much the
// value moved while its visits doubled says more (docs/lab/compare.md).
#pragma once

#include <cstddef>
#include <span>

namespace kibitz {

/// Doublings whose changes make an error.
constexpr std::size_t kErrorDoublings = 3;

/// The standard error of a value with so many visits. `changes` are those of the last doublings,
/// `since` what it moved after them.
double value_error(std::span<const double> changes, double since, double visits);

}  // namespace kibitz
