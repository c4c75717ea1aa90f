// Shapes: open sub-boards up to the names of their cells.
//
// Within a table, a cell matters by the threat sets it is in and by its label: the open sub-board
// it leads to, or none ("free"). A shape is a threat class with some cells marked as labelled, up
// to any exchange of cells; an option is a shape with a label on each marked cell. Options of one
// size are numbered, so that a tuple of options has a number too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/uttt/solve/families.h"
#include "games/uttt/solve/threats.h"

namespace kibitz::uttt {

/// How the two players stand to a sub-board. Bit 0 says that the mover wants it, bit 1 that the
/// opponent does: some set of the family has it, and then there is a threat set. A player who does
/// not want it can only close it, and the set of all its cells is then no threat: it closes when
/// full anyway. Under the ending where every sub-board counts (`kCounted`) that last step is not
/// taken.
using Stance = std::uint8_t;
inline constexpr Stance kCounted = 4;
inline constexpr int kStances = 8;

inline constexpr std::uint8_t kFree = 15;  // the label of a cell that leads to a closed sub-board

struct Shape {
  ClassId example = 0;        // a class of this shape
  std::uint8_t labelled = 0;  // number of marked cells
  std::array<std::uint8_t, 9>
      cells{};                       // the example's cells, marked ones first, in the shape's order
  std::uint8_t size = 0;             // number of empty cells
  std::array<bool, 2> threatened{};  // does the mover, the opponent have a threat set?
  std::array<bool, 2> only_full{};   // is its one threat set that of all cells?
  /// Ways to exchange the marked cells that change nothing.
  std::vector<std::array<std::uint8_t, 9>> symmetries;
};

class Shapes {
 public:
  static const Shapes& get();

  const Shape& operator[](std::size_t id) const { return shapes_[id]; }
  std::size_t size() const { return shapes_.size(); }
  /// Is it the shape of a class from which nothing was dropped?
  bool is_natural(std::size_t id) const { return id < natural_; }

  struct Match {
    std::uint32_t shape = 0;
    std::uint32_t order = 0;  // the marked cells in the shape's order, four bits each
  };
  /// The shape of a class whose cells in `labelled` are marked, at most `kMaxOpen` of them.
  const Match& find(ClassId id, Mask labelled, Stance stance) const;

 private:
  Shapes();
  std::uint32_t list(ClassId id, bool drop_mover, bool drop_opponent);
  Match make(ClassId id, Mask labelled, bool drop_mover, bool drop_opponent);

  std::vector<Shape> shapes_;
  std::size_t natural_ = 0;
  std::map<std::vector<Mask>, std::uint32_t> ids_;
  std::vector<Match> matches_;
  std::vector<std::array<std::uint32_t, 4>> base_;  // a class's first place in matches_, by stance
};

/// The numbered options of sub-boards with `size` empty cells among k open ones.
///
/// With two open sub-boards their places on the board bind what each can look like, so much that
/// only one pair in ten exists. There the options are numbered in groups, one for each set of
/// places.
class BoardOptions {
 public:
  static const BoardOptions& of(int k, int size);

  struct Option {
    std::uint32_t shape;
    std::uint32_t code;
  };
  struct Group {
    std::uint16_t places = 0;  // the pairs of places (own, other), up to symmetry, it can be at
    std::uint32_t first = 0, count = 0;
  };
  std::size_t count(Stance stance) const { return options_[stance].size(); }
  const Option& option(Stance stance, std::size_t number) const { return options_[stance][number]; }
  /// The number of a shape with labels; `code` has the label of marked cell i, relative to the
  /// sub-board's own slot, as digit i in base k. -1 if there is no such option.
  std::int32_t number(Stance stance, std::uint32_t shape, std::uint32_t code) const {
    return numbers_[stance][starts_[shape] + code];
  }
  /// Only for k = 2.
  const std::vector<Group>& groups(Stance stance) const { return groups_[stance]; }
  std::size_t group_of(Stance stance, std::size_t number) const {
    return group_of_[stance][number];
  }
  /// Can two sub-boards of these groups stand on one board?
  static bool fit(const Group& a, const Group& b);

 private:
  BoardOptions(int k, int size);
  void list_options(int k, int size);
  void group_by_place(int size);

  std::array<std::vector<Option>, kStances> options_;
  std::array<std::vector<std::int32_t>, kStances> numbers_;
  std::array<std::vector<Group>, kStances> groups_;
  std::array<std::vector<std::uint16_t>, kStances> group_of_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace kibitz::uttt
