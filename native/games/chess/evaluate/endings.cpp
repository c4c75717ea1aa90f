#include "games/chess/evaluate/endings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "games/chess/structure.h"

namespace kibitz::chess {
namespace {

/// All squares that a king on one of `kings` can go to.
Bits reached_by_king(Bits kings) {
  const Bits sides = (kings & ~kFileA) >> 1 | (kings & ~kFileH) << 1;
  const Bits row = kings | sides;
  return sides | row << 8 | row >> 8;
}

/// White has the pawn. For each pawn and white king the black kings that lose, one bit each; found
/// by going back from promotions until nothing changes.
class PawnTable {
 public:
  PawnTable() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (int pawn = 55; pawn >= 8; --pawn)
        for (int king = 0; king < 64; ++king)
          if (king != pawn) changed |= improve(pawn, king);
    }
  }
  bool wins(int pawn, int white, int black, bool white_moves) const {
    const auto& lost = white_moves ? white_to_move_ : black_to_move_;
    return lost[index(pawn, white)] >> black & 1;
  }

 private:
  static std::size_t index(int pawn, int king) {
    return static_cast<std::size_t>(pawn * 64 + king);
  }
  bool improve(int pawn, int king);

  std::array<Bits, 64 * 64> white_to_move_{}, black_to_move_{};
};

bool PawnTable::improve(int pawn, int king) {
  const Bits placed = ~(bit(pawn) | bit(king) | king_attacks(king));
  const Bits attacked = pawn_attacks(kWhite, pawn);
  // White to move.
  Bits wins = 0;
  for (Bits steps = king_attacks(king) & ~bit(pawn); steps;)
    wins |= black_to_move_[index(pawn, pop_lowest(steps))];
  const int ahead = pawn + 8;
  if (ahead != king) {
    if (ahead >= 56)
      wins |= king_attacks(king) & bit(ahead) ? ~bit(ahead) : ~(king_attacks(ahead) | bit(ahead));
    else
      wins |= black_to_move_[index(ahead, king)];
    if (rank_of(pawn) == 1 && ahead + 8 != king)
      wins |= black_to_move_[index(ahead + 8, king)] & ~bit(ahead);
  }
  wins &= placed & ~attacked;
  // Black to move: every step leads to a loss, and there is one.
  const bool guarded = king_attacks(king) & bit(pawn);
  const Bits steps = ~(king_attacks(king) | bit(king) | attacked | (guarded ? bit(pawn) : 0));
  const Bits loses = placed & reached_by_king(steps) & ~reached_by_king(steps & ~wins);
  Bits& white = white_to_move_[index(pawn, king)];
  Bits& black = black_to_move_[index(pawn, king)];
  const bool changed = white != wins || black != loses;
  white = wins;
  black = loses;
  return changed;
}

int distance(int a, int b) {
  return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

Bits pieces_of(const Board& board, int side) {
  return board.sides[side] & ~board.pieces[kPawn] & ~board.pieces[kKing];
}

/// No pawns, and no more than a minor piece or two knights, which win only if they are let.
bool cannot_win(const Board& board, int side) {
  if (board.of(side, kPawn)) return false;
  const Bits pieces = pieces_of(board, side);
  const int count = std::popcount(pieces);
  if (count <= 1) return !(pieces & (board.pieces[kRook] | board.pieces[kQueen]));
  return count == 2 && !(pieces & ~board.pieces[kKnight]);
}

/// Pawns on a rook's file alone, no piece that could drive the other king out of the corner before
/// them, and it is there.
bool wrong_corner(const Board& board, int side) {
  const Bits pawns = board.of(side, kPawn), pieces = pieces_of(board, side);
  if (!pawns || ((pawns & ~kFileA) && (pawns & ~kFileH))) return false;
  if (board.sides[1 - side] != board.of(1 - side, kKing)) return false;
  const int corner = (pawns & kFileA ? 0 : 7) + (side == kWhite ? 56 : 0);
  const Bits own = kDarkSquares & bit(corner) ? kDarkSquares : ~kDarkSquares;
  return !(pieces & ~board.pieces[kBishop]) && !(pieces & own) &&
         distance(board.king(1 - side), corner) <= 1;
}

/// Plies until a pawn queens that the other side, which has only its king, cannot stop; a large
/// number where there is none.
int plies_to_queen(const Board& board, int side) {
  constexpr int kNever = 100;
  const Bits foe = board.of(1 - side, kPawn);
  int best = kNever;
  for (Bits set = board.of(side, kPawn); set;) {
    const int pawn = pop_lowest(set), file = file_of(pawn);
    const Bits ahead = ranks_ahead(side, pawn);
    if ((board.occupied() & ahead & file_bits(file)) || (foe & ahead & files_beside(file)))
      continue;
    const int rank = side == kWhite ? rank_of(pawn) : 7 - rank_of(pawn);
    const int steps = 7 - rank - (rank == 1), goal = file + (side == kWhite ? 56 : 0);
    const int moves = board.side == side ? 0 : 1;  // that the other king is ahead
    if (distance(board.king(1 - side), goal) - moves > steps)
      best = std::min(best, 2 * steps - (board.side == side));
  }
  return best;
}

/// The least that a side is ahead by because of a pawn that cannot be caught; 0 without one.
int runner_score(const Board& board, int side) {
  if (pieces_of(board, 1 - side)) return 0;
  const int mine = plies_to_queen(board, side);
  if (mine >= 100) return 0;
  // Another pawn that queens no later may have something to say.
  for (Bits set = board.of(1 - side, kPawn); set;) {
    const int pawn = pop_lowest(set);
    const int rank = side == kWhite ? 7 - rank_of(pawn) : rank_of(pawn);
    const int plies = 2 * (7 - rank - (rank == 1)) - (board.side != side);
    const Bits ahead = ranks_ahead(1 - side, pawn);
    const bool passed =
        !(board.of(side, kPawn) & ahead & (file_bits(file_of(pawn)) | files_beside(file_of(pawn))));
    if (passed && plies <= mine + 2) return 0;
  }
  return 450 - 10 * mine;
}

/// With nothing but a king the other side must be driven to the edge, kings close together; with
/// bishop and knight to a corner of the bishop's colour.
int driving_bonus(const Board& board, int side) {
  if (board.sides[1 - side] != board.of(1 - side, kKing)) return 0;
  if (!(board.of(side, kRook) | board.of(side, kQueen)) && std::popcount(board.sides[side]) < 3)
    return 0;
  const int hunted = board.king(1 - side), hunter = board.king(side);
  const auto from_middle = [](int x) { return x < 4 ? 3 - x : x - 4; };
  const int edge = from_middle(file_of(hunted)) + from_middle(rank_of(hunted));
  return 200 + 30 * edge + 20 * (7 - distance(hunted, hunter));
}

/// Sixteenths of a lead that are left with bishops of opposite colours.
int bishops_share(const Board& board, int leader) {
  const Bits bishops = board.pieces[kBishop];
  const bool one_each = std::popcount(board.of(kWhite, kBishop)) == 1 &&
                        std::popcount(board.of(kBlack, kBishop)) == 1;
  if (!one_each || std::popcount(bishops & kDarkSquares) != 1) return 16;
  if (pieces_of(board, kWhite) != board.of(kWhite, kBishop) ||
      pieces_of(board, kBlack) != board.of(kBlack, kBishop))
    return 16;
  int passed = 0;
  for (Bits set = board.of(leader, kPawn); set;) {
    const int pawn = pop_lowest(set), file = file_of(pawn);
    passed += !(board.of(1 - leader, kPawn) & ranks_ahead(leader, pawn) &
                (file_bits(file) | files_beside(file)));
  }
  return std::min(16, 5 + 3 * passed);
}

}  // namespace

bool pawn_wins(const Board& board) {
  static const PawnTable table;
  const int side = board.of(kWhite, kPawn) ? kWhite : kBlack;
  const int turn = side == kWhite ? 0 : 56;
  return table.wins(lowest_bit(board.pieces[kPawn]) ^ turn, board.king(side) ^ turn,
                    board.king(1 - side) ^ turn, board.side == side);
}

int ending_score(const Board& board, int white) {
  const Bits pawns = board.pieces[kPawn];
  const int leader = white > 0 ? kWhite : kBlack, sign = leader == kWhite ? 1 : -1;
  constexpr int kFew = 4;
  if (std::popcount(pieces_of(board, kWhite) | pieces_of(board, kBlack)) > kFew)
    return !board.of(leader, kPawn) && std::abs(white) < 450 ? white / 4 : white;
  if (std::popcount(board.occupied()) == 3 && std::popcount(pawns) == 1) {
    if (!pawn_wins(board)) return 0;
    const int pawn = lowest_bit(pawns);
    return pawns & board.sides[kWhite] ? 500 + 40 * rank_of(pawn) : -500 - 40 * (7 - rank_of(pawn));
  }
  white += driving_bonus(board, kWhite) - driving_bonus(board, kBlack);
  if (sign * white > 0 && (cannot_win(board, leader) || wrong_corner(board, leader))) return 0;
  if (const int least = runner_score(board, kWhite)) white = std::max(white, least);
  if (const int least = runner_score(board, kBlack)) white = std::min(white, -least);
  white = white * bishops_share(board, leader) / 16;
  return !board.of(leader, kPawn) && std::abs(white) < 450 ? white / 4 : white;
}

}  // namespace kibitz::chess
