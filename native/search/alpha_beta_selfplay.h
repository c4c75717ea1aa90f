// Games of alpha-beta with itself, for training evaluations: random plies, some plies drawn among
// good moves, then the best move of a search of fixed depth, now and then a random one. A game
// takes milliseconds.
//
// Threads: one AlphaBetaGames a thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "base/rng.h"
#include "search/alpha_beta.h"

namespace kibitz {

struct AlphaBetaGameSettings {
  int depth = 3;                // plies of the search for each move
  int least_opening_plies = 0;  // uniformly random plies open a game,
  int most_opening_plies = 10;  // between these numbers of them
  int drawn_plies = 0;          // so many plies after them are drawn among good moves
  int drawn_score = 64;         // so much less makes a move less likely by a factor of e
  int random_percent = 0;       // of the moves after those are random
  int selectivity = kNoCuts;
};

/// A move of such a game with the score of the search before it.
struct SearchedMove {
  Move move = kNoMove;
  int score = 0;  // the mover's, of the best move
  bool random = false;
};

template <Judge J>
class AlphaBetaGames {
 public:
  using G = typename J::Game;
  using Board = typename J::Board;

  AlphaBetaGames(J judge, const AlphaBetaGameSettings& settings, std::size_t table_bytes,
                 std::uint64_t seed)
      : settings_(settings),
        table_(table_bytes),
        search_(std::move(judge), table_, stop_),
        rng_(seed, 0) {}

  J& judge() { return search_.judge(); }

  /// Plays one game from `start` on. `random_ply(game, move)` and `searched_ply(game, searched)`
  /// are called with each move before it is played. Returns the end of the game.
  template <class Random, class Searched>
  G play(G game, const Random& random_ply, const Searched& searched_ply) {
    const int spread = settings_.most_opening_plies - settings_.least_opening_plies;
    const int opening = settings_.least_opening_plies +
                        static_cast<int>(rng_.below(static_cast<std::uint32_t>(spread) + 1));
    for (int ply = 0; !game.is_over(); ++ply) {
      if (ply < opening) {
        const Move move = game.random_move(rng_);
        random_ply(game, move);
        game.play(move);
        continue;
      }
      const bool drawn = ply < opening + settings_.drawn_plies;
      SearchedMove searched = think(game, drawn);
      if (!drawn && settings_.random_percent > 0 &&
          static_cast<int>(rng_.below(100)) < settings_.random_percent) {
        searched.random = true;
        searched.move = game.random_move(rng_);
      }
      searched_ply(game, searched);
      game.play(searched.move);
    }
    return game;
  }

 private:
  static constexpr auto kMoves = static_cast<std::size_t>(G::kMaxMoves);
  static_assert(kMoves < 256);
  using Scores = typename AlphaBeta<J>::Scores;

  SearchedMove think(const G& game, bool drawn) {
    constexpr int kAll = AlphaBeta<J>::kInfinity;
    const Board board = judge().board(game);
    MoveList<G> moves;
    J::moves(board, moves);
    const int margin = drawn ? 5 * settings_.drawn_score : 0;
    table_.new_search();
    search_.begin(~std::uint64_t{0});
    Scores scores;
    search_.evaluate_moves(board, moves, scores);
    const auto count = static_cast<std::size_t>(moves.size());
    // Good moves first: the others are searched in a smaller window.
    std::array<std::uint8_t, kMoves> order;
    std::iota(order.begin(), order.begin() + moves.size(), std::uint8_t{0});
    std::stable_sort(order.begin(), order.begin() + moves.size(),
                     [&](std::uint8_t a, std::uint8_t b) { return scores[a] > scores[b]; });
    int best = -kAll;
    std::size_t best_at = 0;
    for (const std::uint8_t i : std::span(order.data(), count)) {
      Board child = board;
      child.play(moves.begin()[i]);
      // Scores further than the margin below the best one need not be known exactly.
      const int least = std::max(-kAll, best - margin);
      const int left = settings_.depth - J::plies(moves.begin()[i]);
      if (left > 0) scores[i] = -search_.search(child, -kAll, -least, left, settings_.selectivity);
      if (scores[i] > best) {
        best = scores[i];
        best_at = i;
      }
    }
    if (drawn) best_at = draw(scores, count, best, margin, best_at);
    return {moves.begin()[best_at], best, false};
  }

  std::size_t draw(const Scores& scores, std::size_t count, int best, int margin,
                   std::size_t otherwise) {
    std::array<double, kMoves> weights;
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const int less = best - scores[i];
      sum += weights[i] =
          less > margin ? 0.0 : std::exp(-static_cast<double>(less) / settings_.drawn_score);
    }
    double left = sum * (static_cast<double>(rng_.below(1u << 30)) / (1u << 30));
    for (std::size_t i = 0; i < count; ++i)
      if ((left -= weights[i]) < 0) return i;
    return otherwise;
  }

  AlphaBetaGameSettings settings_;
  AlphaBetaTable table_;
  const std::atomic<bool> stop_{false};
  AlphaBeta<J> search_;
  Rng rng_;
};

}  // namespace kibitz
