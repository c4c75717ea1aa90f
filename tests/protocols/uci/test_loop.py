"""The UCI engine: what a GUI says, what it hears, and what bad input costs."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import chess
import pytest

from kibitz.games.chess import Position
from kibitz.protocols.uci.options import RARE, TABLE, Option, Options
from tests.protocols.uci.uci_player import Talk, timed

MATE_IN_ONE = "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    talk.tell("setoption name Threads value 1", "setoption name RamLimitMb value 64")
    yield talk
    talk.close()


def test_greeting(talk: Talk) -> None:
    lines = talk.ask("uci", "uciok")
    assert lines[0].startswith("id name Kibitz")
    declared = {line.split(" type ")[0].removeprefix("option name ") for line in lines if "type" in line}
    assert declared == {option.name for option in TABLE} - RARE
    assert {option.name for option in TABLE} > RARE
    assert len(declared) <= 35
    assert "option name CPuct type string default 1.745000" in lines
    assert "option name MultiPV type spin default 1 min 1 max 500" in lines
    assert talk.ask("isready", "readyok") == ["readyok"]


def test_finds_mates_and_says_so(talk: Talk) -> None:
    talk.tell(MATE_IN_ONE)
    lines = talk.ask("go nodes 2000", "bestmove")
    assert lines[-1].split()[1] == "d1d8"
    assert "score mate 1" in lines[-2]
    talk.tell("position fen 7k/8/5K2/8/8/8/8/1Q6 w - - 0 1")
    assert (
        talk.ask("go nodes 20000", "bestmove")[-1].split()[1]
        in Position("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1").legal_moves
    )


def test_mated_and_stalemated_positions(talk: Talk) -> None:
    talk.tell("position startpos moves f2f3 e7e5 g2g4 d8h4")
    assert talk.ask("go nodes 10", "bestmove")[-2:] == ["info depth 0 score mate 0", "bestmove (none)"]
    talk.tell("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert talk.ask("go nodes 10", "bestmove")[-2:] == ["info depth 0 score cp 0", "bestmove (none)"]


def test_plays_on_where_a_draw_was_not_claimed(talk: Talk) -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    talk.tell("position startpos moves " + 3 * shuffle + "e2e4")
    assert talk.best("go nodes 50") != "(none)"
    talk.tell("position startpos moves " + 2 * shuffle)
    assert talk.best("go nodes 50") in Position().legal_moves
    talk.tell("position fen 8/8/4k3/8/8/3NK3/8/8 w - - 0 1")
    assert talk.best("go nodes 50") != "(none)"


def test_search_moves_and_guaranteed_moves(talk: Talk) -> None:
    talk.tell("position startpos")
    assert talk.best("go nodes 300 searchmoves a2a3 h2h4") in ("a2a3", "h2h4")
    talk.tell(
        "setoption name IncludeMoves value a2a4 nonsense",
        "setoption name IncludeMovesMinVisits value 77",
        "setoption name MultiPV value 20",
        "setoption name VerboseMoveStats value true",
    )
    lines = talk.ask("go nodes 300", "bestmove")
    stats = next(line for line in lines if line.startswith("info string a2a4"))
    assert int(re.search(r"N:\s+(\d+)", stats)[1]) >= 77  # type: ignore[index]
    assert any("IncludeMoves nonsense is refused" in line for line in lines)


def test_a_guaranteed_move_is_answered_and_not_played(talk: Talk) -> None:
    talk.tell(
        "position startpos",
        "setoption name IncludeMoves value a2a3",
        "setoption name IncludeMovesMinVisits value 900",
    )
    lines = talk.ask("go nodes 300", "bestmove")
    assert lines[-1].split()[1] != "a2a3"
    answers = [line for line in lines if line.startswith("info string IncludeMoves a2a3: ")]
    assert len(answers) == 1
    assert f"behind {lines[-1].split()[1]}" in answers[0]


def test_questions_are_answered_in_words(talk: Talk) -> None:
    talk.tell(
        "position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5",
        "setoption name Ask value threat; refute Nf6; why nonsense",
    )
    for go in ("go nodes 4000", "go depth 6"):
        lines = talk.ask(go, "bestmove")
        replies = [line for line in lines if line.startswith("info string Ask ")]
        assert replies[0].startswith("info string Ask why nonsense is refused:")
        assert replies[1].startswith("info string Ask threat: white threatens Qxf7#")
        assert "refuted by Nf6 Qxf7#" in replies[2]
        assert (
            chess.Move.from_uci(lines[-1].split()[1])
            in chess.Board(Position().play("e4", "e5", "Bc4", "Nc6", "Qh5").fen).legal_moves
        )
    talk.tell("setoption name Ask value")
    assert not [line for line in talk.ask("go nodes 50", "bestmove") if "string Ask" in line]


def test_multipv_and_wdl(talk: Talk) -> None:
    talk.tell("setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true", "position startpos")
    lines = [line for line in talk.ask("go nodes 500", "bestmove") if " multipv " in line][-3:]
    assert [line.split(" multipv ")[1].split()[0] for line in lines] == ["1", "2", "3"]
    for line in lines:
        assert sum(map(int, line.split(" wdl ")[1].split()[:3])) == 1000
    assert len({line.split(" pv ")[1].split()[0] for line in lines}) == 3


def test_verbose_lines_have_lc0s_form(talk: Talk) -> None:
    talk.tell("setoption name VerboseMoveStats value true", "position startpos moves e2e4")
    lines = [line for line in talk.ask("go nodes 200", "bestmove") if line.startswith("info string")]
    form = re.compile(
        r"info string \S+ +\(\d+ *\) N: +\d+ \(\+ \d\) \(P: +\d+\.\d+%\) \(WL: +-?[\d.-]+\) \(D: [\d.-]+\) "
        r"\(M: +[\d.-]+\) \(Q: +-?\d\.\d{5}\) \(U: \d+\.\d{5}\) \(S: +-?\d+\.\d{5}\) "
        r"\(V: +-?[\d.-]+\)( \(T\))?"
    )
    assert len(lines) == 21
    for line in lines[:-1]:
        assert form.fullmatch(line), line
    assert lines[-1].startswith("info string node  (  20) N:     ")
    visits = [int(line.split("N:")[1].split()[0]) for line in lines[:-1]]
    assert visits == sorted(visits)


def test_chess960_castling_is_king_takes_rook(talk: Talk) -> None:
    talk.tell(
        "setoption name UCI_Chess960 value true",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1",
    )
    assert talk.engine.position.moves == ("e1h1",)
    assert talk.best("go nodes 50 searchmoves e8a8") == "e8a8"
    talk.tell("position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5")
    assert talk.best("go nodes 50 searchmoves e1h1") == "e1h1"


def test_infinite_waits_for_stop_and_stop_is_quick(talk: Talk) -> None:
    talk.tell(MATE_IN_ONE)
    begun = len(talk.lines)
    talk.tell("go infinite")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.lines[begun:])
    assert timed(lambda: talk.ask("isready", "readyok")) < 5
    assert timed(lambda: talk.ask("stop", "bestmove")) < 5
    assert [line.split()[1] for line in talk.lines if line.startswith("bestmove")] == ["d1d8"]
    talk.tell("stop")  # a second one is nobody's business
    assert sum(line.startswith("bestmove") for line in talk.lines) == 1


def test_stop_right_after_go(talk: Talk) -> None:
    talk.tell("position startpos")
    for _ in range(20):
        begun = len(talk.lines)
        talk.tell("go infinite", "stop")
        assert talk.hear("bestmove", begun)[-1].split()[1] in Position().legal_moves


def test_ponder(talk: Talk) -> None:
    talk.tell("position startpos moves e2e4 e7e5")
    begun = len(talk.lines)
    talk.tell("go ponder wtime 3000 btime 3000")
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in talk.lines[begun:])
    seconds = timed(lambda: talk.ask("ponderhit", "bestmove"))
    assert seconds < 3
    assert sum(line.startswith("bestmove") for line in talk.lines[begun:]) == 1
    talk.tell("go ponder wtime 3000 btime 3000")
    assert timed(lambda: talk.ask("stop", "bestmove")) < 5


def test_tree_is_kept_along_a_game(talk: Talk) -> None:
    talk.tell("setoption name SmartPruningFactor value 0", "position startpos")
    best = talk.best("go nodes 3000")
    talk.tell(f"position startpos moves {best}")
    lines = talk.ask("go nodes 1", "bestmove")
    assert int(lines[-2].split(" nodes ")[1].split()[0]) > 100


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings"),
        ("position startpos moves e2e5", "illegal move e2e5"),
        ("position", "position takes"),
        ("position startpos e2e4", "after the word 'moves'"),
        ("go movetime soon", "takes a whole number"),
        ("go sideways", "unknown word 'sideways'"),
        ("setoption name Nonsense value 1", "unknown option 'Nonsense'"),
        ("setoption name MultiPV value many", "takes a whole number from 1 to 500"),
        ("setoption name CPuct value -1", "takes a number from 0 to 100"),
        ("setoption name ScoreType value pawns", "takes one of"),
        ("setoption name WeightsFile value /no/such/file.pb.gz", "there is no file"),
        ("setoption", "setoption takes"),
        ("setoption name SyzygyPath value /no/such/tables", "there is no folder"),
        ("setoption name Contempt value much", "takes Elo"),
        ("setoption name DrawScore value 2", "takes a number from -1 to 1"),
        ("setoption name LogFile value log.txt", "changes nothing here"),
        ("xyzzy", "unknown command 'xyzzy'"),
    ],
)
def test_bad_input_costs_one_line(talk: Talk, command: str, words: str) -> None:
    talk.tell("position startpos moves e2e4")
    talk.lines.clear()
    talk.tell(command)
    assert len(talk.lines) == 1
    assert talk.lines[0].startswith("info string")
    assert words in talk.lines[0]
    # The position before it still stands, unless another was meant to take its place.
    best = talk.best("go nodes 20")
    if command.startswith("position"):
        assert best == "(none)"
    else:
        assert best in Position().play("e4").legal_moves


def test_unknown_words_after_go_are_skipped(talk: Talk) -> None:
    lines = talk.ask("go quickly nodes 20 movesleft 7", "bestmove")
    assert lines[0] == "info string unknown word 'quickly movesleft 7' after go is skipped"
    assert lines[-1].split()[1] in Position().legal_moves


@pytest.mark.parametrize("limit", ["nodes", "wtime", "movetime", "depth", "mate"])
def test_numbers_beyond_all_measure(talk: Talk, limit: str) -> None:
    begun = len(talk.lines)
    talk.tell(f"go {limit} {10**30}")
    time.sleep(0.1)
    talk.tell("stop")
    assert [line.split()[0] for line in talk.hear("bestmove", begun)][-2:] == ["info", "bestmove"]
    assert "failed" not in " ".join(talk.lines)


def test_a_depth_that_is_reached_ends_the_search(talk: Talk) -> None:
    talk.tell("position startpos")
    lines: list[str] = []
    assert timed(lambda: lines.extend(talk.ask("go depth 3", "bestmove"))) < 5
    assert 3 <= int(lines[-2].split()[2]) <= 5


def test_a_mate_that_is_found_ends_the_search(talk: Talk) -> None:
    talk.tell(MATE_IN_ONE)
    assert timed(lambda: talk.best("go mate 1")) < 0.4


def test_a_mistake_of_ours_is_one_line(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TypeError("nobody thought of this")

    with monkeypatch.context() as patch:
        patch.setattr("kibitz.protocols.uci.search.make_request", fail)
        lines = talk.ask("go nodes 10", "bestmove")
        assert lines[0] == "info string the search failed: internal error: TypeError: nobody thought of this"
        assert lines[-1].split()[1] in Position().legal_moves
    with monkeypatch.context() as patch:
        patch.setattr("kibitz.protocols.uci.loop.parse_go", fail)
        talk.tell("go nodes 10")
        assert talk.lines[-1] == "info string go: internal error: TypeError: nobody thought of this"
    assert talk.best("go nodes 10") in Position().legal_moves


def test_a_corrupt_network_is_not_the_end(talk: Talk, tmp_path: object) -> None:
    path = f"{tmp_path}/broken.pb.gz"
    with open(path, "wb") as out:
        out.write(b"\x1f\x8b this is no network")
    talk.tell(f"setoption name WeightsFile value {path}", "position startpos")
    lines = talk.ask("isready", "readyok")
    assert "playing without a network" in lines[0]
    assert talk.best("go nodes 50") in Position().legal_moves


def test_history_fill(talk: Talk) -> None:
    for fill, empty in (("no", True), ("always", False), ("fen_only", True)):
        talk.tell(f"setoption name HistoryFill value {fill}", "position startpos moves e2e4")
        assert (talk.engine.position.state.encode()[0][13 * 7].max() == 0) == empty
    for fill, empty in (("no", True), ("always", False), ("fen_only", False)):
        talk.tell(f"setoption name HistoryFill value {fill}", MATE_IN_ONE + " moves g1f1")
        assert (talk.engine.position.state.encode()[0][13 * 7].max() == 0) == empty
    assert talk.best("go nodes 20") in talk.engine.position.legal_moves


def test_unknown_words_before_a_command_are_skipped(talk: Talk) -> None:
    assert talk.ask("joho isready", "readyok") == ["readyok"]


@pytest.mark.parametrize(
    "option", [item for item in TABLE if item.most is not None], ids=lambda item: item.name
)
def test_the_least_and_the_most_of_an_option_can_be_searched_with(talk: Talk, option: Option) -> None:
    if option.name in ("Threads", "RamLimitMb"):
        pytest.skip("the machine's affair")
    for value in (option.least, option.most):
        assert value is not None
        text = f"{value:.0f}" if option.kind == "spin" else f"{value}"
        talk.tell(f"setoption name {option.name} value {text}", "position startpos")
        assert talk.best("go movetime 20") in Position().legal_moves
    # A style that acts tells what it spent; nothing else is told.
    told = [line for line in talk.lines if line.startswith("info string")]
    assert [
        line for line in told if not line.startswith("info string style hypermodern:10: strength 10")
    ] == []


def test_no_cache_is_larger_than_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.protocols.uci.options._machine_mb", lambda: 8000)
    options = Options()
    options.set("WeightsFile", "any")
    assert 1500 < options.search_options(True)["cache_mb"] < 2500
    options.set("NNCacheSize", "999999999")
    assert options.search_options(True)["cache_mb"] == 4000


def test_options_know_their_limits() -> None:
    options = Options()
    options.set("cpuct", "2.5")
    options.set("MoveOverheadMs", "50")
    assert options["CPuct"] == 2.5
    assert options["Move Overhead"] == 50
    assert options.search_options(False)["cpuct"] == 2.5
    assert options.asked_options(False)["cpuct"] == 2.5
    assert "fpu_reduction" not in options.asked_options(False)
