#include "games/junqi/search/flags.h"

#include <algorithm>
#include <array>

namespace kibitz::junqi {
namespace {

/// Turns that the victim's enemies have in the next `left` plies.
int enemy_turns(const Junqi& board, int victim, int left) {
  int turns = 0;
  for (int seat = board.to_move(), ply = 0; ply < left; seat = (seat + 1) % kSeats) {
    if (!board.alive(seat)) continue;
    ++ply;
    turns += board.team(seat) != board.team(victim);
  }
  return turns;
}

bool may_leave(const Junqi& board, int piece) {
  return is_mobile(board.kind(piece)) && !board.graph().headquarters().has(board.node_of(piece));
}

Nodes targets_of(const Junqi& board, int piece) {
  return targets(board, piece, board.kind(piece) == Kind::kEngineer);
}

}  // namespace

bool races(const Junqi& board, Move move) {
  const int from = from_of(move), to = to_of(move), target = board.piece_at(to);
  const int team = board.team(owner_of(board.piece_at(from)));
  for (int seat = 0; seat < kSeats; ++seat) {
    if (!board.alive(seat)) continue;
    const int flag = board.node_of(board.flag(seat));
    const int after = board.graph().steps(to, flag);
    if (after > kRaceSteps) continue;
    if (board.team(seat) == team ? target != kNowhere
                                 : target != kNowhere || after < board.graph().steps(from, flag))
      return true;
  }
  return false;
}

int FlagSolver::falls_in(const Junqi& board, int victim, int most_plies) {
  if (!board.alive(victim) || board.is_over()) return 0;
  victim_ = victim;
  flag_ = board.node_of(board.flag(victim));
  if (!within_reach(board, most_plies)) return 0;
  limit_ = nodes_ + most_nodes_;
  // Step by step, so that the first answer is the shortest; deeper ones cost the most.
  for (int plies = 1; plies <= most_plies; ++plies) {
    if (falls(board, plies)) return plies;
    if (nodes_ >= limit_) return 0;
  }
  return 0;
}

bool FlagSolver::within_reach(const Junqi& board, int left) const {
  const int turns = enemy_turns(board, victim_, left);
  if (turns == 0) return false;
  const Graph& graph = board.graph();
  bool threatened = false;
  for (int seat = 0; seat < kSeats && !threatened; ++seat) {
    if (!board.alive(seat) || board.team(seat) == board.team(victim_)) continue;
    board.occupied(seat).each([&](int node) {
      threatened = threatened || (may_leave(board, board.piece_at(node)) &&
                                  graph.distance(node, flag_) <= turns &&
                                  graph.steps(node, flag_) <= kRaceSteps + 1);
    });
  }
  return threatened;
}

bool FlagSolver::falls(const Junqi& board, int left) {
  if (!board.alive(victim_)) return true;
  if (left <= 0 || board.is_over() || ++nodes_ >= limit_) return false;
  return board.team(board.to_move()) == board.team(victim_) ? cannot_be_held(board, left)
                                                            : falls_to(board, left);
}

bool FlagSolver::falls_to(const Junqi& board, int left) {
  const int seat = board.to_move();
  const Graph& graph = board.graph();
  struct Approach {
    Move move;
    int after;
  };
  std::array<Approach, 64> moves;
  std::size_t count = 0;
  bool takes = false;
  const int turns = enemy_turns(board, victim_, left);
  board.occupied(seat).each([&](int from) {
    const int piece = board.piece_at(from);
    if (takes || !may_leave(board, piece)) return;
    const int before = graph.steps(from, flag_);
    targets_of(board, piece).each([&](int to) {
      if (to == flag_) takes = true;
      const int after = graph.steps(to, flag_), target = board.piece_at(to);
      if (after > kRaceSteps || (graph.headquarters().has(to) && to != flag_)) return;
      // Another piece may finish what this one opens, so a fight is worth it at any distance.
      if (target == kNowhere ? after >= before || graph.distance(to, flag_) >= turns
                             : battle(board.kind(piece), board.kind(target)) == Outcome::kLost)
        return;
      if (count < moves.size()) moves[count++] = {move_of(from, to), after};
    });
  });
  if (takes) return true;
  if (left == 1) return false;
  std::sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Approach& a, const Approach& b) {
              return a.after != b.after ? a.after < b.after : a.move < b.move;
            });
  for (std::size_t i = 0; i < count; ++i) {
    Junqi next = board;
    next.play(moves[i].move);
    if (falls(next, left - 1)) return true;
  }
  Junqi next = board;
  next.skip();
  return within_reach(next, left - 1) && falls(next, left - 1);
}

bool FlagSolver::cannot_be_held(const Junqi& board, int left) {
  {
    Junqi next = board;
    next.skip();
    if (!within_reach(next, left - 1) || !falls(next, left - 1)) return false;
  }
  const int seat = board.to_move();
  const Graph& graph = board.graph();
  const Nodes enemies = team_occupied(board, 1 - board.team(seat));
  bool held = false;
  // Hits on what stands near, then steps into the way.
  for (const bool hits : {true, false})
    board.occupied(seat).each([&](int from) {
      const int piece = board.piece_at(from);
      if (held || !may_leave(board, piece)) return;
      targets_of(board, piece).each([&](int to) {
        if (held || enemies.has(to) != hits) return;
        const int away = graph.steps(to, flag_);
        if (hits ? away > kRaceSteps ||
                       battle(board.kind(piece), board.kind(board.piece_at(to))) == Outcome::kLost
                 : away > 2)
          return;
        Junqi next = board;
        next.play(move_of(from, to));
        held = next.alive(victim_) && !falls(next, left - 1);
      });
    });
  return !held;
}

}  // namespace kibitz::junqi
