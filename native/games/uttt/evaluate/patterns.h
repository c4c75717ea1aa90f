// The evaluation of ultimate tic-tac-toe: a small network over the fillings of the nine sub-boards.
//
// Each sub-board's filling, seen from the side to move, is looked up in a table of embeddings (16
// numbers); a second table holds what the filling of the sub-board that must be played in adds. The
// embeddings go through a dense layer with weights of their own for each place, then through two
// layers with clipped rectifiers to one logit, the mover's. All of it is integer arithmetic, so
// every CPU level gives the same numbers. A move changes one sub-board and the constraint, so the
// children of a position share most of the first layer.
//
// docs/uttt-evaluation.md says how the numbers are made and how the file is laid out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "games/uttt/board.h"

namespace kibitz::uttt {

/// The sizes of the network; a file with others is refused.
struct PatternShape {
  static constexpr int kEmbedding = 16, kHidden = 64, kSecond = 32;
  static constexpr int kFillings = 19683;  // 3 ^ 9
  /// Fillings without a line and with an empty cell, in the order of their numbers, and behind them
  /// a sub-board of the mover, one of the other side and a drawn one.
  static constexpr int kClasses = 11096;
};

/// The number of a filling: cells of one side and of the other, as digits to the base of three.
int filling_of(Mask own, Mask other);
/// The class of each filling; see PatternShape::kClasses.
const std::array<std::uint16_t, PatternShape::kFillings>& filling_classes();

/// The network of one ending.
class PatternNetwork {
 public:
  static constexpr int kEmbedding = PatternShape::kEmbedding, kHidden = PatternShape::kHidden,
                       kSecond = PatternShape::kSecond;
  /// Logits are in units of 1/256, from -kLogitMost to kLogitMost.
  static constexpr int kLogitOne = 256, kLogitMost = 2047;
  static constexpr std::size_t kBytes = 4 + 2 * PatternShape::kClasses * kEmbedding +
                                        2 * 10 * kEmbedding * kHidden + 4 * 10 * kHidden +
                                        2 * kHidden * kSecond + 4 * kSecond + 2 * kSecond + 4;

  /// Reads kBytes.
  explicit PatternNetwork(const char* bytes);

  /// The mover's logit; precondition: the game is not over.
  int logit(const Uttt& game) const;
  /// The logit of each of the moves for the side that plays it; the end of the game is
  /// +-kLogitMost, and 0 for a draw.
  void logits_after(const Uttt& game, std::span<const Move> moves, std::span<int> logits) const;
  /// Priors of moves from their logits: a softmax with the temperature of the file.
  void priors(std::span<const int> logits, std::span<float> priors) const;

 private:
  struct alignas(64) First {
    std::array<std::int32_t, kHidden> sums;
  };
  using Embedding = std::array<std::int8_t, kEmbedding>;
  using Numbers = std::array<std::int16_t, kEmbedding>;

  void add(First& to, std::size_t matrix, const Numbers& embedding) const;
  /// All nine sub-boards as `mover` sees them.
  First boards(const Uttt& game, std::size_t mover) const;
  /// What the constraint adds, given the filling of its sub-board.
  void add_constraint(First& to, int constraint, int filling) const;
  int finish(const First& first) const;

  // Places 0 to 8, then the sub-board to be played in; two rows of weights side by side, so that a
  // product takes two numbers of an embedding at once.
  alignas(64) std::array<std::array<std::int16_t, kEmbedding * kHidden>, 10> weights_;
  std::array<First, 10> bias_;  // by constraint
  alignas(64) std::array<std::int16_t, kHidden * kSecond> second_;
  alignas(64) std::array<std::int32_t, kSecond> second_bias_;
  alignas(64) std::array<std::int16_t, kSecond> last_;
  std::int32_t last_bias_ = 0;
  std::vector<Embedding> embeddings_, active_;  // by filling
  std::vector<float> decay_;                    // exp(-i / temperature)
};

/// The networks of both endings. Threads: read-only once it is made.
class Patterns {
 public:
  static constexpr std::string_view kMagic = "KIBUTTT1";

  /// Reads the bytes of a file; throws std::invalid_argument that says what is wrong with them.
  explicit Patterns(std::string_view bytes);

  const PatternNetwork& of(const Uttt& game) const {
    return networks_[static_cast<std::size_t>(game.ending)];
  }

 private:
  std::vector<PatternNetwork> networks_;
};

/// A logit as the expected result in [0, 1].
float value_of_logit(int logit);

}  // namespace kibitz::uttt
