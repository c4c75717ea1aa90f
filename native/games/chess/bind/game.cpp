// Chess in Python: position, search, perft, notation, PGN.
#include "games/chess/game.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/checks.h"
#include "bind/game_binding.h"
#include "bind/interruptible.h"
#include "bind/sample_binding.h"
#include "bind/search_binding.h"
#include "bind/selfplay_binding.h"
#include "bind/text.h"
#include "games/chess/bind/accumulators.h"
#include "games/chess/bind/parts.h"
#include "games/chess/bind/tables.h"
#include "games/chess/evaluate/endings.h"
#include "games/chess/evaluate/eval.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/fen.h"
#include "games/chess/notation.h"
#include "games/chess/pgn.h"
#include "games/chess/search/leaf_search.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {

template <>
struct MoveNumbers<Chess> {
  static bool has(const Chess&, Move move) {
    return chess::promotion_of(move) <= chess::kQueen && !(move & 0x8000);
  }
};

template <>
struct GameTraits<Chess> : GameTraitsDefaults<Chess> {
  static PriorFunction<Chess> priors() { return chess_hand_priors; }
  static std::shared_ptr<const Oracle<Chess>> oracle(const Options&) { return chess_tables(); }
  static std::shared_ptr<Evaluator<Chess>> hand_evaluator(const Options& options) {
    return searched(std::make_shared<ChessEvaluator>(), ChessJudge(nullptr), options);
  }
  static std::shared_ptr<Evaluator<Chess>> searched(std::shared_ptr<Evaluator<Chess>> plain,
                                                    ChessJudge judge, const Options& options) {
    const auto depth = static_cast<int>(options.leaf_depth);
    if (depth == 0) return plain;
    return std::make_shared<ChessLeafSearch>(std::move(judge), std::move(plain), depth);
  }
  static std::shared_ptr<Evaluator<Chess>> core_evaluator(nb::handle network,
                                                          const Options& options) {
    if (!nb::hasattr(network, "core")) return nullptr;
    ChessAccumulators* made = nullptr;
    if (!nb::try_cast(network.attr("core"), made) || made == nullptr) return nullptr;
    return searched(std::make_shared<chess::AccumulatorEvaluator>(made->network),
                    ChessJudge(made->network), options);
  }
};

namespace {

/// The game of a record, also past draws that nobody claimed.
Chess replayed(const Chess& start, const std::vector<Move>& moves) {
  Chess game = start;
  for (const Move move : moves) {
    if (!chess::is_legal(game.board(), move)) throw nb::value_error("illegal move");
    game.play(move);
  }
  return game;
}

constexpr std::array<std::pair<const char*, chess::InputFormat>, 7> kInputFormats{{
    {"classical", chess::InputFormat::classical},
    {"castling-plane", chess::InputFormat::castling_plane},
    {"canonical", chess::InputFormat::canonical},
    {"canonical-hectoplies", chess::InputFormat::canonical_hectoplies},
    {"canonical-hectoplies-armageddon", chess::InputFormat::canonical_hectoplies_armageddon},
    {"canonical-v2", chess::InputFormat::canonical_v2},
    {"canonical-v2-armageddon", chess::InputFormat::canonical_v2_armageddon},
}};

chess::StylePlanes style_planes(const std::vector<std::string>& names) {
  chess::StylePlanes set = 0;
  for (const std::string& name : names) {
    const auto it = std::ranges::find(chess::kStylePlaneNames, name);
    if (it == chess::kStylePlaneNames.end())
      throw nb::value_error(("unknown style plane " + name).c_str());
    set |= static_cast<chess::StylePlanes>(1 << (it - chess::kStylePlaneNames.begin()));
  }
  return set;
}

std::vector<std::string> style_plane_names(chess::StylePlanes set) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < chess::kStylePlaneNames.size(); ++i)
    if (set >> i & 1) names.emplace_back(chess::kStylePlaneNames[i]);
  return names;
}

Chess written_as(const Chess& position, const std::string& format,
                 const std::vector<std::string>& planes) {
  for (const auto& [name, value] : kInputFormats)
    if (format == name) return position.written_as(value, style_planes(planes));
  throw nb::value_error("unknown input format");
}

std::string input_format(const Chess& position) {
  for (const auto& [name, value] : kInputFormats)
    if (value == position.shown().format()) return name;
  return "";
}

void bind_position(nb::module_& m) {
  auto bound = bind_game<Chess>(m, "Chess", "A chess position with its history.");
  bind_sample(bound);
  bound.def_prop_ro("chess960", [](const Chess& position) { return position.board().chess960; })
      .def(
          "as_chess960",
          [](const Chess& position, bool on) {
            chess::Board board = position.board();
            board.chess960 = on;
            return Chess(board);
          },
          "on"_a, "The position without its past, castling written king takes rook or not.")
      .def_prop_ro("in_check", [](const Chess& position) { return position.board().in_check(); })
      .def_prop_ro("ending", &ending)
      .def_prop_ro("repetitions",
                   [](const Chess& position) { return position.keys().repetitions(); })
      .def_prop_ro("clock", [](const Chess& position) { return position.board().clock; })
      .def_prop_ro("cache_key", [](const Chess& position) { return position.cache_key(); })
      .def("forgotten", &Chess::forgotten)
      .def("filled", &Chess::filled, "fill"_a,
           "The position with boards from before its first shown to networks as that one again, or "
           "as empty.")
      .def("written_as", &written_as, "format"_a, "style_planes"_a = std::vector<std::string>{},
           "The position written for networks in another input format, from now on, with these "
           "planes about style behind it (in the order of STYLE_PLANES); see "
           "kibitz.nets.lc0_format for the names of formats.")
      .def_prop_ro(
          "style_planes",
          [](const Chess& position) { return style_plane_names(position.shown().style_planes()); })
      .def_prop_ro("input_format", &input_format)
      .def(
          "piece_at",
          [](const Chess& position, int square) -> std::string {
            const auto& board = position.board();
            in_range("a square", square, 0, 63);
            const chess::Piece piece = board.piece_at(square);
            if (piece == chess::kNoPiece) return "";
            const char letter = chess::kPieceLetters[piece];
            return {board.side_at(square) == chess::kWhite ? static_cast<char>(letter - 32)
                                                           : letter};
          },
          "square"_a, "The piece on a square (0 is a1, 63 is h8) as in FEN; empty for none.")
      .def(
          "san",
          [](const Chess& position, Move move) {
            if (!chess::is_legal(position.board(), move)) throw nb::value_error("illegal move");
            return chess::san_text(position.board(), move);
          },
          "move"_a)
      .def(
          "can_play",
          [](const Chess& position, Move move) { return chess::is_legal(position.board(), move); },
          "move"_a, "Legal on the board, whether or not a draw could be claimed.")
      .def(
          "board_moves",
          [](const Chess& position) {
            MoveList<Chess> list;
            chess::list_moves(position.board(), list);
            return std::vector<Move>(list.begin(), list.end());
          },
          "Moves that are legal on the board, whether or not a draw could be claimed.")
      .def("replayed", &replayed, "moves"_a, "After moves that are legal on the board.")
      .def_prop_ro(
          "pawn_wins",
          [](const Chess& position) {
            const auto& board = position.board();
            if (std::popcount(board.occupied()) != 3 ||
                std::popcount(board.pieces[chess::kPawn]) != 1)
              throw nb::value_error("only of king and pawn against king");
            return chess::pawn_wins(board);
          },
          "King and pawn against king: whether the side with the pawn wins.")
      .def("static_score",
           [](const Chess& position) { return chess::static_score(position.board()); })
      .def("quiet_score",
           [](const Chess& position) { return chess::quiet_score(position.board()); });
}

chess::ByteSource file_source(const std::string& path) {
  std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"), [](std::FILE* f) {
    if (f) std::fclose(f);
  });
  if (!file) {
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
    throw nb::python_error();
  }
  return [file](char* out, std::size_t size) { return std::fread(out, 1, size, file.get()); };
}

/// `read(size) -> bytes`, as files and decompressors have it.
chess::ByteSource python_source(nb::object read) {
  return [read](char* out, std::size_t size) {
    const auto chunk = nb::cast<nb::bytes>(read(size));
    const std::size_t got = std::min(size, chunk.size());
    std::copy_n(chunk.c_str(), got, out);
    return got;
  };
}

nb::object text_of(const std::string& raw) {
  // Old files are in Latin-1; it reads any bytes.
  PyObject* text = PyUnicode_DecodeUTF8(raw.data(), static_cast<Py_ssize_t>(raw.size()), "strict");
  if (!text) {
    PyErr_Clear();
    text = PyUnicode_DecodeLatin1(raw.data(), static_cast<Py_ssize_t>(raw.size()), nullptr);
  }
  return nb::steal(text);
}

void bind_pgn(nb::module_& m) {
  using chess::PgnGame;
  using chess::PgnReader;
  nb::class_<PgnGame>(m, "PgnGame", "One game of a PGN file: tags and main line.")
      .def_ro("number", &PgnGame::number)
      .def_ro("line", &PgnGame::line)
      .def_prop_ro("problem", [](const PgnGame& game) { return text_of(game.problem); })
      .def_prop_ro("result", [](const PgnGame& game) { return text_of(game.result); })
      .def_ro("moves", &PgnGame::moves)
      .def_prop_ro("start", [](const PgnGame& game) { return Chess(game.start); })
      .def_prop_ro("final",
                   [](const PgnGame& game) { return replayed(Chess(game.start), game.moves); })
      .def_prop_ro(
          "tags",
          [](const PgnGame& game) {
            nb::dict tags;
            for (const auto& [name, value] : game.tags) tags[text_of(name)] = text_of(value);
            return tags;
          },
          nb::sig("def tags(self, /) -> dict[str, str]"))
      .def(
          "texts",
          [](const PgnGame& game, bool san) {
            std::vector<std::string> texts;
            chess::Board board = game.start;
            for (const Move move : game.moves) {
              texts.push_back(san ? chess::san_text(board, move) : chess::uci_text(board, move));
              board.play(move);
            }
            return texts;
          },
          "san"_a = false, "The moves in UCI or SAN.");
  nb::class_<PgnReader>(m, "PgnReader", "Reads games one after the other.")
      .def_static(
          "of_file", [](const std::string& path) { return PgnReader(file_source(path)); }, "path"_a)
      .def_static(
          "of_reader", [](nb::object read) { return PgnReader(python_source(std::move(read))); },
          "read"_a)
      .def(
          "next",
          [](PgnReader& reader) -> nb::object {
            PgnGame game;
            if (!reader.next(game)) return nb::none();
            return nb::cast(std::move(game));
          },
          nb::sig("def next(self) -> PgnGame | None"), "The next game, None at the end.")
      .def(
          "count",
          [](PgnReader& reader) {
            PgnGame game;
            long games = 0, plies = 0, problems = 0;
            while (reader.next(game)) {
              ++games;
              plies += static_cast<long>(game.moves.size());
              problems += !game.problem.empty();
            }
            return nb::make_tuple(games, plies, problems);
          },
          nb::sig("def count(self) -> tuple[int, int, int]"),
          "Reads to the end: games, plies, games with a problem.");
}

}  // namespace

void bind_chess(nb::module_& m) {
  m.attr("STYLE_PLANES") = nb::tuple(nb::cast(style_plane_names(0xff)));
  bind_position(m);
  bind_tree_search<Chess>(m, "ChessSearch");
  bind_selfplay<Chess>(m, "ChessSelfplay");
  bind_pgn(m);
  bind_chess_tables(m);
  bind_chess_accumulators(m);
  m.def(
      "chess_perft",
      [](const Chess& position, int depth) {
        checked_depth(depth);
        return interruptible(
            [&](PerftStop stop) { return chess::perft(position.board(), depth, stop); });
      },
      "position"_a, "depth"_a);
  bind_chess_alpha_beta(m);
  bind_chess_nnue(m);
  m.attr("HAS_STYLE") = KIBITZ_STYLE != 0;
#if KIBITZ_STYLE
  bind_style(m);
#endif
}

}  // namespace kibitz::bind
