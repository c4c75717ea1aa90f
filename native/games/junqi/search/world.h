// Beam alpha-beta in one sampled world of Junqi: four seats, two alliances, discounted sums.
//
// The value of a node is the best over its moves of  s + discount * value(child)  at the searching
// alliance's nodes and the worst of  -s + discount * value(child)  at the others', s being the
// move's immediate score for its mover. A child is searched with the window shifted by s and
// divided by the discount, so pruning never changes a value. The beam keeps the moves that are best
// for the mover as it can judge them: an attack on a piece it does not know counts as what it must
// expect of it. A leaf is worth what the position has gained since the root.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "games/junqi/evaluate/scoring.h"
#include "games/junqi/search/options.h"

namespace kibitz::junqi {

using Clock = std::chrono::steady_clock;

/// Shared by the searches of one request: when to stop.
struct Deadline {
  Clock::time_point at = Clock::time_point::max();
  std::atomic<bool>* stop = nullptr;

  bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
  bool passed() const { return stopped() || Clock::now() >= at; }
};

class WorldSearch {
 public:
  /// `options`, `knowledge`, `expected` (of the knowledge, by the scorer) and `scorer` must outlive
  /// the search; `history` is copied and written on. The table is made for about `nodes` nodes.
  WorldSearch(const Junqi& world, int team, const JunqiOptions& options, const Scorer& scorer,
              const Knowledge& knowledge, const Scorer::Expected& expected,
              const HistoryRecorder& history, const Deadline& deadline, std::int64_t nodes);

  /// The value of playing `move` first and searching `depth - 1` plies on, the first move's own
  /// score left to the caller. `unseen` is added to every leaf. Meaningless once `aborted()`.
  double after(Move move, int depth, double unseen = 0);
  /// What an attack on an unknown piece is expected to change in a leaf beyond what it changes in
  /// this world; 0 for other moves.
  double surprise(const Junqi& board, Move move) const;
  /// The value of the position searched to `depth`, for tests and for open games.
  double value(int depth);
  const std::vector<Move>& line() const { return line_; }
  std::int64_t nodes() const { return nodes_; }
  /// Lets it have so many nodes more than it had.
  void allow(std::int64_t nodes) { most_nodes_ = nodes_ + nodes; }
  bool aborted() const { return aborted_; }
  const Junqi& world() const { return world_; }
  const WorldFacts& facts() const { return facts_; }

 private:
  static constexpr int kMaxPly = 32;
  enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };
  struct Entry {
    std::uint64_t key = 0;
    double value = 0;
    Move best = kNoMove;
    std::int8_t depth = -1;
    Bound bound = Bound::kNone;
  };
  /// What a search needs much of: the table, and the history heuristic (from * 129 + to).
  struct Memory {
    std::vector<Entry> entries;
    std::vector<std::uint32_t> good;
  };
  /// Memory goes from search to search. Tables go as they are, for clearing one costs as much as
  /// filling it: each search signs its entries, so that it never reads another's.
  class Table {
   public:
    /// `size` is a power of two, or 0 for no table.
    explicit Table(std::size_t size);
    Table(Table&&) noexcept = default;
    ~Table();

    bool empty() const { return size_ == 0; }
    Entry& operator[](std::uint64_t key) { return memory_.entries[key & (size_ - 1)]; }
    std::uint64_t signature() const { return signature_; }
    std::uint32_t& good(Move move) {
      return memory_.good[static_cast<std::size_t>(from_of(move) * kNodes + to_of(move))];
    }

   private:
    Memory memory_;
    std::size_t size_;
    std::uint64_t signature_ = 0;
  };
  struct Scored {
    Move move;
    float order;
    double score;
    double unseen = 0;  // what the leaf must not count: how the attack on an unknown piece ends
  };

  static std::vector<Memory>& spare_memory();
  double search(const Junqi& board, int depth, int ply, double alpha, double beta);
  double quiesce(const Junqi& board, int left, int ply, double alpha, double beta);
  double child(const Junqi& board, const Scored& scored, double sign, int depth, int left, int ply,
               double alpha, double beta, bool quiet);
  /// What has changed since the root: a constant part would be discounted away line by line.
  double leaf(const Junqi& board) const {
    return side_ * (scorer_.position(board, facts_) - baseline_) + unseen_;
  }
  bool out_of_time();
  void keep_line(int ply, Move move);
  Scored scored_of(const Junqi& board, const Stage& stage, Move move, bool maximizing) const;

  Junqi world_;
  WorldFacts facts_;
  int team_;
  double side_, baseline_;
  const JunqiOptions& options_;
  const Scorer& scorer_;
  const Knowledge& knowledge_;
  const Scorer::Expected& expected_;
  HistoryRecorder history_;
  const Deadline& deadline_;
  std::int64_t most_nodes_ = 0, nodes_ = 0;
  bool aborted_ = false;
  Table table_;
  std::array<std::array<Move, 2>, kMaxPly + 2> killers_;
  std::array<std::vector<Move>, kMaxPly + 2> lines_;
  std::array<double, kSeats> army_{};  // what the leaf loses with a seat
  double unseen_ = 0;                  // sum over the line being searched
  std::vector<Move> line_;
};

}  // namespace kibitz::junqi
