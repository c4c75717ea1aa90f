"""Self-play is written once: every game of the registry plays, and its data can be replayed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import BadOption
from kibitz.fleet.log import read_log
from kibitz.games import registry
from kibitz.request import Budget
from kibitz.training.game import GAMES, PlayedGame
from kibitz.training.selfplay import play_games, run_selfplay
from kibitz.training.settings import SelfplaySettings
from tests.nets.shared import TINY, network_path
from tests.processes import alive, wait_until

#: What keeps a game short.
SHORT: dict[str, dict[str, Any]] = {
    "go": {"position": "...../...../...../...../..... b rules=chinese komi=7.5", "plies": 10},
    "junqi": {"players": 2, "budget": Budget(simulations=10**6), "options": {"worlds": 2, "depth": 1}},
}


def settings_of(game: str, **changes: Any) -> SelfplaySettings:
    values = {"games": 3, "budget": Budget(visits=10), "plies": 8, "seed": 2, **SHORT.get(game, {})}
    return SelfplaySettings(game, **{**values, **changes})


@pytest.mark.parametrize("game", registry.names())
def test_every_game_plays(tmp_path: Path, game: str) -> None:
    path = tmp_path / "games.jsonl"
    settings = settings_of(game)
    assert list(run_selfplay(settings, path, processes=0)) == [0, 1, 2, 3]
    header, games = read_log(path, GAMES)
    assert header == json.loads(json.dumps(settings.to_dict()))
    assert [played.id for played in games] == [0, 1, 2]
    for played in games:
        assert played.game == game
        assert played.moves
        position = played.position(0)
        for move, search in zip(played.moves, played.searches, strict=True):
            assert search is not None
            assert 0 <= search.value <= 1
            assert set(search.visits) == set(search.values) <= set(position.legal_moves)
            assert search.visits.get(move, 0) > 0
            position = position.play(move)
        assert played.result == (position.result if position.is_over else None)
    assert len({played.moves for played in games}) > 1
    assert sorted(play_games(settings, range(3), processes=0), key=lambda item: item.id) == games


def test_games_are_played_to_their_end() -> None:
    (played,) = play_games(settings_of("othello", plies=0), [7], processes=0)
    assert played.position().is_over
    assert played.result == played.position().result


class Count:
    def __init__(self) -> None:
        self.games: list[PlayedGame] = []
        self.closed = False

    def write(self, game: PlayedGame) -> None:
        assert not self.closed
        self.games.append(game)

    def close(self) -> None:
        self.closed = True


def test_a_sink_gets_all_games_in_order(tmp_path: Path) -> None:
    settings = settings_of("uttt", games=6)
    sink = Count()
    steps = run_selfplay(settings, tmp_path / "a.jsonl", processes=1, parallel=3, sink=sink)
    while next(steps) < 3:
        pass
    steps.close()
    assert not sink.closed
    whole = Count()
    list(run_selfplay(settings, tmp_path / "a.jsonl", resume=True, sink=whole))
    assert whole.closed
    assert [game.id for game in whole.games] == list(range(6))
    assert whole.games == read_log(tmp_path / "a.jsonl", GAMES)[1]
    assert sink.games == whole.games[: len(sink.games)]


def test_opening_lines_in_another_game(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("f5d6c3\nd3 c5\n")
    games = list(play_games(settings_of("othello", openings=str(book), base=1.0), range(6), processes=0))
    assert {game.moves[: game.opening_plies] for game in games} == {("f5", "d6", "c3"), ("d3", "c5")}
    assert all(len(game.moves) == 8 for game in games)


def test_files_by_their_ending(tmp_path: Path) -> None:
    for game, name in (("othello", "games.pgn"), ("chess", "games.txt")):
        with pytest.raises(BadOption, match=f"self-play of {game} is written to FILE"):
            run_selfplay(settings_of(game), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_go_with_a_network_on_a_small_board(tmp_path: Path) -> None:
    position = "........./........./........./........./........./........./........./........./......... b"
    position += " rules=chinese komi=7.5"
    settings = settings_of("go", games=4, position=position, network=str(network_path(TINY)))
    one = sorted(play_games(settings, range(4), parallel=4), key=lambda game: game.id)
    two = sorted(play_games(settings, range(4), parallel=1, processes=0), key=lambda game: game.id)
    assert [game.moves for game in one] == [game.moves for game in two]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_run_leaves_no_worker_and_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    path = tmp_path / "games.jsonl"
    command = [
        sys.executable,
        "-c",
        "from kibitz.cli import main; main()",
        "selfplay",
        "othello",
        "--games",
        "40",
    ]
    command += ["--visits", "300", "--processes", "2", "--output", str(path), "--resume"]
    log = path.with_name("games.jsonl.partial")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        wait_until(lambda: log.exists() and log.read_bytes().count(b"\n") >= 3)
        workers = subprocess.run(
            ["ps", "--ppid", str(run.pid), "-o", "pid="], capture_output=True, text=True, check=True
        ).stdout.split()
        assert len(workers) >= 2
        run.send_signal(how)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == (143 if how == signal.SIGTERM else -9)
    if how == signal.SIGTERM:
        assert errors.endswith("kibitz: interrupted; add --resume to the same command to go on\n")
    wait_until(lambda: not any(map(alive, map(int, workers))), 30.0)
    kept = len(read_log(log, GAMES)[1])
    assert kept >= 2
    settings = SelfplaySettings("othello", games=kept + 1, budget=Budget(visits=300))
    assert list(run_selfplay(settings, path, processes=0, resume=True))[-1] == kept + 1
    assert len(read_log(path, GAMES)[1]) == kept + 1
