#include "games/junqi/evaluate/behaviors.h"

#include <algorithm>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

constexpr const char* kCategoryNames[] = {"aggressive", "balanced", "defensive", "probing"};

/// Where the seat's own flag stands, or -1.
int flag_node(const View& view, int seat) {
  for (const int column : {2, 4}) {
    const int node = node_at(seat, 6, column), piece = view.piece_at(node);
    if (piece != kNowhere && view.kind(piece) == Kind::kFlag) return node;
  }
  return -1;
}

float nearest_flag(const View& view, const Knowledge& knowledge, int node) {
  float best = 20;
  for (int seat = 0; seat < kSeats; ++seat)
    if (view.alive(seat) && view.team(seat) != view.team(view.seat()))
      best = std::min(best, knowledge.to_flag[as_index(seat)][as_index(node)]);
  return best;
}

}  // namespace

const char* category_name(Category category) { return kCategoryNames[static_cast<int>(category)]; }

std::optional<Category> category_of_name(std::string_view name) {
  for (int i = 0; i < 4; ++i)
    if (name == kCategoryNames[i]) return static_cast<Category>(i);
  return std::nullopt;
}

Category classify_move(const View& view, const Knowledge& knowledge, const Stage& stage,
                       Move move) {
  const int from = from_of(move), to = to_of(move);
  const Kind kind = view.kind(view.piece_at(from));
  const int target = view.piece_at(to);
  const bool in_own_arm = arm_of(to) == stage.seat;
  if (target != kNowhere) {
    const bool cheap = kind >= Kind::kRegiment;
    if (knowledge.unknown[as_index(target)] && cheap &&
        knowledge.uncertainty[as_index(target)] > 0.3f)
      return Category::kProbing;
    return in_own_arm ? Category::kDefensive : Category::kAggressive;
  }
  const int flag = flag_node(view, stage.seat);
  if (flag >= 0 && view.graph().ring1(flag).has(to)) return Category::kDefensive;
  const float gained = nearest_flag(view, knowledge, from) - nearest_flag(view, knowledge, to);
  const bool enemy_arm = arm_of(to) >= 0 && !(stage.friends >> arm_of(to) & 1);
  if (gained >= 2 || (enemy_arm && gained >= 0)) return Category::kAggressive;
  if (gained < 0 || (in_own_arm && row_of(to) >= 5)) return Category::kDefensive;
  return Category::kBalanced;
}

bool is_vital(const View& view, const Knowledge& knowledge, Move move) {
  const int to = to_of(move), target = view.piece_at(to);
  if (target != kNowhere && knowledge.chance[as_index(target)][0] >= 0.25f) return true;
  const int flag = flag_node(view, view.seat());
  if (flag < 0 || !view.graph().ring1(flag).has(to)) return false;
  // Taking what stands beside the flag, or stepping in front of what is about to.
  return target != kNowhere ||
         within_two(view.graph(), flag).meets(team_occupied(view, 1 - view.team(view.seat())));
}

std::vector<int> counterattack_targets(const View& view, const Weights& weights) {
  std::vector<int> out;
  unsigned friends = 0;
  for (int seat = 0; seat < kSeats; ++seat)
    if (view.alive(seat) && view.team(seat) == view.team(view.seat())) friends |= 1u << seat;
  MoveList<Junqi> moves;
  view.legal_moves(moves);
  for (const Move move : moves) {
    const int target = view.piece_at(to_of(move));
    if (target == kNowhere || std::find(out.begin(), out.end(), target) != out.end()) continue;
    if (view.history().is_invader(target, friends, view.ply(),
                                  static_cast<int>(weights.invader_window)))
      out.push_back(target);
  }
  return out;
}

}  // namespace kibitz::junqi
