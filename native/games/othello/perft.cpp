#include "games/othello/perft.h"

#include <vector>

namespace kibitz::othello {

namespace {

// Lines of play meet again: a table of counts, checked by the whole position, so the total stays
// exact.
class Counter {
 public:
  explicit Counter(PerftStop stop) : stop_(stop) {}

  std::uint64_t count(Bits player, Bits opponent, int depth) {
    if (depth <= 0) return 1;
    Bits moves = mobility(player, opponent);
    if (moves == 0) {
      if (mobility(opponent, player) == 0) return 1;
      return count(opponent, player, depth - 1);
    }
    if (depth == 1) return static_cast<std::uint64_t>(std::popcount(moves));
    if (depth < kTableDepth) return expand(player, opponent, moves, depth);

    const std::uint64_t key = mix64(player ^ mix64(opponent + static_cast<unsigned>(depth)));
    Entry& entry = table_[key % table_.size()];
    if (entry.player != player || entry.opponent != opponent || entry.depth != depth) {
      const std::uint64_t leaves = expand(player, opponent, moves, depth);
      entry = {player, opponent, leaves, depth};
    }
    return entry.leaves;
  }

 private:
  struct Entry {
    Bits player = 0;
    Bits opponent = 0;
    std::uint64_t leaves = 0;
    int depth = 0;
  };

  // Below this a position is cheaper to expand than to look up.
  static constexpr int kTableDepth = 3;

  std::uint64_t expand(Bits player, Bits opponent, Bits moves, int depth) {
    check(stop_);
    std::uint64_t leaves = 0;
    while (moves != 0) {
      const int square = pop_lowest(moves);
      const Bits turned = flips(square, player, opponent);
      leaves += count(opponent & ~turned, player | turned | bit(square), depth - 1);
    }
    return leaves;
  }

  PerftStop stop_;
  std::vector<Entry> table_ = std::vector<Entry>(std::size_t{1} << 18);
};

}  // namespace

std::uint64_t perft(const Othello& game, int depth, PerftStop stop) {
  return Counter(stop).count(game.player, game.opponent, depth);
}

}  // namespace kibitz::othello
