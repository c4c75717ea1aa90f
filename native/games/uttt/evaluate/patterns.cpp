#include "games/uttt/evaluate/patterns.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/crc32.h"
#include "nets/lanes.h"

namespace kibitz::uttt {

namespace {

using nets::Ints;
using nets::kLanes;

constexpr int kClipped = 2047;
constexpr int kFirstShift = 6, kSecondShift = 10, kLastShift = 10;

/// The sum of 3^i over a mask's cells.
constexpr std::array<std::uint16_t, 512> kDigits = [] {
  std::array<std::uint16_t, 512> table{};
  for (unsigned mask = 0; mask < 512; ++mask) {
    unsigned power = 1;
    for (unsigned cell = 0; cell < 9; ++cell, power *= 3)
      if (mask >> cell & 1) table[mask] = static_cast<std::uint16_t>(table[mask] + power);
  }
  return table;
}();

/// Takes numbers off the front of a file, little-endian as all supported machines are.
class Reader {
 public:
  explicit Reader(const char* bytes) : at_(bytes) {}
  template <class T>
  void take(T* to, std::size_t count) {
    std::memcpy(to, at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }

 private:
  const char* at_;
};

/// Rows of weights, one a number of the input, as pairs of rows side by side.
void interleave(const std::vector<std::int16_t>& rows, std::size_t columns, std::int16_t* to) {
  const std::size_t inputs = rows.size() / columns;
  for (std::size_t pair = 0; pair < inputs / 2; ++pair)
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t half = 0; half < 2; ++half)
        to[(pair * columns + i) * 2 + half] = rows[(2 * pair + half) * columns + i];
}

/// sums += pairs * weights, `Outputs` sums and `inputs` numbers.
template <int Outputs>
inline void multiply(const std::int16_t* numbers, int inputs, const std::int16_t* weights,
                     std::int32_t* sums) {
  constexpr int kVectors = Outputs / kLanes;
  static_assert(Outputs % kLanes == 0);
  Ints held[kVectors];
  for (int v = 0; v < kVectors; ++v) held[v] = nets::load<Ints>(sums + v * kLanes);
  for (int pair = 0; pair < inputs / 2; ++pair) {
    std::int32_t both;
    std::memcpy(&both, numbers + 2 * pair, sizeof both);
    const Ints wide = nets::all(both);
    const std::int16_t* row = weights + 2 * pair * Outputs;
    for (int v = 0; v < kVectors; ++v)
      held[v] += nets::pair_products(wide, nets::load<Ints>(row + 2 * v * kLanes));
  }
  for (int v = 0; v < kVectors; ++v) nets::store(sums + v * kLanes, held[v]);
}

template <std::size_t N>
inline void clip(const std::int32_t* sums, int shift, std::array<std::int16_t, N>& out) {
  for (std::size_t i = 0; i < N; ++i)
    out[i] = static_cast<std::int16_t>(std::clamp(sums[i] >> shift, 0, kClipped));
}

}  // namespace

int filling_of(Mask own, Mask other) { return kDigits[own] + 2 * kDigits[other]; }

const std::array<std::uint16_t, PatternShape::kFillings>& filling_classes() {
  static const auto table = [] {
    std::array<std::uint16_t, PatternShape::kFillings> classes{};
    unsigned open = 0;
    constexpr unsigned kClosed = PatternShape::kClasses - 3;
    for (unsigned filling = 0; filling < classes.size(); ++filling) {
      unsigned own = 0, other = 0, rest = filling;
      for (unsigned cell = 0; cell < 9; ++cell, rest /= 3) {
        own |= static_cast<unsigned>(rest % 3 == 1) << cell;
        other |= static_cast<unsigned>(rest % 3 == 2) << cell;
      }
      const unsigned name = has_line(own)            ? kClosed
                            : has_line(other)        ? kClosed + 1
                            : (own | other) == kFull ? kClosed + 2
                                                     : open++;
      classes[filling] = static_cast<std::uint16_t>(name);
    }
    return classes;
  }();
  return table;
}

PatternNetwork::PatternNetwork(const char* bytes) {
  Reader reader(bytes);
  std::int32_t temperature;
  reader.take(&temperature, 1);
  if (temperature < 1 || temperature > 4096)
    throw std::invalid_argument("the temperature of priors is out of range");
  const auto& classes = filling_classes();
  for (auto* table : {&embeddings_, &active_}) {
    std::vector<Embedding> named(PatternShape::kClasses);
    reader.take(named.data()->data(), named.size() * kEmbedding);
    for (const std::uint16_t name : classes) table->push_back(named[name]);
  }
  std::vector<std::int16_t> rows(std::size_t{kEmbedding} * kHidden);
  for (auto& matrix : weights_) {
    reader.take(rows.data(), rows.size());
    interleave(rows, kHidden, matrix.data());
  }
  for (First& bias : bias_) reader.take(bias.sums.data(), bias.sums.size());
  rows.resize(second_.size());
  reader.take(rows.data(), rows.size());
  interleave(rows, kSecond, second_.data());
  reader.take(second_bias_.data(), second_bias_.size());
  reader.take(last_.data(), last_.size());
  reader.take(&last_bias_, 1);
  for (int i = 0; i <= 2 * kLogitMost; ++i)
    decay_.push_back(static_cast<float>(std::exp(-static_cast<double>(i) / temperature)));
}

void PatternNetwork::add(First& to, std::size_t matrix, const Numbers& embedding) const {
  multiply<kHidden>(embedding.data(), kEmbedding, weights_[matrix].data(), to.sums.data());
}

PatternNetwork::First PatternNetwork::boards(const Uttt& game, std::size_t mover) const {
  First out{};
  for (std::size_t board = 0; board < 9; ++board) {
    const int filling = filling_of(game.cells[mover][board], game.cells[1 - mover][board]);
    const Embedding& from = embeddings_[static_cast<std::size_t>(filling)];
    Numbers numbers;
    std::copy(from.begin(), from.end(), numbers.begin());
    add(out, board, numbers);
  }
  return out;
}

void PatternNetwork::add_constraint(First& to, int constraint, int filling) const {
  const First& bias = bias_[static_cast<std::size_t>(constraint)];
  for (std::size_t i = 0; i < to.sums.size(); ++i) to.sums[i] += bias.sums[i];
  if (constraint == Uttt::kAnywhere) return;
  const Embedding& from = active_[static_cast<std::size_t>(filling)];
  Numbers numbers;
  std::copy(from.begin(), from.end(), numbers.begin());
  add(to, 9, numbers);
}

int PatternNetwork::finish(const First& first) const {
  alignas(64) std::array<std::int16_t, kHidden> hidden;
  clip(first.sums.data(), kFirstShift, hidden);
  alignas(64) std::array<std::int32_t, kSecond> sums = second_bias_;
  multiply<kSecond>(hidden.data(), kHidden, second_.data(), sums.data());
  std::array<std::int16_t, kSecond> last;
  clip(sums.data(), kSecondShift, last);
  std::int32_t out = last_bias_;
  for (std::size_t i = 0; i < last.size(); ++i) out += std::int32_t{last[i]} * last_[i];
  return std::clamp(out >> kLastShift, -kLogitMost, +kLogitMost);
}

int PatternNetwork::logit(const Uttt& game) const {
  const std::size_t mover = game.side;
  First first = boards(game, mover);
  const std::size_t at = game.constraint == Uttt::kAnywhere ? 0 : game.constraint;
  add_constraint(first, game.constraint,
                 filling_of(game.cells[mover][at], game.cells[1 - mover][at]));
  return finish(first);
}

void PatternNetwork::logits_after(const Uttt& game, std::span<const Move> moves,
                                  std::span<int> logits) const {
  const std::size_t mover = game.side, next = 1 - mover;
  const First shared = boards(game, next);
  std::array<First, 10> constraints;  // what each constraint adds, once it is known
  unsigned known = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::size_t board = moves[i] / 9u, cell = moves[i] % 9u;
    Uttt child = game;
    child.place(static_cast<unsigned>(board), static_cast<unsigned>(cell));
    if (child.is_over()) {
      const float result = mover == 0 ? child.result() : 1.0f - child.result();
      logits[i] = result == 0.5f ? 0 : result > 0.5f ? kLogitMost : -kLogitMost;
      continue;
    }
    const auto filling = [&](const Uttt& at, std::size_t place) {
      return filling_of(at.cells[next][place], at.cells[mover][place]);
    };
    const Embedding& before = embeddings_[static_cast<std::size_t>(filling(game, board))];
    const Embedding& after = embeddings_[static_cast<std::size_t>(filling(child, board))];
    Numbers change;
    for (std::size_t k = 0; k < change.size(); ++k)
      change[k] = static_cast<std::int16_t>(after[k] - before[k]);
    First first = shared;
    add(first, board, change);
    const std::size_t constraint = child.constraint;
    if (constraint == board) {  // the sub-board just played in, which differs from move to move
      add_constraint(first, static_cast<int>(constraint), filling(child, board));
    } else {
      First& adds = constraints[constraint];
      if (!(known >> constraint & 1)) {
        known |= 1u << constraint;
        adds = First{};
        add_constraint(adds, static_cast<int>(constraint),
                       constraint == Uttt::kAnywhere ? 0 : filling(game, constraint));
      }
      for (std::size_t k = 0; k < first.sums.size(); ++k) first.sums[k] += adds.sums[k];
    }
    logits[i] = -finish(first);
  }
}

void PatternNetwork::priors(std::span<const int> logits, std::span<float> priors) const {
  int best = -kLogitMost;
  for (const int logit : logits) best = std::max(best, logit);
  float sum = 0.0f;
  for (std::size_t i = 0; i < logits.size(); ++i)
    sum += priors[i] = decay_[static_cast<std::size_t>(best - logits[i])];
  for (float& prior : priors) prior /= sum;
}

float value_of_logit(int logit) {
  static const auto table = [] {
    std::vector<float> values;
    for (int i = -PatternNetwork::kLogitMost; i <= PatternNetwork::kLogitMost; ++i)
      values.push_back(static_cast<float>(
          1.0 / (1.0 + std::exp(-static_cast<double>(i) / PatternNetwork::kLogitOne))));
    return values;
  }();
  return table[static_cast<std::size_t>(logit + PatternNetwork::kLogitMost)];
}

Patterns::Patterns(std::string_view bytes) {
  constexpr std::size_t kHead = 8 + 3 * 4;
  constexpr std::size_t kSize = kHead + 2 * PatternNetwork::kBytes + 4;
  if (bytes.substr(0, kMagic.size()) != kMagic)
    throw std::invalid_argument("not an evaluation of ultimate tic-tac-toe");
  if (bytes.size() < kHead) throw std::invalid_argument("the file ends too early");
  std::array<std::int32_t, 3> shape;
  std::memcpy(shape.data(), bytes.data() + kMagic.size(), sizeof shape);
  if (shape != std::array{PatternShape::kEmbedding, PatternShape::kHidden, PatternShape::kSecond})
    throw std::invalid_argument("the network has sizes that this version does not have");
  if (bytes.size() != kSize)
    throw std::invalid_argument("the file has " + std::to_string(bytes.size()) +
                                " bytes, expected " + std::to_string(kSize));
  std::uint32_t sum;
  std::memcpy(&sum, bytes.data() + kSize - 4, sizeof sum);
  if (sum != crc32(bytes.data(), kSize - 4))
    throw std::invalid_argument("the checksum is wrong: the file is damaged");
  for (std::size_t i = 0; i < 2; ++i)
    networks_.emplace_back(bytes.data() + kHead + i * PatternNetwork::kBytes);
}

}  // namespace kibitz::uttt
