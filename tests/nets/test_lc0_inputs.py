"""Lc0's input formats: values and priors that Lc0 printed, and where it looks moves up in a turned policy."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.nets import load
from kibitz.nets.lc0_format import INPUTS as FORMATS
from tests.nets import shared
from tests.nets.lc0_attention_writer import INPUTS, AttentionWriter
from tests.nets.test_lc0_attention import check


def lines_by_variant() -> dict[str, list[dict[str, Any]]]:
    lines = defaultdict(list)
    for line in shared.references("lc0-inputs.jsonl.gz"):
        lines[line["variant"]].append(line)
    return lines


@pytest.mark.parametrize("name", INPUTS)
def test_what_lc0_printed(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.pb.gz"
    data = AttentionWriter(INPUTS[name]).file()
    path.write_bytes(gzip.compress(data, 1))
    network = load(path, runtime="native")
    assert network.model.input == FORMATS[INPUTS[name].input]
    lines = lines_by_variant()[name]
    assert len(lines) >= 12
    assert hashlib.sha256(data).hexdigest() == lines[0]["file"]
    for line in lines:
        # The Lc0 that printed this looks moves up at the wrong place where the board is turned along a
        # diagonal, which needs a board without pawns; the next test is about these.
        at = kibitz.chess.Position(line["start"]).play_on(*line["moves"])
        turned = INPUTS[name].input > 2 and "p" not in at.fen.split()[0].lower()
        check(network, line, priors=not turned)


def test_moves_of_turned_boards() -> None:
    lines = (shared.DATA / "lc0-canonical-places.jsonl").read_text(encoding="utf-8").splitlines()
    turnings = set()
    for line in map(json.loads, lines):
        state = kibitz.chess.Position(line["fen"]).state.written_as("canonical")
        places = {state.move_text(move): state.policy_index(move) for move in state.legal_moves()}
        assert places == line["places"]
        turnings.add(line["transform"])
    assert turnings == set(range(8))


def test_searches_write_leaves_in_the_format(tmp_path: Path) -> None:
    path = tmp_path / "canonical.pb.gz"
    path.write_bytes(gzip.compress(AttentionWriter(INPUTS["input-3"]).file(), 1))
    network = load(path)
    # One visit: the root's priors and value are the network's for the turned board.
    at = kibitz.chess.Position("8/8/2k5/8/8/1K2P3/8/8 w - - 4 60")
    state = network.definition.shown(at)
    assert state.input_format == "canonical"
    assert state.play(state.legal_moves()[0]).input_format == "canonical"
    said = network.evaluate(state.encode()[0][None])
    logits = np.array([said.policy[0, state.policy_index(move)] for move in state.legal_moves()])
    weights = np.exp(logits - logits.max())
    with kibitz.Engine("chess", network=network, threads=1, policy_temperature=1.0) as engine:
        report = engine.analyze(at, visits=1)
    priors = dict(zip(at.legal_moves, weights / weights.sum(), strict=True))
    assert dict(report.policy) == pytest.approx(priors, abs=1e-4)


def test_v2_shows_repeated_boards_only() -> None:
    start = kibitz.chess.Position("8/5k2/8/3q4/8/2R5/1K6/8 w - - 0 1")
    shuffled = start.play("Ra3", "Ke7", "Rc3", "Kf7", "Ra3", "Ke7")
    state = start.state.written_as("canonical-v2").replayed([start.state.parse_move("c3a3")])
    assert state.encode()[0][13:26].sum() == 0
    state = start.state.written_as("canonical-v2")
    for text in shuffled.moves:
        state = state.replayed([state.parse_move(text)])
    planes = state.encode()[0]
    shown = [bool(planes[13 * number : 13 * number + 12].any()) for number in range(8)]
    # The newest, and the two that stood before.
    assert shown == [True, True, True, False, False, False, False, False]
    assert planes[109, 0, 0] == pytest.approx(0.06)


def test_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown input format"):
        kibitz.chess.Position().state.written_as("classic")
