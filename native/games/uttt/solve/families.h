// What each player still needs of the board of sub-boards, for k open ones, and the isomorphism
// classes of pairs of such needs.
//
// A player's need is a family of sets of open sub-boards: winning all of one set wins the game. The
// open sub-boards are numbered 0 to k-1 ("slots"); where they lie on the board no longer matters.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "games/uttt/solve/threats.h"

namespace kibitz::uttt {

/// Tables go up to this many open sub-boards. (Level 6 with six of them alone has 10^9 positions.)
inline constexpr int kMaxOpen = 5;

/// A family over k slots, as an index into `Families`. 0 is the family without sets.
using FamilyId = std::uint16_t;
inline constexpr FamilyId kLine = 0xffff;  // a set was completed: the player has won

/// A renumbering of slots: old slot i becomes to[i].
struct Renumbering {
  std::array<std::uint8_t, kMaxOpen> to{};
};

/// A class of pairs (mover's family, opponent's family) under renumbering; its first member.
struct Need {
  FamilyId mover = 0, opponent = 0;
  /// For each slot: bit 0 when some set of the mover has it, bit 1 when some set of the opponent
  /// has.
  std::array<std::uint8_t, kMaxOpen> wanted{};
};

/// Families and needs for one number of open sub-boards.
class Families {
 public:
  static const Families& of(int k);

  int slots() const { return k_; }
  std::size_t size() const { return sets_.size(); }
  const SetFamily& sets(FamilyId id) const { return sets_[id]; }
  /// The family of the smallest of some sets; precondition: none is empty.
  FamilyId of_sets(std::span<const Mask> sets) const {
    std::uint32_t bits = 0;
    for (const Mask set : sets) bits |= 1u << set;
    for (std::uint32_t left = bits; left != 0; left &= left - 1)
      bits &= ~holding_[static_cast<std::size_t>(std::countr_zero(left))];
    return by_bits(bits);
  }

  /// Slots that some set of the family has.
  Mask support(FamilyId id) const { return support_[id]; }
  /// After the player can no longer win `slot`, which stays open.
  FamilyId without(FamilyId id, int slot) const {
    return without_[id][static_cast<std::size_t>(slot)];
  }
  /// After `slot` was closed, won by this player or not; in the numbering of k - 1 slots.
  FamilyId closed(FamilyId id, int slot, bool won) const {
    return closed_[id][static_cast<std::size_t>(slot)][won ? 1 : 0];
  }

  const std::vector<Need>& needs() const { return needs_; }
  struct Match {
    std::uint16_t need = kNone;
    std::uint16_t renumbering = 0;
    static constexpr std::uint16_t kNone = 0xffff;
  };
  /// The class of a pair and the renumbering that leads to its first member.
  Match find(FamilyId mover, FamilyId opponent) const {
    return matches_[std::size_t{mover} * size() + opponent];
  }
  const Renumbering& renumbering(std::size_t index) const { return renumberings_[index]; }

 private:
  Families(int k, const Families* fewer);
  template <int k>
  static const Families& with();
  void collect_sets(std::vector<std::pair<SetFamily, SetFamily>>& pairs);
  void link(const Families* fewer);
  void classify(const std::vector<std::pair<SetFamily, SetFamily>>& pairs);
  FamilyId by_bits(std::uint32_t bits) const {
    std::size_t at = spread(bits);
    while (hashed_[at].bits != bits) at = (at + 1) % kHashed;
    return hashed_[at].id;
  }
  static std::size_t spread(std::uint32_t bits) { return (bits * 0x9e3779b1u) >> 19; }
  FamilyId id(const SetFamily& sets) const { return ids_.at(sets); }
  SetFamily renumbered(const SetFamily& sets, const Renumbering& how) const;

  int k_;
  /// Families by their sets, each a bit of a 32-bit word: what a probe looks up.
  struct Hashed {
    std::uint32_t bits = 1;  // the empty set belongs to no family, so this marks a free place
    FamilyId id = 0;
  };
  static constexpr std::size_t kHashed = 8192;
  std::vector<Hashed> hashed_;
  std::array<std::uint32_t, 32> holding_{};  // for each set, the larger ones that hold it
  std::vector<SetFamily> sets_;
  std::map<SetFamily, FamilyId> ids_;
  std::vector<Mask> support_;
  std::vector<std::array<FamilyId, kMaxOpen>> without_;
  std::vector<std::array<std::array<FamilyId, 2>, kMaxOpen>> closed_;
  std::vector<Renumbering> renumberings_;
  std::vector<Need> needs_;
  std::vector<Match> matches_;
};

}  // namespace kibitz::uttt
