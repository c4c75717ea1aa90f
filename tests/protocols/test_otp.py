"""OTP from the player's side: the class, and our client against a classic judge."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import IllegalMove, ProtocolError
from kibitz.games.othello import Position
from kibitz.protocols.otp import OTP, ROTP, serve
from kibitz.protocols.otp_wire import coordinates_of
from kibitz.request import Request
from tests.protocols.otp_players import ClassicJudge


@dataclass
class FakeReport:
    best: str
    tree_dump: str = ""


@dataclass
class FakeEngine:
    """Plays the last legal move, and remembers what it was asked."""

    budgets: list[dict[str, float]] = field(default_factory=list)
    games: int = 0

    def analyze(self, position: Position, **budget: float) -> FakeReport:
        self.budgets.append(budget)
        return FakeReport(position.legal_moves[-1])

    def run(self, request: Request, debug: bool) -> Iterator[FakeReport]:
        yield FakeReport(request.position.legal_moves[-1], "deep tree_dump" if debug else "")

    def new_game(self) -> None:
        self.games += 1


def otp(**options: object) -> tuple[OTP, FakeEngine]:
    engine = FakeEngine()
    return OTP(engine, **options), engine  # type: ignore[arg-type]


def test_every_verb() -> None:
    player = ROTP("Ann", seed=1)
    assert player.handle("name") == "name Ann"
    assert player.handle("clear_board") == "clear_board"
    assert player.handle("play 2 3") == "play"
    assert player.position == Position().play("d3")
    assert player.handle("final_score") == "final_score 3"
    reply = player.handle("genmove")
    assert reply.startswith("genmove ")
    assert len(player.position.moves) == 2
    assert player.handle("undo") == "undo"
    assert player.handle("undo") == "undo"
    assert player.position == Position()
    assert player.handle("undo") == "undo"
    assert player.handle("showboard") == "showboard"
    assert player.handle("quit") == "quit"
    assert player.finished


def test_the_verbs_are_methods() -> None:
    player = ROTP(seed=3)
    x, y = player.genmove()
    assert (x, y) in {(2, 3), (3, 2), (4, 5), (5, 4)}
    player.undo()
    player.play(2, 3)
    assert player.final_score() == 3
    with pytest.raises(IllegalMove):
        player.play(0, 0)
    with pytest.raises(IllegalMove, match="no square 9 9"):
        player.play(9, 9)
    player.clear_board()
    assert player.position == Position()


@pytest.mark.parametrize(
    "request_text",
    ["", "hello", "play", "play 2", "play 0 0", "play 8 0", "play 9 9", "play a b", "play 2 3 4", "names"],
)
def test_unknown_commands_change_nothing(request_text: str) -> None:
    player = ROTP(seed=1)
    assert player.handle(request_text) == "unknown command"
    assert player.position == Position()


def test_the_game_ends_with_two_passes_on_a_finished_board() -> None:
    player = ROTP(seed=5)
    while not player.position.is_over:
        player.genmove()
    end = player.position
    assert player.handle("genmove") == "genmove 8 0"
    assert player.handle("play 8 0") == "play"
    assert player.position == end
    player.undo()
    player.undo()
    assert player.position == end
    player.undo()
    assert player.position != end


def test_same_seed_same_game() -> None:
    def game(seed: int) -> list[tuple[int, int]]:
        player = ROTP(seed=seed)
        return [player.genmove() for _ in range(40)]

    assert game(7) == game(7)
    assert game(7) != game(8)


def test_long_names_are_cut() -> None:
    assert len(ROTP("é" * 400).handle("name").encode()) <= 5 + 514


def test_otp_asks_its_engine() -> None:
    player, engine = otp(simulations=300)
    assert player.handle("genmove") == "genmove {} {}".format(*coordinates_of(Position().legal_moves[-1]))
    assert engine.budgets == [{"simulations": 300}]
    player.handle("clear_board")
    assert engine.games == 1
    both, engine = otp(simulations=300, seconds=2.0)
    both.genmove()
    assert engine.budgets == [{"simulations": 300, "seconds": 2.0}]
    neither, engine = otp()
    neither.genmove()
    assert engine.budgets == [{"seconds": 1.0}]


def test_debug_shows_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    player, _ = otp(debug=True)
    player.genmove()
    shown = capsys.readouterr().err
    assert "FakeReport" in shown
    assert "deep tree_dump" in shown


lines = st.lists(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(["genmove", "undo", "clear_board", "final_score", "name", "play 8 0", "showboard"]),
        st.builds("play {} {}".format, st.integers(-1, 10), st.integers(-1, 10)),
    ),
    max_size=30,
)


@given(lines)
def test_any_requests(requests: list[str]) -> None:
    player = ROTP(seed=1)
    for request in requests:
        reply = player.handle(request)
        verb = reply.split()[0]
        assert reply == "unknown command" or verb == request.replace("\0", " ").split()[0].lower()
        assert len(reply.encode()) <= 519


def run_client(port: int, player: ROTP) -> threading.Thread:
    thread = threading.Thread(target=serve, args=(player, "127.0.0.1", port), daemon=True)
    thread.start()
    return thread


def test_our_clients_under_a_classic_judge() -> None:
    judge = ClassicJudge()
    engine_player, engine = otp(simulations=1)
    threads = [run_client(judge.port, ROTP("one", seed=1)), run_client(judge.port, engine_player)]
    judge.accept(2)
    assert {judge.ask(0, "name"), judge.ask(1, "name")} == {"name one", "name kibitz"}
    for black in (0, 1):
        game = judge.play_game(black)
        assert game.is_over()
        black_discs, white_discs = game.discs()
        assert judge.ask(0, "final_score") == f"final_score {black_discs - white_discs}"
    assert engine.games == 2
    for player in (0, 1):
        assert judge.ask(player, "quit") == "quit"
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    judge.close()


def test_split_and_glued_requests() -> None:
    judge = ClassicJudge()
    thread = run_client(judge.port, ROTP("one", seed=1))
    judge.accept(1)
    link = judge.links[0]
    for byte in b"clear_board":
        link.sendall(bytes([byte]))
    assert link.recv(1023) == b"clear_board"
    link.sendall(b"nameplay 2 3\nunknown\n")
    received = b""
    while not received.endswith(b"unknown command"):
        received += link.recv(1023)
    assert received == b"name oneplayunknown command"
    link.sendall(b"gen")  # and nothing more: after a pause it is a request of its own
    assert link.recv(1023) == b"unknown command"
    link.sendall(b"finals")
    assert link.recv(1023) == b"unknown command"
    judge.close()
    thread.join(60)
    assert not thread.is_alive()


def test_no_judge() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ProtocolError, match=f"no judge at 127.0.0.1 port {port}"):
        serve(ROTP(), "127.0.0.1", port, connect_seconds=0.1)
