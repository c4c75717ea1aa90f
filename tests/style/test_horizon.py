"""Where a style ends (style_plies): its network and its bias give way to the plain ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.arena import GameFinished, run_match
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.nets.own.file import write_own
from kibitz.report import Report
from kibitz.request import Budget
from kibitz.training.model.tensors import file_tensors
from kibitz.training.self_player import SelfPlayer
from kibitz.training.settings import SelfplaySettings
from tests.training.test_model import shaken

OPENING = kibitz.chess.Position().play("e4", "e5")
LATER = OPENING.play("Nf3", "Nc6")
SEARCH: dict[str, Any] = {"threads": 1, "seed": 1, "reuse": False}


class Judge:
    """A network that thinks all moves equal and every position won by so much for White."""

    def __init__(self, white: float) -> None:
        self.white = white
        self.asked = 0

    def __call__(self, planes: Any, numbers: Any) -> tuple[Any, Any]:
        self.asked += len(planes)
        outcomes = np.zeros((len(planes), 9), np.float32)
        outcomes[:, 6:9] = -1
        black = planes[:, 108, 0, 0] > 0
        outcomes[:, 0] = np.where(black, 1 - self.white, self.white)
        outcomes[:, 2] = 1 - outcomes[:, 0]
        return np.zeros((len(planes), 1858), np.float32), outcomes


def told(report: Report) -> list[tuple[str, int, float]]:
    return [(move.move, move.visits, move.value) for move in report.moves]


def test_the_style_network_plays_while_the_style_acts() -> None:
    plain, styled = Judge(0.4), Judge(0.7)
    options = {**SEARCH, "style_plies": 3}
    with Engine("chess", network=plain, style_network=styled, style="medium", **options) as engine:
        opening = engine.analyze(OPENING, visits=40)
        assert (plain.asked, styled.asked > 0) == (0, True)
        before = styled.asked
        later = engine.analyze(LATER, visits=40)
        assert styled.asked == before
    with Engine("chess", network=Judge(0.7), style="medium", **options) as engine:
        assert told(opening) == told(engine.analyze(OPENING, visits=40))
    with Engine("chess", network=Judge(0.4), **options) as engine:
        assert told(later) == told(engine.analyze(LATER, visits=40))
    assert "up to ply 3" in later.steering.refused[0].reason


def test_without_a_style_it_is_not_asked() -> None:
    styled = Judge(0.7)
    with Engine("chess", network=Judge(0.4), style_network=styled, **SEARCH) as engine:
        engine.analyze(OPENING, visits=20)
        assert styled.asked == 0
        engine.analyze(OPENING, visits=20, style="strong")
        assert styled.asked > 0


def test_a_new_game_gives_both_networks_the_seed() -> None:
    with Engine("chess", network=Judge(0.4), style_network=Judge(0.7), style="medium", threads=1) as engine:
        engine.new_game(5)
        first = engine.analyze(OPENING, visits=30)
        engine.new_game(5)
        assert told(first) == told(engine.analyze(OPENING, visits=30))
        assert engine.continues(OPENING)


def test_time_goes_to_alpha_beta_whether_the_style_acts_or_not() -> None:
    with Engine("chess", style="medium", threads=1) as engine:
        assert engine.plan(kibitz.request.make_request(OPENING, seconds=1.0)).family == "alphabeta"
        late = kibitz.chess.Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30")
        assert engine.plan(kibitz.request.make_request(late, seconds=1.0)).family == "alphabeta"


def test_self_play_takes_both() -> None:
    settings = SelfplaySettings(
        "chess",
        games=1,
        budget=Budget(visits=8),
        plies=6,
        style="medium",
        preset="lc0",
        network="plain.knet",
        style_network="style.knet",
        options={"style_plies": 4},
    )
    plain, styled = Judge(0.4), Judge(0.7)
    game = SelfPlayer(settings, plain, styled).play(0)
    values = [search.value for search in game.searches if search is not None]
    assert values[0] == pytest.approx(0.7, abs=0.01)
    assert values[4] == pytest.approx(0.4, abs=0.01)
    assert "style_network" not in SelfplaySettings("chess", network="plain.knet").to_dict()
    with pytest.raises(BadOption, match="needs a style"):
        SelfplaySettings("chess", network="plain.knet", style_network="style.knet")


def test_the_style_has_an_end_of_its_own() -> None:
    """Hypermodern ends after ply 12, but for locked pawns, which count up to ply 24, where style_plies does
    not say otherwise."""
    effect = registry.get("chess").styles["hypermodern"]
    ply_12, ply_13, ply_25 = (
        kibitz.chess.Position(f"4k3/8/3pp3/8/P7/8/4P3/4K3 {at}")
        for at in ("b - - 0 6", "w - - 0 7", "w - - 0 13")
    )

    def liked(position: kibitz.chess.Position, **options: int) -> dict[str, float]:
        bonuses = effect(position, 0.6, options).bonuses
        return {position.state.move_text(move): bonus for move, bonus in bonuses.items() if bonus}

    assert liked(ply_12) == {"d6d5": -1.0, "e6e5": -1.0}  # pawns to the centre
    assert liked(ply_13) == {}
    assert liked(ply_13, style_plies=24)["a4a5"] == 0.1
    assert not effect(ply_13, 0.6, {"style_plies": 12}).acts
    assert not effect(ply_25, 0.6, {}).acts
    locks = kibitz.chess.Position("4k3/3p4/8/3P4/8/8/4P3/4K3 b - - 0 9")
    assert liked(locks) == {"d7d6": 1.0}


def test_games_of_a_match_at_once_are_the_same_games(tmp_path: Path) -> None:
    net = shaken("chess", "batch", style=True)
    file = tmp_path / "small.knet"
    file.write_bytes(write_own(net.arch, file_tensors(net), {"name": "small"}))

    def moves(parallel: int) -> dict[int, tuple[str, ...]]:
        events = run_match(
            "chess",
            "default:style=strong,style_plies=6",
            "default",
            network=str(file),
            games=4,
            budget=Budget(visits=6),
            opening_plies=2,
            processes=0,
            parallel=parallel,
            max_plies=12,
            seed=3,
        )
        records = [event.record for event in events if isinstance(event, GameFinished)]
        return {record.game: record.moves for record in records}

    assert moves(1) == moves(4)
    with pytest.raises(BadOption, match="not time"):
        next(run_match("chess", "default", "default", games=2, budget=Budget(seconds=1.0), parallel=2))
