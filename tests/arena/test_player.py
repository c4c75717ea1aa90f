"""Players: the texts that name them, their limits, and programs that do not behave."""

import random
import shlex
import shutil
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fake_game import Race

from kibitz.arena import engine_player, parse_player
from kibitz.arena.gtp_player import GtpPlayer
from kibitz.arena.openings import Opening
from kibitz.arena.player import EnginePlayer, PlayerError, RandomPlayer, Resigned, Turn
from kibitz.arena.program import find_program
from kibitz.arena.referee import Job, play_game
from kibitz.clock import Clocks
from kibitz.errors import BadOption
from kibitz.games.othello import Position as Othello
from kibitz.request import Budget

FAKE_GTP = [sys.executable, str(Path(__file__).parent / "fake_gtp.py")]


def test_engine_text():
    spec = parse_player("uct:c=0.7,simulations=5000,solver=false,choice=visits")
    assert (spec.kind, spec.argument) == ("engine", "uct")
    assert spec.options == {"c": 0.7, "solver": False, "choice": "visits"}
    assert spec.budget == Budget(simulations=5000)
    assert spec.text == "uct:c=0.7,simulations=5000,solver=false,choice=visits"
    assert spec.refusal(Race("5 0 6"), ()) is None


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"network": "runs/lr=0.1, wide/net.knet"},
        {"network": "a,b", "c": 0.7, "resign": 0.1 + 0.2, "threads": 2, "solver": False, "visits": 64},
        {"style": "hypermodern:0.6", "style_budget": 1e-09, "simulations": 5},
    ],
)
def test_engine_player_and_its_text_are_one_player(options: dict[str, Any]) -> None:
    spec = engine_player("lc0", options)
    assert parse_player(spec.text) == spec
    assert {**spec.options, **spec.budget.to_dict()} == options


def test_plain_texts():
    assert parse_player("greedy").kind == "greedy"
    with pytest.raises(BadOption, match="greedy counts discs, and race has none"):
        parse_player("greedy").make(Race)
    assert parse_player(" random ").kind == "random"
    assert parse_player("uct").budget == Budget()
    program = parse_player("gtp:" + shlex.join(FAKE_GTP))
    assert program.kind == "gtp"
    assert program.refusal(Race(), ("+1",)) is None
    assert program.refusal(Race("5 0 6"), ()) == "can only follow moves from the start of a game"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a preset"),
        (":c=1", "expected a preset"),
        ("uct:", "must follow the colon"),
        ("uct:c", "expected key=value"),
        ("uct:c=", "expected key=value"),
        ("uct:=3", "expected key=value"),
        ("uct:c=1,c=2", "given twice"),
        ("uct:simulations=0", "simulations must be a whole number of at least 1"),
        ("uct:visits=100000000000000000000000", r"visits must be at most 2\^62"),
        ("uct:seconds=1e300", "seconds must be at most"),
        ("uct:simulations=1.5", "simulations must be a whole number"),
        ("uct:seconds=soon", "seconds must be a number"),
        ("random:c=1", "takes no options"),
        ("gtp:", "a command line must follow"),
        ("gtp:'open", "No closing quotation"),
        ("gtp:no-such-program-anywhere -x", "no program 'no-such-program-anywhere'"),
    ],
)
def test_bad_texts(text, message):
    with pytest.raises(BadOption, match=message):
        parse_player(text)


def test_random_player_repeats_itself_from_a_seed():
    player = RandomPlayer()
    games = []
    for seed in (1, 2, 1):
        player.new_game(seed)
        games.append([player.choose(Race(), Turn(Budget())) for _ in range(20)])
    assert games[0] == games[2] != games[1]


class SlowToOpen(RandomPlayer):
    """Needs longer to get ready than a move may take."""

    ready = False

    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def prepare(self, position):
        assert position.ply == 2  # the opening is set up
        self.clock.now += 0.3
        self.ready = True

    def choose(self, position, turn):
        assert self.ready
        return super().choose(position, turn)


def test_getting_ready_is_not_on_the_clock(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr("kibitz.arena.referee.time", clock)
    job = Job(0, Opening(("+1", "+2")), 1, (Budget(), Budget()), (0.2, 0.2), 100)
    record = play_game(Race, (SlowToOpen(clock), RandomPlayer()), job, lambda note: None)
    assert record.end == "rules"
    assert record.seconds[0] == 0
    assert clock.now == 0.3


def test_gtp_program_plays_a_game_and_ends():
    player = GtpPlayer(Race, FAKE_GTP)
    chance = random.Random(1)
    for seed in (1, 2):
        player.new_game(seed)
        position = Race()
        while not position.is_over:
            if position.to_move == seed % 2:
                move = player.choose(position, Turn(Budget(seconds=0.1), 10.0))
            else:
                move = chance.choice(position.legal_moves)
            position = position.play(move)
        assert len(position.moves) == 12
    program = player._program._process
    player.close()
    player.close()
    assert program is not None
    assert program.returncode == 0
    with pytest.raises(PlayerError, match="not running"):
        player.choose(Race(), Turn(Budget()))


@pytest.mark.parametrize(
    ("fault", "reason", "message"),
    [
        ("hangs", "timeout", "gave no answer to 'genmove b' in 0.7 s"),
        ("dies", "crashed", "ended at 'genmove b'"),
        ("babbles", "protocol", "refused 'genmove b': what"),
    ],
)
def test_gtp_program_that_fails(fault, reason, message):
    player = GtpPlayer(Race, [*FAKE_GTP, fault], name="fake")
    player.new_game(1)
    with pytest.raises(PlayerError, match=message) as caught:
        player.choose(Race(), Turn(Budget(), 0.2))
    assert caught.value.reason == reason
    player.new_game(2)  # it is started again for the next game
    player.close()


def test_gtp_program_that_does_not_want_to_end():
    player = GtpPlayer(Race, [*FAKE_GTP, "stays"])
    player.new_game(1)
    program = player._program._process
    began = time.monotonic()
    player.close()
    assert program is not None
    assert program.poll() is not None
    assert time.monotonic() - began < 30


def test_gtp_program_that_cannot_be_started(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("not a program")
    broken.chmod(0o755)
    with pytest.raises(PlayerError, match="cannot be started"):
        GtpPlayer(Race, [str(broken)]).new_game(1)


def test_gtp_illegal_move_is_handed_to_the_referee():
    player = GtpPlayer(Race, [*FAKE_GTP, "illegal"])
    player.new_game(1)
    assert player.choose(Race(), Turn(Budget())) == "Z99"
    player.close()


def test_find_program():
    assert find_program("sh") == shutil.which("sh")


def test_engine_player_keeps_back_what_the_machine_was_late(monkeypatch):
    """As `kibitz uci` does, by the same time manager."""
    player = EnginePlayer("othello", "default", {})
    asked, now = [], [100.0]

    class Report:
        best = "c4"

    def analyze(position, seconds):
        asked.append(seconds)
        now[0] += seconds + 0.4  # a machine that pauses
        return Report

    monkeypatch.setattr(player._engine, "analyze", analyze)
    monkeypatch.setattr("kibitz.arena.player.time.monotonic", lambda: now[0])
    clocks = Clocks(1.0, 0.01)
    for _ in range(2):
        player.choose(Othello(), Turn(Budget(), 1.0, (clocks, clocks)))
    player.new_game(1)
    player.choose(Othello(), Turn(Budget(), 1.0, (clocks, clocks)))
    assert asked[1] < asked[0]
    assert asked[2] < asked[0]
    player.close()


def test_engine_resigns_when_lost():
    from kibitz.games.chess import Position as Chess

    lost = Chess("7k/8/8/8/8/8/QQ6/K7 b - - 0 1")
    turn = Turn(Budget(simulations=50))
    player = EnginePlayer("chess", "default", {"network": "none", "resign": 0.1})
    try:
        player.new_game(1)
        assert player.choose(lost, turn) in lost.legal_moves
        with pytest.raises(Resigned):
            player.choose(lost, turn)
        player.new_game(1)
        assert player.choose(lost, turn) in lost.legal_moves
        assert player.choose(Chess(), turn) in Chess().legal_moves
        assert player.choose(lost, turn) in lost.legal_moves
    finally:
        player.close()
    with pytest.raises(BadOption, match="resign must be from 0"):
        EnginePlayer("chess", "default", {"network": "none", "resign": 0.6})
