// Junqi in Python: the table, views, layouts, history. Moves are integers, events are text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind/checks.h"
#include "bind/text.h"
#include "games/junqi/bind/parts.h"
#include "games/junqi/table.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using namespace kibitz::junqi;

int checked_seat(const Placement& board, int seat) {
  if (seat < 0 || seat >= kSeats || (board.players() == 2 && seat % 2))
    throw nb::value_error("nobody sits there");
  return seat;
}

int checked_piece(int piece) {
  if (piece < 0 || piece >= kPieces) throw nb::value_error("a piece is a number from 0 to 99");
  return piece;
}

int checked_reason(int reason) {
  if (reason < 0 || reason > 255) throw nb::value_error("a reason is a number from 0 to 255");
  return reason;
}

std::string text_of_move(Move move) {
  if (from_of(move) >= kNodes || to_of(move) >= kNodes) throw nb::value_error("no such move");
  return move_text(move);
}

std::vector<Move> as_vector(const MoveList<Junqi>& list) { return {list.begin(), list.end()}; }

/// What stands where: (node, seat, kind letter, piece) for every piece on the board.
template <class Board>
std::vector<std::tuple<std::string, int, std::string, int>> standing(const Board& board) {
  std::vector<std::tuple<std::string, int, std::string, int>> out;
  for (int piece = 0; piece < kPieces; ++piece)
    if (board.on_board(piece))
      out.emplace_back(node_name(board.node_of(piece)), owner_of(piece),
                       std::string(1, kind_letter(board.kind(piece))), piece);
  return out;
}

void bind_layouts(nb::module_& m) {
  m.def(
      "junqi_layout_faults",
      [](std::string_view text) {
        std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> out;
        for (const Sentence& fault : layout_faults(parse_layout(text)))
          out.emplace_back(fault.code, fault.values);
        return out;
      },
      "text"_a, "What is wrong with a layout: codes of sentences with their values.");
  m.def(
      "junqi_layout_text", [](std::string_view text) { return layout_text(parse_layout(text)); },
      "text"_a, "A layout in its usual form.");
  m.def(
      "junqi_mirrored",
      [](std::string_view text) { return layout_text(mirrored(parse_layout(text))); }, "text"_a);
  m.def(
      "junqi_random_layout",
      [](std::uint64_t seed) {
        Rng rng(seed);
        return layout_text(random_layout(rng));
      },
      "seed"_a);
  m.def("junqi_named_layouts", [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [name, layout] : named_layouts()) out.emplace_back(name, layout_text(layout));
    return out;
  });
  m.def(
      "junqi_edges",
      [](int players) {
        const Graph& graph = Graph::of(players);
        std::vector<std::tuple<std::string, std::string, bool>> out;
        graph.all().each([&](int a) {
          graph.neighbours(a).each([&](int b) {
            if (a < b)
              out.emplace_back(node_name(a), node_name(b), graph.rail_neighbours(a).has(b));
          });
        });
        return out;
      },
      "players"_a, "The board's edges: two nodes and whether it is railway.");
  m.def(
      "junqi_node_name",
      [](int node) {
        if (node < 0 || node >= kNodes) throw nb::value_error("no such node");
        return node_name(node);
      },
      "node"_a);
}

void bind_table(nb::module_& m) {
  nb::class_<Table>(m, "JunqiTable", "A game of Junqi as a referee sees it.")
      .def("__init__", [](Table* self) { new (self) Table(Junqi()); })
      .def_static(
          "deal",
          [](const std::vector<std::string>& layouts, const std::string& options) {
            Options parsed;
            for (std::size_t at = 0; at < options.size();) {
              const std::size_t end = std::min(options.find(' ', at), options.size());
              if (end > at) parsed.read(std::string_view(options).substr(at, end - at));
              at = end + 1;
            }
            const bool four = parsed.players == 4;
            if (layouts.size() != static_cast<std::size_t>(parsed.players))
              throw nb::value_error("one layout for each player is needed");
            std::array<Layout, kSeats> dealt;
            dealt.fill(parse_layout(layouts[0]));
            for (std::size_t i = 0; i < layouts.size(); ++i)
              dealt[four ? i : 2 * i] = parse_layout(layouts[i]);
            return Table(Junqi(dealt, parsed));
          },
          "layouts"_a, "options"_a = "4", "A new game from layouts in the order S, E, N, W.")
      .def_static(
          "from_text", [](std::string_view text) { return Table(Junqi::from_text(text)); },
          "text"_a)
      .def("to_text", [](const Table& t) { return t.board().to_text(); })
      .def("legal_moves",
           [](const Table& t) {
             MoveList<Junqi> list;
             t.board().legal_moves(list);
             return as_vector(list);
           })
      .def(
          "is_legal", [](const Table& t, Move move) { return t.board().is_legal(move); }, "move"_a)
      .def(
          "play",
          [](const Table& t, Move move) {
            if (!t.board().is_legal(move)) throw nb::value_error("illegal move");
            Table next = t;
            next.play(move);
            return next;
          },
          "move"_a, "The table after a legal move; this one stays as it is.")
      .def(
          "resign",
          [](const Table& t, int seat, int reason) {
            Table next = t;
            next.resign(checked_seat(t.board(), seat), checked_reason(reason));
            return next;
          },
          "seat"_a, "reason"_a = 0)
      .def(
          "skip",
          [](const Table& t, int reason) {
            Table next = t;
            next.skip(checked_reason(reason));
            return next;
          },
          "reason"_a = 0)
      .def(
          "agree_draw",
          [](const Table& t) {
            Table next = t;
            next.agree_draw();
            return next;
          },
          "The table after both sides agreed on a draw.")
      .def_prop_ro(
          "seat", [](const Table& t) { return t.board().to_move(); }, "The seat to move.")
      .def_prop_ro(
          "to_move", [](const Table& t) { return t.board().team(t.board().to_move()); },
          "The side to move: 0 for S (and its ally), 1 for the others.")
      .def_prop_ro("is_over", [](const Table& t) { return t.board().is_over(); })
      .def("result",
           [](const Table& t) {
             if (!t.board().is_over()) throw nb::value_error("the game is not over");
             return t.board().result();
           })
      .def_prop_ro("hash", [](const Table& t) { return t.board().hash(); })
      .def_prop_ro("players", [](const Table& t) { return t.board().players(); })
      .def_prop_ro("ply", [](const Table& t) { return t.board().ply(); })
      .def_prop_ro("quiet_plies", [](const Table& t) { return t.board().quiet_plies(); })
      .def(
          "alive",
          [](const Table& t, int seat) { return t.board().alive(in_range("a seat", seat, 0, 3)); },
          "seat"_a)
      .def(
          "layout",
          [](const Table& t, int seat) {
            return layout_text(layout_of(t.board(), checked_seat(t.board(), seat)));
          },
          "seat"_a, "How the seat set up.")
      .def(
          "standing", [](const Table& t) { return standing(t.board()); },
          "(node, seat, kind, piece) of everything on the board.")
      .def(
          "events",
          [](const Table& t) {
            std::vector<std::string> out;
            for (const Event& event : t.view(0).events()) out.push_back(event_text(event));
            return out;
          },
          "What everybody saw, since the table was made.")
      .def(
          "view", [](const Table& t, int seat) { return t.view(checked_seat(t.board(), seat)); },
          "seat"_a, "What the seat may know.")
      .def(
          "move_text", [](const Table&, Move move) { return text_of_move(move); }, "move"_a)
      .def(
          "parse_move", [](const Table&, std::string_view text) { return parse_move(text); },
          "text"_a)
      .def(
          "line_text",
          [](const Table&, const std::vector<Move>& moves) {
            std::vector<std::string> out;
            for (const Move move : moves) out.push_back(text_of_move(move));
            return out;
          },
          "moves"_a, "Moves as text; a line of a sampled world need not be playable here.")
      .def(
          "__eq__",
          [](const Table& a, nb::handle b) {
            return nb::isinstance<Table>(b) && a == nb::cast<const Table&>(b);
          },
          nb::arg("other").none())
      .def("__hash__",
           [](const Table& t) { return static_cast<Py_hash_t>(t.board().hash() >> 1); });
}

void bind_view(nb::module_& m) {
  nb::class_<View>(m, "JunqiView", "What one seat may know of a game.")
      .def_static("from_text", &View::from_text, "text"_a)
      .def("to_text", &View::to_text)
      .def_prop_ro("seat", &View::seat)
      .def_prop_ro("seat_to_move", [](const View& v) { return v.to_move(); })
      .def_prop_ro("to_move", [](const View& v) { return v.team(v.to_move()); })
      .def_prop_ro("is_over", &View::is_over)
      .def("result",
           [](const View& v) {
             if (!v.is_over()) throw nb::value_error("the game is not over");
             return v.result();
           })
      .def_prop_ro("players", &View::players)
      .def_prop_ro("ply", &View::ply)
      .def_prop_ro("quiet_plies", &View::quiet_plies)
      .def_prop_ro("hash", &View::hash)
      .def(
          "alive", [](const View& v, int seat) { return v.alive(in_range("a seat", seat, 0, 3)); },
          "seat"_a)
      .def("legal_moves",
           [](const View& v) {
             MoveList<Junqi> list;
             v.legal_moves(list);
             return as_vector(list);
           })
      .def("is_legal", &View::is_legal, "move"_a)
      .def(
          "move_text", [](const View&, Move move) { return text_of_move(move); }, "move"_a)
      .def(
          "parse_move", [](const View&, std::string_view text) { return parse_move(text); },
          "text"_a)
      .def(
          "line_text",
          [](const View&, const std::vector<Move>& moves) {
            std::vector<std::string> out;
            for (const Move move : moves) out.push_back(text_of_move(move));
            return out;
          },
          "moves"_a)
      .def("standing", [](const View& v) { return standing(v); })
      .def("events",
           [](const View& v) {
             std::vector<std::string> out;
             for (const Event& event : v.events()) out.push_back(event_text(event));
             return out;
           })
      .def(
          "possible",
          [](const View& v, int piece) { return kinds_text(v.possible(checked_piece(piece))); },
          "piece"_a, "The kinds a piece can be by rules and events, one piece at a time.")
      .def(
          "piece_at",
          [](const View& v, std::string_view node) {
            const int piece = v.piece_at(parse_node(node));
            return piece == kNowhere ? -1 : piece;
          },
          "node"_a)
      .def(
          "observe",
          [](const View& v, std::string_view text) {
            View next = v;
            Event event = parse_event(text);
            if (event.type == EventType::kMoved)
              event.seat = static_cast<std::uint8_t>(v.to_move());
            next.observe(event);
            return next;
          },
          "event"_a, "The view after an event; this one stays as it is.")
      .def(
          "play",
          [](const View& v, Move move) {
            if (!v.is_legal(move) || v.piece_at(to_of(move)) != kNowhere)
              throw nb::value_error("a view cannot play a battle; tell it the event");
            View next = v;
            Event event;
            event.seat = static_cast<std::uint8_t>(v.to_move());
            event.move = move;
            next.observe(event);
            return next;
          },
          "move"_a)
      .def("history", [](const View& v) { return v.history(); })
      .def("with_history", &View::with_history, "history"_a,
           "The same view with another record of what pieces did.")
      .def(
          "__eq__",
          [](const View& a, nb::handle b) {
            return nb::isinstance<View>(b) && a == nb::cast<const View&>(b);
          },
          nb::arg("other").none())
      .def("__hash__", [](const View& v) { return static_cast<Py_hash_t>(v.hash() >> 1); });
}

void bind_history(nb::module_& m) {
  nb::class_<Activity>(m, "JunqiActivity", "What one piece has done.")
      .def_ro("moves", &Activity::moves)
      .def_ro("attacks", &Activity::attacks)
      .def_ro("defences", &Activity::defences)
      .def_ro("captures", &Activity::captures)
      .def_ro("last_capture", &Activity::last_capture)
      .def_prop_ro("level", &Activity::level);
  nb::class_<HistoryRecorder>(m, "JunqiHistory", "Moves, battles and the activity of every piece.")
      .def(nb::init<>())
      .def(
          "make",
          [](HistoryRecorder& h, int ply, Move move, int piece, int other,
             const std::string& outcome) {
            const auto at = std::string("mwlb").find(outcome.substr(0, 1));
            if (outcome.empty() || at == std::string::npos)
              throw nb::value_error("an outcome is move, won, lost or both");
            if (other >= kPieces) throw nb::value_error("a piece is a number from 0 to 99");
            in_range("ply", ply, 0, 65535);
            if (from_of(move) >= kNodes || to_of(move) >= kNodes)
              throw nb::value_error("no such move");
            h.make(ply, move, checked_piece(piece), other < 0 ? kNowhere : other,
                   static_cast<Outcome>(at));
          },
          "ply"_a, "move"_a, "piece"_a, "other"_a = -1, "outcome"_a = "move")
      .def("unmake",
           [](HistoryRecorder& h) {
             if (h.size() == 0) throw nb::value_error("there is nothing to take back");
             h.unmake();
           })
      .def("__len__", &HistoryRecorder::size)
      .def("moves",
           [](const HistoryRecorder& h) {
             std::vector<Move> out;
             for (int i = 0; i < h.size(); ++i) out.push_back(h.move(i));
             return out;
           })
      .def(
          "battles",
          [](const HistoryRecorder& h) {
            constexpr const char* names[] = {"move", "won", "lost", "both"};
            std::vector<std::tuple<int, int, int, std::string>> out;
            for (const Battle& b : h.battles())
              out.emplace_back(b.ply, b.attacker, b.defender, names[static_cast<int>(b.outcome)]);
            return out;
          },
          "(ply, attacker, defender, outcome for the attacker) of every battle.")
      .def(
          "activity",
          [](const HistoryRecorder& h, int piece) { return h.activity(checked_piece(piece)); },
          "piece"_a)
      .def(
          "is_invader",
          [](const HistoryRecorder& h, int piece, unsigned seats, int ply, int window) {
            return h.is_invader(checked_piece(piece), seats, in_range("ply", ply, 0, 65535),
                                in_range("window", window, 0, 65535));
          },
          "piece"_a, "seats"_a, "ply"_a, "window"_a)
      .def_prop_ro("signature", &HistoryRecorder::signature);
}

}  // namespace

void bind_junqi(nb::module_& m) {
  bind_layouts(m);
  bind_history(m);
  bind_view(m);
  bind_table(m);
  bind_junqi_search(m);
}

}  // namespace kibitz::bind
