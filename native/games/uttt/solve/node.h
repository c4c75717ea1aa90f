// A position as the exact search sees it: threat classes instead of cells, and the key under which
// the search remembers it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/uttt/board.h"
#include "games/uttt/solve/threats.h"

namespace kibitz::uttt {

/// What identifies a position up to threat classes, the players' needs and what nobody wants. The
/// whole of it is stored and compared: a hit in a table is never a mistake.
struct SearchKey {
  std::array<std::uint64_t, 3> words{};
  bool operator==(const SearchKey&) const = default;
  std::uint64_t hash() const {
    std::uint64_t h = words[0] * 0x9e3779b97f4a7c15ULL;
    h = (h ^ h >> 32 ^ words[1]) * 0xc2b2ae3d27d4eb4fULL;
    h = (h ^ h >> 29 ^ words[2]) * 0xd6e8feb86659fd93ULL;
    return h ^ h >> 32;
  }
};

/// Tables over threat classes and over the board of sub-boards that the search leans on.
class SearchTables {
 public:
  static const SearchTables& get();

  /// Names what a player needs: the smallest sets of open sub-boards that complete a line.
  std::uint16_t need(Mask won, Mask winnable) const {
    return need_[ternary_[winnable] + 2u * ternary_[won]];
  }
  /// Sub-boards that some set of a need has.
  Mask wanted(std::uint16_t need) const { return wanted_[need]; }
  /// A name for the class in a sub-board that X (bit 0) or O (bit 1) wants: a player who does not
  /// can only close it, so the set of all cells is no threat of theirs.
  std::uint16_t name(ClassId id, unsigned wanting) const { return names_[id][wanting]; }
  /// The fewest cells a player must still take to win the sub-board; 9 if it cannot.
  std::uint8_t cells_to_win(ClassId id, std::size_t player) const { return to_win_[player][id]; }
  /// Cells that win the sub-board at once.
  Mask winning_cells(ClassId id, std::size_t player) const { return winning_[player][id]; }

 private:
  SearchTables();
  std::array<std::uint16_t, 512> ternary_{};
  std::vector<std::uint16_t> need_;
  std::vector<Mask> wanted_;
  std::vector<std::array<std::uint16_t, 4>> names_;
  std::array<std::vector<std::uint8_t>, 2> to_win_;
  std::array<std::vector<Mask>, 2> winning_;
};

struct SearchNode {
  std::array<ClassId, 9> boards{};
  std::array<Mask, 2> won{};
  std::array<Mask, 2> winnable{};  // open sub-boards that X, O can still win
  Mask open = 0;
  std::uint8_t constraint = Uttt::kAnywhere;
  std::uint8_t side = 0;
  std::uint8_t empties = 0;
  bool counted = false;  // most sub-boards win

  SearchNode() = default;
  explicit SearchNode(const Uttt& game) {
    const auto& classes = ThreatClasses::get();
    won = game.won;
    open = static_cast<Mask>(kFull & ~game.closed);
    constraint = game.constraint;
    side = game.side;
    empties = static_cast<std::uint8_t>(game.empties());
    counted = game.ending == Uttt::Ending::kMostSubBoards;
    for (std::size_t b = 0; b < 9; ++b) {
      if (!(open >> b & 1)) continue;
      boards[b] = classes.of(game.cells[0][b], game.cells[1][b]);
      for (int player = 0; player < 2; ++player)
        if (classes.winnable(boards[b], player))
          winnable[static_cast<std::size_t>(player)] |= static_cast<Mask>(1u << b);
    }
  }

  Mask allowed() const {
    return constraint == Uttt::kAnywhere ? open : static_cast<Mask>(1u << constraint);
  }

  /// The mover takes a cell; true when that completes a line of sub-boards (the node is then void).
  bool play(unsigned board, unsigned cell) {
    const auto& classes = ThreatClasses::get();
    const ClassId after = classes.after(boards[board], side, static_cast<int>(cell));
    const auto bit = static_cast<Mask>(1u << board);
    if (after >= kClosedFull) {
      empties = static_cast<std::uint8_t>(empties - std::popcount(classes.empty(boards[board])));
      open ^= bit;
      boards[board] = 0;
      winnable[0] &= static_cast<Mask>(~bit);
      winnable[1] &= static_cast<Mask>(~bit);
      if (after == kClosedWon) {
        won[side] |= bit;
        if (has_line(won[side])) return true;
      }
    } else {
      --empties;
      boards[board] = after;
      if (!classes.winnable(after, side ^ 1)) winnable[side ^ 1u] &= static_cast<Mask>(~bit);
    }
    constraint = static_cast<std::uint8_t>(open >> cell & 1 ? cell : unsigned{Uttt::kAnywhere});
    side ^= 1;
    return false;
  }

  SearchKey key() const;

  /// The fewest moves a player must still make to complete a line of sub-boards; large if it
  /// cannot.
  int moves_to_line(std::size_t player) const {
    const auto& tables = SearchTables::get();
    std::array<std::uint8_t, 9> cost;
    for (std::size_t b = 0; b < 9; ++b)
      cost[b] = won[player] >> b & 1        ? std::uint8_t{0}
                : winnable[player] >> b & 1 ? tables.cells_to_win(boards[b], player)
                                            : std::uint8_t{30};
    const int rows = std::min({cost[0] + cost[1] + cost[2], cost[3] + cost[4] + cost[5],
                               cost[6] + cost[7] + cost[8], cost[0] + cost[3] + cost[6]});
    return std::min({rows, cost[1] + cost[4] + cost[7], cost[2] + cost[5] + cost[8],
                     cost[0] + cost[4] + cost[8], cost[2] + cost[4] + cost[6]});
  }
};

}  // namespace kibitz::uttt
