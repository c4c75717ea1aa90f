#include "games/chess/style/side_metrics.h"

#include <algorithm>
#include <bit>

#include "games/chess/style/squares.h"

namespace kibitz::style {
namespace {

/// Enemy pawns that a side's c, d and e pawns could take.
int tension(const Board& board, int side) {
  const Bits enemies = board.of(1 - side, chess::kPawn);
  int total = 0;
  for (Bits set = board.of(side, chess::kPawn) & kBreakFiles; set;)
    total += std::popcount(chess::pawn_attacks(side, pop_lowest(set)) & enemies);
  return total;
}

/// Locked pairs that close the position: all but those of d4 and d5, e4 and e5 that no pawn
/// supports, as after 1.e4 e5.
int closed_pairs(const Board& board) {
  const Bits white = board.of(chess::kWhite, chess::kPawn);
  const Bits black = board.of(chess::kBlack, chess::kPawn);
  const Bits locked = white & black >> 8;
  const Bits supported =
      chess::pawns_attack(chess::kWhite, white) | chess::pawns_attack(chess::kBlack, black) >> 8;
  return std::popcount(locked & (supported | ~kOwnCentre[chess::kWhite]));
}

struct Sums {
  long occupation = 0, control = 0, tension = 0;
  unsigned fianchettoes = 0;
};

}  // namespace

std::array<SideMetrics, 2> measure_sides(const Board& start, std::span<const Move> moves,
                                         const Window& window) {
  std::array<Sums, 2> sums;
  long closed = 0;
  int plies = 0;
  Board board = start;
  for (const Move move : moves) {
    if (plies >= window.plies) break;
    board.play(move);
    ++plies;
    closed += closed_pairs(board);
    for (int side = 0; side < 2; ++side) {
      Sums& sum = sums[static_cast<std::size_t>(side)];
      if (plies <= window.occupation)
        sum.occupation += std::popcount(board.of(side, chess::kPawn) &
                                        kOwnCentre[static_cast<std::size_t>(side)]);
      sum.control += distant_control(board, side);
      sum.tension += tension(board, side);
    }
    if (plies <= window.fianchetto)
      for (std::size_t i = 0; i < kFianchettoes.size(); ++i)
        if (stands(kFianchettoes[i], board))
          sums[static_cast<std::size_t>(kFianchettoes[i].side)].fianchettoes |= 1u << i;
  }
  std::array<SideMetrics, 2> out;
  if (plies == 0) return out;
  for (std::size_t side = 0; side < 2; ++side) {
    const Sums& sum = sums[side];
    const double n = plies;
    out[side].co = static_cast<double>(sum.occupation) / std::min(plies, window.occupation);
    out[side].dcc = static_cast<double>(sum.control) / (kControlUnit * n);
    out[side].fch = std::popcount(sum.fianchettoes);
    out[side].tension = static_cast<double>(sum.tension) / n;
    out[side].cl = static_cast<double>(closed) / n;
  }
  return out;
}

}  // namespace kibitz::style
