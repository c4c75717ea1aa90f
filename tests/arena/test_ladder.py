"""Round robins: ratings, resuming, the command."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.arena import MatchFinished, ladder_picture, rate, run_ladder, standings
from kibitz.arena.elo import score_of_elo
from kibitz.arena.ladder import LadderEvent, expand, pair_file
from kibitz.arena.ratings import Score
from kibitz.cli.app import make_app
from kibitz.errors import BadOption
from kibitz.games import registry

PLAYERS = ["random", "greedy", "uct:simulations=20"]


def finished(events: object) -> list[LadderEvent]:
    assert hasattr(events, "__iter__")
    return [step for step in events if isinstance(step.event, MatchFinished)]


def test_rate_finds_the_strengths_behind_expected_scores() -> None:
    truth = {"a": 300.0, "b": 120.0, "c": -20.0, "d": -400.0}
    scores = {}
    for a, b in itertools.combinations(truth, 2):
        games = 100_000
        scores[a, b] = Score(games * score_of_elo(truth[a] - truth[b]), games)
    table = rate(scores)
    assert [rating.player for rating in table] == ["a", "b", "c", "d"]
    for rating in table:
        assert rating.elo.value == pytest.approx(truth[rating.player], abs=0.5)
        assert rating.elo.low < rating.elo.value < rating.elo.high
    assert table[0].games == 300_000


def test_rate_of_two_players_is_elo() -> None:
    (first, second) = rate({("a", "b"): Score(75_000, 100_000)})
    assert first.elo.value - second.elo.value == pytest.approx(400 * math.log10(3), abs=0.1)


def test_rate_of_a_player_who_won_everything_is_finite() -> None:
    (first, second) = rate({("a", "b"): Score(20, 20)})
    assert first.player == "a"
    assert 200 < first.elo.value - second.elo.value < 1200


def test_expand_names_the_levels_of_a_game() -> None:
    names = expand("othello", ["levels", "random", "random"])
    assert names == [f"level:{level.name}" for level in registry.get("othello").levels] + ["random"]
    with pytest.raises(BadOption, match="two players or more"):
        expand("othello", ["random", "random"])


def test_pair_file_does_not_depend_on_the_order() -> None:
    assert pair_file("x", "a", "b") == pair_file("x", "b", "a") != pair_file("x", "a", "c")


def test_ladder_plays_every_pair_and_resumes(tmp_path: Path) -> None:
    settings = {"games": 2, "processes": 0, "opening_plies": 40}
    played = finished(run_ladder("othello", PLAYERS, tmp_path, **settings))
    assert [step.number for step in played] == [1, 2, 3]
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(before) == 3
    # In another order, with one more: only the new player's matches are played.
    again = finished(run_ladder("othello", ["level:beginner", *PLAYERS[::-1]], tmp_path, **settings))
    assert len(again) == 6
    assert len(list(tmp_path.iterdir())) == 6
    assert all((tmp_path / name).read_bytes() == data for name, data in before.items())
    table = standings(tmp_path, "othello")
    assert {rating.player for rating in table} == {"level:beginner", *PLAYERS}
    assert all(rating.games == 6 for rating in table)
    assert len(standings(tmp_path, "othello", PLAYERS)) == 3
    assert standings(tmp_path, "uttt") == []


def test_ladder_command_shows_table_json_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "ladder.svg"
    work = tmp_path / "work"
    command = ["arena", "ladder", "othello", "--work", str(work)]
    app = make_app("arena")
    run = ["random", "greedy", "--games", "2", "--openings", "50", "--processes", "0"]
    result = CliRunner().invoke(app, [*command, *run, "--picture", str(picture)])
    assert result.exit_code == 0, result.output
    assert "random" in result.stdout
    assert "greedy" in result.stdout
    svg = picture.read_text("utf-8")
    assert svg.startswith("<svg")
    assert "greedy" in svg
    # Without players it shows what was played.
    shown = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert {row["player"] for row in shown["ratings"]} == {"random", "greedy"}
    assert sum(row["points"] for row in shown["ratings"]) == 2


def test_picture_escapes_names() -> None:
    assert "&lt;b&gt;" in ladder_picture("othello", rate({("<b>", "c"): Score(1, 2)}))
