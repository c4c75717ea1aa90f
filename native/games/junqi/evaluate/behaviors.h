// What kind of behaviour a move is, and which moves no style may filter out.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "games/junqi/evaluate/scoring.h"

namespace kibitz::junqi {

enum class Category : std::uint8_t { kAggressive, kBalanced, kDefensive, kProbing };

const char* category_name(Category category);
std::optional<Category> category_of_name(std::string_view name);

/// - probing: a cheap piece attacks an unknown one, to learn what it is;
/// - defensive: an attack on an intruder, a move back, to the flag's side or within the own back
/// rows;
/// - aggressive: any other attack, and moves into an enemy's arm or nearer to its flag by two or
/// more;
/// - balanced: the rest.
Category classify_move(const View& view, const Knowledge& knowledge, const Stage& stage, Move move);

/// A move that may take a flag, or keep one's own from being taken.
bool is_vital(const View& view, const Knowledge& knowledge, Move move);

/// Enemy pieces that took one of the seat's side lately and that the seat can attack now.
std::vector<int> counterattack_targets(const View& view, const Weights& weights);

}  // namespace kibitz::junqi
