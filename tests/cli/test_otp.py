"""`kibitz judge`, `kibitz otp` and `kibitz nboard` as programs: their output, their exit codes."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.cli import main
from kibitz.games.othello import Position
from tests.protocols.otp_players import ClassicPlayer

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]
CLOSING = r"NAME:(.+) QUIT:([01]) WIN:(\d) LOSE:(\d) DRAW:(\d)"


def kibitz(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KIBITZ, *arguments], input=text, capture_output=True, text=True, timeout=120, check=False
    )


def program(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*KIBITZ, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def seated(make: Callable[[], ClassicPlayer]) -> ClassicPlayer:
    """A player that has started, once the judge listens. (To try the port by taking it would sometimes take
    it from the judge.)"""
    end = time.monotonic() + 60
    while True:
        try:
            player = make()
        except ConnectionRefusedError:
            assert time.monotonic() < end, "nobody listens"
            time.sleep(0.05)
            continue
        player.start()
        return player


def test_a_match_of_three_programs() -> None:
    port = free_port()
    judge = program("judge", port, "--rounds", "2", "--timeouts", "60,10,1")
    players = [
        program("otp", "127.0.0.1", port, "--engine", "uct:simulations=200", "--connect-timeout", "60"),
        program("otp", "127.0.0.1", port, "--engine", "random:seed=1", "--connect-timeout", "60"),
    ]
    out, err = judge.communicate(timeout=120)
    assert (judge.returncode, err) == (0, "")
    lines = out.splitlines()
    _logs_agree(lines, [player.communicate(timeout=120) for player in players])
    assert [player.returncode for player in players] == [0, 0]
    results = [re.fullmatch(CLOSING, line) for line in lines[-2:]]
    assert all(results)
    names = {result[1]: result for result in results if result}
    assert set(names) == {"kibitz-uct", "kibitz-random"}
    assert all(result[2] == "1" for result in names.values())
    assert sum(int(names["kibitz-uct"][n]) for n in (3, 4, 5)) == 2
    assert sum(re.match(r"round \d: ", line) is not None for line in lines) == 2


def _logs_agree(judge: list[str], players: list[tuple[str, str]]) -> None:
    """A person reads the same game in the judge's log and in both players', and it is a game by the rules."""
    begins = [at for at, line in enumerate(judge) if re.match(r"round \d begins: ", line)]
    assert len(begins) == 2
    rounds = [
        re.findall(r"^ *\d+\. (black|white) (\S+): (\w+), discs (\d+) - (\d+)$", "\n".join(part), re.M)
        for part in (judge[begins[0] : begins[1]], judge[begins[1] :])
    ]
    for moves in rounds:
        position = Position()
        for _, _, move, black, white in moves:
            position = position.play(move) if position.legal_moves else position
            assert (int(black), int(white)) == position.discs
        assert position.is_over
    for out, err in players:
        assert err == ""
        name = re.match(r"connected to the judge at 127\.0\.0\.1 port \d+ as (\S+)", out)
        assert name is not None
        told = re.findall(r"^(own|the other side's) move: (\w+), discs", out, re.M)
        assert [move for _, move in told] == [move for moves in rounds for _, _, move, _, _ in moves]
        own = [move for who, move in told if who == "own"]
        assert own == [move for moves in rounds for _, who, move, _, _ in moves if who == name[1]]
        assert out.splitlines()[-1] == "the match is over"


def test_json_and_a_forfeit() -> None:
    port = free_port()
    judge = program("judge", port, "--json", "--rounds", "3", "--timeouts", "60,10,1", "--seed", "1")
    good = seated(lambda: ClassicPlayer(int(port), "good"))
    rubbish = {"genmove": b"rubbish"}
    bad = seated(
        lambda: ClassicPlayer(int(port), "bad", spoil=lambda verb, reply: [rubbish.get(verb, reply)])
    )
    out, err = judge.communicate(timeout=120)
    good.join(60)
    bad.join(60)
    assert (judge.returncode, err) == (0, "")
    verdict = json.loads(out)
    by_name = {player["name"]: player for player in verdict["players"]}
    assert (by_name["good"]["win"], by_name["bad"]["win"]) == (3, 0)
    assert "rubbish" in by_name["bad"]["forfeit"]
    assert len(verdict["rounds"]) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judge"], "a PORT is missing"),
        (["judge", "0"], "expected a number from 1 to 65535"),
        (["judge", "65536"], "expected a number from 1 to 65535"),
        (["judge", "port"], "expected a number from 1 to 65535"),
        (["judge", "7122", "--rounds", "0"], "rounds: expected at least 1"),
        (["judge", "7122", "--timeouts", "10,-1,1"], "--timeouts takes three numbers"),
        (["otp"], "a HOST and a PORT are missing"),
        (["otp", "127.0.0.1"], "a PORT is missing"),
        (["otp", "127.0.0.1", "7122", "--engine", "nope"], "unknown preset"),
        (["otp", "127.0.0.1", "7122", "--engine", "uct:simulations=0"], "simulations"),
        (["otp", "127.0.0.1", "7122", "--engine", "uct:seconds=0"], "seconds"),
        (["nboard", "--engine", "random"], "expected a preset"),
        (["nboard", "--engine", "uct:simulations=5"], "NBoard sets the limits itself"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["kibitz", *arguments])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("kibitz: ")
    assert shown.err.count("\n") == 1
    assert message in shown.err


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        done = kibitz("judge", port)
    assert (done.returncode, done.stderr) == (2, f"kibitz: port {port} is already in use on 127.0.0.1\n")


def test_nobody_listens() -> None:
    done = kibitz("otp", "127.0.0.1", free_port(), "--connect-timeout", "0.1")
    assert done.returncode == 2
    assert "no judge at 127.0.0.1" in done.stderr


def test_debug_shows_the_search(tmp_path: Path) -> None:
    port = free_port()
    judge = program("judge", port, "--rounds", "1", "--timeouts", "60,10,1")
    other = program("otp", "127.0.0.1", port, "--engine", "random", "--connect-timeout", "60")
    log = tmp_path / "search.log"  # a pipe would fill up and hold the player back
    with log.open("w") as stderr:
        arguments = [
            "otp",
            "127.0.0.1",
            port,
            "--engine",
            "uct:simulations=50",
            "--debug",
            "--connect-timeout",
            "60",
        ]
        assert subprocess.run([*KIBITZ, *arguments], stderr=stderr, timeout=120, check=False).returncode == 0
    out, _ = judge.communicate(timeout=120)
    other.communicate(timeout=120)
    assert "forfeit" not in out
    shown = log.read_text()
    assert "50 simulations" in shown
    assert "visits" in shown


def test_nboard_as_a_program() -> None:
    done = kibitz("nboard", "--engine", "uct:seed=1", text="nboard 2\nset depth 4\ngo\ndance\nping 5\nquit\n")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[:2] == ["set myname Kibitz", "set myname Kibitz4"]
    assert "pong 5" in lines
    assert done.stderr == "kibitz: unknown command ignored: dance\n"
    finished = kibitz("nboard", "--engine", "uct", text="set depth 4\ngo\n")
    assert any(line.startswith("=== ") for line in finished.stdout.splitlines())
