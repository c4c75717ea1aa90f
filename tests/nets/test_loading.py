"""`load_network`: what every command and protocol loads a game's network with."""

from __future__ import annotations

import pytest

from kibitz import nets
from kibitz.games import registry
from kibitz.games.networks import load_file
from kibitz.nets.family import Shape
from tests.nets import shared


def test_a_network_calibrates_itself_on_the_board_it_is_asked_for() -> None:
    heard: list[Shape] = []
    network = load_file(
        "go",
        str(shared.network_path(shared.TINY)),
        precision="int8",
        runtime="onnxruntime",
        before_calibration=heard.append,
    )
    start = registry.get("go").sample.start
    assert start is not None
    planes, numbers = start(5, 7).encode()
    policy, _ = network(planes[None], numbers[None])
    assert policy.shape == (1, 5 * 7 + 1)
    assert [(shape.rows, shape.columns) for shape in heard] == [(5, 7)]


def test_a_network_for_another_game_is_refused() -> None:
    path = str(shared.network_path(shared.TINY))
    with pytest.raises(
        nets.BadNetwork,
        match=r"a KataGo network for go, not a network for chess; expected an Lc0 network \(.pb.gz\)",
    ):
        load_file("chess", path)
