"""Self-play in chess: the same games from the same settings, whole files, going on after an interruption."""

from __future__ import annotations

import errno
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import _native
from kibitz.errors import BadOption, BadRequest
from kibitz.files.whole_file import write_whole
from kibitz.fleet.log import read_log
from kibitz.games.chess.pgn import read_pgn
from kibitz.games.chess.training.pgn_text import PgnText
from kibitz.network import BatchedNetwork, FunctionNetwork
from kibitz.request import Budget
from kibitz.style import load_norm, measure_pgn
from kibitz.style.openings import load_openings
from kibitz.training.game import GAMES
from kibitz.training.self_player import SelfPlayer
from kibitz.training.selfplay import run_selfplay
from kibitz.training.settings import SelfplaySettings
from tests.style.games import MAIA, needs_maia

QUICK: dict[str, Any] = {"game": "chess", "budget": Budget(visits=12), "plies": 12, "seed": 4}


def played(path: Path, **changes: Any) -> str:
    run: dict[str, Any] = {
        key: changes.pop(key) for key in ("processes", "parallel", "resume") if key in changes
    }
    list(run_selfplay(SelfplaySettings(**{**QUICK, **changes}), path, **run))
    return path.read_text()


def test_games_are_repeatable_and_carry_their_score(tmp_path: Path) -> None:
    text = played(tmp_path / "a.pgn", games=5)
    assert played(tmp_path / "b.pgn", games=5, processes=2, parallel=2) == text
    assert played(tmp_path / "c.pgn", games=5, seed=5) != text
    assert played(tmp_path / "d.pgn", games=3) == "".join(part + "\n\n" for part in text.split("\n\n")[:6])
    games = list(read_pgn(tmp_path / "a.pgn", strict=True))
    assert [game.tags["Round"] for game in games] == ["1", "2", "3", "4", "5"]
    assert all(len(game.moves) == 12 for game in games)
    norm = load_norm()
    scores = norm.scores(measure_pgn(tmp_path / "a.pgn", window=norm.window))
    assert [float(game.tags["StyleScore"]) for game in games] == pytest.approx(scores, abs=1e-6)


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.pgn", games=4)
    settings = SelfplaySettings(**QUICK, games=4)
    path, log = tmp_path / "games.pgn", tmp_path / "games.pgn.partial"
    steps = run_selfplay(settings, path)
    assert [next(steps), next(steps), next(steps)] == [0, 1, 2]
    steps.close()  # as Ctrl-C does
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.pgn.partial", "whole.pgn"]
    before = log.read_bytes()
    with pytest.raises(BadOption, match="resume"):
        played(path, games=4)
    with pytest.raises(BadOption, match="of another self-play run: budget was"):
        played(path, games=4, resume=True, budget=Budget(visits=13))
    assert log.read_bytes() == before
    for cut in (0, 1, 300):  # as a kill may leave the last line
        log.write_bytes(before[: len(before) - cut])
        kept = len(read_log(log, GAMES)[1])
        assert kept == (2 if cut == 0 else 1)
        first, *_ = list(run_selfplay(settings, path, resume=True))
        assert first == kept
        assert path.read_text() == whole
        assert not log.exists()
        with pytest.raises(BadOption, match="is there already"):
            played(path, games=4)
        path.unlink()


def test_a_second_run_that_is_refused_leaves_the_first_alone(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.pgn", games=3)
    settings, path = SelfplaySettings(**QUICK, games=3), tmp_path / "games.pgn"
    steps = run_selfplay(settings, path, resume=True)
    assert [next(steps), next(steps)] == [0, 1]
    with pytest.raises(BadRequest, match="another self-play run is writing it"):
        list(run_selfplay(settings, path, resume=True))
    list(steps)
    assert path.read_text() == whole


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    steps = run_selfplay(SelfplaySettings(**QUICK, games=1), tmp_path / "games.pgn")
    assert next(steps) == 0
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        list(steps)
    assert caught.value.filename == str(tmp_path / "games.pgn.partial")
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(tmp_path / "net.knet", b"x")
    assert caught.value.filename == str(tmp_path / "net.knet")
    assert not list(tmp_path.glob("*.tmp"))


def test_openings_are_injected(tmp_path: Path) -> None:
    always = played(tmp_path / "a.pgn", games=4, openings="hypermodern", base=1.0, plies=30)
    assert always.count("[Opening ") == 4
    by_name = {line.name: line for line in load_openings()}
    for game in read_pgn(tmp_path / "a.pgn"):
        line = by_name[game.tags["Opening"]]
        assert len(game.moves) > int(game.tags["OpeningPlies"])
        assert game.tags["ECO"][0] in "ABCDE"
        assert line.name
    never = played(tmp_path / "b.pgn", games=4, openings="hypermodern")
    assert "[Opening " not in never
    sometimes = played(tmp_path / "c.pgn", games=16, openings="hypermodern", style="0.6", alpha=0.8, plies=3)
    assert 2 <= sometimes.count("[Opening ") <= 14


def test_early_contact_is_made_rarer(tmp_path: Path) -> None:
    def contacts(name: str, **changes: Any) -> float:
        played(tmp_path / name, games=24, plies=8, budget=Budget(visits=30), **changes)
        return float((measure_pgn(tmp_path / name)["pb_delay"] < 8).mean())

    plain = contacts("plain.pgn")
    assert contacts("prior.pgn", options={"style_contact_prior": 0.05}) < plain
    assert contacts("warm.pgn", contact_temperature=8.0) != plain or plain < 1


def test_temperature_zero_plays_the_best() -> None:
    settings = SelfplaySettings("chess", games=1, budget=Budget(visits=50), plies=6, temperature=0.0)
    player = SelfPlayer(settings, by_engine=True)
    first, again = player.play(0), player.play(0)
    assert first == again
    assert len(first.moves) == 6
    for move, search in zip(first.moves, first.searches, strict=True):
        assert search is not None
        assert search.visits[move] == max(search.visits.values())


def test_games_end_by_the_rules() -> None:
    settings = SelfplaySettings("chess", games=1, budget=Budget(visits=2), seed=3, preset="uct")
    game = SelfPlayer(settings, by_engine=True).play(0)
    assert game.position().is_over
    assert game.result == game.position().result
    text = PgnText(settings, load_norm())(game)
    assert text.endswith(("1-0\n\n", "0-1\n\n", "1/2-1/2\n\n"))
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))


def test_bad_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="budget"):
        SelfplaySettings("chess", budget=Budget())
    with pytest.raises(BadRequest, match="unknown game"):
        SelfplaySettings("ches")
    with pytest.raises(BadOption, match="temperature"):
        SelfplaySettings("chess", temperature=-1.0)
    with pytest.raises(BadOption, match="preset"):
        played(tmp_path / "a.pgn", games=1, preset="nobody")
    with pytest.raises(BadOption, match="unknown option"):
        played(tmp_path / "b.pgn", games=1, options={"nothing": 1})
    with pytest.raises(OSError, match="nowhere"):
        played(tmp_path / "c.pgn", games=1, openings=str(tmp_path / "nowhere.json"))


def test_a_batcher_joins_searches() -> None:
    sizes: list[int] = []

    def network(planes: Any, globals_: Any) -> tuple[Any, Any]:
        sizes.append(len(planes))
        time.sleep(0.0005)  # the others come together meanwhile
        outcomes = np.tile(np.array([0.4, 0.3, 0.3, 0.0], np.float32), (len(planes), 1))
        return np.zeros((len(planes), 1858), np.float32), outcomes

    batched = BatchedNetwork(FunctionNetwork(network), 8)
    batcher = batched.for_search()
    settings = SelfplaySettings("chess", budget=Budget(visits=20), plies=4, preset="lc0")
    games: dict[int, Any] = {}

    def play(index: int) -> None:
        games[index] = SelfPlayer(settings, batched, by_engine=True).play(index)

    threads = [threading.Thread(target=play, args=(index,)) for index in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(sizes) == batcher.positions
    assert len(sizes) == batcher.calls
    assert max(sizes) <= 8
    assert max(sizes) > 1
    alone = SelfPlayer(settings, network, by_engine=True)
    assert games == {index: alone.play(index) for index in range(12)}


def test_games_at_once_ask_the_network_together() -> None:
    sizes: list[int] = []

    def network(planes: Any, globals_: Any) -> tuple[Any, Any]:
        sizes.append(len(planes))
        time.sleep(0.0005)  # the others come together meanwhile
        outcomes = np.tile(np.array([0.4, 0.3, 0.3, 0.0], np.float32), (len(planes), 1))
        return np.zeros((len(planes), 1858), np.float32), outcomes

    settings = SelfplaySettings("chess", budget=Budget(visits=20), plies=4, preset="lc0", style="medium")
    player = SelfPlayer(settings, network, at_once=4)
    with ThreadPoolExecutor(4) as threads:
        games = list(threads.map(player.play, range(8)))
    player.close()
    assert 1 < max(sizes) <= 4
    alone = SelfPlayer(settings, network)
    assert games == [alone.play(index) for index in range(8)]


def test_a_network_that_fails_is_told_in_one_line() -> None:
    def broken(planes: Any, globals_: Any) -> tuple[Any, Any]:
        raise ValueError("out of order")

    batched = BatchedNetwork(FunctionNetwork(broken), 64)
    player = SelfPlayer(
        SelfplaySettings("chess", budget=Budget(visits=4), preset="lc0"), batched, by_engine=True
    )
    with pytest.raises(ValueError, match="out of order"):
        player.play(0)
    with pytest.raises(ValueError, match="from 1 to"):
        _native.Batcher(broken, most=0)


def test_every_search_that_waits_for_a_failing_network_is_told() -> None:
    calls = 0

    def broken(planes: Any, globals_: Any) -> tuple[Any, Any]:
        nonlocal calls
        calls += 1
        time.sleep(0.05)  # the others come together meanwhile
        raise BadOption("out of order")

    batched = BatchedNetwork(FunctionNetwork(broken), 64)
    told: list[str] = []

    def play() -> None:
        player = SelfPlayer(
            SelfplaySettings("chess", budget=Budget(visits=4), preset="lc0"), batched, by_engine=True
        )
        try:
            player.play(0)
        except BadOption as error:
            told.append(str(error))

    threads = [threading.Thread(target=play) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == ["out of order"] * 6
    assert calls < 6


@needs_maia
def test_a_network_plays(tmp_path: Path) -> None:
    run: dict[str, Any] = {
        "games": 4,
        "budget": Budget(visits=4),
        "plies": 8,
        "preset": "lc0",
        "network": str(MAIA),
    }
    text = played(tmp_path / "a.pgn", **run)
    assert played(tmp_path / "b.pgn", **run, processes=2, parallel=3) == text
    assert played(tmp_path / "c.pgn", **run, style="2.0") != text
