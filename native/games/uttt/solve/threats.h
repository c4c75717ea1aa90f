// Threat classes: all that the future of an open sub-board depends on.
//
// Who holds which cell no longer matters; what does are the empty cells and, for each player, the
// smallest sets of empty cells that still complete a line. Two fillings with the same sets have the
// same future, move for move. There are 8,626 classes of open sub-boards.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/uttt/lines.h"

namespace kibitz::uttt {

using ClassId = std::uint16_t;

/// No class: what a move that closes the sub-board leads to.
inline constexpr ClassId kClosedFull = 0xfffe;
inline constexpr ClassId kClosedWon = 0xffff;

/// A family of sets: sorted, none inside another.
using SetFamily = std::vector<Mask>;

/// Sorts, and drops every set that holds another: whoever completes it has completed the smaller
/// one.
SetFamily smallest_sets(SetFamily sets);

struct ThreatClass {
  Mask empty = 0;
  std::array<SetFamily, 2> sets;  // X's and O's
  ClassId swapped = 0;            // the class with the players exchanged
};

/// All classes and the moves between them, made once for the process.
class ThreatClasses {
 public:
  static const ThreatClasses& get();

  std::size_t size() const { return classes_.size(); }
  const ThreatClass& operator[](ClassId id) const { return classes_[id]; }

  /// The class of an open sub-board; precondition: no line, not full.
  ClassId of(Mask x, Mask o) const { return of_[ternary_[x] + 2u * ternary_[o]]; }
  /// The class after a player takes an empty cell, or one of the closed values.
  ClassId after(ClassId id, int player, int cell) const {
    return after_[id][static_cast<std::size_t>(player)][static_cast<std::size_t>(cell)];
  }
  /// Can the player still win such a sub-board?
  bool winnable(ClassId id, int player) const { return (winnable_[id] >> player & 1) != 0; }
  ClassId swapped(ClassId id) const { return swapped_[id]; }
  Mask empty(ClassId id) const { return empty_[id]; }

 private:
  ThreatClasses();

  std::vector<ThreatClass> classes_;
  std::array<std::uint16_t, 512> ternary_{};
  std::vector<ClassId> of_;
  std::vector<std::array<std::array<ClassId, 9>, 2>> after_;
  std::vector<std::uint8_t> winnable_;
  std::vector<ClassId> swapped_;
  std::vector<Mask> empty_;
};

}  // namespace kibitz::uttt
