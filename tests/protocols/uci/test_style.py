"""StyleBias and StyleBeta, as a GUI sets them."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from kibitz.errors import BadOption
from kibitz.protocols.uci.loop import UciEngine
from kibitz.protocols.uci.options import Options
from kibitz.steering import Style


def ask(*commands: str) -> list[str]:
    lines: list[str] = []
    engine = UciEngine(lines.append)
    for command in commands:
        engine.handle(command)
    while engine.busy:
        time.sleep(0.01)
    engine.handle("quit")
    return lines


def priors(*commands: str) -> dict[str, float]:
    said = ask(
        "setoption name Threads value 1",
        "setoption name VerboseMoveStats value true",
        *commands,
        "go nodes 60",
    )
    rows = [re.match(r"info string (\S+) .*\(P: *([\d.]+)%\)", line) for line in said]
    return {row[1]: float(row[2]) for row in rows if row and row[1] != "node"}


def test_the_options_are_declared() -> None:
    said = ask("uci")
    assert "option name StyleBias type combo default Off var Off var Light var Medium var Strong" in said


def test_levels_numbers_and_free_values() -> None:
    options = Options()
    assert options.style() is None
    options.set("stylebias", "strong")
    assert options.style() == Style("hypermodern", 1.0)
    for number, strength in (("2", 1.0), ("1", 0.6)):
        options.set("StyleBias", number)
        assert options.style() == Style("hypermodern", strength)
    options.set("StyleBias", "0")
    assert options.style() is None
    options.set("StyleBeta", "0.45")
    options.set("StyleName", "open")
    assert options.style() == Style("open", 0.45)
    for wrong in ("3", "-1", "loud"):
        with pytest.raises(BadOption, match="StyleBias"):
            options.set("StyleBias", wrong)
    with pytest.raises(BadOption, match="StyleBeta"):
        options.set("StyleBeta", "11")


def test_a_search_takes_the_style() -> None:
    plain = priors("position startpos moves g2g3 e7e5")
    off = priors("setoption name StyleBias value Off", "position startpos moves g2g3 e7e5")
    strong = priors("setoption name StyleBias value Strong", "position startpos moves g2g3 e7e5")
    by_beta = priors("setoption name StyleBeta value 1.0", "position startpos moves g2g3 e7e5")
    assert plain
    assert off == plain
    assert strong["f1g2"] > plain["f1g2"]
    assert by_beta == strong


def test_a_wrong_level_costs_one_line() -> None:
    said = ask("setoption name StyleBias value loud", "position startpos", "go nodes 20")
    assert any(line.startswith("info string option StyleBias takes one of") for line in said)
    assert said[-1].startswith("bestmove")


def test_a_budget_is_set_by_a_gui() -> None:
    options = Options()
    assert options.style_options() == {}
    options.set("StyleBudget", "0.04")
    assert options.style_options() == {"style_budget": 0.04}
    options.set("StyleMode", "priors")
    assert options.style_options() == {"style_mode": "priors", "style_budget": 0.04}
    moves = [
        next(
            line
            for line in ask(*words, "position startpos moves d2d4 d7d5", "go nodes 3000")
            if "bestmove" in line
        )
        for words in (
            ("setoption name StyleBias value Off",),
            (
                "setoption name StyleBias value Strong",
                "setoption name StyleBudget value 0.3",
            ),
        )
    ]
    assert moves[0] != moves[1]


def test_a_profile_is_a_file(tmp_path: Path) -> None:
    names = ("fianchetto", "prepare", "quiet", "control", "flank", "chain", "occupation")
    path = tmp_path / "flank.json"
    weights = dict.fromkeys(names, 0.0) | {"flank": 1.0}
    path.write_text(json.dumps({"format": "kibitz-style-profile", "version": 1, "weights": weights}))
    plain = priors("position startpos")
    styled = priors(
        f"setoption name StyleFile value {path}", "setoption name StyleBeta value 2", "position startpos"
    )
    assert styled["a2a3"] > 2 * plain["a2a3"]
    assert styled["g2g3"] < plain["g2g3"]
    said = ask("setoption name StyleFile value missing.json")
    assert any("missing.json" in line for line in said)
