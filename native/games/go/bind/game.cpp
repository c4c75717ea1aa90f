// Go in Python: position, features, search.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <tuple>

#include "bind/checks.h"
#include "bind/game_binding.h"
#include "bind/interruptible.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "bind/selfplay_binding.h"
#include "bind/text.h"
#include "games/go/count.h"
#include "games/go/ladder.h"
#include "games/go/perft.h"
#include "games/go/position.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

template <>
struct MoveNumbers<Go> {
  static bool has(const Go& game, Move move) {
    return (move & ~Go::kMarks) <= game.board().points();
  }
};

namespace {

Go make(int columns, int rows, const std::string& rules, float komi,
        const std::vector<std::pair<int, int>>& stones, int to_move) {
  in_range("columns", columns, 2, 19);
  in_range("rows", rows, 2, 19);
  if (!(std::abs(komi) <= 1000)) throw nb::value_error("komi must be from -1000 to 1000");
  go::State game = go::empty_board(columns, rows, go::Rules::from_text(rules), komi);
  for (const auto& [point, side] : stones) {
    if (point < 0 || point >= columns * rows) throw nb::value_error("a stone off the board");
    if (!go::set_up(game, point, side == 0 ? go::kBlack : go::kWhite))
      throw nb::value_error(("a stone on " + go::move_text(game, static_cast<Move>(point)) +
                             " has no liberty, or the point is taken")
                                .c_str());
  }
  go::start(game, to_move);
  return Go(std::move(game));
}

/// One character a point: X black, O white, . nobody.
std::string owners(const Go& game, const go::Owners& owners) {
  std::string text;
  for (int p = 0; p < game.board().points(); ++p) {
    const go::Stone owner = owners[static_cast<std::size_t>(game.board().cell(p))];
    text += owner == go::kBlack ? 'X' : owner == go::kWhite ? 'O' : '.';
  }
  return text;
}

std::vector<int> points(const Go& game, const go::CellSet& cells) {
  std::vector<int> indices;
  for (int p = 0; p < game.board().points(); ++p)
    if (cells.has(game.board().cell(p))) indices.push_back(p);
  return indices;
}

/// The chains of these points, all of which must hold stones.
go::CellSet chains(const Go& game, const std::vector<int>& stones) {
  go::CellSet cells;
  for (const int point : stones) {
    in_range("point", point, 0, game.board().points() - 1);
    const go::Cell cell = game.board().cell(point);
    if (game.board().at(cell) == go::kEmpty)
      throw nb::value_error(
          (go::move_text(game.state(), static_cast<Move>(point)) + " holds no stone").c_str());
    cells.add(cell);
  }
  return go::whole_chains(game.board(), cells);
}

/// A value read of a position's state.
template <class Read>
auto of_state(Read read) {
  return [read](const Go& game) { return read(game.state()); };
}

/// The position with its state changed.
template <class Change>
Go changed(const Go& game, Change change) {
  go::State state = game.state();
  change(state);
  return Go(std::move(state));
}

}  // namespace

void bind_go(nb::module_& m) {
  auto bound = bind_game<Go>(m, "Go", "A Go position.");
  bind_sample(bound);
  bound
      .def_static("make", &make, "columns"_a, "rows"_a, "rules"_a, "komi"_a, "stones"_a,
                  "to_move"_a)
      .def("may_play", &Go::may_play, "move"_a,
           "Legal, or marked as out of turn or tolerated and possible as such.")
      .def_prop_ro("columns", [](const Go& game) { return game.board().columns(); })
      .def_prop_ro("rows", [](const Go& game) { return game.board().rows(); })
      .def_prop_ro("rules", [](const Go& game) { return game.state().rules.to_text(); })
      .def_prop_ro("komi", of_state([](const go::State& s) { return s.komi; }))
      .def_prop_ro("phase", of_state([](const go::State& s) { return int{s.phase}; }))
      .def_prop_ro("turn", of_state([](const go::State& s) { return s.turn; }))
      .def_prop_ro("is_void", of_state([](const go::State& s) { return s.end == go::End::kVoid; }))
      .def_prop_ro("score", &Go::score)
      .def_prop_ro("score_now",
                   of_state([](const go::State& s) { return -go::white_points_now(s); }))
      .def_prop_ro("own_komi", of_state(go::own_komi))
      .def_prop_ro("situation_hash", of_state(go::situation_hash))
      .def("symmetries", of_state(go::symmetries),
           "Symmetries that change nothing about the position.")
      .def(
          "transformed",
          [](const Go& game, Move move, int symmetry) {
            return go::transformed(game.state(), checked_move(game, move),
                                   checked_symmetry(game, symmetry));
          },
          "move"_a, "symmetry"_a)
      .def_prop_ro("symmetric_hash", of_state(go::symmetric_hash))
      .def_prop_ro("cache_key", of_state(go::cache_key))
      .def_prop_ro("taken",
                   [](const Go& game) {
                     return std::pair(game.board().taken(go::kBlack),
                                      game.board().taken(go::kWhite));
                   })
      .def(
          "with_komi",
          [](const Go& game, float komi) {
            if (!(std::abs(komi) <= 1000)) throw nb::value_error("komi must be from -1000 to 1000");
            return changed(game, [&](go::State& s) { go::set_komi(s, komi); });
          },
          "komi"_a)
      .def(
          "for_search",
          [](const Go& game, float advantage, bool conservative) {
            if (!(std::abs(advantage) <= 3)) throw nb::value_error("an advantage is from -3 to 3");
            return changed(game, [&](go::State& s) {
              s.advantage = advantage;
              s.conservative = conservative;
            });
          },
          "advantage"_a = 0.0f, "conservative"_a = true,
          "The position for a search that favours Black by so many doublings of playouts, and that "
          "pretends or not that a pass at its root does not end the game.")
      .def("resumed", [](const Go& game) { return changed(game, go::resume); })
      .def_prop_ro("is_counting", of_state(go::is_counting),
                   "Two passes ended play; the players are to agree on the score.")
      .def_prop_ro("is_agreed",
                   of_state([](const go::State& s) { return s.end == go::End::kAgreed; }))
      .def_prop_ro("dead", [](const Go& game) { return points(game, game.state().dead); })
      .def("resume_play",
           [](const Go& game) {
             if (!go::is_counting(game.state())) throw nb::value_error("play has not stopped");
             return changed(game, go::resume_play);
           })
      .def(
          "chains",
          [](const Go& game, const std::vector<int>& stones) {
            return points(game, chains(game, stones));
          },
          "stones"_a, "The points of all stones that are connected to these.")
      .def(
          "settle",
          [](const Go& game, const std::vector<int>& dead) {
            if (!go::is_counting(game.state())) throw nb::value_error("play has not stopped");
            const go::CellSet cells = chains(game, dead);
            return changed(game, [&](go::State& s) { go::settle(s, cells); });
          },
          "dead"_a, "The game ended by agreement, with the chains of these stones dead.")
      .def(
          "count",
          [](const Go& game, const std::vector<int>& dead) {
            const go::Count count = go::count(game.state(), chains(game, dead));
            std::vector<std::tuple<int, int, int, int>> sides;
            for (const go::CountedSide& side : count.sides)
              sides.emplace_back(side.stones, side.territory, side.prisoners, side.tax);
            return std::tuple(owners(game, count.owners), sides, count.white_extra,
                              -count.white_score);
          },
          "dead"_a,
          "Owners; of each side stones, territory, prisoners and tax; what white has beside them; "
          "black's lead.")
      .def(
          "playout_owners",
          [](const Go& game, int games, std::uint64_t seed) {
            in_range("games", games, 1, 100000);
            std::vector<float> values(static_cast<std::size_t>(game.board().points()));
            {
              nb::gil_scoped_release unlocked;
              go::playout_owners(game.state(), games, seed, values.data());
            }
            return values;
          },
          "games"_a, "seed"_a)
      .def(
          "as_root",
          [](Go game, const std::string& history) {
            game.become_root(history == "full"   ? Go::History::kFull
                             : history == "none" ? Go::History::kNone
                                                 : Go::History::kSinceRoot);
            return game;
          },
          "history"_a = "root")
      .def("owners", [](const Go& game) { return owners(game, go::owners_now(game.state())); })
      .def("pass_alive",
           [](const Go& game) {
             return owners(
                 game, go::area(game.board(), {false, false, false, game.state().rules.suicide}));
           })
      .def("banned_by_ko",
           [](const Go& game) { return points(game, go::banned_by_ko(game.state())); })
      .def(
          "ladders",
          [](const Go& game) {
            const auto ladders =
                go::find_ladders(game.board(), game.to_move() == 0 ? go::kBlack : go::kWhite);
            return std::pair(points(game, ladders.captured), points(game, ladders.working_moves));
          },
          "Stones that a ladder captures, and the moves of the side to move that start one.");
  bind_tree_search<Go>(m, "GoSearch");
  bind_selfplay<Go>(m, "GoSelfplay");
  m.def(
      "go_perft",
      [](const Go& position, int depth) {
        checked_depth(depth);
        return interruptible([&](PerftStop stop) { return go::perft(position, depth, stop); });
      },
      "position"_a, "depth"_a);
  m.def(
      "go_presets",
      [] {
        std::vector<std::pair<std::string, std::string>> rows;
        for (const auto& [name, rules] : go::presets()) rows.emplace_back(name, rules.to_text());
        return rows;
      },
      "Every name of a rule set, and the usual name of the same rules.");
  m.def(
      "go_rules", [](const std::string& text) { return go::Rules::from_text(text).to_text(); },
      "text"_a, "The usual name of rules, or every field of them.");
  m.def(
      "go_usual_komi",
      [](const std::string& text) { return go::Rules::from_text(text).usual_komi(); }, "rules"_a);
}

}  // namespace kibitz::bind
