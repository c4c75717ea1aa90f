// Othello's playouts (vector lanes for batches, a careful policy) and its square priors.
#pragma once

#include "evaluate/playout.h"
#include "games/othello/playout.h"
#include "games/othello/policy.h"

namespace kibitz {

template <>
struct Playouts<Othello> {
  static constexpr bool kHasPolicy = true;

  static void run(std::span<const Othello> starts, std::span<float> results, bool policy,
                  Rng& rng) {
    using othello::PlayoutPolicy;
    if (policy)
      play<PlayoutPolicy::kCareful>(starts, results, rng);
    else
      play<PlayoutPolicy::kUniform>(starts, results, rng);
  }

 private:
  template <othello::PlayoutPolicy kPolicy>
  static void play(std::span<const Othello> starts, std::span<float> results, Rng& rng) {
    if (starts.size() > 1) return othello::playouts<kPolicy>(starts, results, rng);
    const int score = othello::playout<kPolicy>(starts[0], rng);
    results[0] = score > 0 ? 1.0f : score < 0 ? 0.0f : 0.5f;
  }
};

inline void othello_square_priors(const Othello& position, std::span<const Move> moves,
                                  std::span<float> priors) {
  MoveList<Othello> list;
  for (const Move move : moves) list.push(move);
  othello::square_priors(position, list, priors.data());
}

}  // namespace kibitz
