// The contract every perfect-information game meets. A search, an evaluator and a binding are
// templates over it, so a playout has no virtual call and a move list no allocation.
//
// Ownership: a game is a value. Copying it copies the position with whatever history its rules need
// (superko, repetition); nothing is shared, so a copy may go to another thread.
// Threads: const members may be called from several threads at once.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace kibitz {

/// A move is 16 bits in every game; what they mean is the game's own affair.
using Move = std::uint16_t;

/// No game uses this value as a move.
inline constexpr Move kNoMove = 0xffff;

/// A list of moves on the stack, large enough for any position of G.
template <class G>
class MoveList {
 public:
  void push(Move move) { moves_[static_cast<std::size_t>(size_++)] = move; }
  void clear() { size_ = 0; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[static_cast<std::size_t>(i)]; }
  Move& operator[](int i) { return moves_[static_cast<std::size_t>(i)]; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }

 private:
  int size_ = 0;
  std::array<Move, static_cast<std::size_t>(G::kMaxMoves)> moves_;
};

/// What a game must offer.
///
/// - `legal_moves` fills the list; it is empty exactly when the game is over. A forced pass is a
/// move.
/// - `play` takes a legal move; checking is the caller's part (`is_legal`).
/// - `to_move` is 0 for the side that moves first in the game (black in Go and Othello, white in
/// chess,
///   X in ultimate tic-tac-toe), 1 for the other. Sides need not alternate.
/// - `result` is the FIRST side's result: 1 win, 0.5 draw, 0 loss; only when the game is over.
/// - `hash` is equal for equal positions, the side to move included; what the rules remember of the
///   past (superko, repetition) belongs in it exactly when it changes what may follow.
/// - `to_text` and `from_text` round-trip; `from_text` and `parse_move` throw std::invalid_argument
///   with a sentence that says what was wrong and what was expected.
template <class G>
concept Game = std::copyable<G> && requires(G game, const G& position, MoveList<G>& list, Move move,
                                            std::string_view text) {
  { G::kName } -> std::convertible_to<std::string_view>;
  { G::kMaxMoves } -> std::convertible_to<int>;
  { position.legal_moves(list) } -> std::same_as<void>;
  { game.play(move) } -> std::same_as<void>;
  { position.is_legal(move) } -> std::same_as<bool>;
  { position.to_move() } -> std::same_as<int>;
  { position.is_over() } -> std::same_as<bool>;
  { position.result() } -> std::same_as<float>;
  { position.hash() } -> std::same_as<std::uint64_t>;
  { position.to_text() } -> std::same_as<std::string>;
  { G::from_text(text) } -> std::same_as<G>;
  { position.move_text(move) } -> std::same_as<std::string>;
  { position.parse_move(text) } -> std::same_as<Move>;
};

}  // namespace kibitz
