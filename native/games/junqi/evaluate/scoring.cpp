#include "games/junqi/evaluate/scoring.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace kibitz::junqi {
namespace {

/// What can move must be worth more by this share for a side to be ahead without doubt.
constexpr double kClearlyMore = 0.33;

constexpr bool is_middle(Kind kind) {
  return kind == Kind::kDivision || kind == Kind::kBrigade || kind == Kind::kRegiment;
}
constexpr bool is_top(Kind kind) { return kind == Kind::kCommander || kind == Kind::kGeneral; }

/// Kinds as a world has them: certain.
struct WorldSource {
  static constexpr bool kCertain = true;
  const Junqi& board;
  const WorldFacts& facts;
  Kind kind(int piece) const { return board.kind(piece); }
  float to_flag(int seat, int node) const { return facts.to_flag[as_index(seat)][as_index(node)]; }
  int own_flag(int seat) const { return facts.hq[as_index(seat)]; }
};

/// Kinds as a view believes them.
struct ViewSource {
  static constexpr bool kCertain = false;
  const View& board;
  const Knowledge& knowledge;
  Kind kind(int piece) const { return board.kind(piece); }
  float to_flag(int seat, int node) const {
    return knowledge.to_flag[as_index(seat)][as_index(node)];
  }
  int own_flag(int seat) const {
    for (const int column : {2, 4}) {
      const int node = node_at(seat, 6, column), piece = board.piece_at(node);
      if (piece != kNowhere && board.kind(piece) == Kind::kFlag) return node;
    }
    return -1;
  }
};

unsigned seats_of(const Placement& board, int team) {
  unsigned seats = 0;
  for (int seat = 0; seat < kSeats; ++seat)
    if (board.alive(seat) && board.team(seat) == team) seats |= 1u << seat;
  return seats;
}

/// Takes a move back that was made in the last two rounds.
bool undoes(const HistoryRecorder& history, Move move, int players) {
  const Move back = move_of(to_of(move), from_of(move));
  for (int i = history.size() - 1, left = 2 * players; i >= 0 && left > 0; --i, --left)
    if (history.move(i) == back) return true;
  return false;
}

/// By kind, the share of the pieces that fight which one of it takes and survives.
const std::array<double, kKinds>& share_taken() {
  static const auto shares = [] {
    std::array<double, kKinds> out{};
    double all = 0;
    for (int d = static_cast<int>(Kind::kBomb); d < kKinds; ++d) all += kInventory[as_index(d)];
    for (int k = 0; k < kKinds; ++k)
      for (int d = static_cast<int>(Kind::kBomb); d < kKinds; ++d) {
        const Kind kind = static_cast<Kind>(k), other = static_cast<Kind>(d);
        const bool takes = is_mobile(kind) ? battle(kind, other) == Outcome::kWon
                                           : battle(other, kind) == Outcome::kLost;
        if (takes) out[as_index(k)] += kInventory[as_index(d)] / all;
      }
    return out;
  }();
  return shares;
}

template <class Board>
Stage common_stage(const Board& board, int seat) {
  Stage stage;
  stage.seat = seat;
  stage.ply = board.ply();
  stage.friends = seats_of(board, board.team(seat));
  return stage;
}

}  // namespace

const Nodes& within_two(const Graph& graph, int node) {
  static const auto tables = [] {
    std::array<std::array<Nodes, kNodes>, 2> out;
    for (const int players : {2, 4}) {
      const Graph& board = Graph::of(players);
      for (int from = 0; from < kNodes; ++from) {
        Nodes near = board.neighbours(from);
        board.neighbours(from).each([&](int at) { near |= board.neighbours(at); });
        out[players == 4][as_index(from)] = near;
      }
    }
    return out;
  }();
  return tables[graph.players() == 4][as_index(node)];
}

Knowledge Knowledge::of(const View& view,
                        const std::array<std::array<float, kKinds>, kPieces>& chance) {
  Knowledge out;
  out.chance = chance;
  for (int piece = 0; piece < kPieces; ++piece) {
    const bool shown =
        view.turned(piece) || (view.flag_known(owner_of(piece)) && view.kind(piece) == Kind::kFlag);
    // Our own pieces are unknown to the others unless shown; theirs to us unless worked out.
    out.unknown[as_index(piece)] = view.knows(owner_of(piece))
                                       ? !shown && view.options().information != Information::kOpen
                                       : view.kind(piece) == Kind::kUnknown;
    const float best =
        *std::max_element(chance[as_index(piece)].begin(), chance[as_index(piece)].end());
    out.uncertainty[as_index(piece)] = !out.unknown[as_index(piece)] ? 0.0f
                                       : view.knows(owner_of(piece)) ? 0.7f
                                                                     : 1.0f - best;
  }
  out.outside = chance;
  for (int piece = 0; piece < kPieces; ++piece) {
    if (!view.knows(owner_of(piece)) || !out.unknown[as_index(piece)]) continue;
    KindSet kinds = kinds_allowed(place_of(piece));
    if (view.moved(piece)) kinds &= kMobile;
    float total = 0;
    auto& guess = out.outside[as_index(piece)];
    // Everybody saw how many it took, too.
    const int captures = std::min<int>(view.history().activity(piece).captures, 4);
    for (int k = 0; k < kKinds; ++k) {
      double prior = kinds >> k & 1 ? layout_prior()[as_index(place_of(piece))][as_index(k)] : 0;
      for (int n = 0; n < captures; ++n) prior *= share_taken()[as_index(k)];
      guess[as_index(k)] = static_cast<float>(prior);
      total += guess[as_index(k)];
    }
    for (float& p : guess) p /= total;
  }
  for (int seat = 0; seat < kSeats; ++seat)
    for (int node = 0; node < kNodes; ++node) {
      float sum = 0, total = 0;
      for (const int column : {2, 4}) {
        const int hq = node_at(seat, 6, column), piece = view.piece_at(hq);
        if (piece == kNowhere || owner_of(piece) != seat) continue;
        const float p = chance[as_index(piece)][as_index(Kind::kFlag)];
        sum += p * static_cast<float>(std::min(view.graph().distance(node, hq), 20));
        total += p;
      }
      out.to_flag[as_index(seat)][as_index(node)] = total > 0 ? sum / total : 20.0f;
    }
  return out;
}

Scorer::Expected Scorer::expected_exchanges(const Knowledge& knowledge) const {
  Expected out{};
  for (int a = static_cast<int>(Kind::kBomb); a < kKinds; ++a)
    for (int piece = 0; piece < kPieces; ++piece) {
      double sum = knowledge.outside[as_index(piece)][0] * worth_[0];
      for (int k = 0; k < kKinds; ++k)
        sum +=
            knowledge.outside[as_index(piece)][as_index(k)] * exchange_[as_index(a)][as_index(k)];
      out[as_index(a)][as_index(piece)] = static_cast<float>(sum);
    }
  return out;
}

Knowledge Knowledge::of(const Junqi& board) {
  Knowledge out;
  for (int piece = 0; piece < kPieces; ++piece)
    if (board.kind(piece) != Kind::kUnknown)
      out.chance[as_index(piece)][as_index(board.kind(piece))] = 1.0f;
  out.to_flag = WorldFacts(board).to_flag;
  return out;
}

WorldFacts::WorldFacts(const Junqi& board) {
  for (int seat = 0; seat < kSeats; ++seat) {
    high[as_index(seat)].fill(kNowhere);
    to_flag[as_index(seat)].fill(20.0f);
    hq[as_index(seat)] = kNowhere;
    std::size_t count = 0;
    for (const Kind kind : {Kind::kCommander, Kind::kGeneral, Kind::kDivision})
      for (int piece = seat * kArmy; piece < (seat + 1) * kArmy; ++piece)
        if (board.kind(piece) == kind && count < 4)
          high[as_index(seat)][count++] = static_cast<std::uint8_t>(piece);
    if (!board.alive(seat)) continue;
    const int flag = board.node_of(board.flag(seat));
    hq[as_index(seat)] = static_cast<std::uint8_t>(flag);
    for (int node = 0; node < kNodes; ++node)
      to_flag[as_index(seat)][as_index(node)] =
          static_cast<float>(std::min(board.graph().distance(node, flag), 20));
  }
}

Scorer::Scorer(const Weights& weights) : w_(weights) {
  for (int k = 0; k < kKinds; ++k) worth_[as_index(k)] = w_.worth(static_cast<Kind>(k));
  for (int a = static_cast<int>(Kind::kBomb); a < kKinds; ++a)
    for (int d = 0; d < kKinds; ++d) {
      const Outcome outcome = battle(static_cast<Kind>(a), static_cast<Kind>(d));
      double gain = 0;
      if (outcome != Outcome::kLost && d != static_cast<int>(Kind::kFlag))
        gain += worth_[as_index(d)];
      if (outcome != Outcome::kWon) gain -= worth_[as_index(a)];
      exchange_[as_index(a)][as_index(d)] = gain;
    }
}

/// A draw is worth nothing to the side that is ahead, so that it must risk something in time.
void Scorer::weigh_sides(const View& view, const Knowledge& knowledge, Stage& stage) const {
  std::array<double, 2> side{};
  for (int piece = 0; piece < kPieces; ++piece) {
    if (!view.on_board(piece)) continue;
    double worth = 0;
    for (int k = static_cast<int>(Kind::kBomb); k < kKinds; ++k)
      worth += knowledge.chance[as_index(piece)][as_index(k)] * worth_[as_index(k)];
    side[as_index(view.team(owner_of(piece)))] += worth;
  }
  const int team = view.team(stage.seat);
  const double ours = side[as_index(team)], theirs = side[as_index(1 - team)];
  const double more = (ours - theirs) / std::max({ours, theirs, 1.0});
  stage.ahead = std::clamp(more / kClearlyMore, 0.0, 1.0);
  const double limit = view.options().draw_plies, from = w_.quiet_from;
  if (limit <= from) return;
  const double late = std::clamp((view.quiet_plies() - from) / (limit - from), 0.0, 1.0);
  stage.press = late * stage.ahead;
}

Stage Scorer::stage(const View& view, const Knowledge& knowledge) const {
  Stage stage = common_stage(view, view.seat());
  weigh_sides(view, knowledge, stage);
  for (int seat = 0; seat < kSeats; ++seat) {
    double high = 0, commander = 0, seen = 0;
    for (int piece = seat * kArmy; piece < (seat + 1) * kArmy; ++piece) {
      if (!view.on_board(piece)) continue;
      const auto& p = knowledge.chance[as_index(piece)];
      high += p[as_index(Kind::kCommander)] + p[as_index(Kind::kGeneral)] +
              p[as_index(Kind::kDivision)];
      commander += p[as_index(Kind::kCommander)];
      seen = std::max<double>(seen, p[as_index(Kind::kCommander)]);
    }
    stage.commander_gone[as_index(seat)] = commander < 0.01 || seen > 0.99;
    stage.endgame[as_index(seat)] = high <= w_.flag_endgame_high;
    if (seat == view.seat()) stage.high_left = high > 1.5;
  }
  return stage;
}

Stage Scorer::stage(const Junqi& world, int seat, const WorldFacts& facts,
                    const Knowledge& knowledge) const {
  Stage stage = common_stage(world, seat);
  for (int s = 0; s < kSeats; ++s) {
    int high = 0;
    for (const int piece : facts.high[as_index(s)])
      high += piece != kNowhere && world.on_board(piece);
    const int commander = facts.high[as_index(s)][0];
    stage.commander_gone[as_index(s)] = commander == kNowhere || !world.on_board(commander) ||
                                        !knowledge.unknown[as_index(commander)];
    stage.endgame[as_index(s)] = high <= w_.flag_endgame_high;
    if (s == seat) stage.high_left = high > 1;
  }
  return stage;
}

double Scorer::flag_factor(Kind attacker, int target_seat, const Stage& stage) const {
  if (stage.endgame[as_index(target_seat)]) return w_.flag_late;
  if (attacker == Kind::kGeneral && stage.commander_gone[as_index(target_seat)])
    return w_.flag_general;
  return is_top(attacker) ? w_.flag_early : 1.0;
}

double Scorer::exchange(const Junqi& world, const Stage& stage, Move move) const {
  const int target = world.piece_at(to_of(move));
  if (target == kNowhere) return 0;
  const Kind a = world.kind(world.piece_at(from_of(move))), d = world.kind(target);
  double gain = exchange_[as_index(a)][as_index(d)];
  if (d == Kind::kFlag) gain += worth_[0] * flag_factor(a, owner_of(target), stage);
  return gain;
}

template <class Source>
MoveParts Scorer::score(const Source& source, const Stage& stage, Move move,
                        const HistoryRecorder& history, const Knowledge& knowledge) const {
  const auto& board = source.board;
  const Graph& graph = board.graph();
  const int from = from_of(move), to = to_of(move);
  const int piece = board.piece_at(from), target = board.piece_at(to);
  const int seat = stage.seat;
  const Kind kind = source.kind(piece);
  const int own_flag = source.own_flag(seat);
  MoveParts parts;
  double survives = 1.0, takes_flag = 0.0;

  if (target != kNowhere) {
    const int enemy = owner_of(target);
    const double flag_worth = worth_[0] * flag_factor(kind, enemy, stage);
    if constexpr (Source::kCertain) {
      const Kind other = source.kind(target);
      takes_flag = other == Kind::kFlag;
      parts.exchange = exchange_[as_index(kind)][as_index(other)] + takes_flag * flag_worth;
      survives = battle(kind, other) == Outcome::kWon;
    } else {
      survives = 0;
      const auto& p = knowledge.chance[as_index(target)];
      takes_flag = p[0];
      parts.exchange = p[0] * flag_worth;
      for (int k = 0; k < kKinds; ++k) {
        if (p[as_index(k)] == 0) continue;
        parts.exchange += p[as_index(k)] * exchange_[as_index(kind)][as_index(k)];
        survives += p[as_index(k)] * (battle(kind, static_cast<Kind>(k)) == Outcome::kWon);
      }
    }
    parts.attack_ev = parts.exchange;
    const bool at_home = arm_of(to) == enemy;
    if (knowledge.unknown[as_index(target)]) {
      const int row = row_of(to), column = column_of(to);
      if (is_middle(kind)) {
        if (at_home && row == 1 && column >= 2 && column <= 4)
          parts.attack_ev += w_.attack_engineer_spot;
        if (at_home && row >= 5) parts.attack_ev += w_.attack_back_rows;
        parts.attack_ev += w_.attack_restless * history.activity(target).level();
      } else if (is_top(kind) && at_home && row >= 5) {
        parts.attack_ev -= w_.attack_back_rows_high;
      }
      parts.attack_ev += w_.attack_information * knowledge.uncertainty[as_index(target)];
    }
    parts.attack_ev += w_.quiet_attack * stage.press;
    if (kind == Kind::kEngineer && takes_flag == 0 && graph.headquarters().has(to))
      parts.attack_ev -= w_.attack_empty_headquarters;
    if (history.is_invader(target, stage.friends, stage.ply, static_cast<int>(w_.invader_window))) {
      if (is_middle(kind)) parts.attack_ev += w_.invader_counter;
      if (kind == Kind::kGeneral && stage.commander_gone[as_index(enemy)])
        parts.attack_ev += w_.invader_counter_general;
      if (kind == Kind::kBomb && !stage.high_left) parts.attack_ev += w_.invader_counter_bomb;
    }
    if (arm_of(to) >= 0 && (stage.friends >> arm_of(to) & 1)) parts.defense += w_.defense_intruder;
    if (own_flag >= 0 && own_flag != kNowhere && graph.ring1(own_flag).has(to))
      parts.defense += w_.defense_flag_attacker;
  } else if (arm_of(from) == seat && row_of(from) >= 5) {
    bool waived = false;
    (within_two(graph, from) & team_occupied(board, 1 - board.team(seat))).each([&](int node) {
      const int near = board.piece_at(node);
      if constexpr (Source::kCertain)
        waived = waived || source.kind(near) == Kind::kEngineer;
      else
        waived = waived ||
                 knowledge.chance[as_index(near)][as_index(Kind::kEngineer)] >= w_.back_engineer;
    });
    if (!waived) parts.defense -= w_.back_leave * worth_[as_index(kind)];
  }

  if (survives > 0) {
    if (!graph.camps().has(to)) {
      const Nodes enemies = team_occupied(board, 1 - board.team(seat));
      Nodes near = graph.neighbours(to) & enemies;
      if constexpr (!Source::kCertain) {
        Nodes others = board.occupied();
        others.clear(from);
        near = graph.straight_targets(to, others) & enemies;
      }
      double worst = 0;
      near.each([&](int node) {
        const int other = board.piece_at(node);
        if (node == to || graph.headquarters().has(node)) return;
        double loss = 0;
        if constexpr (Source::kCertain) {
          const Kind k = source.kind(other);
          if (is_mobile(k)) {
            const Outcome outcome = battle(k, kind);
            loss = outcome == Outcome::kLost       ? 0
                   : outcome == Outcome::kBothDied ? worth_[as_index(kind)] - worth_[as_index(k)]
                                                   : worth_[as_index(kind)];
          }
        } else {
          for (int k = static_cast<int>(Kind::kBomb); k < kKinds; ++k) {
            const Outcome outcome = battle(static_cast<Kind>(k), kind);
            if (outcome == Outcome::kLost) continue;
            const double gain = outcome == Outcome::kBothDied
                                    ? worth_[as_index(kind)] - worth_[as_index(k)]
                                    : worth_[as_index(kind)];
            loss += knowledge.chance[as_index(other)][as_index(k)] * std::max(gain, 0.0);
          }
        }
        worst = std::max(worst, loss);
      });
      parts.risk = survives * w_.risk_exposed * worst *
                   (knowledge.unknown[as_index(piece)] ? w_.risk_unknown : 1.0);
    }
    float before = 20, after = 20;
    for (int s = 0; s < kSeats; ++s) {
      if ((stage.friends >> s & 1) || !board.alive(s)) continue;
      before = std::min(before, source.to_flag(s, from));
      after = std::min(after, source.to_flag(s, to));
    }
    double gain = w_.position_advance * (before - after);
    gain *= 1 + w_.quiet_advance * stage.press;
    if (stage.ahead > 0)
      for (int s = 0; s < kSeats; ++s)
        if (!(stage.friends >> s & 1) && board.alive(s) && board.flag_known(s))
          gain += stage.ahead * w_.position_advance_shown *
                  (source.to_flag(s, from) - source.to_flag(s, to));
    if constexpr (!Source::kCertain)
      if (target == kNowhere && undoes(history, move, board.players()))
        gain -= w_.position_turn_back * board.quiet_plies() / 20.0;
    gain += w_.position_camp * (graph.camps().has(to) - graph.camps().has(from));
    gain += w_.position_railway * (graph.railway().has(to) - graph.railway().has(from));
    gain += w_.position_centre * ((to >= kCentre) - (from >= kCentre));
    if (graph.headquarters().has(to)) gain -= w_.position_headquarters * (1.0 - takes_flag);
    parts.pos_gain = survives * gain;
  }
  if (own_flag >= 0 && own_flag != kNowhere)
    parts.defense += w_.defense_guard * (survives * graph.ring1(own_flag).has(to) -
                                         static_cast<double>(graph.ring1(own_flag).has(from)));
  parts.score = parts.attack_ev - parts.risk + parts.pos_gain + parts.defense;
  return parts;
}

MoveParts Scorer::evaluate_move(const View& view, const Stage& stage, Move move,
                                const Knowledge& knowledge) const {
  return score(ViewSource{view, knowledge}, stage, move, view.history(), knowledge);
}

MoveParts Scorer::evaluate_move(const Junqi& world, const Stage& stage, Move move,
                                const HistoryRecorder& history, const Knowledge& knowledge,
                                const WorldFacts& facts) const {
  return score(WorldSource{world, facts}, stage, move, history, knowledge);
}

double Scorer::army(const Junqi& world, int seat) const {
  if (!world.alive(seat)) return 0;
  if (std::popcount(seats_of(world, world.team(seat))) == 1) return w_.leaf_victory;
  double material = 0;
  world.occupied(seat).each([&](int node) {
    const Kind kind = world.kind(world.piece_at(node));
    if (kind != Kind::kFlag) material += worth_[as_index(kind)];
  });
  return w_.leaf_seat + w_.leaf_material * material;
}

double Scorer::position(const Junqi& world, const WorldFacts& facts) const {
  if (world.is_over()) {
    const double result = world.result();
    return (2 * result - 1) * w_.leaf_victory;
  }
  std::array<double, 2> side{};
  const Nodes occupied = world.occupied();
  const Nodes closed_camps = world.graph().camps() & occupied;
  for (int seat = 0; seat < kSeats; ++seat) {
    if (!world.alive(seat)) continue;
    const int team = world.team(seat);
    const Nodes blocked = team_occupied(world, team) | closed_camps;
    double material = 0;
    int mobile = 0;
    world.occupied(seat).each([&](int node) {
      const Kind kind = world.kind(world.piece_at(node));
      if (kind == Kind::kFlag) return;
      material += worth_[as_index(kind)];
      mobile += is_mobile(kind) && !world.graph().headquarters().has(node) &&
                world.graph().neighbours(node).minus(blocked).any();
    });
    const int flag = facts.hq[as_index(seat)];
    const Nodes enemies = team_occupied(world, 1 - team);
    const Nodes& beside = world.graph().ring1(flag);
    const int attackers = (beside & enemies).count();
    const int near = (within_two(world.graph(), flag) & enemies).count() - attackers;
    const int guards = (beside & team_occupied(world, team)).count();
    side[as_index(team)] += w_.leaf_seat + w_.leaf_material * material + w_.leaf_mobility * mobile +
                            w_.leaf_guard * guards - w_.leaf_flag_beside * attackers -
                            w_.leaf_flag_near * near;
  }
  return side[0] - side[1];
}

}  // namespace kibitz::junqi
