// Othello's evaluation: what stands on 58 lines, edges, corners and blocks, each configuration
// worth a part of a disc that depends on the stage of the game, and how many moves either side has.
// A board keeps the 58 indices up to date move by move.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/othello/board.h"

namespace kibitz::othello {

/// Scores of the evaluation count in these parts of a disc.
inline constexpr int kDiscUnit = 128;

/// A pattern of squares. The board's symmetries give its instances; all of them share their
/// weights.
struct PatternFamily {
  int size;
  std::array<std::uint8_t, 10> squares;  // of the first instance
};

inline constexpr std::array<PatternFamily, 14> kFamilies{{
    {9, {0, 1, 2, 8, 9, 10, 16, 17, 18}},     // corner, 3x3
    {10, {0, 1, 2, 3, 4, 8, 9, 10, 11, 12}},  // corner, 2x5
    {10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 14}},    // edge with both X-squares
    {8, {8, 9, 10, 11, 12, 13, 14, 15}},      // second line
    {8, {16, 17, 18, 19, 20, 21, 22, 23}},    // third line
    {8, {24, 25, 26, 27, 28, 29, 30, 31}},    // fourth line
    {8, {0, 9, 18, 27, 36, 45, 54, 63}},      // long diagonal
    {7, {1, 10, 19, 28, 37, 46, 55}},         // diagonal of seven
    {6, {2, 11, 20, 29, 38, 47}},             // of six
    {5, {3, 12, 21, 30, 39}},                 // of five
    {4, {4, 13, 22, 31}},                     // of four
    {8, {10, 11, 12, 13, 18, 19, 20, 21}},    // 2x4 behind the edge, c2 to f3
    {8, {2, 3, 4, 5, 10, 11, 12, 13}},        // 2x4 at the edge, c1 to f2
    {8, {18, 19, 20, 21, 26, 27, 28, 29}},    // half of the centre, c3 to f4
}};

/// How many instances each family has.
inline constexpr std::array<int, 14> kFamilyInstances = {4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4, 4, 4, 4};

inline constexpr int kInstances = 58;
inline constexpr int kPatternLanes = 64;  // padded to whole vectors

/// Numbers that are worth something beside the patterns: the mover's moves, the other side's moves,
/// and the empty squares within a stage. Each has a table of weights behind those of the patterns.
inline constexpr int kMoveCounts = 64;
inline constexpr int kCounts = 3;
/// What the score of a position is the sum of.
inline constexpr int kFeatures = kInstances + kCounts;
inline constexpr int kStagePlies = 4;
inline constexpr int kStages = 15;

/// The stage of a position with so many empty squares: 0 is the opening.
constexpr int stage_of(int empties) {
  const int stage = (60 - empties) / kStagePlies;
  return stage < 0 ? 0 : stage >= kStages ? kStages - 1 : stage;
}

/// Where each instance's configurations lie in a stage's table, and how they fold.
struct PatternLayout {
  std::array<std::array<std::uint8_t, 10>, kInstances> squares{};
  std::array<std::uint8_t, kInstances> family{};
  std::array<std::uint32_t, kInstances> offset{};  // of the family's first configuration
  std::array<std::array<std::uint16_t, kPatternLanes>, 64>
      step{};                          // what a disc adds to each index, times 1 or 2
  std::uint32_t configurations = 0;    // of all families, and the counts behind them
  std::uint32_t slots = 0;             // of those that no symmetry of the pattern makes equal
  std::vector<std::uint32_t> slot;     // of each configuration
  std::vector<std::uint32_t> swapped;  // each configuration with the colours exchanged

  static const PatternLayout& get();

  /// The slots whose weights make up the score of a position, in the mover's view.
  std::array<std::uint32_t, kFeatures> slots_of(const Othello& game) const;
};

/// The weights of every stage, in units of kDiscUnit, ready for both colours.
class PatternWeights {
 public:
  /// `slots`: kStages times PatternLayout::slots numbers, the mover's view (its discs are 1s).
  explicit PatternWeights(std::span<const std::int16_t> slots);

  const std::int16_t* table(int side, int stage) const {
    return tables_.data() +
           (static_cast<std::size_t>(side) * kStages + static_cast<std::size_t>(stage)) * stride_;
  }

 private:
  std::size_t stride_;
  std::vector<std::int16_t> tables_;
};

/// A position with its pattern indices. Digits: 0 empty, 1 black, 2 white.
class PatternBoard {
 public:
  explicit PatternBoard(const Othello& game);

  const Othello& game() const { return game_; }
  int empties() const { return empties_; }
  const std::array<std::uint16_t, kPatternLanes>& indices() const { return index_; }

  void place(int square, Bits turned);
  void pass() { game_.pass(); }
  void play(Move move) {
    if (move == kPass)
      pass();
    else
      place(move, flips(move, game_.player, game_.opponent));
  }

  /// The mover's expected margin, in units of kDiscUnit.
  int evaluate(const PatternWeights& weights) const;

 private:
  std::array<std::uint16_t, kPatternLanes> index_{};
  Othello game_;
  int empties_;
};

}  // namespace kibitz::othello
