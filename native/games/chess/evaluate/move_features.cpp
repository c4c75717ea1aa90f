#include "games/chess/evaluate/move_features.h"

#include <algorithm>
#include <bit>

#include "games/chess/evaluate/eval.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/game.h"

namespace kibitz::chess {
namespace {

constexpr float kUnit = 300.0f;  // centipawns of a feature of 1

int worth(Piece piece) { return piece == kKing ? 1000 : exchange_value(piece); }

/// What the mover stands to lose on each square: the worth of a piece that something lesser
/// attacks, or that is attacked and not defended.
std::array<int, 64> hanging(const Board& board) {
  std::array<int, 64> lost{};
  const int us = board.side;
  const Bits occupied = board.occupied();
  for (Bits set = board.sides[us] & ~board.pieces[kKing]; set;) {
    const int square = pop_lowest(set);
    const Bits attackers = board.attackers(square, occupied);
    const Bits foes = attackers & board.sides[1 - us];
    if (!foes) continue;
    const int own = worth(board.piece_at(square));
    int least = kPawn;
    while (!(foes & board.pieces[least])) ++least;
    const int taker = worth(static_cast<Piece>(least));
    const bool defended = (attackers & board.sides[us]) != 0;
    const int loss = defended ? own - taker : own;
    lost[static_cast<std::size_t>(square)] = std::max(0, loss);
  }
  return lost;
}

}  // namespace

void move_features(const Board& board, std::span<const Move> moves,
                   std::span<MoveFeatures> features) {
  std::array<float, Chess::kMaxMoves> logits;
  std::array<int, Chess::kMaxMoves> gains;
  hand_logits(board, moves, {logits.data(), moves.size()}, {gains.data(), moves.size()});
  const int us = board.side;
  const std::array<int, 64> lost = hanging(board);
  const int most_lost = *std::max_element(lost.begin(), lost.end());
  const Bits theirs = board.sides[1 - us];
  const int king = board.king(1 - us);
  const Bits zone = king_attacks(king);
  const Bits safe_from_pawns = ~pawns_attack(1 - us, board.of(1 - us, kPawn));
  const bool evading = board.in_check();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    const int from = from_square(move), to = to_square(move);
    const bool castling = board.is_castling(move);
    const Piece piece = board.piece_at(from);
    const Piece stands = promotion_of(move) == kPawn ? piece : promotion_of(move);
    const int gain = gains[i];
    const bool capture = board.is_capture(move);
    const Bits occupied = (board.occupied() & ~bit(from)) | bit(to);
    Bits reach = 0;
    if (!castling)
      reach = stands == kPawn ? pawn_attacks(us, to) : piece_attacks(stands, to, occupied);
    // The best target that the moved piece attacks: worth more than itself, or not defended.
    int threat = 0;
    for (Bits set = gain >= 0 ? reach & theirs : 0; set;) {
      const int square = pop_lowest(set);
      const int target = worth(board.piece_at(square));
      const bool defended = (board.attackers(square, occupied) & theirs & ~bit(square)) != 0;
      threat = std::max(threat, defended ? target - worth(stands) : target);
    }
    const int rank = us == kWhite ? rank_of(to) : 7 - rank_of(to);
    const int saved = gain >= 0 ? lost[static_cast<std::size_t>(from)] : 0;
    MoveFeatures& out = features[i];
    out.fill(0.0f);
    out[0] = logits[i];
    out[1] = gain > 0 ? 1.0f : 0.0f;
    out[2] = static_cast<float>(std::clamp(gain, 0, 900)) / kUnit;
    out[3] = gain < 0 ? 1.0f : 0.0f;
    out[4] = static_cast<float>(std::clamp(-gain, 0, 900)) / kUnit;
    out[5] = capture && gain >= 0 ? 1.0f : 0.0f;
    out[6] = static_cast<float>(saved) / kUnit;
    out[7] = saved > 0 && saved == most_lost ? 1.0f : 0.0f;
    out[8] = saved == 0 && gain <= 0 ? static_cast<float>(most_lost) / kUnit : 0.0f;
    out[9] = static_cast<float>(std::min(threat, 900)) / kUnit;
    out[10] = (reach >> king & 1) ? (gain >= 0 ? 1.0f : 0.3f) : 0.0f;
    out[11] = gain >= 0 ? static_cast<float>(std::popcount(reach & zone)) / 3.0f : 0.0f;
    out[12] = piece == kPawn && rank >= 5 ? static_cast<float>(rank - 4) : 0.0f;
    out[13] = piece == kKing && !castling && !evading ? 1.0f : 0.0f;
    out[14] = castling ? 1.0f : 0.0f;
    out[15] = gain >= 0 && piece != kPawn
                  ? static_cast<float>(std::popcount(reach & safe_from_pawns)) / 10.0f
                  : 0.0f;
  }
}

}  // namespace kibitz::chess
