// Discs that can never be turned again: a floor under the score that needs no search.
#pragma once

#include "games/othello/bitboard.h"

namespace kibitz::othello {

/// Discs of `player` that no continuation of the game can turn. Finds many, not all of them: those
/// settled along the edges, those on four full lines, and what leans on either.
Bits stable_discs(Bits player, Bits opponent);

}  // namespace kibitz::othello
