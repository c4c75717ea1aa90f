// The pattern evaluation of ultimate tic-tac-toe in Python: asking it, and what training it needs.
#include "games/uttt/bind/patterns.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind/checks.h"
#include "games/uttt/search/selfplay.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

namespace {

/// The labelled positions of games, as bytes (games/uttt/search/selfplay.h).
nb::bytes selfplay(const UtttPatterns& patterns, int rule_id, int games, int depth,
                   std::uint64_t seed) {
  if (rule_id < 0 || rule_id > 1) throw nb::value_error("no such rule id");
  uttt::SelfplaySettings settings;
  settings.ending = static_cast<Uttt::Ending>(rule_id);
  settings.games.depth = in_range("depth", depth, 1, 12);
  in_range("games", games, 1, 100'000);
  std::vector<uttt::LabelledPosition> positions;
  {
    const nb::gil_scoped_release unlocked;
    uttt::SelfplayGames player(*patterns.patterns, settings, seed);
    for (int i = 0; i < games; ++i) player.play(positions);
  }
  return nb::bytes(reinterpret_cast<const char*>(positions.data()),
                   positions.size() * sizeof positions[0]);
}

}  // namespace

void bind_uttt_patterns(nb::module_& m) {
  nb::class_<UtttPatterns>(m, "UtttPatterns", "The pattern evaluation of ultimate tic-tac-toe.")
      .def(
          "__init__",
          [](UtttPatterns* self, nb::bytes bytes) {
            new (self) UtttPatterns{std::make_shared<const uttt::Patterns>(
                std::string_view(bytes.c_str(), bytes.size()))};
          },
          "bytes"_a, "From the bytes of a file.")
      .def(
          "logit",
          [](const UtttPatterns& self, const Uttt& game) {
            if (game.is_over()) throw nb::value_error("the game is over");
            return static_cast<double>(self.patterns->of(game).logit(game)) /
                   uttt::PatternNetwork::kLogitOne;
          },
          "position"_a, "The logit of the mover's expected result.")
      .def(
          "moves",
          [](const UtttPatterns& self, const Uttt& game) {
            MoveList<Uttt> moves;
            game.legal_moves(moves);
            const std::span<const Move> legal(moves.begin(), moves.end());
            std::vector<int> logits(legal.size());
            std::vector<float> priors(legal.size());
            self.patterns->of(game).logits_after(game, legal, logits);
            self.patterns->of(game).priors(logits, priors);
            std::vector<std::tuple<int, double, double>> out;
            for (std::size_t i = 0; i < legal.size(); ++i)
              out.emplace_back(legal[i],
                               static_cast<double>(logits[i]) / uttt::PatternNetwork::kLogitOne,
                               static_cast<double>(priors[i]));
            return out;
          },
          "position"_a, "Every legal move with its logit for the mover and its prior.");
  m.def("uttt_selfplay", &selfplay, "patterns"_a, "rule_id"_a, "games"_a, "depth"_a, "seed"_a,
        "Plays games against itself; their positions, 22 bytes each "
        "(native/games/uttt/search/selfplay.h).");
  m.def(
      "uttt_classes",
      [](const Uttt& game) {
        const auto shown = uttt::described(game, 0).classes;
        return std::vector<int>(shown.begin(), shown.end());
      },
      "position"_a, "The classes of the nine sub-boards as the mover sees them.");
  m.def(
      "uttt_filling_classes",
      [] {
        const auto& table = uttt::filling_classes();
        return std::vector<int>(table.begin(), table.end());
      },
      "The class of each filling of a sub-board; cells are digits to the base of three, from the "
      "first on: 0 empty, 1 the mover's, 2 the other side's.");
}

}  // namespace kibitz::bind
