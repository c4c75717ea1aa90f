// The inputs of the chess network (nnue.h): each piece on its square, as a side sees the board. A
// side looks from its own end, mirrored so that its king is on files e to h, and has other weights
// for each region its king can be in.
#pragma once

#include "games/chess/board.h"

namespace kibitz::chess {

struct NnueFeatures {
  static constexpr int kPlaces = 12 * 64;  // own pieces, then the other side's, by kind and square
  static constexpr int kKingRegions = 4;
  static constexpr int kCount = kKingRegions * kPlaces;
};

/// How a side sees the board. Two boards that it sees alike have the same features where they have
/// the same pieces.
struct NnueView {
  int turn;   // exclusive-or for squares
  int first;  // the first feature of the king's region
  int side;

  NnueView(int viewer, int king) : side(viewer) {
    turn = (viewer == kWhite ? 0 : 56) ^ (file_of(king) < 4 ? 7 : 0);
    const int seen = king ^ turn, rank = rank_of(seen);
    const int region = rank == 0 ? (file_of(seen) < 6 ? 0 : 1) : rank == 1 ? 2 : 3;
    first = region * NnueFeatures::kPlaces;
  }
  bool operator==(const NnueView&) const = default;

  int feature(int who, int piece, int square) const {
    return first + 64 * ((who == side ? 0 : 6) + piece) + (square ^ turn);
  }
};

/// Positions by the number of pieces; each group has output weights of its own.
inline constexpr int kNnueOutputs = 8;
inline constexpr std::size_t kMostPieces = 32;
inline int nnue_output(int pieces) { return pieces >= 32 ? kNnueOutputs - 1 : (pieces - 1) / 4; }

}  // namespace kibitz::chess
