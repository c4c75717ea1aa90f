// Chess as a game (see games/game.h): the board with the history its rules and its networks need.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "games/chess/board.h"
#include "games/chess/generate.h"
#include "games/chess/past.h"
#include "games/chess/style_planes.h"
#include "games/game.h"
#include "games/sample.h"

namespace kibitz {

/// A chess position with its past: the keys of the positions since the last capture or pawn's move,
/// for repetition, and the last eight boards, for networks.
///
///     Chess game;                             // the start position
///     game.play(game.parse_move("e2e4"));     // or "e4"
///
/// The game is over at checkmate, stalemate, the third time a position stands, a hundred plies
/// without a capture or a pawn's move, or when nobody has the material to mate. Draws that a player
/// would have to claim end a search's game; `play` itself goes on past them, as players may.
class Chess {
 public:
  using Move = kibitz::Move;
  static constexpr const char* kName = "chess";
  static constexpr int kMaxMoves = 218;  // the most of any legal position
  static constexpr int kLc0Planes = 112;

  Chess() : Chess(chess::Board::start()) {}
  explicit Chess(const chess::Board& board);

  const chess::Board& board() const { return board_; }
  const chess::KeyHistory& keys() const { return keys_; }

  void legal_moves(MoveList<Chess>& moves) const {
    if (chess::is_drawn_by_rule(board_, keys_) && !chess::is_checkmate(board_))
      moves.clear();
    else
      chess::list_moves(board_, moves);
  }
  bool is_legal(Move move) const {
    return chess::is_legal(board_, move) &&
           (!chess::is_drawn_by_rule(board_, keys_) || chess::is_checkmate(board_));
  }
  void play(Move move) {
    shown_.count_ply(chess::advances_centre(board_, move));
    if (board_.play(move)) keys_.clear();
    chess::remember(board_, keys_, shown_);
  }

  int to_move() const { return board_.side; }
  bool is_over() const {
    return chess::is_drawn_by_rule(board_, keys_) || chess::count_moves(board_) == 0;
  }
  float result() const;

  /// Did the position stand before within the last `plies` plies? A search that comes back to where
  /// it was has found nothing, so it may count that as a draw (`two_fold_draws`).
  bool repeats_within(int plies) const { return keys_.repeats_within(plies); }

  /// The same position with its clock at zero and nothing to repeat: for playing on where a draw
  /// could have been claimed. Networks still see the past.
  Chess forgotten() const;
  /// The same, with boards from before the first known one shown to networks as that one again
  /// (`fill`) or as empty.
  Chess filled(bool fill) const;

  /// The same, written for networks in another of Lc0's formats from now on, with these planes
  /// about style behind it. The v2 formats want boards from before the last eight too, the centre
  /// clock of the style planes counts from the first: start from the first position and play from
  /// there.
  Chess written_as(chess::InputFormat format, chess::StylePlanes planes = 0) const;
  /// What networks are shown, and how it is written.
  const chess::ShownBoards& shown() const { return shown_; }

  /// Pieces, side, castling rights and en passant: what makes two positions the same in the laws of
  /// chess. The clock and the past are no part of it.
  std::uint64_t hash() const { return board_.key; }
  /// Of everything a network sees, so that equal keys mean equal answers; with less history than
  /// the seven boards before this one, of the board and that many of them.
  std::uint64_t cache_key(int history = chess::ShownBoards::kMost - 1) const;

  /// FEN; Shredder-FEN for Chess960. `from_text` reads both, and X-FEN.
  std::string to_text() const;
  static Chess from_text(std::string_view text);

  /// UCI; `parse_move` also reads SAN. Castling is e1g1, in Chess960 king takes rook.
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;

  template <class Random>
  Move random_move(Random& random) const {
    MoveList<Chess> moves;
    chess::list_moves(board_, moves);
    return moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))];
  }

  /// Lc0's planes, in the format `written_as` has said, and policy (games/chess/encode.cpp).
  FeatureShape feature_shape() const {
    return {kLc0Planes + std::popcount(shown_.style_planes()), 8, 8, 0, 1858};
  }
  void write_features(float* planes, float* globals) const;
  int policy_index(Move move) const;

 private:
  chess::Board board_;
  chess::KeyHistory keys_;
  chess::ShownBoards shown_;
};

inline bool operator==(const Chess& a, const Chess& b) { return a.board() == b.board(); }

/// Why the game is over: "checkmate", "stalemate", "threefold repetition", "fifty moves",
/// "insufficient material"; empty while it is not.
const char* ending(const Chess& game);

static_assert(Game<Chess>);
// Castling and the pawns' direction leave no symmetry of the board.
static_assert(SampleGame<Chess>);

}  // namespace kibitz
