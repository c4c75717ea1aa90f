"""The interface of network families: what files declare, and what a wrong file is told."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import kibitz
from kibitz import nets
from kibitz.nets.family import Boards, Definition, Family, Shape
from kibitz.nets.files import NetworkFile
from kibitz.nets.graph import Graph, Range
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_what_a_katago_file_declares(tmp_path: Path) -> None:
    made = nets.open_network(written(tmp_path, "a", katago_file(14)))
    assert (made.family, made.version, made.game, str(made.boards)) == ("katago", 14, "go", "2x2 to 19x19")
    assert made.inputs == ("globals", "optimism")
    assert made.heads == ("ownership",)
    assert "lead" in made.details
    assert made.shape(9) == Shape(22, 9, 9, 19, 82)
    assert len(made.digest) == 64
    assert nets.open_network(written(tmp_path, "b", katago_file(8))).inputs == ("globals",)


def test_what_an_lc0_file_declares(tmp_path: Path) -> None:
    made = nets.open_network(written(tmp_path, "small.pb", Lc0Writer().file()))
    assert (made.family, made.version, made.game, str(made.boards)) == ("lc0", None, "chess", "8x8")
    assert (made.name, made.inputs, made.heads, made.details) == ("small", (), (), ("moves_left",))
    assert made.shape() == Shape(112, 8, 8, 0, 1858)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04" + bytes(40), "a zip archive"),
        (b"\x80\x02}q\x00.", "a Python pickle, which is never loaded"),
        (b"\x20\x2f\xf3\x7a" + bytes(40), "a Stockfish NNUE file"),
        ((60).to_bytes(8, "little") + b'{"__metadata__":{}}' + bytes(40), "a safetensors checkpoint"),
        (b"\x08\x09\x12\x06kibitz", "an ONNX model"),
        (b"1\n0.125 -0.5 0.25\n", "a Leela Zero network"),
        (b"<!DOCTYPE html>\n<html></html>", "a web page"),
        (b"(;GM[1]SZ[19];B[pd])", "an SGF record"),
        (b'[Event "?"]\n\n1. e4 *\n', "a PGN record"),
        (b"hello, world", "text that is no network"),
        (bytes(100), "not a network that is known"),
    ],
)
def test_a_wrong_file_is_told_what_it_is(tmp_path: Path, data: bytes, kind: str) -> None:
    path = written(tmp_path, "wrong.bin.gz", data)
    with pytest.raises(nets.BadNetwork) as caught:
        nets.open_network(path)
    said = str(caught.value)
    assert f"{path}: {kind}" in said
    assert "expected an Lc0 network (.pb.gz) or a KataGo network (.bin.gz)" in said
    assert "\n" not in said
    with pytest.raises(nets.BadNetwork, match=r"expected a KataGo network .* or a Kibitz network \(.knet\)$"):
        nets.open_network(path, "go")


def test_a_network_for_another_game_is_told_so(tmp_path: Path) -> None:
    path = written(tmp_path, "net", Lc0Writer().file())
    with pytest.raises(
        nets.BadNetwork, match="an Lc0 network for chess, not a network for go; expected a KataGo"
    ):
        nets.open_network(path, "go")
    with pytest.raises(nets.BadNetwork, match=r"not a network for junqi; expected a Kibitz network"):
        nets.open_network(path, "junqi")


class Flat(Definition):
    """A network of a family that only this test has: the policy is one number for each point."""

    family = "flat"
    game = "go"
    boards = Boards(usual=9, least=5, most=9)
    name = "flat"
    depth = channels = 1
    blocks: Mapping[str, int] = {}

    def sizes(self, rows: int, columns: int) -> Shape:
        return Shape(22, rows, columns, 19, rows * columns + 1)

    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        graph = Graph("flat", ranges)
        planes = graph.input("planes", (22, shape.rows, shape.columns))
        weights = np.zeros((1, 22, 1, 1), np.float32)
        weights[0, 1] = self.model
        points = graph.flatten(graph.conv(planes, weights))
        mean = graph.flatten(graph.node("GlobalAveragePool", graph.conv(planes, weights)))
        graph.output("policy", graph.concat(points, mean), (shape.policy,))
        graph.output("outcome", graph.dense(mean, np.zeros((1, 4), np.float32), OUTCOME), (4,))
        graph.output("details", mean, (1,))
        return graph


OUTCOME = np.array([0.7, 0.1, 0.2, 3.0], np.float32)


def read(file: NetworkFile) -> Definition:
    return Flat(file, json.loads(file.data)["flat"])


@pytest.fixture
def flat(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = ModuleType("flat_family")
    family = Family("flat", "a flat network", (".flat",), ("go",), lambda head: head[:7] == b'{"flat"', read)
    module.FAMILY = family  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "flat_family", module)
    registry = importlib.import_module("kibitz.nets.families")
    monkeypatch.setattr(registry, "_FAMILIES", (*registry._FAMILIES, "flat_family"))
    registry.families.cache_clear()
    yield
    registry.families.cache_clear()


@pytest.mark.usefixtures("flat")
def test_a_new_family_is_one_file(tmp_path: Path) -> None:
    """Nothing but the family's own module knows it, and everything works: loading, running, searching."""
    path = written(tmp_path, "net.flat", b'{"flat": 2.0}')
    network = nets.load(path)
    assert (network.family, network.name, network.game) == ("flat", "flat", "go")
    said = network.evaluate(np.ones((2, 22, 9, 9), np.float32))
    np.testing.assert_allclose(said.policy, 2.0)
    np.testing.assert_allclose(said.outcomes, np.broadcast_to(OUTCOME, (2, 4)))
    assert said.ownership is None
    with pytest.raises(kibitz.errors.BadRequest, match="flat plays on 5x5 to 9x9, not on 19x19"):
        network.shape(19)
    with kibitz.Engine("go", network=network) as engine:
        assert engine.analyze(kibitz.go.Position(9), visits=20).root.visits == 20
        engine.new_game()
        assert engine.analyze(kibitz.go.Position(9), visits=1).root.value == pytest.approx(0.75, abs=1e-3)
