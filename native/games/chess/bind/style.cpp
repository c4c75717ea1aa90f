// The style of chess games in Python: measures of one game or of a whole PGN file, the bonus of a
// move.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <vector>

#include "bind/option_binding.h"
#include "bind/text.h"
#include "games/chess/bind/parts.h"
#include "games/chess/game.h"
#include "games/chess/pgn.h"
#include "games/chess/style/character.h"
#include "games/chess/style/metrics.h"
#include "games/chess/style/prior_factors.h"
#include "games/chess/style/side_metrics.h"
#include "games/chess/style/squares.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

constexpr std::size_t kColumns = 21;

void write_row(std::vector<double>& rows, const chess::PgnGame& game, const style::Window& window) {
  const style::Metrics metrics = style::measure(game.start, game.moves, window);
  for (const double value :
       {static_cast<double>(game.number), static_cast<double>(metrics.plies), metrics.co,
        metrics.dcc, static_cast<double>(metrics.fch), static_cast<double>(metrics.pb_delay),
        metrics.cl, metrics.si, game.problem.empty() ? 0.0 : 1.0})
    rows.push_back(value);
  for (const style::SideMetrics& side : style::measure_sides(game.start, game.moves, window))
    for (const double value :
         {side.co, side.dcc, static_cast<double>(side.fch), side.tension, side.cl})
      rows.push_back(value);
  const style::Character character = style::measure_character(game.start, game.moves);
  rows.push_back(character.ka);
  rows.push_back(character.ex);
}

nb::ndarray<nb::numpy, double> as_array(std::vector<double>&& rows) {
  auto* kept = new std::vector<double>(std::move(rows));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::ndarray<nb::numpy, double>(kept->data(), {kept->size() / kColumns, kColumns}, owner);
}

/// Games one after the other, up to `most` of them; broken ones as far as they could be read.
nb::tuple measure_pgn(chess::PgnReader& reader, std::size_t most, const style::Window& window,
                      bool named) {
  std::vector<double> rows;
  nb::list names;
  chess::PgnGame game;
  for (std::size_t i = 0; i < most && reader.next(game); ++i) {
    write_row(rows, game, window);
    if (!named) continue;
    nb::list row;
    for (const auto* tag : {"White", "Black"}) {
      const std::string_view text = game.tag(tag);
      PyObject* latin =
          PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
      row.append(nb::steal(latin));
    }
    row.append(nb::str(game.result.c_str()));
    row.append(nb::steal(PyUnicode_DecodeUTF8(
        game.problem.data(), static_cast<Py_ssize_t>(game.problem.size()), "replace")));
    names.append(nb::tuple(row));
  }
  return nb::make_tuple(as_array(std::move(rows)), names);
}

}  // namespace

void bind_style(nb::module_& m) {
  using style::Metrics;
  using style::Window;
  nb::class_<Window>(m, "StyleWindow", "How far into the game each measure looks, in plies.")
      .def(
          "__init__",
          [](Window* self, int plies, int occupation, int fianchetto) {
            new (self) Window{plies, occupation, fianchetto};
          },
          "plies"_a = 24, "occupation"_a = 12, "fianchetto"_a = 14)
      .def_ro("plies", &Window::plies)
      .def_ro("occupation", &Window::occupation)
      .def_ro("fianchetto", &Window::fianchetto);
  nb::class_<Metrics>(m, "StyleMetrics", "The measures of style of one game; see docs/style.md.")
      .def_ro("plies", &Metrics::plies)
      .def_ro("co", &Metrics::co)
      .def_ro("dcc", &Metrics::dcc)
      .def_ro("fch", &Metrics::fch)
      .def_ro("pb_delay", &Metrics::pb_delay)
      .def_ro("cl", &Metrics::cl)
      .def_ro("si", &Metrics::si);
  m.def(
      "style_measure",
      [](const Chess& start, const std::vector<Move>& moves, const Window& window) {
        chess::Board board = start.board();
        for (const Move move : moves) {
          if (!chess::is_legal(board, move)) throw nb::value_error("illegal move");
          board.play(move);
        }
        return style::measure(start.board(), moves, window);
      },
      "start"_a, "moves"_a, "window"_a = Window{}, "The measures of one game.");
  m.def(
      "style_measure_sides",
      [](const Chess& start, const std::vector<Move>& moves, const Window& window) {
        chess::Board board = start.board();
        for (const Move move : moves) {
          if (!chess::is_legal(board, move)) throw nb::value_error("illegal move");
          board.play(move);
        }
        std::vector<std::vector<double>> out;
        for (const style::SideMetrics& side : style::measure_sides(start.board(), moves, window))
          out.push_back({side.co, side.dcc, static_cast<double>(side.fch), side.tension, side.cl});
        return out;
      },
      "start"_a, "moves"_a, "window"_a = Window{},
      "CO, DCC, FCH, tension and CL of White and of Black in one game.");
  m.def(
      "style_measure_character",
      [](const Chess& start, const std::vector<Move>& moves) {
        chess::Board board = start.board();
        for (const Move move : moves) {
          if (!chess::is_legal(board, move)) throw nb::value_error("illegal move");
          board.play(move);
        }
        const style::Character found = style::measure_character(start.board(), moves);
        return std::pair(found.ka, found.ex);
      },
      "start"_a, "moves"_a, "KA and EX of one game.");
  m.attr("STYLE_CHARACTER_PLIES") = style::kCharacterPlies;
  m.def("style_measure_pgn", &measure_pgn, "reader"_a, "most"_a, "window"_a = Window{},
        "named"_a = false,
        nb::sig(
            "def style_measure_pgn(reader: PgnReader, most: int, window: StyleWindow = ..., named: "
            "bool = False) -> tuple[numpy.typing.NDArray[numpy.float64], list[tuple[str, str, str, "
            "str]]]"),
        "Reads up to `most` games: rows of number, plies, CO, DCC, FCH, PB_delay, CL, SI, broken, "
        "of White and then Black CO, DCC, FCH, tension, CL, then KA and EX; if named, White, "
        "Black, result and "
        "problem of each.");
  using style::StyleOptions;
  nb::class_<StyleOptions> options(m, "StyleOptions", "Values of the options of style.");
  bind_option_class(options, &style::set_style_option);
  KIBITZ_BIND_OPTION_FIELDS(KIBITZ_STYLE_OPTIONS, StyleOptions, options)
  m.attr("STYLE_CONTACT_PLY") = style::kContactPly;
  m.def("style_option_table", &style::style_option_table, "Every option of style.");
  m.def(
      "style_prior_factors",
      [](const Chess& position, const style::StyleOptions& values) {
        std::vector<std::pair<Move, double>> out;
        for (const auto& part : style::prior_factors(position, values))
          out.emplace_back(part.move, part.factor);
        return out;
      },
      "position"_a, "options"_a,
      "(move, factor of its root prior) of every legal move; empty where style does nothing.");
  m.def(
      "style_bonuses",
      [](const Chess& position, const style::StyleOptions& values) {
        std::vector<std::pair<Move, double>> out;
        for (const auto& part : style::style_bonuses(position, values))
          out.emplace_back(part.move, part.bonus);
        return out;
      },
      "position"_a, "options"_a, "(move, B) of every legal move; empty where style does nothing.");
  m.def(
      "style_bonus",
      [](const Chess& position, Move move, const style::StyleOptions& options) {
        if (!chess::is_legal(position.board(), move)) throw nb::value_error("illegal move");
        return style::bonus(position.board(), move, style::bonus_weights(options));
      },
      "position"_a, "move"_a, "options"_a, "B(m) in [-1, 1] of a legal move.");
  m.def(
      "style_makes_contact",
      [](const Chess& position, Move move) {
        if (!chess::is_legal(position.board(), move)) throw nb::value_error("illegal move");
        return style::makes_contact(position.board(), move);
      },
      "position"_a, "move"_a, "Does a c, d or e pawn step into contact with a pawn?");
}

}  // namespace kibitz::bind
