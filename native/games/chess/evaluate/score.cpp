#include "games/chess/evaluate/score.h"

#include <algorithm>
#include <array>
#include <bit>

#include "games/chess/evaluate/accumulators.h"
#include "games/chess/evaluate/endings.h"
#include "games/chess/evaluate/settle.h"
#include "games/chess/game.h"
#include "games/chess/structure.h"

namespace kibitz::chess {
namespace {

/// Two worths at once: in the middlegame and in the ending.
struct Pair {
  int early = 0, late = 0;
  constexpr Pair operator+(Pair other) const { return {early + other.early, late + other.late}; }
  constexpr Pair operator-(Pair other) const { return {early - other.early, late - other.late}; }
  constexpr Pair operator*(int n) const { return {early * n, late * n}; }
  constexpr Pair& operator+=(Pair other) { return *this = *this + other; }
};

constexpr std::array<Pair, 6> kMaterial{
    {{100, 125}, {330, 300}, {345, 330}, {490, 540}, {980, 980}, {0, 0}}};

/// Worth of a square for a white piece, by rule: the middle is good for pieces, home for the king
/// until the queens are off, the far end for pawns.
constexpr Pair square_worth(Piece piece, int square) {
  const int file = file_of(square), rank = rank_of(square);
  const int from_middle_file = file < 4 ? 3 - file : file - 4;  // 0 to 3
  const int from_middle_rank = rank < 4 ? 3 - rank : rank - 4;
  const int middle = 6 - from_middle_file - from_middle_rank;  // 0 in the corner, 6 in the centre
  switch (piece) {
    case kPawn: {
      const int central = from_middle_file == 0   ? 8 * std::min(rank, 4) - 8
                          : from_middle_file == 3 ? -6
                                                  : 0;
      return {central + 2 * rank, 7 * (rank - 1)};
    }
    case kKnight:
      return {9 * middle - 34 - (rank == 0 ? 10 : 0), 7 * middle - 26};
    case kBishop:
      return {4 * middle - 14 - (rank == 0 ? 12 : 0), 3 * middle - 10};
    case kRook:
      return {(rank == 6 ? 16 : 0) + (from_middle_file <= 1 && rank == 0 ? 6 : 0),
              rank == 6 ? 8 : 0};
    case kQueen:
      return {2 * middle - 8 - (rank >= 3 && rank <= 5 ? 4 : 0), 5 * middle - 18};
    case kKing: {
      const int safe = rank == 0 ? (from_middle_file >= 2   ? 28
                                    : from_middle_file == 1 ? 0
                                                            : -6)
                                 : -22 * std::min(rank, 3);
      return {safe, 9 * middle - 30};
    }
    default:
      return {};
  }
}

struct SquareTable {
  std::array<std::array<Pair, 64>, 6> worth{};
  constexpr SquareTable() {
    for (int piece = 0; piece < 6; ++piece)
      for (int square = 0; square < 64; ++square)
        worth[static_cast<std::size_t>(piece)][static_cast<std::size_t>(square)] =
            square_worth(static_cast<Piece>(piece), square);
  }
};
constexpr SquareTable kSquares;

Pair worth_at(Piece piece, int side, int square) {
  const int seen = side == kWhite ? square : square ^ 56;
  return kSquares.worth[piece][static_cast<std::size_t>(seen)];
}

Pair pawn_score(const Board& board, int side) {
  const Bits own = board.of(side, kPawn), foe = board.of(1 - side, kPawn);
  const Bits defended = pawns_attack(side, own);
  Pair score;
  for (Bits set = own; set;) {
    const int square = pop_lowest(set);
    const int file = file_of(square);
    const int rank = side == kWhite ? rank_of(square) : 7 - rank_of(square);
    const Bits ahead = ranks_ahead(side, square);
    const Bits beside = files_beside(file);
    if (own & ahead & file_bits(file)) score += {-9, -20};
    if (!(own & beside)) score += {-11, -13};
    if (defended & bit(square)) score += {7, 5};
    if (!(foe & ahead & (beside | file_bits(file)))) {
      const bool blocked = board.occupied() & bit(square + (side == kWhite ? 8 : -8));
      score += Pair{3, 8} * (rank * rank / (blocked ? 4 : 2));
    }
  }
  return score;
}

/// Mobility, open files, the bishop pair, pressure on the squares around the other king.
Pair piece_score(const Board& board, int side) {
  constexpr std::array<Pair, 6> kMobility{{{}, {4, 4}, {4, 4}, {2, 4}, {1, 3}, {}}};
  constexpr std::array<int, 6> kUsual{0, 4, 6, 6, 12, 0};
  constexpr std::array<int, 6> kPressure{0, 8, 6, 9, 14, 0};
  const Bits occupied = board.occupied();
  const Bits pawns = board.of(side, kPawn), their_pawns = board.of(1 - side, kPawn);
  const Bits allowed = ~board.sides[side] & ~pawns_attack(1 - side, their_pawns);
  const Bits zone = king_attacks(board.king(1 - side)) | board.of(1 - side, kKing);
  Pair score;
  int attackers = 0, pressure = 0;
  for (const Piece piece : {kKnight, kBishop, kRook, kQueen}) {
    for (Bits set = board.of(side, piece); set;) {
      const int square = pop_lowest(set);
      const Bits reach = piece_attacks(piece, square, occupied);
      score += kMobility[piece] * (std::popcount(reach & allowed) - kUsual[piece]);
      if (const Bits near_king = reach & zone) {
        ++attackers;
        pressure += kPressure[piece] * std::popcount(near_king);
      }
      if (piece == kRook && !(pawns & file_bits(file_of(square))))
        score += their_pawns & file_bits(file_of(square)) ? Pair{12, 6} : Pair{26, 14};
    }
  }
  if (attackers >= 2) score.early += pressure * attackers / 4;
  if (std::popcount(board.of(side, kBishop)) >= 2) score += {28, 42};
  return score;
}

Pair king_score(const Board& board, int side) {
  const int king = board.king(side);
  const Bits shelter = king_attacks(king) & ranks_ahead(side, king) & board.of(side, kPawn);
  Pair score{9 * std::popcount(shelter), 0};
  for (int file = std::max(0, file_of(king) - 1); file <= std::min(7, file_of(king) + 1); ++file)
    if (!(board.of(side, kPawn) & file_bits(file))) score.early -= 13;
  return score;
}

Pair side_score(const Board& board, int side) {
  Pair score = pawn_score(board, side) + piece_score(board, side) + king_score(board, side);
  for (int piece = kPawn; piece <= kKing; ++piece)
    for (Bits set = board.of(side, static_cast<Piece>(piece)); set;)
      score += kMaterial[static_cast<std::size_t>(piece)] +
               worth_at(static_cast<Piece>(piece), side, pop_lowest(set));
  return score;
}

}  // namespace

int phase_of(const Board& board) {
  constexpr std::array<int, 6> kWeight{0, 1, 1, 2, 4, 0};
  int phase = 0;
  for (int piece = kKnight; piece <= kQueen; ++piece)
    phase += kWeight[static_cast<std::size_t>(piece)] * std::popcount(board.pieces[piece]);
  return std::min(phase, kFullPhase);
}

int static_score(const Board& board) {
  const Pair score = side_score(board, kWhite) - side_score(board, kBlack);
  const int phase = phase_of(board);
  const int white =
      ending_score(board, (score.early * phase + score.late * (kFullPhase - phase)) / kFullPhase);
  constexpr int kTempo = 12;
  return (board.side == kWhite ? white : -white) + kTempo;
}

int quiet_score(const Board& board) {
  const auto judge = [](const Board& at, int) { return static_score(at); };
  return settle(judge, board);
}

int quiet_score(const Board& board, const Accumulators& network) {
  const auto judge = [&](const Board& at, int) { return network.score(at); };
  return settle(judge, board);
}

int exchange_score(const Board& board, Move move) {
  if (board.is_castling(move)) return 0;
  const int to = to_square(move);
  int side = 1 - board.side;
  Piece standing = board.piece_at(from_square(move));
  std::array<int, 32> gain;
  int depth = 0;
  gain[0] = board.is_en_passant(move) ? exchange_value(kPawn) : exchange_value(board.piece_at(to));
  if (promotion_of(move) != kPawn) {
    standing = promotion_of(move);
    gain[0] += exchange_value(standing) - exchange_value(kPawn);
  }
  Bits occupied = board.occupied() & ~bit(from_square(move));
  if (board.is_en_passant(move)) occupied &= ~bit(to ^ 8);
  occupied |= bit(to);
  const Bits straight = board.pieces[kRook] | board.pieces[kQueen];
  const Bits slanted = board.pieces[kBishop] | board.pieces[kQueen];
  Bits attackers = board.attackers(to, occupied) & occupied & ~bit(to);
  while (depth < 30) {
    const Bits own = attackers & board.sides[side];
    if (!own) break;
    int kind = kPawn;
    while (!(own & board.pieces[kind])) ++kind;
    // A king cannot take what is still defended.
    if (kind == kKing && (attackers & board.sides[1 - side])) break;
    ++depth;
    gain[static_cast<std::size_t>(depth)] =
        exchange_value(standing) - gain[static_cast<std::size_t>(depth - 1)];
    standing = static_cast<Piece>(kind);
    const Bits taker = own & board.pieces[kind];
    occupied &= ~(taker & (~taker + 1));
    attackers |= (rook_attacks(to, occupied) & straight) | (bishop_attacks(to, occupied) & slanted);
    attackers &= occupied & ~bit(to);
    side = 1 - side;
  }
  while (depth > 0) {
    auto& before = gain[static_cast<std::size_t>(depth - 1)];
    before = -std::max(-before, gain[static_cast<std::size_t>(depth)]);
    --depth;
  }
  return gain[0];
}

bool exchange_reaches(const Board& board, Move move, int least) {
  if (board.is_castling(move)) return least <= 0;
  const int to = to_square(move);
  Piece standing = board.piece_at(from_square(move));
  int balance =
      (board.is_en_passant(move) ? exchange_value(kPawn) : exchange_value(board.piece_at(to))) -
      least;
  if (promotion_of(move) != kPawn) {
    standing = promotion_of(move);
    balance += exchange_value(standing) - exchange_value(kPawn);
  }
  // Not even if nothing is taken back; or even if the piece is lost.
  if (balance < 0) return false;
  balance = exchange_value(standing) - balance;
  if (balance <= 0) return true;
  Bits occupied = (board.occupied() & ~bit(from_square(move))) | bit(to);
  if (board.is_en_passant(move)) occupied &= ~bit(to ^ 8);
  const Bits straight = board.pieces[kRook] | board.pieces[kQueen];
  const Bits slanted = board.pieces[kBishop] | board.pieces[kQueen];
  Bits attackers = board.attackers(to, occupied) & occupied & ~bit(to);
  int side = 1 - board.side;
  bool reaches = true;  // if `side` does not take
  for (;;) {
    const Bits own = attackers & board.sides[side];
    if (!own) break;
    int kind = kPawn;
    while (!(own & board.pieces[kind])) ++kind;
    if (kind == kKing && (attackers & board.sides[1 - side])) break;
    reaches = !reaches;
    // What the side that takes now is ahead by if its piece is taken in turn.
    balance = exchange_value(static_cast<Piece>(kind)) - balance;
    if (balance < static_cast<int>(reaches)) break;
    const Bits taker = own & board.pieces[kind];
    occupied &= ~(taker & (~taker + 1));
    attackers |= (rook_attacks(to, occupied) & straight) | (bishop_attacks(to, occupied) & slanted);
    attackers &= occupied & ~bit(to);
    side = 1 - side;
  }
  return reaches;
}

int placement_gain(const Board& board, Move move) {
  const int us = board.side;
  const int from = from_square(move), to = to_square(move);
  const bool late = std::popcount(board.occupied() & ~board.pieces[kPawn]) <= 8;
  const auto worth = [&](Piece piece, int square) {
    const Pair pair = worth_at(piece, us, square);
    return late ? pair.late : pair.early;
  };
  const Piece piece = board.piece_at(from);
  if (board.is_castling(move))
    return worth(kKing, castled_king(from, to)) - worth(kKing, from) + 20;
  return worth(piece, to) - worth(piece, from);
}

}  // namespace kibitz::chess
