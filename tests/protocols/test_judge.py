"""The judge with real sockets: two good players, and every way of being a bad one."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from kibitz.errors import BadOption, ProtocolError
from kibitz.protocols.judge import JudgeOptions, Verdict, run_judge
from kibitz.protocols.otp import ROTP, serve
from tests.games.othello.plain_rules import Game
from tests.protocols.otp_players import ClassicPlayer, spoil_once

Piece = bytes | float | None


class JudgeThread(threading.Thread):
    """A judge on a free port, impatient so that the tests are quick."""

    def __init__(self, **options: Any) -> None:
        super().__init__(daemon=True)
        self.options = {
            "rounds": 2,
            "connect_timeout": 20.0,
            "genmove_timeout": 3.0,  # a machine may stall for a second
            "command_timeout": 2.5,
            **options,
        }
        self.lines: list[str] = []
        self.port = 0
        self._ready = threading.Event()
        self._verdict: Verdict | None = None
        self.start()
        assert self._ready.wait(60)

    def run(self) -> None:
        self._verdict = run_judge(0, tell=self.lines.append, on_ready=self._on_ready, **self.options)

    def _on_ready(self, port: int) -> None:
        self.port = port
        self._ready.set()

    def verdict(self) -> Verdict:
        self.join(90)
        assert not self.is_alive()
        assert self._verdict is not None
        return self._verdict


def seated(judge: JudgeThread, *players: ClassicPlayer) -> Verdict:
    for player in players:
        player.start()
    verdict = judge.verdict()
    for player in players:
        player.join(60)
        assert not player.is_alive()
    return verdict


def good_and(judge: JudgeThread, spoil: Any) -> tuple[ClassicPlayer, ClassicPlayer]:
    """A good player who connects first (and begins with black) and a spoiled one."""
    good = ClassicPlayer(judge.port, "good", 1)
    while "player 1 connected" not in judge.lines:
        time.sleep(0.005)
    return good, ClassicPlayer(judge.port, "bad", 2, spoil)


def check_rounds(verdict: Verdict) -> None:
    """Replay what the judge reports with rules that are not the judge's."""
    for result in verdict.rounds:
        game = Game()
        for move in result.moves:
            if game.is_over():
                assert move == "pass"
                game.side = game.other
            else:
                game.play(move)
        if result.score is not None:
            assert result.moves[-2:] == ("pass", "pass")
            black, white = game.discs()
            assert result.score == black - white
            assert result.winner == (
                None if black == white else result.black if black > white else 1 - result.black
            )


def test_two_of_our_clients() -> None:
    judge = JudgeThread(rounds=4)
    clients = [
        threading.Thread(
            target=serve, args=(ROTP(f"kibitz {n}", seed=n), "127.0.0.1", judge.port), daemon=True
        )
        for n in (1, 2)
    ]
    for client in clients:
        client.start()
    verdict = judge.verdict()
    for client in clients:
        client.join(60)
        assert not client.is_alive()
    check_rounds(verdict)
    assert [result.black for result in verdict.rounds] == [0, 1, 0, 1]
    assert {player.name for player in verdict.players} == {"kibitz 1", "kibitz 2"}
    first, second = verdict.players
    assert first.quit
    assert second.quit
    assert (first.win, first.lose, first.draw) == (second.lose, second.win, second.draw)
    assert first.win + first.lose + first.draw == 4
    assert all(result.forfeit == "" for result in verdict.rounds)
    assert json.loads(json.dumps(verdict.to_dict()))["rounds"][0]["black"] == 0


def test_two_classic_players_and_what_they_hear() -> None:
    judge = JudgeThread(rounds=1)
    players = [ClassicPlayer(judge.port, name, seed) for seed, name in enumerate(["a", "b"])]
    verdict = seated(judge, *players)
    check_rounds(verdict)
    assert len(verdict.rounds[0].moves) >= 20
    for player in players:
        assert player.heard[:2] == ["name", "clear_board"]
        assert player.heard[-1] == "quit"
        assert not any("\n" in request for request in player.heard)
        # Two passes end the game, also on a full board, and each side hears of the other's.
        assert "play 8 0" in player.heard[-4:]
        assert "genmove" in player.heard[-4:]
    assert verdict.players[0].closing_line().startswith(f"NAME:{verdict.players[0].name} QUIT:1 WIN:")


def byte_by_byte(verb: str, reply: bytes) -> list[Piece]:
    return [piece for byte in reply for piece in (bytes([byte]), 0.001)]


def with_line_ends(verb: str, reply: bytes) -> list[Piece]:
    return [reply + b"\n"]


def late_line_ends(verb: str, reply: bytes) -> list[Piece]:
    return [reply, 0.002, b"\r\n"]


def with_zeros(verb: str, reply: bytes) -> list[Piece]:
    return [reply + b"\0\0"]


def in_capitals(verb: str, reply: bytes) -> list[Piece]:
    return [reply.upper()]


@pytest.mark.parametrize("habit", [byte_by_byte, with_line_ends, late_line_ends, with_zeros, in_capitals])
def test_odd_habits_are_accepted(habit: Any) -> None:
    judge = JudgeThread(rounds=1)
    verdict = seated(judge, *good_and(judge, habit))
    check_rounds(verdict)
    assert [player.forfeit for player in verdict.players] == ["", ""]
    assert verdict.players[1].name.lower() == "bad"
    assert verdict.players[1].quit


def test_a_slow_name_is_heard_to_its_end() -> None:
    judge = JudgeThread(rounds=1)
    verdict = seated(judge, *good_and(judge, spoil_once("name", b"name ba", 0.3, b"dly")))
    assert [player.forfeit for player in verdict.players] == ["", ""]
    assert verdict.players[1].name == "badly"


def test_slow_but_in_time() -> None:
    judge = JudgeThread(rounds=1)

    def slow(verb: str, reply: bytes) -> list[Piece]:
        return [0.02 if verb == "genmove" else 0.0, reply]

    verdict = seated(judge, *good_and(judge, slow))
    assert [player.forfeit for player in verdict.players] == ["", ""]


FAILURES: dict[str, tuple[Any, str]] = {
    "no answer to name": (partial(spoil_once, "name"), "did not answer name within 2.5 s"),
    "wrong answer to name": (
        partial(spoil_once, "name", b"hello"),
        "expected an answer to name, got 'hello'",
    ),
    "name too long": (partial(spoil_once, "name", b"name " + b"x" * 600), "more than 514 bytes"),
    "endless answer": (partial(spoil_once, "genmove", b"genmove 2" + b" " * 5000), "more than 514 bytes"),
    "no answer to clear_board": (partial(spoil_once, "clear_board"), "did not answer clear_board"),
    "clear_board wrong in round 2": (
        partial(spoil_once, "clear_board", b"cleared", after=1),
        "got 'cleared'",
    ),
    "no move": (partial(spoil_once, "genmove", after=3), "did not answer genmove within 3 s"),
    "half a move": (partial(spoil_once, "genmove", b"genmove 2", after=3), "did not answer genmove"),
    "illegal move": (partial(spoil_once, "genmove", b"genmove 0 0"), "illegal move 0 0 (a1)"),
    "no such square": (partial(spoil_once, "genmove", b"genmove 9 9"), "illegal move 9 9"),
    "pass while there are moves": (partial(spoil_once, "genmove", b"genmove 8 0"), "illegal move 8 0 (pass)"),
    "garbage": (partial(spoil_once, "genmove", b"\xff\x00\xfe!!"), "expected an answer to genmove"),
    "unknown command": (partial(spoil_once, "genmove", b"unknown command"), "got 'unknown command'"),
    "wrong word for play": (partial(spoil_once, "play", b"played"), "glued to the answer to play"),
    "two answers at once": (partial(spoil_once, "genmove", b"genmove 2 3genmove 4 5"), "glued to the answer"),
    "hang-up instead of a move": (partial(spoil_once, "genmove", None, after=2), "closed the connection"),
    "hang-up instead of play": (partial(spoil_once, "play", None, after=2), "closed the connection"),
    "hang-up at once": (partial(spoil_once, "name", None), "closed the connection"),
    "hang-up after half a move": (partial(spoil_once, "genmove", b"genm", None), "closed the connection"),
}


@pytest.mark.parametrize("spoil", FAILURES.values(), ids=FAILURES.keys())
def test_the_bad_player_forfeits_all_that_remains(spoil: tuple[Any, str]) -> None:
    bad_habit, reason = spoil
    judge = JudgeThread(rounds=3)
    good, bad = good_and(judge, bad_habit())
    verdict = seated(judge, good, bad)
    check_rounds(verdict)
    winner, loser = verdict.players
    assert winner.forfeit == ""
    assert winner.quit
    assert good.heard[-1] == "quit"
    assert reason in loser.forfeit
    assert not loser.quit
    forfeited = [result for result in verdict.rounds if result.forfeit]
    assert len(verdict.rounds) == 3
    assert forfeited
    assert all(result.winner == 0 for result in forfeited)
    assert loser.win + winner.win + winner.draw == 3
    assert winner.win >= len(forfeited)


def test_a_late_answer_is_not_taken_for_the_next() -> None:
    judge = JudgeThread(rounds=2, genmove_timeout=2.0)
    good, bad = good_and(judge, spoil_once("genmove", 3.5, b"genmove 2 3", after=1))
    verdict = seated(judge, good, bad)
    assert "did not answer genmove within 2 s" in verdict.players[1].forfeit
    assert (verdict.players[0].win, verdict.players[1].win) == (2, 0)
    assert bad.heard.count("genmove") == 2


@pytest.mark.parametrize(("length", "fits"), [(514, True), (515, False)])
def test_the_longest_name(length: int, fits: bool) -> None:
    judge = JudgeThread(rounds=1)
    verdict = seated(judge, *good_and(judge, spoil_once("name", b"name " + b"x" * length)))
    assert (verdict.players[1].forfeit == "") == fits


def test_talk_nobody_asked_for() -> None:
    judge = JudgeThread(rounds=1)
    verdict = seated(judge, *good_and(judge, spoil_once("clear_board", b"clear_board", 0.0, b"!", 0.15)))
    assert verdict.players[1].forfeit
    assert verdict.players[0].win == 1


def test_a_flood_while_the_other_thinks() -> None:
    judge = JudgeThread(rounds=1)

    def thinker(verb: str, reply: bytes) -> list[Piece]:
        return [0.3, reply] if verb == "genmove" else [reply]

    first = ClassicPlayer(judge.port, "thinker", 1, thinker)
    while "player 1 connected" not in judge.lines:
        time.sleep(0.005)
    second = ClassicPlayer(
        judge.port, "flood", 2, spoil_once("clear_board", b"clear_board", 0.1, b"z" * 100_000)
    )
    verdict = seated(judge, first, second)
    assert "nobody asked for" in verdict.players[1].forfeit
    assert verdict.players[0].quit


def test_leaving_while_the_other_thinks_is_blamed_on_the_right_one() -> None:
    """The first to leave loses, even when the other one then never moves."""
    judge = JudgeThread(rounds=2)
    first = ClassicPlayer(judge.port, "thinker", 1, spoil_once("genmove", 6.0, b"genmove 2 3"))
    while "player 1 connected" not in judge.lines:
        time.sleep(0.005)
    second = ClassicPlayer(judge.port, "leaver", 2, spoil_once("clear_board", b"clear_board", 0.1, None))
    verdict = seated(judge, first, second)
    assert verdict.players[1].forfeit == "closed the connection"
    assert verdict.players[0].forfeit == ""
    assert verdict.players[0].win == 2


def test_leaving_after_the_last_pass_costs_no_game() -> None:
    def leave_at_the_end(verb: str, reply: bytes) -> list[Piece]:
        last = reply == b"genmove 8 0" and bad.heard[-2] == "play 8 0"
        return [reply, None] if last else [reply]

    left = False
    while not left:  # until a game in which white has the last pass
        judge = JudgeThread(rounds=1)
        good, bad = good_and(judge, leave_at_the_end)
        bad.random.seed()
        verdict = seated(judge, good, bad)
        check_rounds(verdict)
        assert [player.forfeit for player in verdict.players] == ["", ""]
        left = bad.heard[-1] == "genmove"
    assert [player.quit for player in verdict.players] == [True, False]


def test_an_answer_that_comes_with_the_name_is_too_early() -> None:
    judge = JudgeThread(rounds=1)
    verdict = seated(judge, *good_and(judge, spoil_once("name", b"name bad\nclear_board")))
    assert "spoke before it was asked for clear_board" in verdict.players[1].forfeit


def test_bad_manners_at_the_end_cost_only_the_flag() -> None:
    judge = JudgeThread(rounds=1)
    verdict = seated(judge, *good_and(judge, spoil_once("quit", None)))
    assert verdict.players[1].forfeit == ""
    assert [player.quit for player in verdict.players] == [True, False]


def test_a_third_client_is_refused() -> None:
    judge = JudgeThread(rounds=1)

    def slow(verb: str, reply: bytes) -> list[Piece]:
        return [0.01, reply]

    players = [ClassicPlayer(judge.port, name, 1, slow) for name in "ab"]
    while "player 2 connected" not in judge.lines:
        time.sleep(0.005)
    for player in players:
        player.start()
    for _ in range(2):  # one who comes in the same moment, one in the middle of the match
        with socket.create_connection(("127.0.0.1", judge.port)) as third:
            third.settimeout(60)
            assert third.recv(1024) == b"quit"
            assert third.recv(1024) == b""
        while not any("clear_board" in player.heard for player in players):
            time.sleep(0.005)
    verdict = judge.verdict()
    assert judge.lines.count("a further client was refused") == 2
    assert {player.name for player in verdict.players} == {"a", "b"}
    assert [player.forfeit for player in verdict.players] == ["", ""]


def test_someone_who_only_looks_in_takes_no_seat() -> None:
    judge = JudgeThread(rounds=1)
    for _ in range(3):
        socket.create_connection(("127.0.0.1", judge.port)).close()
    verdict = seated(judge, *[ClassicPlayer(judge.port, name) for name in "ab"])
    assert [player.forfeit for player in verdict.players] == ["", ""]


def test_one_player_only() -> None:
    judge = JudgeThread(connect_timeout=2.0)
    verdict = seated(judge, ClassicPlayer(judge.port, "alone"))
    assert [player.closing_line() for player in verdict.players] == [
        "NAME:alone QUIT:1 WIN:2 LOSE:0 DRAW:0",
        "NAME:unknown QUIT:0 WIN:0 LOSE:2 DRAW:0",
    ]
    assert verdict.players[1].forfeit == "did not connect"


def test_nobody() -> None:
    verdict = JudgeThread(connect_timeout=0.1).verdict()
    assert [player.closing_line() for player in verdict.players] == [
        "NAME:unknown QUIT:0 WIN:0 LOSE:0 DRAW:2"
    ] * 2


def test_strict_is_the_classic_reading() -> None:
    judge = JudgeThread(rounds=1, strict=True)
    verdict = seated(judge, *good_and(judge, None))
    assert [player.forfeit for player in verdict.players] == ["", ""]
    judge = JudgeThread(rounds=1, strict=True)
    verdict = seated(judge, *good_and(judge, spoil_once("clear_board", b"clear_board\n")))
    assert "expected an answer to clear_board" in verdict.players[1].forfeit
    judge = JudgeThread(rounds=1, strict=True)

    def line_end_on_moves(verb: str, reply: bytes) -> list[Piece]:
        return [reply + b"\n" if verb == "genmove" else reply]

    verdict = seated(judge, *good_and(judge, line_end_on_moves))
    assert verdict.players[1].forfeit == ""


def test_lots_for_black() -> None:
    begins = set()
    for seed in range(6):
        judge = JudgeThread(rounds=1, seed=seed, connect_timeout=0.05)
        begins.add(judge.verdict().rounds[0].black)
    assert begins == {0, 1}


def test_the_port_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(ProtocolError, match=f"port {port} is already in use on 127.0.0.1"):
            run_judge(port)


@pytest.mark.parametrize(
    "options", [{"rounds": 0}, {"genmove_timeout": 0.0}, {"command_timeout": float("nan")}, {"grace": -1.0}]
)
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=next(iter(options))):
        JudgeOptions(**options)


@contextlib.contextmanager
def noise(port: int, seed: int) -> Iterator[None]:
    """A client that sends random bytes at random moments whatever it is asked."""
    chance = random.Random(seed)
    words = [b"genmove 2 3", b"clear_board", b"name x", b"play", b"quit", b"\n", b"\0", b"genmove", b" 4 5"]

    def talk() -> None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as link:
            for _ in range(60):
                link.sendall(
                    chance.choice(words) if chance.random() < 0.7 else chance.randbytes(chance.randrange(40))
                )
                time.sleep(chance.random() * 0.01)

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    yield
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.parametrize("seed", range(8))
def test_noise_never_breaks_the_judge(seed: int) -> None:
    judge = JudgeThread(rounds=2)
    good = ClassicPlayer(judge.port, "good", seed)
    while "player 1 connected" not in judge.lines:
        time.sleep(0.005)
    with noise(judge.port, seed):
        verdict = seated(judge, good)
    check_rounds(verdict)
    assert verdict.players[0].forfeit == ""
    assert verdict.players[0].win == 2
    assert verdict.players[1].forfeit
