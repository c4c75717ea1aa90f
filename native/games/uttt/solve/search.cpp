#include "games/uttt/solve/search.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/core_turns.h"

namespace kibitz::uttt {

SearchMemory::Buckets SearchMemory::make(std::size_t count) {
  const std::size_t bytes = count * sizeof(Bucket);
  void* memory = std::aligned_alloc(alignof(Bucket), bytes);
  if (!memory) throw std::bad_alloc();
  std::memset(memory, 0, bytes);
  return Buckets(static_cast<Bucket*>(memory));
}

SearchMemory::SearchMemory(std::size_t bytes)
    : most_buckets_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 2))) {
  const std::size_t count = std::min(kFirstBuckets, most_buckets_);
  buckets_ = make(count);
  mask_ = count - 1;
}

void SearchMemory::grow() {
  const std::size_t count = std::min(4 * (mask_ + 1), most_buckets_);
  Buckets larger = make(count);
  // A new bucket is fed from one old bucket only, so all entries find room.
  for (std::size_t i = 0; i <= mask_; ++i) {
    for (const Entry& entry : buckets_[i].entries) {
      if (entry.key == SearchKey{}) continue;
      Bucket& home = larger[entry.key.hash() & (count - 1)];
      home.entries[home.entries[0].key == SearchKey{} ? 0 : 1] = entry;
    }
  }
  buckets_ = std::move(larger);
  mask_ = count - 1;
}

void SearchMemory::store(const SearchKey& key, std::uint64_t hash, int empties, int least, int most,
                         int best) {
  if (filled_ > mask_ && mask_ + 1 < most_buckets_) grow();
  Bucket& home = buckets_[hash & mask_];
  Entry* place = nullptr;
  for (Entry& entry : home.entries)
    if (entry.key == key) place = &entry;
  if (!place) {
    const auto worth = [this](const Entry& entry) {
      return entry.empties + (entry.age == age_ ? 128 : 0);
    };
    place = worth(home.entries[0]) <= worth(home.entries[1]) ? &home.entries[0] : &home.entries[1];
    filled_ += place->key == SearchKey{};
    *place = {key, Memory{}, static_cast<std::uint8_t>(empties), age_};
  }
  place->age = age_;
  place->memory.least = std::max(place->memory.least, static_cast<std::int8_t>(least));
  place->memory.most = std::min(place->memory.most, static_cast<std::int8_t>(most));
  if (best != 0xff) place->memory.best = static_cast<std::uint8_t>(best);
}

void ExactSearch::begin(const SolveLimits& limits) {
  limits_ = limits;
  watch_.restart();
  nodes_ = 0;
  aborted_ = false;
  for (auto& side : merit_) side.fill(0);
  memory_.new_search();
}

bool ExactSearch::limits_hit() {
  if (nodes_ >= limits_.nodes) aborted_ = true;
  if ((nodes_ & 1023) == 0) {
    CoreTurn::rest();
    if (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) aborted_ = true;
    if (watch_.seconds() >= limits_.seconds) aborted_ = true;
  }
  return aborted_;
}

namespace {

/// Can the mover complete a line of sub-boards now? Precondition: it needs one more move.
bool wins_at_once(const SearchNode& node) {
  const auto& tables = SearchTables::get();
  for (std::uint32_t boards = node.allowed(); boards != 0; boards &= boards - 1) {
    const auto b = static_cast<std::size_t>(std::countr_zero(boards));
    if (tables.winning_cells(node.boards[b], node.side) && has_line(node.won[node.side] | 1u << b))
      return true;
  }
  return false;
}

}  // namespace

/// The legal moves with what they promise; a winning one alone, if there is one.
int ExactSearch::list_moves(const SearchNode& node, int first, Candidate* out) const {
  const auto& tables = SearchTables::get();
  const auto& classes = ThreatClasses::get();
  const std::size_t mine = node.side, theirs = node.side ^ 1u;
  const unsigned i_want =
      node.counted ? kFull : tables.wanted(tables.need(node.won[mine], node.winnable[mine]));
  const unsigned they_want =
      node.counted ? kFull : tables.wanted(tables.need(node.won[theirs], node.winnable[theirs]));
  // What it is worth to the opponent to be sent to each sub-board.
  std::array<std::int16_t, 9> gift;
  for (std::size_t b = 0; b < 9; ++b) {
    if (!(node.open >> b & 1)) {
      gift[b] = 60;  // a free choice
      continue;
    }
    gift[b] = 0;
    if (tables.winning_cells(node.boards[b], theirs)) gift[b] = they_want >> b & 1 ? 40 : 5;
    if (tables.winning_cells(node.boards[b], mine) && (i_want >> b & 1)) gift[b] += 15;
  }
  int count = 0;
  for (std::uint32_t boards = node.allowed(); boards != 0; boards &= boards - 1) {
    const auto b = static_cast<unsigned>(std::countr_zero(boards));
    const ClassId id = node.boards[b];
    const Mask wins = tables.winning_cells(id, mine), stops = tables.winning_cells(id, theirs);
    const bool wanted = i_want >> b & 1, theirs_wanted = they_want >> b & 1;
    for (std::uint32_t left = classes.empty(id); left != 0; left &= left - 1) {
      const auto c = static_cast<unsigned>(std::countr_zero(left));
      int promise = -gift[c];
      if (wins >> c & 1) promise += wanted ? 70 : theirs_wanted ? 30 : 0;
      if (stops >> c & 1) promise += theirs_wanted ? 25 : 0;
      const auto move = static_cast<std::uint8_t>(9 * b + c);
      SearchNode next = node;
      if (next.play(b, c)) {
        out[0] = {move, 0};
        return 1;
      }
      const int my_way = std::min(next.moves_to_line(mine), kFar);
      const int their_way = std::min(next.moves_to_line(theirs), kFar);
      promise += kWayWeight * (their_way - my_way) + merit_[mine][move] / 16;
      if (their_way == 1 && next.open != 0 && wins_at_once(next)) promise -= 2000;
      if (move == first) promise = 10000;
      out[count++] = {move, static_cast<std::int16_t>(promise)};
    }
  }
  return count;
}

int ExactSearch::search(const SearchNode& node, int alpha, int beta) {
  ++nodes_;
  if (limits_hit()) return 0;
  // A win cannot come before the cells it needs are taken, nor after the last cell.
  const std::size_t mine = node.side, theirs = node.side ^ 1u;
  int least = -kWin + 1, most = kWin - 1;
  if (!node.counted) {
    const int my_moves = node.moves_to_line(mine), their_moves = node.moves_to_line(theirs);
    const int empties = node.empties;
    // Not before, and a win needs that many plies to exist at all.
    most = 2 * my_moves - 1 <= empties ? kWin - (2 * my_moves - 1) : 0;
    least = 2 * their_moves <= empties ? 2 * their_moves - kWin : 0;
    if (most == least) return most;
    if (most <= alpha) return most;
    if (least >= beta) return least;
  }

  const SearchKey key = node.key();
  const std::uint64_t hash = key.hash();
  int best_move = 0xff;
  if (const Memory* known = memory_.find(key, hash)) {
    least = std::max(least, int{known->least});
    most = std::min(most, int{known->most});
    if (least >= beta || least == most) return least;
    if (most <= alpha) return most;
    best_move = known->best;
  }
  alpha = std::max(alpha, least - 1);
  beta = std::min(beta, most + 1);

  std::array<Candidate, 81> moves;
  const int count = list_moves(node, best_move, moves.data());
  int best = -kWin;
  int lower = alpha;
  for (int i = 0; i < count; ++i) {
    // Moves are few and the first is often enough: pick the best of the rest each time.
    int pick = i;
    for (int j = i + 1; j < count; ++j)
      if (moves[static_cast<std::size_t>(j)].promise >
          moves[static_cast<std::size_t>(pick)].promise)
        pick = j;
    std::swap(moves[static_cast<std::size_t>(i)], moves[static_cast<std::size_t>(pick)]);
    const unsigned move = moves[static_cast<std::size_t>(i)].move;

    SearchNode next = node;
    int score;
    if (next.play(move / 9, move % 9)) {
      score = kWin - 1;
    } else if (next.open == 0) {
      const int lead =
          node.counted ? std::popcount(next.won[mine]) - std::popcount(next.won[theirs]) : 0;
      score = lead > 0 ? kWin - 1 : lead < 0 ? 1 - kWin : 0;
    } else {
      const int child_beta = lower >= 0 ? -lower - 1 : -lower + 1;
      const int child_alpha = beta > 0 ? -beta - 1 : -beta + 1;
      score = seen_from_before(search(next, child_alpha, child_beta));
      if (aborted_) return 0;
    }
    if (score > best) {
      best = score;
      if (score > lower) {
        lower = score;
        best_move = static_cast<int>(move);
      }
      if (score >= beta || score >= most) {
        if (score >= beta) merit_[mine][move] += (1024 - merit_[mine][move]) / 16;
        break;
      }
      merit_[mine][move] -= merit_[mine][move] / 32;
    }
  }
  // The best move's score is exact between the bounds, else it bounds from the side it fell on.
  const int known_least = best > alpha ? std::max(best, least) : least;
  const int known_most = best < beta ? std::min(best, most) : most;
  memory_.store(key, hash, node.empties, std::max(known_least, -100), std::min(known_most, 100),
                best_move);
  return best;
}

int ExactSearch::sign(const SearchNode& node) {
  if (search(node, 0, 1) > 0) return 1;
  if (aborted_) return 0;
  return search(node, -1, 0) < 0 ? -1 : 0;
}

int ExactSearch::score(const SearchNode& node) {
  // One more ply at a time: a short win is proven by a shallow search, and the moves that answered
  // a shallow question are the first to try at the next.
  int least = 1 - kWin, most = kWin - 1;
  for (int plies = 1; plies <= node.empties && (least < 0 || most > 0); ++plies) {
    const int edge = kWin - plies;
    if (most >= edge) {
      const int score = search(node, edge - 1, edge);
      if (aborted_) return 0;
      if (score >= edge) return score;
      most = std::min(most, score);
    }
    if (least <= -edge) {
      const int score = search(node, -edge, -edge + 1);
      if (aborted_) return 0;
      if (score <= -edge) return score;
      least = std::max(least, score);
    }
  }
  return 0;
}

}  // namespace kibitz::uttt
