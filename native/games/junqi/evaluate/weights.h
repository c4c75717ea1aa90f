// The weights of Junqi's scoring, one row each: section, name, value, what it is for. The struct,
// the Python face, the checks and the documented file (games/junqi/weights.ini) all come from this
// list.
#pragma once

#include <string>
#include <vector>

#include "games/junqi/kinds.h"
#include "games/junqi/prior.h"

// clang-format off
#define KIBITZ_JUNQI_WEIGHTS(X) \
  X(pieces, flag, 400, "a flag; its army leaves the board with it") \
  X(pieces, mine, 22, "") \
  X(pieces, bomb, 45, "") \
  X(pieces, commander, 100, "") \
  X(pieces, general, 80, "") \
  X(pieces, division, 60, "") \
  X(pieces, brigade, 42, "") \
  X(pieces, regiment, 30, "") \
  X(pieces, battalion, 20, "") \
  X(pieces, company, 13, "") \
  X(pieces, platoon, 9, "") \
  X(pieces, engineer, 24, "") \
  X(attack, engineer_spot, 1, "a division, brigade or regiment attacks an unknown piece at row 1, columns 2 to 4") \
  X(attack, back_rows, 1, "one of them attacks an unknown piece in the enemy's back two rows") \
  X(attack, back_rows_high, 10, "penalty when the commander or the general does that") \
  X(attack, restless, 0.5, "one of them attacks an unknown piece that often attacks or moves, per level 1 to 3") \
  X(attack, empty_headquarters, 20, "penalty when an engineer attacks a headquarters that cannot hold the flag") \
  X(attack, information, 1, "what is learned by attacking an unknown piece, times its uncertainty") \
  X(invader, window, 16, "plies for which a piece that took one of ours counts as an invader") \
  X(invader, counter, 2, "a division, brigade or regiment attacks an invader") \
  X(invader, counter_general, 2, "the general does, once the enemy's commander is dead or visible") \
  X(invader, counter_bomb, 20, "a bomb does, when at most one of commander, general and divisions is left") \
  X(flag, early, 0.9, "factor on a flag taken by the commander or the general before the endgame") \
  X(flag, general, 1.0, "the same for the general when the enemy's commander is dead or visible") \
  X(flag, late, 1.5, "factor in the endgame, for every piece") \
  X(flag, endgame_high, 1.5, "the endgame begins when an enemy has at most so many of commander, general, divisions") \
  X(quiet, from, 30, "plies without a battle after which the side that is ahead presses, up to the draw's count") \
  X(quiet, attack, 15, "an attack by the side that is ahead, when it presses with full force") \
  X(quiet, advance, 1, "factor on an advance then, besides 1") \
  X(back, leave, 0.12, "share of a piece's worth it costs to move from one's back two rows without attacking") \
  X(back, engineer, 0.3, "an enemy piece within two steps that is an engineer with this probability waives it") \
  X(risk, exposed, 0.35, "share of the expected loss to a neighbour that could take the piece") \
  X(risk, unknown, 0.5, "factor on the risk from unknown pieces, which do not know us either") \
  X(position, advance, 1.5, "a step nearer to the nearest enemy flag") \
  X(position, advance_shown, 1.5, "the same, besides, towards a flag that was shown, for the side that is clearly ahead") \
  X(position, turn_back, 1, "penalty for undoing a move of the last two rounds, for every 20 plies without a battle") \
  X(position, camp, 3, "standing in a camp") \
  X(position, railway, 1, "standing on the railway") \
  X(position, centre, 1, "standing in the centre") \
  X(position, headquarters, 15, "penalty for entering a headquarters, which nothing leaves") \
  X(defense, guard, 4, "standing beside one's own flag") \
  X(defense, intruder, 4, "attacking an enemy piece in one's own arm") \
  X(defense, flag_attacker, 60, "attacking an enemy piece beside one's own flag") \
  X(leaf, material, 1, "factor on the worth of the pieces on the board") \
  X(leaf, seat, 120, "a seat that is alive") \
  X(leaf, flag_beside, 45, "an enemy that can move beside a flag") \
  X(leaf, flag_near, 10, "an enemy that can move two steps from a flag") \
  X(leaf, guard, 3, "a piece of its own side beside a flag") \
  X(leaf, mobility, 0.6, "a piece that can move") \
  X(leaf, victory, 5000, "a won game") \
  X(worlds, caution, 0.25, "standard deviations over sampled worlds taken off a move's mean") \
  X(worlds, blind, 0, "share of chance, not of the sampled truth, in how our later attacks on unknown pieces end") \
  X(worlds, blind_reply, 0, "the same for the enemies' attacks") \
  X(worlds, trust, 1, "share of what follows a root move in its value, beside its own score") \
  X(worlds, later, 1, "share of all but the exchange in the scores of moves after the first") \
  X(worlds, flag_unseen, 0.15, "how much a race for a flag counts that was not shown") \
  X(worlds, plausible, 1, "enemies take what they do not know only where that looks good to them (1), or what is good in the world (0)") \
  X(behaviour, prior, 0.7, "power of the layout statistics in beliefs; 0 ignores them") \
  X(behaviour, attack, 0.45, "how much an attack speaks for a strong piece") \
  X(behaviour, restless, 0.15, "how much each level of activity does") \
  X(behaviour, unmoved_back, 0.06, "per turn that a piece of the back two rows stands still: for mine and flag") \
  X(behaviour, conduct, 0.6, "power of what pieces did and left undone in games that were recorded; 0 ignores it")
// clang-format on

namespace kibitz::junqi {

struct Weights {
#define KIBITZ_WEIGHT(section, name, value, doc) double section##_##name = value;
  KIBITZ_JUNQI_WEIGHTS(KIBITZ_WEIGHT)
#undef KIBITZ_WEIGHT

  double worth(Kind kind) const;
  Behaviour behaviour() const {
    return {behaviour_prior, behaviour_attack, behaviour_restless, behaviour_unmoved_back,
            behaviour_conduct};
  }
  /// By `section.name`; throws std::invalid_argument for an unknown one.
  void set(const std::string& name, double value);
  double get(const std::string& name) const;
};

/// The defaults of games of two players; those of four are the table's.
Weights two_player_weights();

struct WeightInfo {
  std::string section, name, doc;
  double value;
};
std::vector<WeightInfo> weight_table();

/// Reads a file of `[section]` and `name = value` lines, `#` or `;` beginning a comment, over
/// `weights`. Throws std::invalid_argument that names the line.
Weights read_weights(const std::string& path, Weights weights = {});

}  // namespace kibitz::junqi
