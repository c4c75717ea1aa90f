// The rules of Junqi: the board's check sums, set-up, movement, battle, turns, notation, views.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "games/junqi/board.h"
#include "games/junqi/view.h"
#include "tests/check.h"
#include "tests/games/junqi/play.h"

using namespace kibitz;
using namespace kibitz::junqi;

namespace {

void check_graph(int players, int nodes, int road, int rail, int rail_nodes, int with_engineer,
                 int ordinary) {
  const Graph& graph = Graph::of(players);
  CHECK_EQ(graph.all().count(), nodes);
  CHECK_EQ(graph.road_edges(), road);
  CHECK_EQ(graph.rail_edges(), rail);
  CHECK_EQ(graph.railway().count(), rail_nodes);
  const Nodes nothing;
  int engineer = 0, straight = 0;
  graph.all().each([&](int node) {
    if (graph.headquarters().has(node)) return;  // nothing leaves a headquarters
    engineer += graph.engineer_targets(node, nothing).count();
    straight += graph.straight_targets(node, nothing).count();
  });
  CHECK_EQ(engineer, with_engineer);
  CHECK_EQ(straight, ordinary);
  graph.all().each([&](int node) {
    CHECK(!graph.neighbours(node).has(node));
    CHECK_EQ(parse_node(node_name(node)), node);
    graph.neighbours(node).each([&](int other) { CHECK(graph.neighbours(other).has(node)); });
  });
}

void test_graph() {
  check_graph(4, 129, 196, 92, 73, 5624, 1392);
  check_graph(2, 60, 98, 35, 32, 1176, 446);
  std::multiset<std::size_t> four, two;
  for (const auto& line : Graph::of(4).lines()) four.insert(line.size());
  for (const auto& line : Graph::of(2).lines()) two.insert(line.size());
  CHECK_EQ(four.size(), 18u);
  CHECK_EQ(four.count(13), 4u);
  CHECK_EQ(four.count(10), 4u);
  CHECK_EQ(four.count(5), 10u);
  CHECK_EQ(two.size(), 7u);
  CHECK_EQ(two.count(10), 2u);
  CHECK_EQ(two.count(2), 1u);
  CHECK_EQ(two.count(5), 4u);
  // Travel along row 1 does not turn onto an arc, a column does.
  const Graph& graph = Graph::of(4);
  const Nodes nothing;
  CHECK(!graph.straight_targets(parse_node("S12"), nothing).has(parse_node("E11")));
  CHECK(graph.straight_targets(parse_node("S35"), nothing).has(parse_node("E31")));
  CHECK(graph.straight_targets(parse_node("S51"), nothing).has(parse_node("N55")));
  CHECK(graph.engineer_targets(parse_node("S12"), nothing).has(parse_node("N53")));
  CHECK_THROWS(std::invalid_argument, parse_node("Q11"), "expected an arm");
  CHECK_THROWS(std::invalid_argument, Graph::of(3), "2 or 4");
}

void test_layouts() {
  CHECK_EQ(named_layouts().size(), 12u);
  std::set<std::string> names;
  for (const auto& [name, layout] : named_layouts()) {
    names.insert(name);
    const auto faults = layout_faults(layout);
    CHECK(faults.empty());
    for (const auto& fault : faults) std::cerr << name << ": " << fault.code << '\n';
    CHECK(parse_layout(layout_text(layout)) == layout);
    CHECK(layout_faults(mirrored(layout)).empty());
    CHECK(mirrored(mirrored(layout)) == layout);
  }
  CHECK_EQ(names.size(), 12u);
  Rng rng(5);
  for (int i = 0; i < 500; ++i) CHECK(layout_faults(random_layout(rng)).empty());
  Layout wrong = named_layouts()[0].second;
  std::swap(wrong[0], wrong[21]);  // commander and flag
  auto faults = layout_faults(wrong);
  CHECK(faults.size() == 1 && faults[0].code == "junqi.flagMisplaced");
  wrong = named_layouts()[0].second;
  wrong[0] = Kind::kMine;
  faults = layout_faults(wrong);
  CHECK_EQ(faults.size(), 3u);  // a mine in front, four mines, no commander
  CHECK_THROWS(std::invalid_argument, parse_layout("999"), "25 pieces");
  CHECK_THROWS(std::invalid_argument, parse_layout("z"), "no \"z\"");
}

void test_battle() {
  using enum Kind;
  CHECK(battle(kBomb, kFlag) == Outcome::kBothDied);
  CHECK(battle(kBomb, kMine) == Outcome::kBothDied);
  CHECK(battle(kPlatoon, kBomb) == Outcome::kBothDied);
  CHECK(battle(kEngineer, kFlag) == Outcome::kWon);
  CHECK(battle(kEngineer, kMine) == Outcome::kWon);
  CHECK(battle(kCommander, kMine) == Outcome::kLost);
  CHECK(battle(kCommander, kGeneral) == Outcome::kWon);
  CHECK(battle(kEngineer, kPlatoon) == Outcome::kLost);
  CHECK(battle(kCompany, kCompany) == Outcome::kBothDied);
}

// A board where the seats have only the pieces named, such as "S9>C31 N1>C11"; flags stay at home.
Junqi sparse(const std::string& pieces, const std::string& head) {
  Junqi full;
  std::string text = head;
  for (const char seat : std::string("SENW")) {
    const int s = static_cast<int>(kSeatLetters.find(seat));
    if (head[0] == '2' && (s & 1)) continue;
    text += std::string(" ") + seat + ":";
    std::vector<std::string> tokens;
    for (int place = 0; place < kArmy; ++place) {
      const Kind kind = full.kind(s * kArmy + place);
      tokens.push_back(std::string(1, kind_letter(kind)) + (kind == Kind::kFlag ? "" : "x"));
    }
    for (std::size_t at = 0; at < pieces.size();) {
      const std::size_t end = std::min(pieces.find(' ', at), pieces.size());
      const std::string word = pieces.substr(at, end - at);
      at = end + 1;
      if (word[0] != seat) continue;
      for (auto& token : tokens)
        if (token == std::string(1, word[1]) + "x") {
          token = word.substr(1);
          break;
        }
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) text += (i ? "," : "") + tokens[i];
  }
  return Junqi::from_text(text);
}

void test_moves() {
  const Junqi board = sparse("S9>S11 S1>S21 E8>C33 N7>N15 W6>W11", "4 dark turn=S");
  CHECK(Junqi::from_text(board.to_text()) == board);
  const auto legal = [&](const char* text) { return board.is_legal(parse_move(text)); };
  CHECK(legal("S11-C31"));
  CHECK(legal("S11-C11"));
  CHECK(!legal("S11-N15"));  // an ally stands there
  CHECK(!legal("S11-N25"));  // and nobody jumps
  CHECK(legal("S11-W25"));   // along the arc
  CHECK(!legal("S11-C32"));  // round a corner
  CHECK(legal("S21-S31"));
  CHECK(legal("S21-S53"));  // the engineer goes round corners over the back rail
  CHECK(legal("S21-C33") && legal("S21-S22"));
  CHECK(!legal("C33-C32"));  // not S's
  CHECK(!legal("S62-S61"));  // nothing leaves a headquarters
  // A piece in a camp is safe; a headquarters is not.
  const Junqi camps = sparse("S9>E21 E8>E22 N7>N11 W6>W11", "4 dark turn=S");
  CHECK(!camps.is_legal(parse_move("E21-E22")));
  const Junqi flag = sparse("S9>E61 E8>E22 N7>N11 W6>W11", "4 dark turn=S");
  CHECK(flag.is_legal(parse_move("E61-E62")));
  // The fast list agrees with the slow question on every pair of nodes, for random play.
  Rng rng(3);
  for (const int players : {4, 2}) {
    Junqi game = dealt(rng, players);
    for (int ply = 0; ply < 120 && !game.is_over(); ++ply) {
      MoveList<Junqi> list;
      game.legal_moves(list);
      CHECK(!list.empty());
      const std::set<Move> moves(list.begin(), list.end());
      CHECK_EQ(static_cast<int>(moves.size()), list.size());
      int counted = 0;
      for (int from = 0; from < kNodes; ++from)
        for (int to = 0; to < kNodes; ++to) counted += game.is_legal(move_of(from, to));
      CHECK_EQ(counted, list.size());
      const auto text = game.to_text();
      CHECK(Junqi::from_text(text) == game);
      CHECK_EQ(Junqi::from_text(text).hash(), game.hash());
      game.play(random_move(rng, list));
    }
  }
}

void test_turns() {
  // The flag of E falls: its army leaves, N is next, then W, then S again.
  Junqi board = sparse("S9>E61 S5>S11 E8>E11 N7>N11 W6>W11 W5>W15", "4 dark turn=S");
  CHECK_EQ(event_text(board.play(parse_move("E61-E62"))), "E61xE62+~E");
  CHECK(!board.alive(kEast) && !board.occupied(kEast).any());
  CHECK_EQ(board.to_move(), static_cast<int>(kNorth));
  board.play(parse_move("N11-C13"));
  CHECK_EQ(board.to_move(), static_cast<int>(kWest));
  CHECK(!board.is_over());
  board.play(parse_move("W11-W21"));
  CHECK_EQ(board.to_move(), static_cast<int>(kSouth));
  board.resign(kWest);
  CHECK(board.is_over());
  CHECK_EQ(board.result(), 1.0f);

  // A commander's death shows the flag; a seat without a move is out when its turn comes.
  Junqi last = sparse("S9>C32 S4>S11 E9>C22 N7>N11 W6>W11", "4 dark turn=S");
  CHECK_EQ(event_text(last.play(parse_move("C32-C22"))), "C32xC22=!S62!E62^E");
  CHECK(last.flag_known(kSouth) && !last.alive(kEast));
  CHECK_EQ(last.to_move(), static_cast<int>(kNorth));
  // A bomb takes the flag with it.
  Junqi bomb = sparse("SB>E61 S4>S11 E9>C22 N7>N11 W6>W11", "4 dark turn=S");
  CHECK_EQ(event_text(bomb.play(parse_move("E61-E62"))), "E61xE62=~E");
  // The draw rule, and the option without it.
  Junqi quiet = sparse("S9>C32 E9>C12 N7>N11 W6>W11", "4 dark draw=2 turn=S");
  quiet.play(parse_move("C32-C31"));
  CHECK(!quiet.is_over());
  quiet.play(parse_move("C12-C13"));
  CHECK(quiet.is_over());
  CHECK_EQ(quiet.result(), 0.5f);
  Junqi endless = sparse("S9>C32 E9>C12 N7>N11 W6>W11", "4 dark draw=0 quiet=999 turn=S");
  CHECK(!endless.is_over());
  // Two players: S and N are enemies.
  Junqi two = sparse("S9>S11 N9>N15", "2 dark turn=S");
  CHECK_EQ(event_text(two.play(parse_move("S11-N15"))), "S11xN15=!S62!N62^N");
  CHECK(two.is_over());
  CHECK_EQ(two.result(), 1.0f);
  // Out at once, by the option: W cannot move and does not wait for its turn.
  Junqi waits = sparse("S9>S11 S4>S15 E9>E11 N7>N11 W6>W22", "4 dark stuck-at-once turn=S");
  CHECK(waits.alive(kWest));
  for (const bool at_once : {false, true}) {
    Junqi taken = sparse("S9>W21 S4>S15 E9>E11 N7>N11 W6>W11",
                         at_once ? "4 dark stuck-at-once turn=S" : "4 dark turn=S");
    const Event event = taken.play(parse_move("W21-W11"));  // W's last piece that can move
    CHECK_EQ(taken.alive(kWest), !at_once);
    CHECK_EQ(event_text(event), at_once ? "W21xW11+^W" : "W21xW11+");
    taken.play(parse_move("E11-E12"));
    CHECK_EQ(event_text(taken.play(parse_move("N11-N12"))), at_once ? "N11-N12" : "N11-N12^W");
    CHECK(!taken.alive(kWest));
  }
}

void test_views() {
  Rng rng(11);
  for (int round = 0; round < 12; ++round) {
    Options options;
    options.players = round % 4 == 3 ? 2 : 4;
    options.information = round % 3 == 2 ? Information::kAllies : Information::kDark;
    Junqi game = dealt(rng, options);
    std::vector<View> views;
    for (int seat = 0; seat < kSeats; ++seat)
      if (game.alive(seat)) views.emplace_back(game, seat);
    for (int ply = 0; ply < 250 && !game.is_over(); ++ply) {
      MoveList<Junqi> list;
      game.legal_moves(list);
      const Move move = lively_move(rng, game, list, 3);
      for (const View& view : views) {
        if (view.seat() != game.to_move()) continue;
        MoveList<Junqi> own;
        view.legal_moves(own);
        CHECK(std::equal(own.begin(), own.end(), list.begin(), list.end()));
      }
      const Event event = game.play(move);
      Event back = parse_event(event_text(event));
      back.seat = event.seat;
      CHECK(back == event);
      for (View& view : views) view.observe(event);
    }
    for (const View& view : views) {
      CHECK_EQ(view.to_move(), game.to_move());
      CHECK_EQ(view.quiet_plies(), game.quiet_plies());
      for (int piece = 0; piece < kPieces; ++piece) {
        if (!game.alive(owner_of(piece)) && game.players() == 2) continue;
        CHECK_EQ(view.node_of(piece), game.node_of(piece));
        CHECK(view.possible(piece) & set_of(game.kind(piece)));  // the truth is never excluded
        if (view.knows(owner_of(piece))) CHECK(view.kind(piece) == game.kind(piece));
      }
      const View again = View::from_text(view.to_text());
      CHECK(again == view);
      CHECK_EQ(again.hash(), view.hash());
      CHECK_EQ(again.to_text(), view.to_text());
      // A view taken in mid-game knows less, and writes and reads itself too.
      if (!game.alive(view.seat())) continue;
      const View late(game, view.seat());
      CHECK(View::from_text(late.to_text()) == late);
      for (int piece = 0; piece < kPieces; ++piece)
        if (!(game.players() == 2 && (owner_of(piece) & 1)))
          CHECK(late.possible(piece) & set_of(game.kind(piece)));
    }
  }
  CHECK_THROWS(std::invalid_argument, View::from_text("Q 4 dark"), "begins with its seat");
  CHECK_THROWS(std::invalid_argument, View::from_text("S 4 dark"), "lacks the layout");
  CHECK_THROWS(std::invalid_argument, Junqi::from_text("4 dark"), "expected 25");
}

void test_history() {
  HistoryRecorder history;
  const auto clean = history.signature();
  history.make(10, move_of(0, 5), 3, kNowhere, Outcome::kMove);
  history.make(11, move_of(5, 40), 3, 30, Outcome::kWon);
  CHECK_EQ(history.activity(3).moves, 2);
  CHECK_EQ(history.activity(3).captures, 1);
  CHECK(history.is_invader(3, 1u << kEast, 15, 12));
  CHECK(!history.is_invader(3, 1u << kEast, 40, 12));
  CHECK(!history.is_invader(3, 1u << kNorth, 15, 12));
  history.make(12, move_of(41, 40), 31, 3, Outcome::kLost);
  CHECK_EQ(history.activity(3).defences, 1);
  CHECK_EQ(history.battles().size(), 2u);
  const auto busy = history.signature();
  history.unmake();
  CHECK(history.signature() != busy);
  history.unmake();
  history.unmake();
  CHECK_EQ(history.signature(), clean);
  CHECK_EQ(history.activity(3).moves, 0);
  CHECK(history.battles().empty());
}

}  // namespace

int main() {
  test_graph();
  test_layouts();
  test_battle();
  test_moves();
  test_turns();
  test_views();
  test_history();
  return test::report();
}
