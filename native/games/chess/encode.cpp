// Lc0's network input (112 planes, in its several formats) and policy (1858 moves), from the
// mover's side. Facts: lc0 src/neural/encoder.cc, lczero-training tf/policy_index.py.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "games/chess/encode_canonical.h"
#include "games/chess/game.h"

namespace kibitz {
namespace {

using namespace chess;

constexpr int kPlanesOfBoard = 13;
constexpr int kAux = 8 * kPlanesOfBoard;

void write_plane(float* planes, int plane, Bits set) {
  float* out = planes + 64 * plane;
  while (set) out[pop_lowest(set)] = 1.0f;
}

void fill_plane(float* planes, int plane, float value) {
  std::fill_n(planes + 64 * plane, 64, value);
}

/// Policy numbers by rule: for each square in order, each square a queen or a knight could reach
/// from it on an empty board, in order; then what pawns on the seventh rank become, except knights,
/// which are the plain moves.
struct PolicyMap {
  std::array<std::array<std::int16_t, 64>, 64> plain{};
  std::array<std::array<std::array<std::int16_t, 3>, 8>, 8>
      promotion{};  // from file, to file, piece

  constexpr PolicyMap() {
    std::int16_t next = 0;
    for (int from = 0; from < 64; ++from) {
      for (int to = 0; to < 64; ++to) {
        const int dx = distance(file_of(from), file_of(to));
        const int dy = distance(rank_of(from), rank_of(to));
        const bool reached = dx + dy > 0 && (dx == 0 || dy == 0 || dx == dy || dx * dy == 2);
        plain[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
            reached ? next++ : std::int16_t{-1};
      }
    }
    for (std::size_t from = 0; from < 8; ++from)
      for (std::size_t to = from == 0 ? 0 : from - 1; to <= from + 1 && to < 8; ++to)
        for (std::size_t piece = 0; piece < 3; ++piece) promotion[from][to][piece] = next++;
    size = next;
  }
  std::int16_t size = 0;

 private:
  static constexpr int distance(int a, int b) { return a < b ? b - a : a - b; }
};

/// Undoes the double step that the first known board's en passant square, seen from the mover's
/// side, tells of.
void put_pawn_back(int square, float* planes, int base) {
  // A square on the third rank from our side was passed by a pawn of ours.
  const bool ours = rank_of(square) == 2;
  float* plane = planes + 64 * (base + (ours ? kPawn : 6 + kPawn));
  plane[ours ? square + 8 : square - 8] = 0.0f;
  plane[ours ? square - 8 : square + 8] = 1.0f;
}

constexpr PolicyMap kPolicy;
static_assert(kPolicy.size == 1858);

/// The position as the mover sees it.
SeenBoard seen(const Board& board) {
  const auto turned = [&](Bits set) { return board.side == kWhite ? set : flipped(set); };
  SeenBoard out{turned(board.sides[board.side]),
                turned(board.sides[1 - board.side]),
                {},
                board.castling != 0};
  for (int kind = 0; kind < 6; ++kind) out.pieces[kind] = turned(board.pieces[kind]);
  return out;
}

/// The planes that tell who may castle; `turned` makes squares the mover's.
template <class Turned>
void write_castling(const Board& board, InputFormat format, float* planes, Turned turned) {
  const int us = board.side;
  const Bits home = rank_bits(us == kWhite ? 0 : 7), away = rank_bits(us == kWhite ? 7 : 0);
  const auto rooks = [&board](int who, Bits rank, bool king_side) {
    const Bits king = bit(board.king(who)), mine = board.castling & rank;
    return king_side ? mine & ~(king - 1) : mine & (king - 1);
  };
  for (const bool king_side : {false, true}) {
    const Bits ours = rooks(us, home, king_side), theirs = rooks(1 - us, away, king_side);
    if (format != InputFormat::classical) {
      write_plane(planes, kAux + king_side, turned(ours | theirs));
      continue;
    }
    if (ours) fill_plane(planes, kAux + king_side, 1.0f);
    if (theirs) fill_plane(planes, kAux + 2 + king_side, 1.0f);
  }
}

}  // namespace

int Chess::policy_index(Move move) const {
  const int turn = board_.side == kWhite ? 0 : 56;
  int from = from_square(move) ^ turn;
  int to = to_square(move) ^ turn;  // castling: the rook's square
  if (is_canonical(shown_.format())) {
    const Turning turning = canonical_turning(seen(board_));
    from = turning.square(from), to = turning.square(to);
  }
  const auto start = static_cast<std::size_t>(from), end = static_cast<std::size_t>(to);
  const Piece promoted = promotion_of(move);
  if (promoted == kPawn || promoted == kKnight) return kPolicy.plain[start][end];
  const std::size_t piece = promoted == kQueen ? 0 : promoted == kRook ? 1 : 2;
  return kPolicy.promotion[start & 7][end & 7][piece];
}

Chess Chess::written_as(InputFormat format, StylePlanes planes) const {
  Chess game(board_);
  game.shown_ = shown_;
  game.keys_ = keys_;
  game.shown_.set_format(format);
  game.shown_.set_style_planes(planes);
  return game;
}

void Chess::write_features(float* planes, float* /*globals*/) const {
  std::fill_n(planes, feature_shape().plane_floats(), 0.0f);
  const InputFormat format = shown_.format();
  const bool canonical = is_canonical(format);
  const Turning turning = canonical ? canonical_turning(seen(board_)) : Turning{};
  const int us = board_.side;
  const auto turned = [us, &turning](Bits set) {
    const Bits ours = us == kWhite ? set : flipped(set);
    return turning.any() ? turning.squares(ours) : ours;
  };

  // Boards from before the first one we know: none before the start of a game (or as `filled` has
  // said), else the first one again, with a pawn that has just made a double step put back.
  const int known = shown_.known();
  const bool fill = !shown_.complete() && !shows_repeated_only(format);
  const int boards = fill ? ShownBoards::kMost : known;
  for (int i = 0; i < boards; ++i) {
    const ShownBoards::Snapshot& at = shown_.ago(std::min(i, known - 1));
    const bool passed = at.passed || (i >= known && shown_.passed_at_start() != kNoSquare);
    if (canonical && i > 0 && (passed || at.castling != shown_.ago(0).castling)) break;
    const int base = i * kPlanesOfBoard;
    const Bits ours = us == kWhite ? at.white : ~at.white;
    for (int kind = 0; kind < 6; ++kind) {
      write_plane(planes, base + kind, turned(at.pieces[kind] & ours));
      write_plane(planes, base + 6 + kind, turned(at.pieces[kind] & ~ours));
    }
    if (at.repeated) fill_plane(planes, base + 12, 1.0f);
    if (i >= known && shown_.passed_at_start() != kNoSquare)
      put_pawn_back(shown_.passed_at_start() ^ (us == kWhite ? 0 : 56), planes, base);
    if (canonical && at.fresh) break;
  }
  write_castling(board_, format, planes, turned);
  if (canonical) {
    // The square is marked on the last rank of whoever's pawn it was.
    if (board_.en_passant != kNoSquare)
      write_plane(planes, kAux + 4, turning.squares(bit(56 + (board_.en_passant & 7))));
  } else if (us == kBlack) {
    fill_plane(planes, kAux + 4, 1.0f);
  }
  const auto clock = static_cast<float>(board_.clock);
  fill_plane(planes, kAux + 5, has_hectoplies(format) ? clock / 100.0f : clock);
  if (is_armageddon(format) && us == kBlack) fill_plane(planes, kAux + 6, 1.0f);
  fill_plane(planes, kAux + 7, 1.0f);
  if (const StylePlanes set = shown_.style_planes())
    write_style_planes(board_, set, shown_.centre_clock(), turning, planes + 64 * kLc0Planes);
}

}  // namespace kibitz
