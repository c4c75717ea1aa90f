#include "games/chess/style/bonus.h"

#include <algorithm>

#include "games/chess/style/squares.h"

namespace kibitz::style {
namespace {

/// Is the bishop of this corner still at home, with the pawn's step about to make room for it?
bool prepares(const Fianchetto& corner, const Board& before, int from, int to) {
  return from == corner.bishop && to == corner.step &&
         (before.of(corner.side, chess::kBishop) & bit(corner.home)) != 0;
}

int sign(int x) { return (x > 0) - (x < 0); }

}  // namespace

double bonus(const Board& board, Move move, const BonusWeights& weights) {
  const int us = board.side, from = chess::from_square(move), to = chess::to_square(move);
  Board after = board;
  after.play(move);
  const bool pawn = (board.of(us, chess::kPawn) & bit(from)) != 0;
  const bool bishop = (board.of(us, chess::kBishop) & bit(from)) != 0;

  double sum = 0;
  for (const Fianchetto& corner : kFianchettoes) {
    if (corner.side != us) continue;
    if (bishop && to == corner.bishop && stands(corner, after)) sum += weights.fianchetto;
    if (pawn && prepares(corner, board, from, to)) sum += weights.prepare;
  }
  if (next_ply(board) < kContactPly && !makes_contact(board, move)) sum += weights.quiet;
  if (distant_control(after, us) > distant_control(board, us)) sum += weights.control;
  if (pawn) {
    const bool advance = chess::file_of(from) == chess::file_of(to);
    if (advance && (kEdgeFiles & bit(from))) sum += weights.flank;
    if (advance && (kOwnCentre[static_cast<std::size_t>(us)] & bit(to))) sum += weights.occupation;
  }
  if (weights.attack != 0)
    sum += weights.attack * sign(king_attack(after, us) - king_attack(board, us));
  if (weights.trade != 0 && trades(board, move, after)) sum += weights.trade;
  sum += weights.chain * sign(locked_pairs(after) - locked_pairs(board));
  return std::clamp(sum, -1.0, 1.0);
}

}  // namespace kibitz::style
