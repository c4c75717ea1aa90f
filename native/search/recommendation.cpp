#include "search/recommendation.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace kibitz {

std::vector<Voter> Recommendation::voters() const {
  const Tree& tree = search_.tree;
  const auto kids = tree.root().children();
  std::vector<Voter> out(kids.size());
  std::int64_t guaranteed = 0;
  const StyleLift style = style_lift(search_.root);
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const RootMove& move = search_.root[i];
    Voter& voter = out[i];
    voter.visits = search_.root.place().counted(i);
    // The visits are those read above: a search that runs may have made more since.
    voter.guaranteed = std::min(voter.visits, search_.root.guarantees().visits(i));
    voter.permitted = move.permitted;
    voter.settled = search_.proofs && kids[i].bounds().settled();
    voter.votes = voter.visits;
    guaranteed += voter.guaranteed;
    if (voter.visits == 0) continue;
    voter.child = {mover_value(kids[i], search_.mover) + style.of(style_bonus(search_.root, i)), 0,
                   biased_prior(search_.root, i, style), move.weight, true};
    voter.deviation = std::sqrt(value_variance(i, voter.visits));
    if (tree.shape().weighted)
      voter.mass_per_visit = mass_of(kids[i], tree.root().extras_of_children()[i].load(), 0) /
                             static_cast<double>(kids[i].visits());
  }
  if (guaranteed == 0) return out;
  with_rule(search_.options, [&](auto type) {
    using Rule = typename decltype(type)::type;
    const Rule rule(search_.options);
    const NodeView view = steered_root_view(rule, search_.selection(), tree.root(),
                                            tree.root_extras(), search_.mover, search_.root);
    count_votes(rule, view, std::span(out));
  });
  return out;
}

double Recommendation::value_variance(std::size_t index, std::int64_t count) const {
  const Node& root = search_.tree.root();
  const Node& kid = root.children()[index];
  const double n = static_cast<double>(std::max<std::int64_t>(count, 1));
  const Extras* extras =
      search_.tree.shape().extras ? root.extras_of_children()[index].load() : nullptr;
  if (extras && kid.visits()) {
    const double mean = kid.mean();
    return std::max(extras->mean(kValueSquare, kid.visits()) - mean * mean, 0.25 / n);
  }
  const double value = kid.visits() ? mover_value(kid, search_.mover) : 0.5;
  return std::max(value * (1 - value), 0.25 / n);
}

bool Recommendation::decided() const {
  if (search_.root.guarantees().left() || search_.options.choice != MoveChoice::kVisits ||
      search_.root.plan().style_moves() || search_.root.comparison().active())
    return false;
  double best = -1, second = -1;
  for (const Voter& move : voters()) {
    if (!move.permitted) continue;
    const double votes = static_cast<double>(move.votes);
    second = std::max(second, std::min(best, votes));
    best = std::max(best, votes);
  }
  if (second < 0) return true;  // a single move needs no thought
  return (best - second) * search_.options.early_stop > search_.budget.left();
}

void Recommendation::order(std::vector<MoveReport>& moves) const {
  if (search_.options.choice == MoveChoice::kKatago && search_.tree.shape().extras) {
    const auto shown = play_selection(moves, false);
    const bool asked = std::any_of(moves.begin(), moves.end(),
                                   [](const MoveReport& move) { return move.guaranteed > 0; });
    const auto voted = asked ? play_selection(moves, true) : shown;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      moves[i].selection = shown[i].value;
      moves[i].preference = voted[i].value;
      if (moves[i].visits == 0) continue;
      moves[i].utility_lcb = moves[i].utility - shown[i].radius;
      moves[i].lcb = moves[i].value - 0.5 * shown[i].radius / search_.utility.radius();
    }
  }
  if (search_.options.choice == MoveChoice::kWinrate) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      // As far as a move got its visits for the asking, in doubt the others are better.
      const double visits = static_cast<double>(std::max<std::int64_t>(moves[i].visits, 1));
      const double votes = static_cast<double>(std::max<std::int64_t>(moves[i].votes, 1));
      const double asked = moves[i].votes > 0 ? static_cast<double>(moves[i].guaranteed) : 0.0;
      const double error = std::sqrt(value_variance(i, moves[i].visits) / votes);
      moves[i].preference = comparable_value(i, moves[i]) - kDoubt * error * asked / visits;
    }
  }
  if (search_.options.choice == MoveChoice::kLcb)
    for (std::size_t i = 0; i < moves.size(); ++i)
      moves[i].preference = moves[i].lcb + comparable_value(i, moves[i]) - moves[i].value;
  if (search_.options.rule == SelectionRule::kGumbel) add_improved_policy(moves);
  // A forbidden move that the user asked about is what there is to recommend only if the search
  // had no other. A reused tree may know moves that are forbidden now and that nobody asked about.
  const bool searched = std::any_of(moves.begin(), moves.end(), [](const MoveReport& move) {
    return move.permitted && move.visits > 0;
  });
  for (MoveReport& move : moves)
    move.standing = move.permitted ? 0 : move.min_visits == 0 ? 2 : searched ? 1 : -1;
  // A comparison gives visits to what is doubtful, so only values say which move is best.
  if (search_.root.comparison().active())
    for (MoveReport& move : moves) move.standing = std::max(move.standing, move.error ? 0 : 1);
  std::stable_sort(moves.begin(), moves.end(),
                   [this](const MoveReport& a, const MoveReport& b) { return better(a, b); });
  keep_bounds_possible(moves);
}

namespace {

/// A style may choose between moves that have so many votes, and this share of the most.
constexpr std::int64_t kStyleVotes = 16;
constexpr double kStyleShare = 0.05;

}  // namespace

std::optional<double> Recommendation::spend_style_budget(std::vector<MoveReport>& moves) const {
  const Plan& plan = search_.root.plan();
  if (!plan.styled() || moves.empty() || moves.front().proven.settled() ||
      style_lift(search_.root).price)
    return std::nullopt;
  std::int64_t most = 0;
  for (const MoveReport& move : moves) most = std::max(most, move.votes);
  const auto enough = [&](const MoveReport& move) {
    return move.standing == moves.front().standing && !move.proven.settled() &&
           move.votes >= kStyleVotes &&
           static_cast<double>(move.votes) >= kStyleShare * static_cast<double>(most);
  };
  const auto worth = [&](const MoveReport& move) {
    return move.value + plan.style_budget * static_cast<double>(move.bonus);
  };
  double best = -1.0;
  auto plain = moves.end(), chosen = moves.end();
  for (auto move = moves.begin(); move != moves.end(); ++move) {
    if (!enough(*move)) continue;
    best = std::max(best, move->value);
    if (plain == moves.end()) plain = chosen = move;
    if (move->bonus > plain->bonus && worth(*move) > worth(*chosen)) chosen = move;
  }
  if (chosen == moves.end()) return std::nullopt;
  const double spent = best - chosen->value;
  std::rotate(moves.begin(), chosen, chosen + 1);
  return spent;
}

/// A bound of few votes can be below any chance there is. The order needs it as it is; the report
/// says what is possible. KataGo's own order comes with KataGo's own bounds.
void Recommendation::keep_bounds_possible(std::vector<MoveReport>& moves) const {
  if (search_.options.choice == MoveChoice::kKatago) return;
  for (MoveReport& move : moves) {
    move.lcb = move.proven.clamp(move.lcb);
    move.utility_lcb = 2.0 * move.lcb - 1.0;
  }
}

double Recommendation::comparable_value(std::size_t index, const MoveReport& move) const {
  const bool rises =
      with_rule(search_.options, [](auto type) { return decltype(type)::type::kValuesRise; });
  if (!rises || move.guaranteed == 0 || move.proven.settled()) return move.value;
  const double first = search_.root.guarantees().value_at(index, move.visits - move.guaranteed);
  return search_.mover == 0 ? first : 1.0 - first;
}

bool Recommendation::better(const MoveReport& a, const MoveReport& b) const {
  if (a.standing != b.standing) return a.standing < b.standing;
  // A proven win beats everything and a proven loss nothing, whatever their visits.
  const auto rank = [](const MoveReport& m) {
    return m.proven.low == 2 ? 1 : m.proven.high == 0 ? -1 : 0;
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  // A move that has guaranteed visits only, and no votes, was asked about and no more.
  const auto supported = [](const MoveReport& m) {
    return m.votes > 0 || (m.visits > 0 && m.proven.settled()) ? 2 : m.visits > 0 ? 1 : 0;
  };
  if (supported(a) != supported(b)) return supported(a) > supported(b);
  if (a.error && b.error) return a.value > b.value;
  // Visits to a move that was proven while they were few say less than what is known of it.
  if (a.proven.settled() != b.proven.settled() && a.value != b.value) return a.value > b.value;
  switch (search_.options.choice) {
    case MoveChoice::kVisits:
      // Sequential halving ends with moves of equally many visits.
      if (a.votes == b.votes && a.improved && a.preference != b.preference)
        return a.preference > b.preference;
      break;
    case MoveChoice::kWinrate:
    case MoveChoice::kLcb:
    case MoveChoice::kKatago:
      if (a.preference != b.preference) return a.preference > b.preference;
      break;
  }
  if (a.votes != b.votes) return a.votes > b.votes;
  return a.value != b.value ? a.value > b.value : a.prior > b.prior;
}

/// What rule=gumbel makes of the priors, and, where moves are ordered by visits, the sum by which
/// it chooses among those with equally many. The moves are in the order of the root's children.
void Recommendation::add_improved_policy(std::vector<MoveReport>& moves) const {
  const Node& root = search_.tree.root();
  const Gumbel rule(search_.options);
  const double root_value = root.visits() ? mover_value(root, search_.mover) : 0.5;
  SelectionContext selection = search_.selection();
  selection.virtual_loss = false;  // a report counts finished visits
  const auto view = rule.view(steered_root_view(rule, selection, root, search_.tree.root_extras(),
                                                search_.mover, search_.root));
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const RootMove& steered = search_.root[i];
    const Node& kid = root.children()[i];
    const bool own = search_.root.place().counted(i) > search_.root.guarantees().visits(i);
    const float value = own ? mover_value(kid, search_.mover) : 0.0f;
    const ChildView child{value, 0, steered.widened, steered.weight, own};
    moves[i].improved = steered.permitted ? static_cast<double>(rule.improved(view, child)) : 0.0;
    if (search_.options.choice == MoveChoice::kVisits)
      moves[i].preference = gumbel_sum(view, search_.root, i, kid, search_.mover, false, root_value,
                                       style_lift(search_.root));
  }
}

/// KataGo's order of moves: visits, less those that hindsight would not have spent, and more for
/// the move with the best lower bound; `by_votes` counts votes in the place of visits. The moves
/// are in the order of the root's children.
std::vector<Recommendation::PlaySelection> Recommendation::play_selection(
    const std::vector<MoveReport>& moves, bool by_votes) const {
  const Node& root = search_.tree.root();
  const Extras& root_extras = *search_.tree.root_extras();
  const bool weighted = search_.tree.shape().weighted;
  const double range = search_.utility.radius();
  std::vector<PlaySelection> out(moves.size());
  std::vector<double> bounds(moves.size(), 0.0);
  std::size_t best = moves.size();
  double most = -1.0, best_visits = 0.0, below = 0.0;
  const auto counted = [&](std::size_t i) {
    return by_votes ? moves[i].votes : moves[i].visits - moves[i].weightless;
  };
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const MoveReport& move = moves[i];
    const double n = static_cast<double>(counted(i));
    if (n == 0) continue;
    const double visits = static_cast<double>(move.visits), share = n / visits;
    const Extras* extras = root.extras_of_children()[i].load();
    const double weight = weighted ? mass_of(root.children()[i], extras, 0) * share : n;
    const double squares = weighted && extras ? extras->weight_square.load() * share : n;
    below += weight;
    out[i].value = weight;
    // A prior with little weight that the spread is the largest there can be keeps bounds of few
    // visits wide.
    const double few = weight * weight / std::max(1e-10, squares);
    const double value = move.utility, prior = weight / (few * few * few);
    const double first = root.children()[i].mean();
    double square =
        extras ? 4.0 * (extras->mean(kValueSquare, visits) - first) + 1.0 : value * value;
    square = std::max(square, value * value + 1e-8);
    square = (square * weight + (square + range * range) * prior) / (weight + prior);
    const double sample = (weight + prior) * (weight + prior) / (squares + prior * prior);
    out[i].radius =
        search_.options.lcb_z * std::sqrt(std::max(0.0, square - value * value) / sample);
    bounds[i] = value - out[i].radius;
    // The latest visit may be an outlier, and the prior breaks ties among few visits. Visits that
    // the user asked for are no sign that the search likes a move.
    const double own = by_votes ? n : n - static_cast<double>(move.guaranteed);
    const double good = weight * std::max(0.0, own - 1.0) / n + 2.0 * move.prior;
    if (good > most) most = good, best = i, best_visits = weight;
  }
  if (best == moves.size()) return out;

  NodeView about{};
  about.is_root = true;
  about.value = mover_value(root, search_.mover);
  about.value_square =
      static_cast<float>(4.0 * (root_extras.mean(kValueSquare, root.visits()) - root.mean()) + 1.0);
  about.mass_below = static_cast<float>(below);
  about.mass = weighted ? static_cast<float>(root_extras.weight.load()) : 1.0f + about.mass_below;
  const double explore = KataGoPuct(search_.options).view(about).explore;
  const double reached = explore * moves[best].prior / (1.0 + best_visits) + moves[best].utility;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (i == best || counted(i) == 0) continue;
    const double gap = reached - moves[i].utility;
    const double wanted = gap <= 0 ? 1e100 : std::max(0.0, explore * moves[i].prior / gap - 1.0);
    out[i].value = std::ceil(std::min(out[i].value, wanted));
  }

  constexpr double kLcbShare = 0.15;  // of the most visits, for a move's LCB to count
  std::size_t surest = moves.size();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool counts = out[i].value > 0 && out[i].value >= kLcbShare * best_visits;
    if (counts && (surest == moves.size() || bounds[i] > bounds[surest])) surest = i;
  }
  if (surest == moves.size()) return out;
  double raised = out[surest].value;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const double excess = bounds[surest] - bounds[i];
    if (i == surest || counted(i) == 0 || excess < 0) continue;
    // As many more visits as would make the other's bound as wide as the difference, within reason.
    const double factor = (out[i].radius + excess) / (out[i].radius + 0.20 * excess);
    raised = std::max(raised, factor * factor * out[i].value);
  }
  out[surest].value = raised;
  return out;
}

}  // namespace kibitz
