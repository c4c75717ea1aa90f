"""Which network is used: the one that comes with Kibitz by default, none and another by name, everywhere."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.arena.spec import parse_player
from kibitz.cli.app import make_app
from kibitz.games import bundled, registry
from kibitz.games.networks import network_file, takes_network

pytest.importorskip("torch")

from kibitz.nets.own.file import write_own
from kibitz.training.model.tensors import file_tensors
from tests.training.test_model import shaken


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands in for the package's, with small networks of Go and chess."""
    for game, norm in (("go", "fixed"), ("chess", "batch")):
        net = shaken(game, norm)
        about = {"name": f"small-{game}"}
        (tmp_path / f"{game}.knet").write_bytes(write_own(net.arch, file_tensors(net), about))
    monkeypatch.setattr(bundled, "_FOLDER", tmp_path)
    return tmp_path


def said(*words: object, typed: str = "") -> str:
    done = CliRunner().invoke(make_app(str(words[0])), [str(word) for word in words], input=typed)
    assert done.exit_code == 0, done.output
    return done.output


def start(game: str) -> Any:
    return registry.get(game).position()


@pytest.mark.parametrize("game", ["go", "chess"])
def test_an_engine_uses_it_and_says_so(files: Path, game: str) -> None:
    with kibitz.Engine(game, seed=1) as engine:
        assert engine.network_name == f"small-{game} (bundled)"
        first = engine.analyze(start(game), visits=8)
    assert f"network=small-{game} (bundled)" in first.engine
    with kibitz.Engine(game, seed=1) as engine:  # one thread and one seed: the same result
        again = engine.analyze(start(game), visits=8)
    assert [info.visits for info in first.moves] == [info.visits for info in again.moves]


def test_it_is_left_out_where_that_was_said(files: Path) -> None:
    for words in ({"network": "none"}, {"preset": "uct"}, {"evaluator": "hand"}):
        with kibitz.Engine("chess", **words) as engine:
            assert not engine.has_network
            assert "network=" not in engine.analyze(start("chess"), simulations=8).engine
    with kibitz.Engine("othello") as engine:  # which has none
        assert not engine.has_network


def test_presets_that_need_a_network_get_it(files: Path) -> None:
    assert takes_network("chess", "lc0", {})
    assert takes_network("go", "katago", {})
    assert not takes_network("go", "uct", {})
    with kibitz.Engine("chess", "lc0") as engine:
        assert engine.network_name == "small-chess (bundled)"


def test_another_network_is_named_as_it_is(files: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.knet"
    other.write_bytes((files / "go.knet").read_bytes())
    assert network_file("go", str(other)) == str(other)
    with kibitz.Engine("go", network=other, threads=1) as engine:
        assert engine.network_name == "small-go"


def test_without_a_file_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "_FOLDER", tmp_path)
    assert bundled.bundled_games() == []
    with kibitz.Engine("chess") as engine:
        assert (engine.preset, engine.has_network) == ("default", False)


def test_a_pool_uses_it(files: Path) -> None:
    with kibitz.Pool(engines=1) as pool:
        assert "small-go (bundled)" in pool.analyze(start("go"), visits=4).engine
    with kibitz.Pool(network="none", engines=1) as pool:
        assert "network=" not in pool.analyze(start("go"), visits=4).engine


def test_players_of_a_match(files: Path) -> None:
    """Its digest is among the settings: a match is not resumed with another network."""
    from kibitz.arena.plan import make_plan
    from kibitz.request import Budget

    def settings(*players: str) -> dict[str, Any]:
        rest: dict[str, Any] = dict.fromkeys(
            ("time_control", "network", "openings", "opening_plies", "position", "sprt", "players")
        )
        plan = make_plan(
            "chess",
            *players,
            games=2,
            budget=Budget(visits=4),
            seed=0,
            move_timeout=9,
            max_plies=9,
            **rest,
        )
        return plan.settings

    assert parse_player("default").is_bundled("chess")
    assert not parse_player("default:network=none").is_bundled("chess")
    assert parse_player("default:network=none").files == ()
    assert "bundled" not in settings("uct", "default:network=none")
    assert len(settings("default", "uct")["bundled"]) == 64


def test_commands_use_it_and_say_so(files: Path) -> None:
    [row, _] = sorted(
        (row for row in json.loads(said("nets", "list", "--json"))["networks"] if row["bundled"]),
        key=lambda row: row["game"],
        reverse=True,
    )
    assert (row["name"], row["game"]) == ("small-go", "go")
    assert "small-go (bundled)" in said("nets", "list")
    analysis = ("analyze", "go", "start", "--visits", 2)
    assert "network: small-go (bundled)" in said(*analysis)
    for words in (("--network", "none"), ("--preset", "uct")):
        assert "bundled" not in said(*analysis, *words)
    assert "network: small-chess (bundled)" in said("play", "chess", "--simulations", 2, typed="quit\n")
    match = ("match", "chess", "default", "random", "--games", 2, "--visits", 1)
    assert "default: network: small-chess (bundled)" in said(*match)
    assert "network: small-go (bundled)" in said("gtp", typed="quit\n")
    assert "network: small-go (bundled)" in said("katago", "analysis", typed="")
    assert "no network: searching with playouts" in said("katago", "analysis", "-model", "none", typed="")
    assert "network: small-go (bundled)" in said("demo", "go", "--seconds", 0.1)


@pytest.mark.parametrize(("words", "expected"), [((), True), (("--network", "none"), False)])
def test_uci_uses_it(
    files: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: bool
) -> None:
    typed = io.TextIOWrapper(io.BytesIO(b"position startpos\ngo nodes 2\nquit\n"))
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", typed)
    monkeypatch.setattr("sys.stdout", out)
    make_app("uci")(["uci", *words], standalone_mode=False)
    assert ("network: small-chess (bundled)" in out.getvalue()) == expected
    assert "bestmove" in out.getvalue()


def test_a_style_keeps_the_network_that_plays(files: Path) -> None:
    """A style changes what a search is asked, never which network answers."""
    net = shaken("chess", "batch", style=True)
    (files / "style").mkdir()
    own = files / "style" / "chess.knet"
    own.write_bytes(write_own(net.arch, file_tensors(net), {"name": "small-style"}))
    with kibitz.Engine("chess", style="medium") as engine:
        assert "network=small-chess (bundled)" in engine.analyze(start("chess"), visits=8).engine
    with kibitz.Engine("chess", network=str(own)) as engine:
        assert engine.network_name == "small-style (bundled)"
    assert bundled.bundled_games() == ["chess", "go"]
