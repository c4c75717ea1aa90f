"""The NBoard protocol: a session as the board has it, interruptions, and nonsense."""

from __future__ import annotations

import io
import itertools
import queue
import re
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.engine import Engine
from kibitz.games.othello import Position
from kibitz.games.othello.records import START, Record, ggf
from kibitz.protocols.nboard import NBoard, discs_of, move_seconds, simulations_for
from kibitz.report import MoveInfo

GAME = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
MOVES = ("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4")


@dataclass
class Session:
    """A session with a real engine, whose output is kept."""

    sent: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        engine = Engine("othello", preset="uct", seed=1)
        self.board = NBoard(engine, self.sent.append, self.warned.append)

    def tell(self, *lines: str) -> list[str]:
        """What is sent in answer to these lines."""
        before = len(self.sent)
        for line in lines:
            assert self.board.handle(line)
        return self.sent[before:]


def test_the_session_of_the_specification() -> None:
    session = Session()
    lines = ["nboard 2", f"set game {GAME}", "set depth 6", "ping 1", "go"]
    session.board.run(io.BytesIO("\n".join(lines).encode()))
    assert session.sent[:3] == ["set myname Kibitz", "set myname Kibitz6", "pong 1"]
    assert session.sent[3] == "status Thinking"
    assert session.sent[-1] == "status"
    answer = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/(\d+\.\d\d)", session.sent[-2])
    assert answer
    assert answer[1].lower() in Position().play(*MOVES).legal_moves
    assert any(line.startswith("nodestats 8000 ") for line in session.sent)
    assert session.warned == []


def played_by(level: str, games: int = 12) -> list[str]:
    """The answers to `go` at a level."""
    sent: list[str] = []
    board = NBoard(Engine("othello", seed=1), sent.append)
    for line in (f"set game {GAME}", f"set level {level}", *["go"] * games):
        assert board.handle(line)
    return [line.split()[1].split("/")[0].lower() for line in sent if line.startswith("===")]


def test_a_level_errs_and_names_itself() -> None:
    weak, strong = played_by("beginner"), played_by("master", 2)
    legal = Position().play(*MOVES).legal_moves
    assert set(weak) <= set(legal)
    assert len(set(weak)) > 1
    assert len(set(strong)) == 1
    session = Session()
    assert session.tell("set level casual", "set level none") == [
        "set myname Kibitz-casual",
        "set myname Kibitz",
    ]
    session.tell("set level grandmother")
    assert "grandmother" in session.warned[-1]


def test_go_does_not_change_the_board() -> None:
    session = Session()
    session.tell("set depth 2", "go")
    assert session.board.position == Position()
    session.tell("move F5/1.20/0.5")
    assert session.board.position == Position().play("f5")
    session.tell("D6")  # as version 1 sends it
    assert session.board.position == Position().play("f5", "d6")


def test_hint_gives_the_best_moves() -> None:
    session = Session()
    lines = session.tell("set depth 4", f"set game {GAME}", "hint 3")
    hints = [line.split(" ") for line in lines if line.startswith("search ")]
    legal = Position().play(*MOVES).legal_moves
    assert len(hints) >= 3
    for _, line, worth, zero, depth, *_ in hints:
        assert line[:2].lower() in legal
        assert re.fullmatch(r"([A-H][1-8]|PA)+", line)
        assert re.fullmatch(r"-?\d+\.\d\d", worth)
        assert zero == "0"
        assert re.match(r"\d+", depth)
    assert len({hint[1][:2] for hint in hints[-3:]}) == 3


def test_solved_positions_are_exact() -> None:
    position = Position()
    while not position.is_over:
        before, position = position, position.play(position.legal_moves[0])
    session = Session()
    session.board.engine = Engine("othello", seed=1)
    session.tell("set game " + ggf.game_text(Record.of(before)), "set depth 10")
    lines = session.tell("hint 1")
    assert (
        any(" 100% " in line for line in lines if line.startswith("search ")) or len(before.legal_moves) == 1
    )


def test_forced_moves_and_the_end() -> None:
    position = Position()
    while position.legal_moves != ("pass",):
        position = position.play(position.legal_moves[0])
    session = Session()
    assert session.tell("set game " + ggf.game_text(Record.of(position)), "go") == ["=== PA"]
    session.tell("move PA")
    assert session.board.position == position.play("pass")
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    session.tell("set game " + ggf.game_text(Record.of(position)))
    assert session.tell("go") == ["=== PA"]
    assert session.tell("hint 2") == ["status The game is over"]


def test_analyze_goes_backwards_through_the_game() -> None:
    session = Session()
    lines = session.tell("set depth 1", f"set game {GAME}", "analyze")
    plies = [int(line.split()[1]) for line in lines if line.startswith("analysis ")]
    assert plies == list(range(8, -1, -1))
    assert all(
        re.fullmatch(r"analysis \d+ -?\d+\.\d\d", line) for line in lines if line.startswith("analysis ")
    )


def test_learn_and_settings() -> None:
    session = Session()
    assert session.tell("learn") == ["learned"]
    assert session.tell("set contempt -25") == []
    assert session.board.contempt == -25
    assert session.tell("set depth 99") == ["set myname Kibitz60"]


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("dance", "unknown command ignored: dance"),
        ("set colour red", "unknown setting ignored"),
        ("set depth deep", "unknown setting ignored"),
        ("set game nonsense", "set game, game 1: expected"),
        ("move A1", "illegal move a1"),
        ("move", "no move|illegal|expected|not a"),
    ],
)
def test_mistakes_are_told_to_people_only(line: str, warning: str) -> None:
    session = Session()
    assert session.tell(line) == []
    assert len(session.warned) == 1
    assert re.search(warning, session.warned[0])
    assert session.board.position == Position()


class Pipe:
    """Lines that arrive one by one, as on standard input."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def put(self, line: str | None) -> None:
        self._lines.put(line)

    def read(self, size: int) -> bytes:
        line = self._lines.get()
        return b"" if line is None else f"{line}\n".encode()


def start(session: Session) -> tuple[Pipe, threading.Thread]:
    pipe = Pipe()
    thread = threading.Thread(target=session.board.run, args=(pipe,), daemon=True)
    thread.start()
    return pipe, thread


def wait_for(session: Session, beginning: str) -> float:
    """Until a line with this beginning was sent; how long that took."""
    began = time.monotonic()
    while not any(line.startswith(beginning) for line in session.sent):
        assert time.monotonic() - began < 60, session.sent[-5:]
        time.sleep(0.002)
    return time.monotonic() - began


def test_ping_interrupts_at_once() -> None:
    session = Session()
    pipe, thread = start(session)
    pipe.put("set depth 60")
    for number, command in enumerate(["go", "hint 4", "analyze", "go"]):
        session.sent.clear()
        pipe.put(command)
        wait_for(session, "status")
        time.sleep(0.05 * number)
        pipe.put(f"ping {number}")
        assert wait_for(session, f"pong {number}") < 10
        assert not any(line.startswith("===") for line in session.sent)
        after = len(session.sent)
        time.sleep(0.05)
        assert len(session.sent) == after  # nothing of the old search comes behind the pong
    pipe.put(None)
    thread.join(60)
    assert not thread.is_alive()


def test_ping_behind_a_queue_of_searches() -> None:
    session = Session()
    pipe, thread = start(session)
    for line in ["set depth 60", "go", "hint 2", "go", "move F5", "ping 7", "set depth 1", "go", "quit"]:
        pipe.put(line)
    assert wait_for(session, "pong 7") < 20
    thread.join(60)
    assert not thread.is_alive()
    assert session.board.position == Position().play("f5")


def test_quit_in_the_middle_of_a_search() -> None:
    session = Session()
    pipe, thread = start(session)
    pipe.put("set depth 60")
    pipe.put("go")
    wait_for(session, "status Thinking")
    pipe.put("quit")
    thread.join(60)
    assert not thread.is_alive()


def test_depth_is_a_budget_that_doubles_every_two() -> None:
    budgets = [simulations_for(depth) for depth in range(1, 61)]
    assert budgets == sorted(budgets)
    assert simulations_for(12) == 64_000
    assert simulations_for(60) == 32_000_000


def test_discs_follow_the_value() -> None:
    def info(value: float, **more: Any) -> MoveInfo:
        return MoveInfo(move="d3", order=0, visits=1, value=value, **more)

    worth = [discs_of(info(value / 20)) for value in range(21)]
    assert worth == sorted(worth)
    assert discs_of(info(0.5)) == 0
    assert abs(worth[0]) <= 64
    assert discs_of(info(1.0, score=12, proven="win")) == 12
    assert discs_of(info(0.0, proven="loss")) < 0


def test_the_clock() -> None:
    game = ggf.read(GAME)[0]
    position = game.position()
    whole = move_seconds(game, position)
    assert whole == pytest.approx(900 / (position.empties / 2 + 2))
    spent = Record(game.start, game.moves, times=(100.0, 5.0) * 4, extras=game.extras)
    assert move_seconds(spent, position) == pytest.approx(500 / (position.empties / 2 + 2))
    broke = Record(game.start, game.moves, times=(900.0,) * 8, extras=game.extras)
    assert move_seconds(broke, position) == 0.05
    assert move_seconds(Record(START), Position()) is None
    assert move_seconds(Record(START, extras={"TI": "forever"}), Position()) is None


lines = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "go",
                "hint 2",
                "hint -1",
                "hint x",
                "ping",
                "ping 3",
                "learn",
                "nboard 2",
                "nboard",
                "analyze",
                "set",
            ]
        ),
        st.builds(
            "set {} {}".format, st.sampled_from(["depth", "contempt", "game", "time"]), st.text(max_size=10)
        ),
        st.builds(
            "move {}{}/{}/{}".format,
            st.sampled_from("ABcdefgh"),
            st.integers(1, 8),
            st.text(max_size=3),
            st.floats(),
        ),
        st.sampled_from(["D3", "f5", "PA", "move PA", f"set game {GAME}"]),
    ),
    max_size=12,
)


@given(lines)
def test_any_lines(commands: list[str]) -> None:
    session = Session()
    session.board.handle("set depth 1")
    for command in itertools.chain(commands, ["ping 99"]):
        before = session.board.position
        going = session.board.handle(command)
        assert going == (command.strip().partition(" ")[0] != "quit")
        if command.strip() in ("go", "hint 2", "learn", "ping 3"):
            assert session.board.position == before
    assert session.sent[-1] == "pong 99"
