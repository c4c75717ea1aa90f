// Noughts and crosses as a `Game`: small enough to be solved by plain minimax, so that whatever the
// tree search proves or finds can be checked. Has a plain network input for the call-out evaluator.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "games/game.h"
#include "games/sample.h"

namespace kibitz::test {

struct Noughts {
  static constexpr const char* kName = "noughts";
  static constexpr int kMaxMoves = 9;
  std::array<unsigned, 2> stones{};

  bool operator==(const Noughts&) const = default;
  unsigned taken() const { return stones[0] | stones[1]; }
  int to_move() const { return __builtin_popcount(taken()) % 2; }
  static bool has_line(unsigned set) {
    for (const unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u})
      if ((set & line) == line) return true;
    return false;
  }
  bool is_over() const { return has_line(stones[0]) || has_line(stones[1]) || taken() == 0777u; }
  float result() const { return has_line(stones[0]) ? 1.0f : has_line(stones[1]) ? 0.0f : 0.5f; }
  bool is_legal(Move move) const { return !is_over() && move < 9 && !(taken() >> move & 1); }
  void legal_moves(MoveList<Noughts>& list) const {
    list.clear();
    for (Move move = 0; move < 9; ++move)
      if (is_legal(move)) list.push(move);
  }
  void play(Move move) { stones[static_cast<std::size_t>(to_move())] |= 1u << move; }
  Move random_move(Rng& rng) const {
    MoveList<Noughts> list;
    legal_moves(list);
    return list[static_cast<int>(rng.below(static_cast<std::uint32_t>(list.size())))];
  }
  std::uint64_t hash() const { return mix64(stones[0] | std::uint64_t{stones[1]} << 32); }
  std::string to_text() const {
    std::string text(9, '.');
    for (int i = 0; i < 9; ++i)
      if (taken() >> i & 1) text[static_cast<std::size_t>(i)] = stones[0] >> i & 1 ? 'X' : 'O';
    return text;
  }
  static Noughts from_text(std::string_view text) {
    if (text.size() != 9) throw std::invalid_argument("expected nine squares");
    Noughts out;
    for (std::size_t i = 0; i < 9; ++i) {
      if (text[i] == 'X') out.stones[0] |= 1u << i;
      if (text[i] == 'O') out.stones[1] |= 1u << i;
    }
    return out;
  }
  std::string move_text(Move move) const { return std::to_string(move); }
  Move parse_move(std::string_view text) const {
    if (text.size() != 1 || text[0] < '0' || text[0] > '8')
      throw std::invalid_argument("no square");
    return static_cast<Move>(text[0] - '0');
  }

  FeatureShape feature_shape() const { return {2, 3, 3, 1, 9}; }
  void write_features(float* planes, float* globals) const {
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 9; ++i)
        planes[9 * side + i] =
            static_cast<float>(stones[static_cast<std::size_t>(to_move() ^ side)] >> i & 1);
    globals[0] = 1.0f;
  }
  int policy_index(Move move) const { return move; }
};

static_assert(SampleGame<Noughts>);

/// The first side's result in half points, by trying everything.
inline int minimax(const Noughts& game) {
  if (game.is_over()) return static_cast<int>(2.0f * game.result());
  MoveList<Noughts> list;
  game.legal_moves(list);
  std::optional<int> best;
  for (const Move move : list) {
    Noughts next = game;
    next.play(move);
    const int value = minimax(next);
    if (!best || (game.to_move() == 0 ? value > *best : value < *best)) best = value;
  }
  return *best;
}

}  // namespace kibitz::test
