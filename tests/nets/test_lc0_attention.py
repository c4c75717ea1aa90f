"""Lc0's encoder layers and attention policy: what Lc0 itself printed, and one runtime against another."""

from __future__ import annotations

import gzip
import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption
from kibitz.nets import BadNetwork, Network, load
from kibitz.nets.families import open_network
from kibitz.nets.files import read_network_file
from kibitz.nets.lc0 import read_lc0
from kibitz.nets.program_builder import ProgramBuilder
from tests.nets import shared
from tests.nets.lc0_attention_writer import HYBRIDS, VARIANTS, AttentionWriter, Variant
from tests.nets.lc0_prints import printed_draw, printed_priors

ALL = {**VARIANTS, **HYBRIDS}


def written(folder: Path, variant: Variant, name: str = "net") -> Path:
    path = folder / f"{name}.pb.gz"
    path.write_bytes(gzip.compress(AttentionWriter(variant).file(), 1))
    return path


def planes(count: int = 2) -> Any:
    random = np.random.default_rng(7)
    return (random.random((count, 112, 8, 8)) < 0.1).astype(np.float32)


def lines_by_variant() -> dict[str, list[dict[str, Any]]]:
    lines = defaultdict(list)
    for line in shared.references("lc0-attention.jsonl.gz"):
        lines[line["variant"]].append(line)
    return lines


def check(network: Network, line: dict[str, Any], *, priors: bool = True) -> None:
    at = kibitz.chess.Position(line["start"]).play_on(*line["moves"])
    state = network.definition.shown(at)
    answer = network.evaluate(state.encode()[0][None])
    logits = [float(answer.policy[0, state.policy_index(move)]) for move in state.legal_moves()]
    # Lc0 writes castling as the king's step onto its rook.
    rooks = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
    said = line["priors"]
    theirs = [said[move] if move in said else said[rooks[move]] for move in at.legal_moves]
    assert len(theirs) == len(said)
    if priors:
        weights = np.exp(np.array(logits) - max(logits))
        np.testing.assert_allclose(weights / weights.sum(), theirs, atol=1e-3)
        np.testing.assert_allclose(printed_priors(logits), theirs, atol=6e-5, rtol=2.5e-4)
    win, draw, loss, _ = (float(number) for number in answer.outcomes[0])
    assert win - loss == pytest.approx(line["v"], abs=6e-5)
    if network.model.wdl:
        assert printed_draw(win, draw, loss) == pytest.approx(line["d"], abs=6e-4)
    if network.model.moves_left is not None:
        assert float(answer["moves_left"][0]) == pytest.approx(line["m"], abs=0.051)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_lc0_printed(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, VARIANTS[name], name)
    lines = lines_by_variant()[name]
    assert len(lines) >= 6
    assert hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest() == lines[0]["file"]
    network = load(path, runtime="native")
    for line in lines:
        check(network, line)


@pytest.mark.parametrize("name", ALL)
def test_core_and_onnx_runtime_agree(tmp_path: Path, name: str) -> None:
    pytest.importorskip("onnxruntime")
    path = written(tmp_path, ALL[name])
    core, other = (load(path, runtime=runtime).evaluate(planes()) for runtime in ("native", "onnxruntime"))
    np.testing.assert_allclose(core.policy, other.policy, atol=1e-4)
    np.testing.assert_allclose(core.outcomes, other.outcomes, atol=1e-5)
    np.testing.assert_allclose(core.details, other.details, atol=1e-5)


def test_heads_have_names(tmp_path: Path) -> None:
    path = written(tmp_path, VARIANTS["bt4"])
    facts = open_network(path).facts
    assert facts["policyHeads"] == ["vanilla", "optimistic", "soft", "opponent"]
    assert facts["valueHeads"] == ["winner", "q", "st"]
    file = read_network_file(path)
    vanilla, soft = read_lc0(file), read_lc0(file, policy="soft", value="q")
    assert vanilla.attention_policy is not None
    assert soft.attention_policy is not None
    # One embedding is shared, the soft head has its own.
    assert not np.array_equal(
        vanilla.attention_policy.embedding.weights, soft.attention_policy.embedding.weights
    )
    assert not np.array_equal(vanilla.value_out.weights, soft.value_out.weights)
    with pytest.raises(BadOption, match="no policy head 'hard'; the network has vanilla, optimistic, soft"):
        read_lc0(file, policy="hard")
    first, other = load(path), load(path, heads={"policy": "optimistic", "value": "q"})
    assert first.digest != other.digest
    assert not np.allclose(first(planes())[0], other(planes())[0], atol=0.1)
    with pytest.raises(BadOption, match="Lc0 networks have policy and value heads, no moves"):
        load(path, heads={"moves": "left"})
    plain = read_network_file(written(tmp_path, VARIANTS["plain"]))
    with pytest.raises(BadOption, match="no value head 'q'; the network has winner"):
        read_lc0(plain, value="q")


def test_what_the_file_is(tmp_path: Path) -> None:
    network = open_network(written(tmp_path, VARIANTS["t1"]))
    assert (network.depth, network.channels) == (2, 16)
    assert network.blocks == {"encoder": 2, "smolgen": 2}
    assert network.facts["policy"] == "attention"
    assert open_network(written(tmp_path, HYBRIDS["tower-and-encoders"])).blocks == {
        "residual": 1,
        "squeeze-excitation": 1,
        "encoder": 2,
        "smolgen": 2,
    }


def test_int8_is_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = written(tmp_path, VARIANTS["t1"])
    boards = np.concatenate([planes(8)] * 2)
    exact = load(path)(boards)
    small = load(path, precision="int8", calibration=lambda network, shape: (boards, None))
    policy, outcomes = small(boards)
    assert np.abs(policy - exact[0]).mean() < 0.15 * exact[0].std()
    assert np.abs(outcomes - exact[1]).max() < 0.1
    assert not np.array_equal(policy, exact[0])


def test_relative_positions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadNetwork, match="relative positional encoding are not supported"):
        load(written(tmp_path, VARIANTS["plain"].but(relative=True)))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"heads": 3}, "encoder 0 has 3 heads for 16 channels"),
        ({"ffn_activation": 9}, "unknown activation 9"),
        ({"layers": 0, "structure": 6}, "the format and the weights disagree about encoder layers"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    with pytest.raises(BadNetwork, match=text) as caught:
        load(written(tmp_path, VARIANTS["plain"].but(**changes)))
    assert "\n" not in str(caught.value)


def test_int8_rounds_what_all_large_matrices_read(tmp_path: Path) -> None:
    network = load(written(tmp_path, VARIANTS["t1"]))
    shape = network.shape(8)
    watched = network.graph(shape).watched
    assert {f"encoder.1.smolgen.{part}.in" for part in ("first", "second", "shared")} <= set(watched)

    def rounded_products(weight_bits: int) -> int:
        graph = network.graph(shape, dict.fromkeys(watched, (-2.0, 2.0)), weight_bits=weight_bits)
        rounded = {node.output for node in graph.nodes if node.op == "DequantizeLinear"}
        return sum(node.op in ("Gemm", "MatMul") and node.inputs[0] in rounded for node in graph.nodes)

    # Three a layer, by the core alone: other runtimes would need rounded weights.
    assert rounded_products(0) == 6
    assert rounded_products(8) == 0


def test_functions_are_part_of_the_matrix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The activation of a feed-forward layer is no step of its own, whatever it is."""
    fused: list[list[str]] = []
    finish = ProgramBuilder.finish

    def noted(builder: ProgramBuilder) -> Any:
        fused.extend(step.functions for step in builder.steps if step.functions)
        return finish(builder)

    monkeypatch.setattr(ProgramBuilder, "finish", noted)
    load(written(tmp_path, VARIANTS["t1"]), runtime="native")(planes())
    assert fused.count(["Square"]) == VARIANTS["t1"].layers
    fused.clear()
    load(written(tmp_path, VARIANTS["bt4"]), runtime="native")(planes())
    assert fused.count(["Mish"]) >= VARIANTS["bt4"].layers
