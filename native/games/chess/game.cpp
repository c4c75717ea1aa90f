#include "games/chess/game.h"

#include <algorithm>

namespace kibitz {

using namespace chess;

Chess::Chess(const Board& board) : board_(board) {
  static const Board kStart = Board::start();
  remember(board_, keys_, shown_);
  shown_.start(board_.key == kStart.key, board_.en_passant);
}

float Chess::result() const {
  if (is_checkmate(board_)) return board_.side == kWhite ? 0.0f : 1.0f;
  return 0.5f;
}

const char* ending(const Chess& game) {
  const Board& board = game.board();
  if (count_moves(board) == 0) return board.in_check() ? "checkmate" : "stalemate";
  if (game.keys().repetitions() >= 2) return "threefold repetition";
  if (board.clock >= 100) return "fifty moves";
  if (board.insufficient_material()) return "insufficient material";
  return "";
}

Chess Chess::filled(bool fill) const {
  Chess game = *this;
  game.shown_.set_complete(!fill);
  return game;
}

Chess Chess::forgotten() const {
  Chess game = *this;
  game.board_.clock = 0;
  game.keys_.clear();
  game.keys_.push(board_.key);
  return game;
}

namespace {

std::uint64_t key_without_planes(const Board& board, const KeyHistory& keys,
                                 const ShownBoards& shown, int history) {
  if (history < ShownBoards::kMost - 1) {
    // Another order of moves leaves another clock; only the threat of a draw is worth telling
    // apart.
    std::uint64_t near = board.key ^ mix64(static_cast<unsigned>(board.clock) >> 5);
    near = mix64(near ^ (keys.repetitions() > 0 ? 1u : 0u));
    for (int i = 1; i <= std::min<int>(history, shown.known() - 1); ++i)
      for (const Bits set : shown.ago(i).pieces) near = mix64(near ^ set ^ shown.ago(i).white);
    return near;
  }
  const bool open = shown.known() < ShownBoards::kMost;
  std::uint64_t hash =
      board.key ^ mix64(board.clock + (shown.complete() ? 1000u : 0u) +
                        (open ? 2000u * static_cast<unsigned>(shown.passed_at_start()) : 0u));
  for (int i = 0; i < shown.known(); ++i) {
    const ShownBoards::Snapshot& at = shown.ago(i);
    hash = mix64(hash ^ at.white ^ (at.repeated ? 1u : 0u));
    for (const Bits set : at.pieces) hash = mix64(hash ^ set);
  }
  return hash;
}

}  // namespace

std::uint64_t Chess::cache_key(int history) const {
  const std::uint64_t key = key_without_planes(board_, keys_, shown_, history);
  if (shown_.style_planes() == 0) return key;
  return mix64(key ^ (shown_.style_planes() | static_cast<unsigned>(shown_.centre_clock()) << 8));
}

}  // namespace kibitz
