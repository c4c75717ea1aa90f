// Signed numbers and enumerators as indices: what the games count with is signed, what arrays take
// is not.
#pragma once

#include <cstddef>

namespace kibitz {

template <class T>
constexpr std::size_t as_index(T i) {
  return static_cast<std::size_t>(i);
}

}  // namespace kibitz
