// The exponential, a vector at a time: activations and softmax are made of it.
#pragma once

#include "nets/lanes.h"

namespace kibitz::nets {

/// e^x to a few units in the last place; large x are cut off where e^x would overflow.
inline Floats exponential(Floats x) {
  x = x < all(-87.0f) ? all(-87.0f) : x;
  x = x > all(88.0f) ? all(88.0f) : x;
  // x = n ln 2 + r. Adding 1.5 * 2^23 rounds to a whole number in the low bits.
  const Floats magic = all(12582912.0f);
  const Floats shifted = fused(x, 1.44269504f, magic);
  const Floats n = shifted - magic;
  Floats r = fused(n, -0.693359375f, x);
  r = fused(n, 2.12194440e-4f, r);
  Floats sum = all(1.9875691500e-4f);
  for (const float factor :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    sum = fused(sum, r, all(factor));
  sum = fused(sum, r * r, r) + 1.0f;
  const Ints power = (reinterpret_cast<Ints>(shifted) << 23) + (127 << 23);
  return sum * reinterpret_cast<Floats>(power);
}

}  // namespace kibitz::nets
