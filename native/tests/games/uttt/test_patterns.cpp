// The pattern evaluation: integer arithmetic against a plain reference at every CPU level, children
// against evaluating them from scratch, damaged files, and what training is fed with.
#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/crc32.h"
#include "games/uttt/evaluate/patterns.h"
#include "games/uttt/search/selfplay.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::uttt;

namespace {

constexpr int kEmbedding = PatternShape::kEmbedding, kHidden = PatternShape::kHidden,
              kSecond = PatternShape::kSecond, kClasses = PatternShape::kClasses;

/// One network in plain numbers, and its bytes.
struct Plain {
  std::int32_t temperature = 77;
  std::vector<std::int8_t> embeddings, active;
  std::vector<std::int16_t> weights, second, last;
  std::vector<std::int32_t> bias, second_bias, last_bias;

  explicit Plain(Rng& random) {
    const auto fill = [&random](auto& to, int count, int most) {
      for (int i = 0; i < count; ++i)
        to.push_back(static_cast<std::remove_reference_t<decltype(to[0])>>(
            static_cast<int>(random.below(static_cast<std::uint32_t>(2 * most + 1))) - most));
    };
    fill(embeddings, kClasses * kEmbedding, 127);
    fill(active, kClasses * kEmbedding, 127);
    fill(weights, 10 * kEmbedding * kHidden, 300);
    fill(bias, 10 * kHidden, 20'000);
    fill(second, kHidden * kSecond, 500);
    fill(second_bias, kSecond, 100'000);
    fill(last, kSecond, 500);
    fill(last_bias, 1, 100'000);
  }

  void write(std::string& out) const {
    const auto add = [&out](const auto& numbers) {
      out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
    };
    add(std::vector{temperature});
    add(embeddings);
    add(active);
    add(weights);
    add(bias);
    add(second);
    add(second_bias);
    add(last);
    add(last_bias);
  }

  int logit(const Uttt& game) const {
    const std::size_t mover = game.side;
    std::vector<long> first(kHidden);
    const auto add = [&](const std::vector<std::int8_t>& table, std::size_t board, int matrix) {
      const int filling = filling_of(game.cells[mover][board], game.cells[1 - mover][board]);
      const int name = filling_classes()[static_cast<std::size_t>(filling)];
      for (int k = 0; k < kEmbedding; ++k)
        for (int h = 0; h < kHidden; ++h)
          first[static_cast<std::size_t>(h)] +=
              long{table[static_cast<std::size_t>(name * kEmbedding + k)]} *
              weights[static_cast<std::size_t>((matrix * kEmbedding + k) * kHidden + h)];
    };
    for (std::size_t board = 0; board < 9; ++board) add(embeddings, board, static_cast<int>(board));
    if (game.constraint != Uttt::kAnywhere) add(active, game.constraint, 9);
    std::vector<long> then(second_bias.begin(), second_bias.end());
    for (int h = 0; h < kHidden; ++h) {
      const long sum = first[static_cast<std::size_t>(h)] +
                       bias[static_cast<std::size_t>(game.constraint * kHidden + h)];
      for (int s = 0; s < kSecond; ++s)
        then[static_cast<std::size_t>(s)] +=
            std::clamp(sum >> 6, 0L, 2047L) * second[static_cast<std::size_t>(h * kSecond + s)];
    }
    long out = last_bias[0];
    for (std::size_t s = 0; s < then.size(); ++s)
      out += std::clamp(then[s] >> 10, 0L, 2047L) * last[s];
    return static_cast<int>(std::clamp(out >> 10, -2047L, 2047L));
  }
};

struct File {
  Plain standard, codingame;
  explicit File(Rng& random) : standard(random), codingame(random) {}
  std::string bytes() const {
    std::string out(Patterns::kMagic);
    for (const std::int32_t size : {kEmbedding, kHidden, kSecond})
      out.append(reinterpret_cast<const char*>(&size), sizeof size);
    standard.write(out);
    codingame.write(out);
    const std::uint32_t sum = crc32(out.data(), out.size());
    out.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return out;
  }
};

void equals_plain_arithmetic(const File& file, const Patterns& patterns) {
  Rng random(3);
  for (int i = 0; i < 40; ++i) {
    Uttt game;
    game.ending = static_cast<Uttt::Ending>(i % 2);
    const Plain& plain = i % 2 ? file.codingame : file.standard;
    for (; !game.is_over(); game.play(game.random_move(random))) {
      const int logit = patterns.of(game).logit(game);
      CHECK_EQ(logit, plain.logit(game));
      CHECK_EQ(logit, patterns.of(game).logit(game.swapped()));
    }
  }
}

void children_equal_their_own_evaluation(const Patterns& patterns) {
  Rng random(4);
  for (int i = 0; i < 60; ++i) {
    Uttt game;
    game.ending = static_cast<Uttt::Ending>(i % 2);
    for (; !game.is_over(); game.play(game.random_move(random))) {
      MoveList<Uttt> moves;
      game.legal_moves(moves);
      const auto count = static_cast<std::size_t>(moves.size());
      std::vector<int> logits(count);
      std::vector<float> priors(count);
      patterns.of(game).logits_after(game, {moves.begin(), count}, logits);
      patterns.of(game).priors(logits, priors);
      float sum = 0.0f;
      for (std::size_t k = 0; k < count; ++k) {
        sum += priors[k];
        Uttt child = game;
        child.play(moves.begin()[k]);
        if (!child.is_over()) {
          CHECK_EQ(logits[k], -patterns.of(child).logit(child));
        } else {
          const float own = game.side == 0 ? child.result() : 1.0f - child.result();
          CHECK_EQ(logits[k], own == 0.5f ? 0 : own == 1.0f ? 2047 : -2047);
        }
      }
      CHECK(sum > 0.999f && sum < 1.001f);
    }
  }
}

void damaged_files_are_refused(const std::string& bytes) {
  const auto refused = [](const std::string& text) {
    try {
      Patterns{text};
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(!refused(bytes));
  CHECK(refused(""));
  CHECK(refused(bytes.substr(0, 15)));
  CHECK(refused(bytes.substr(0, bytes.size() - 1)));
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{9}, std::size_t{500}, bytes.size() - 1}) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    CHECK(refused(changed));
  }
}

void selfplay_repeats_itself(const Patterns& patterns) {
  SelfplaySettings settings;
  settings.ending = Uttt::Ending::kMostSubBoards;
  settings.games.depth = 2;
  std::vector<LabelledPosition> one, two, other;
  for (int i = 0; i < 5; ++i) SelfplayGames(patterns, settings, 7).play(one);
  SelfplayGames again(patterns, settings, 7);
  again.play(two);
  SelfplayGames(patterns, settings, 8).play(other);
  CHECK(!two.empty());
  CHECK(std::memcmp(one.data(), two.data(), two.size() * sizeof two[0]) == 0);
  CHECK(one.size() == 5 * two.size());
  CHECK(other.size() != two.size() ||
        std::memcmp(other.data(), two.data(), two.size() * sizeof two[0]) != 0);
  for (const LabelledPosition& position : two) {
    CHECK(position.constraint <= 9 && position.result <= 3 && position.value <= 10'000);
    for (const std::uint16_t name : position.classes) CHECK(name < kClasses);
  }
}

}  // namespace

int main() {
  Rng random(1);
  const File file(random);
  const std::string bytes = file.bytes();
  const Patterns patterns(bytes);
  equals_plain_arithmetic(file, patterns);
  children_equal_their_own_evaluation(patterns);
  damaged_files_are_refused(bytes);
  selfplay_repeats_itself(patterns);
  return test::report();
}
