// Who owns what: pass-alive chains (Benson), area, and areas that live independently of any seki.
#pragma once

#include <array>

#include "games/go/board.h"

namespace kibitz::go {

/// The owner of every cell; kEmpty where nobody is.
using Owners = std::array<Stone, kMostCells>;

/// What `area` counts beyond pass-alive stones and the points they enclose for certain.
struct AreaOptions {
  bool other_stones = false;      // stones that are not pass-alive, where nobody owns the point
  bool safe_territory = false;    // empty regions of any size among pass-alive stones only
  bool unsafe_territory = false;  // empty regions bordered by one colour only
  bool suicide = false;           // whether several stones may take their own last liberty
};

Owners area(const Board& board, const AreaOptions& options);

/// Stones and territory as area scoring without a tax counts them.
inline Owners full_area(const Board& board, bool suicide) {
  return area(board, {true, true, true, suicide});
}

/// Areas that touch no neutral point and have no chain in atari: life without seki. `regions` is
/// the number of white's such areas minus black's, for the group tax.
struct IndependentLife {
  Owners owners;
  int regions = 0;
};
IndependentLife independent_life(const Board& board, bool keep_territory, bool keep_stones,
                                 bool suicide);

/// White's points minus black's.
int balance(const Board& board, const Owners& owners);

}  // namespace kibitz::go
