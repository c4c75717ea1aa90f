// The chess network: the output layer of this CPU level against the portable one, and sums that are
// kept up to date against sums from nothing.
#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "games/chess/evaluate/nnue.h"
#include "games/chess/evaluate/nnue_output.h"
#include "games/chess/game.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::chess;

namespace {

int between(Rng& rng, int least, int most) {
  return least + static_cast<int>(rng.below(static_cast<std::uint32_t>(most - least + 1)));
}

void test_output() {
  Rng rng(3);
  bool same = true;
  for (int i = 0; i < 2000; ++i) {
    const int count = 32 * between(rng, 1, 16);
    std::vector<std::int16_t> sums, weights;
    for (int k = 0; k < count; ++k) {
      // Now and then the largest numbers there are.
      sums.push_back(
          static_cast<std::int16_t>(i % 8 ? between(rng, -400, 600) : between(rng, -32768, 32767)));
      weights.push_back(static_cast<std::int16_t>(between(rng, -127, 127)));
    }
    same &= squared_product(sums.data(), weights.data(), count) ==
            squared_product_portable(sums.data(), weights.data(), count);
  }
  CHECK(same);
  const std::vector<std::int16_t> sums(32, 300), weights(32, 127);
  CHECK_EQ(squared_product(sums.data(), weights.data(), 32), 32 * 255 * 255 * 127);
}

struct Weights {
  std::vector<float> pieces, bias, output, output_bias;
  explicit Weights(int width) {
    Rng rng(5);
    const auto fill = [&](std::vector<float>& part, int count, float most) {
      for (int i = 0; i < count; ++i)
        part.push_back(most * (static_cast<float>(rng.below(2001)) / 1000.0f - 1.0f));
    };
    fill(pieces, NnueFeatures::kCount * width, 0.4f);
    fill(bias, width, 0.5f);
    fill(output, 2 * width * kNnueOutputs, 0.2f);
    fill(output_bias, kNnueOutputs, 0.5f);
  }
  Nnue::Tensors tensors() const { return {pieces, bias, output, output_bias}; }
};

/// A walk up and down lines of random games, as a search makes it.
void test_lines(int width) {
  const Weights weights(width);
  const Nnue network(weights.tensors());
  constexpr int kPlies = 24;
  NnueSums sums(network, kPlies);
  Rng rng(7);
  std::vector<Board> line{Board::start()};
  int wrong = 0, different = 0, last = 0;
  for (int i = 0; i < 20000; ++i) {
    const int ply = static_cast<int>(line.size()) - 1;
    MoveList<Chess> moves;
    list_moves(line.back(), moves);
    if (ply == kPlies - 1 || moves.empty() || rng.below(3) == 0) {
      if (ply == 0) {
        // Another root.
        for (int k = 0; k < 60 && !moves.empty(); ++k) {
          line[0].play(
              moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))]);
          moves.clear();
          list_moves(line[0], moves);
        }
        if (moves.empty() || line[0].clock > 90) line[0] = Board::start();
      } else {
        line.pop_back();
      }
      continue;
    }
    Board next = line.back();
    if (rng.below(16) == 0 && !next.in_check())
      next.pass();
    else
      next.play(moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))]);
    line.push_back(next);
    if (rng.below(4) == 0) continue;  // a search does not ask about every position
    const int score = sums.score(next, ply + 1);
    wrong += score != network.score(next);
    different += score != last;
    last = score;
  }
  CHECK_EQ(wrong, 0);
  CHECK(different > 1000);
}

}  // namespace

int main() {
  test_output();
  test_lines(32);
  test_lines(256);
  return test::report();
}
