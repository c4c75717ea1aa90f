"""Other chess programs in a match: here our own `kibitz uci`, which every machine has."""

from __future__ import annotations

import shlex
import sys

import pytest

from kibitz.arena import MatchFinished, parse_player, run_match
from kibitz.arena.player import Turn
from kibitz.arena.program import split_command
from kibitz.arena.uci_player import UciPlayer
from kibitz.errors import BadOption
from kibitz.games import chess, othello
from kibitz.request import Budget

PROGRAM = (
    f"{shlex.quote(sys.executable)} -c 'from kibitz.cli import main; main()' uci; Threads=1; RamLimitMb=64"
)


def test_it_plays() -> None:
    player = UciPlayer(chess.Position, *split_command("uci", PROGRAM))
    try:
        player.new_game(1)
        position = chess.Position().play("e4", "e5")
        assert player.choose(position, Turn(Budget(visits=30))) in position.legal_moves
        assert player.choose(position, Turn(Budget(seconds=0.05))) in position.legal_moves
        ending = chess.Position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        assert player.choose(ending, Turn(Budget(simulations=100))) == "d1d8"
    finally:
        player.close()
        player.close()


def test_texts() -> None:
    spec = parse_player(f"uci:{PROGRAM}")
    assert spec.kind == "uci"
    assert spec.refusal(chess.Position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), ()) is None
    assert not spec.ignores_time_limit
    assert split_command("uci", "stockfish -x; Skill Level = 3;") == (
        ["stockfish", "-x"],
        {"Skill Level": "3"},
    )
    for bad, words in {
        "uci:": "a command line must follow",
        "uci:no-such-program-anywhere": "no program",
    }.items():
        with pytest.raises(BadOption, match=words):
            parse_player(bad)
    with pytest.raises(BadOption, match="NAME=VALUE"):
        parse_player(f"uci:{sys.executable}; Threads")
    with pytest.raises(BadOption, match="plays chess, not othello"):
        UciPlayer(othello.Position, [sys.executable])


def test_a_program_that_ends() -> None:
    player = UciPlayer(chess.Position, [sys.executable, "-c", "pass"])
    with pytest.raises(BadOption, match=r"ended (before|at) .uci"):
        player.new_game(1)
    player.close()


def test_a_match() -> None:
    events = list(
        run_match(
            "chess", "default", f"uci:{PROGRAM}", games=2, budget=Budget(visits=20), processes=0, max_plies=30
        )
    )
    finished = events[-1]
    assert isinstance(finished, MatchFinished)
    assert finished.summary.games == 2
