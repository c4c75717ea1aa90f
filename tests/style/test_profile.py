"""Profiles: what a player likes is found in the games, and a search takes it over."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.cli.app import make_app
from kibitz.engine import Engine
from kibitz.errors import BadRecord, BadSteering
from kibitz.games.chess.styles import PARTS, read_profile
from kibitz.style.profile import choices_of, fit_profile

#: A player who goes for fianchettoes and keeps pawns out of the centre, and one who does not care.
TASTE = {"style_prepare": 1.5, "style_fianchetto": 1.5, "style_occupation": -1.5}


def drawn_game(chance: random.Random, tastes: tuple[dict[str, float], dict[str, float]]) -> list[str]:
    """Moves drawn with exp(w . x)."""
    position, moves = kibitz.chess.Position(), []
    for ply in range(24):
        weights = np.array([tastes[ply % 2].get(part, 0.0) for part in PARTS])
        ((rows, _),) = choices_of(position, [position.legal_moves[0]], plies=24)
        odds = np.exp(rows @ weights)
        legal = [position.state.move_text(move) for move in position.state.legal_moves()]
        moves.append(chance.choices(legal, odds)[0])
        position = position.play(moves[-1])
        if position.is_over:
            break
    return moves


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance, records = random.Random(7), []
    for number in range(120):
        white = number % 2 == 0
        tastes = (TASTE, {}) if white else ({}, TASTE)
        position = kibitz.chess.Position().play_on(*drawn_game(chance, tastes))
        names = ("Fianchetto, F.", "Nobody") if white else ("Nobody", "Fianchetto, F.")
        records.append((position, dict(zip(("White", "Black"), names, strict=True))))
    path = tmp_path_factory.mktemp("profile") / "games.pgn"
    kibitz.chess.write_pgn(path, records)
    return path


def test_the_taste_that_made_the_games_is_found(games: Path) -> None:
    profile = fit_profile(games, "fianchetto")
    assert (profile.games, profile.moves) == (120, 12 * 120)
    # Few of such moves are there to be chosen from, so the weights are rough.
    assert profile.weights["prepare"] == pytest.approx(1.5, abs=0.5)
    assert profile.weights["fianchetto"] == pytest.approx(1.5, abs=0.5)
    assert profile.weights["occupation"] < -0.4
    for trait in ("control", "flank", "chain"):
        assert abs(profile.weights[trait]) < 0.4
    with pytest.raises(BadRecord, match="no game of 'Tal'"):
        fit_profile(games, "Tal")


def test_a_search_takes_the_profile(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    done = CliRunner().invoke(
        make_app(), ["style", "profile", str(games), "--player", "Fianchetto", "--output", str(path)]
    )
    assert done.exit_code == 0, done.output
    assert "120 games" in done.output
    position = kibitz.chess.Position()
    with (
        Engine("chess", network="none") as plain,
        Engine("chess", network="none", style=f"{path}:strong") as like,
    ):
        before = {
            move.move: move.prior for move in plain.analyze(position, simulations=60, unvisited=True).moves
        }
        report = like.analyze(position, simulations=60, unvisited=True)
    after = {move.move: move.prior for move in report.moves}
    assert after["g2g3"] > 1.5 * before["g2g3"]
    assert after["e2e4"] < before["e2e4"]
    assert [str(item.move) for item in report.steering.honoured] == ["profile:strong"]
    asked = ["analyze", "chess", "start", "--simulations", "50", "--style", f"{path}:strong"]
    done = CliRunner().invoke(make_app(), asked)
    assert done.exit_code == 0, done.output
    assert "honoured style profile:strong" in done.output


def test_the_open_style_is_the_opposite() -> None:
    position = kibitz.chess.Position()
    with Engine("chess", network="none") as engine:
        hyper, open_ = (
            {
                move.move: move.prior
                for move in engine.analyze(position, simulations=60, style=style, unvisited=True).moves
            }
            for style in ("hypermodern:strong", "open:strong")
        )
    assert hyper["g2g3"] > 2 * open_["g2g3"]
    assert open_["e2e4"] > 2 * hyper["e2e4"]


@pytest.mark.parametrize(
    "change",
    [{"format": "x"}, {"version": 2}, {"weights": {}}, {"weights": None}, {"flank": 1e9}, {"flank": "a"}],
)
def test_damaged_profiles_are_refused(change: dict[str, object], tmp_path: Path) -> None:
    weights: dict[str, object] = dict.fromkeys((part.removeprefix("style_") for part in PARTS), 0.5)
    if "flank" in change:
        weights |= change
    data = {"format": "kibitz-style-profile", "version": 1, "weights": weights, **change}
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(data))
    with pytest.raises(BadRecord):
        read_profile(path)


def test_a_profile_without_a_file_is_refused() -> None:
    report = kibitz.analyze(kibitz.chess.Position(), simulations=10, style="profile:strong")
    assert [item.reason for item in report.steering.refused] == [
        "all its weights are 0; a profile takes those of a file"
    ]


def test_games_without_profiles_say_so(tmp_path: Path) -> None:
    with pytest.raises(BadSteering, match="othello has no styles that files hold"):
        Engine("othello", style=f"{tmp_path / 'x.json'}:strong")
    with pytest.raises(FileNotFoundError):
        Engine("chess", style=f"{tmp_path / 'x.json'}:strong")
