// What a search's table of options is turned into: fields, checks, the cost of a change, and rows
// for whoever shows them.
//
// A table is a macro that is given five others and applies one to each row:
//
//     #define MY_OPTIONS(INT, REAL, FLAG, WORD, TEXT)
//       INT (name, default, least, most, cost, peers, what it does)
//       REAL(name, default, least, most, cost, peers, what it does)
//       FLAG(name, default, cost, peers, what it does)
//       WORD(name, Type, kDefault, (kOne, kOther, kThirdWord), cost, peers, what it does)
//       TEXT(name, default, cost, peers, what it does)
//
//     KIBITZ_OPTION_WORDS(MY_OPTIONS)  // the enums of the WORD rows
//     struct MyOptions { KIBITZ_OPTION_FIELDS(MY_OPTIONS) };
//
// `cost` is an enumerator of Cost. `peers` is `none`, or `peers(katago("name"), lc0("Name"))`: what
// other programs call the option. A WORD row declares an enum class of its enumerators, which users
// write as one, other and third-word; every `switch` over one is without a default, so that a new
// word that is not handled somewhere does not compile (-Werror=switch).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kibitz {

/// What a change of an option costs a search that has a tree. Each one includes those before it.
enum class Cost : std::uint8_t {
  kSelection,  // nothing: what is stored stays true
  kValues,     // the tree is dropped: its values, priors or shape were made with the old value
  kMemory,     // the tree is dropped, and its memory is limited anew
  kEvaluator,  // the evaluator is built again, and what it remembers is dropped with the tree
};

/// What another program calls an option.
struct PeerOption {
  std::string program;  // "katago" or "lc0"
  std::string name;
  double least = 0, most = 0;         // what that program accepts
  std::string initial;                // the default under that name
  std::string when_true, when_false;  // of a flag there: the value here; empty leaves it alone
};

/// A row of a table, for whoever shows or checks options.
struct OptionInfo {
  std::string name, kind, initial, doc;
  double least = 0, most = 0;
  std::vector<std::string> choices;
  Cost cost = Cost::kSelection;
  std::vector<PeerOption> peers;
};

/// The name in force of an option that had another one in older versions; else `name` itself.
std::string current_option_name(const std::string& name);

/// The parts of the macros below. Those that assign throw std::invalid_argument that says what the
/// option takes.
namespace option_values {

/// The words that users write for the enumerators in "(kOne, kThirdWord)": one, third-word.
std::vector<std::string> words_in(std::string_view enumerators);
template <class Word>
const std::vector<std::string>& words_of() {
  static const std::vector<std::string> words = words_in(option_words(Word{}));
  return words;
}

std::string shown(double x);
void assign_int(std::int64_t& out, const std::string& name, const std::string& text,
                std::int64_t least, std::int64_t most);
void assign_real(double& out, const std::string& name, const std::string& text, double least,
                 double most);
void assign_flag(bool& out, const std::string& name, const std::string& text);
std::size_t word_index(const std::vector<std::string>& words, const std::string& name,
                       const std::string& text);
template <class Word>
void assign_word(Word& out, const std::string& name, const std::string& text) {
  out = static_cast<Word>(word_index(words_of<Word>(), name, text));
}
[[noreturn]] void refuse_unknown(const std::string& name);

inline const std::vector<PeerOption> none;
template <class... Peer>
std::vector<PeerOption> peers(const Peer&... peer) {
  return {peer...};
}
/// KataGo's name, and what KataGo accepts where that is less than we do.
PeerOption katago(const std::string& name);
PeerOption katago(const std::string& name, double least, double most);
/// A flag of KataGo's that stands for values of ours.
PeerOption katago_flag(const std::string& name, const std::string& when_true,
                       const std::string& when_false);
/// Lc0's name, limits and default where they are not ours.
PeerOption lc0(const std::string& name);
PeerOption lc0(const std::string& name, double least, double most, const std::string& initial);
PeerOption lc0(const std::string& name, const std::string& initial);

/// The row with what its peers leave unsaid.
OptionInfo row(OptionInfo info);

}  // namespace option_values

/// The word that users write for an option's value.
template <class Word>
const std::string& word_of(Word value) {
  return option_values::words_of<Word>()[static_cast<std::size_t>(value)];
}

}  // namespace kibitz

// clang-format off
/// The enums of a table's WORD rows.
#define KIBITZ_OPTION_WORDS(TABLE)                                                               \
  TABLE(KIBITZ_NOTHING, KIBITZ_NOTHING, KIBITZ_NOTHING, KIBITZ_WORD_ENUM, KIBITZ_NOTHING)
#define KIBITZ_NOTHING(...)
#define KIBITZ_UNWRAP(...) __VA_ARGS__
#define KIBITZ_WORD_ENUM(name, Type, value, words, cost, peers, doc)                             \
  enum class Type : std::uint8_t { KIBITZ_UNWRAP words };                                        \
  constexpr std::string_view option_words(Type) { return #words; }

/// The fields of a struct of options, with their defaults.
#define KIBITZ_OPTION_FIELDS(TABLE)                                                              \
  TABLE(KIBITZ_INT_FIELD, KIBITZ_REAL_FIELD, KIBITZ_FLAG_FIELD, KIBITZ_WORD_FIELD,               \
        KIBITZ_TEXT_FIELD)
#define KIBITZ_INT_FIELD(name, value, ...) std::int64_t name = value;
#define KIBITZ_REAL_FIELD(name, value, ...) double name = value;
#define KIBITZ_FLAG_FIELD(name, value, ...) bool name = value;
#define KIBITZ_WORD_FIELD(name, Type, value, ...) Type name = Type::value;
#define KIBITZ_TEXT_FIELD(name, value, ...) std::string name = value;

/// The body of a function that gives every row.
#define KIBITZ_OPTION_ROWS(TABLE)                                                                \
  using namespace ::kibitz::option_values;                                                       \
  return {TABLE(KIBITZ_INT_ROW, KIBITZ_REAL_ROW, KIBITZ_FLAG_ROW, KIBITZ_WORD_ROW,               \
                KIBITZ_TEXT_ROW)};
#define KIBITZ_INT_ROW(name, value, least, most, cost, peers, doc)                               \
  row({#name, "int", std::to_string(value), doc, double(least), double(most), {}, Cost::cost, peers}),
#define KIBITZ_REAL_ROW(name, value, least, most, cost, peers, doc)                              \
  row({#name, "real", shown(value), doc, least, most, {}, Cost::cost, peers}),
#define KIBITZ_FLAG_ROW(name, value, cost, peers, doc)                                           \
  row({#name, "flag", (value) ? "true" : "false", doc, 0, 1, {}, Cost::cost, peers}),
#define KIBITZ_WORD_ROW(name, Type, value, words, cost, peers, doc)                              \
  row({#name, "word", word_of(Type::value), doc, 0, 0, words_of<Type>(), Cost::cost, peers}),
#define KIBITZ_TEXT_ROW(name, value, cost, peers, doc)                                           \
  row({#name, "text", value, doc, 0, 0, {}, Cost::cost, peers}),

/// The body of `void set(Options& options, const std::string& name, const std::string& text)`.
#define KIBITZ_OPTION_SET(TABLE)                                                                 \
  using namespace ::kibitz::option_values;                                                       \
  const std::string current = current_option_name(name);                                         \
  TABLE(KIBITZ_INT_SET, KIBITZ_REAL_SET, KIBITZ_FLAG_SET, KIBITZ_WORD_SET, KIBITZ_TEXT_SET)      \
  refuse_unknown(name);
#define KIBITZ_INT_SET(field, value, least, most, ...)                                           \
  if (current == #field) return assign_int(options.field, name, text, least, most);
#define KIBITZ_REAL_SET(field, value, least, most, ...)                                          \
  if (current == #field) return assign_real(options.field, name, text, least, most);
#define KIBITZ_FLAG_SET(field, ...)                                                              \
  if (current == #field) return assign_flag(options.field, name, text);
#define KIBITZ_WORD_SET(field, ...)                                                              \
  if (current == #field) return assign_word(options.field, name, text);
#define KIBITZ_TEXT_SET(field, ...)                                                              \
  if (current == #field) return void(options.field = text);

/// The body of `Cost cost_of_change(const Options& before, const Options& after)`: what the change
/// that costs most does.
#define KIBITZ_OPTION_COST(TABLE)                                                                \
  Cost highest = Cost::kSelection;                                                               \
  TABLE(KIBITZ_NUMBER_COST, KIBITZ_NUMBER_COST, KIBITZ_PLAIN_COST, KIBITZ_WORD_COST,             \
        KIBITZ_PLAIN_COST)                                                                       \
  return highest;
#define KIBITZ_CHANGE_COST(field, cost)                                                          \
  if (before.field != after.field) highest = std::max(highest, Cost::cost);
#define KIBITZ_NUMBER_COST(field, value, least, most, cost, ...) KIBITZ_CHANGE_COST(field, cost)
#define KIBITZ_PLAIN_COST(field, value, cost, ...) KIBITZ_CHANGE_COST(field, cost)
#define KIBITZ_WORD_COST(field, Type, value, words, cost, ...) KIBITZ_CHANGE_COST(field, cost)
// clang-format on
