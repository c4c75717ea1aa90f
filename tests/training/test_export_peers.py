"""KataGo and lc0 themselves load exported networks and see the same priors. They are not packages: name the
programs in KIBITZ_KATAGO and KIBITZ_LC0 to run these."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.games import registry
from kibitz.games.bundled import bundled_file
from kibitz.nets.files import read_network_file
from kibitz.nets.own.architecture import tensor_shapes
from kibitz.nets.own.file import read_own, write_own
from kibitz.training.export import export_network
from kibitz.training.teachers.network import NetworkTeacher

pytest.importorskip("torch")

from tests.training.test_export import own

NEAR = 1e-3


def program(variable: str) -> str:
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} names no program")
    return path


def network(folder: Path, game: str, bundled: bool) -> Path:
    """A small network with random weights, or the one that comes with Kibitz."""
    if not bundled:
        return own(folder, game)
    file = bundled_file(game)
    if file is None:
        pytest.skip(f"no network of {game} is bundled")
    return file


def priors(game: str, file: Path, position: Any) -> dict[str, float]:
    """What Kibitz makes of our own file."""
    [said] = NetworkTeacher(game, str(file), runtime="native").judge([position.state])
    assert said is not None
    texts = [position.state.move_text(move) for move in said.moves]
    return dict(zip(texts, map(float, said.shares), strict=True))


CONFIG = """
logAllRequests = false
logDir = {folder}
numAnalysisThreads = 1
numSearchThreadsPerAnalysisThread = 1
nnMaxBatchSize = 1
nnRandomize = false
rootNumSymmetriesToSample = 1
ignorePreRootHistory = false
"""


@pytest.mark.parametrize("bundled", [False, True], ids=["small", "bundled"])
@pytest.mark.parametrize("size", [9, 19])
def test_katago_loads_the_export(tmp_path: Path, size: int, bundled: bool) -> None:
    katago = program("KIBITZ_KATAGO")
    file = network(tmp_path, "go", bundled)
    export_network(file, tmp_path / "net.bin.gz")
    (tmp_path / "analysis.cfg").write_text(CONFIG.format(folder=tmp_path))
    moves = ["E5", "C3", "G7", "C7"]
    query = {
        "id": "q",
        "moves": [["BW"[ply % 2], move] for ply, move in enumerate(moves)],
        "rules": "tromp-taylor",
        "komi": 7.5,
        "boardXSize": size,
        "boardYSize": size,
        "maxVisits": 1,
        "includePolicy": True,
    }
    command = [katago, "analysis", "-config", "analysis.cfg", "-model", "net.bin.gz"]
    done = subprocess.run(
        command, input=json.dumps(query) + "\n", cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    [answer] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    theirs = np.array(answer["policy"])
    position = registry.get("go").position(size, rules="tromp-taylor", komi=7.5).play(*moves)
    columns = "ABCDEFGHJKLMNOPQRST"
    for move, share in priors("go", file, position).items():
        at = -1 if move == "pass" else (size - int(move[1:])) * size + columns.index(move[0])
        assert theirs[at] == pytest.approx(share, abs=NEAR), move


def asked(program: str, options: list[str], typed: str) -> str:
    """What a UCI engine prints up to its move. It is told to quit only then: Lc0 would not finish."""
    with subprocess.Popen(
        [program, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(typed)
        engine.stdin.flush()
        lines = []
        for line in engine.stdout:
            lines.append(line)
            if line.startswith("bestmove"):
                break
        engine.stdin.write("quit\n")
        engine.stdin.close()
        engine.wait(60)
    return "".join(lines)


MOVES = ["e2e4", "c7c5", "g1f3"]


def lc0_priors(lc0: str, weights: Path) -> dict[str, float]:
    """Lc0's own priors after MOVES."""
    typed = f"position startpos moves {' '.join(MOVES)}\ngo nodes 1\n"
    options = ["--verbose-move-stats", "--policy-softmax-temp=1.0", "--minibatch-size=1", "--threads=1"]
    printed = asked(lc0, [f"--weights={weights}", *options], typed)
    rows = re.findall(r"info string (\w+) .*?\(P: *([\d.]+)%\)", printed)
    theirs = {move: float(share) / 100 for move, share in rows if move != "node"}
    assert theirs, printed[-2000:]
    return theirs


def test_lc0_ignores_the_style_head(tmp_path: Path) -> None:
    """The head is field 1000 of the file: Lc0 loads it and has the same priors as without the head."""
    lc0 = program("KIBITZ_LC0")
    styled = own(tmp_path, "chess", style=True, style_outputs=2)
    model = read_own(read_network_file(styled))
    bare = replace(model.arch, style=False, style_outputs=1)
    plain = tmp_path / "plain.knet"
    plain.write_bytes(
        write_own(bare, {name: model.tensors[name] for name in tensor_shapes(bare)}, {}, "fp32")
    )
    files = [tmp_path / f"{path.stem}.pb.gz" for path in (styled, plain)]
    for source, target in zip((styled, plain), files, strict=True):
        export_network(source, target)
    sizes = [len(gzip.decompress(target.read_bytes())) for target in files]
    assert sizes[0] > sizes[1]
    with_head, without = (lc0_priors(lc0, target) for target in files)
    assert with_head == without
    ours = priors("chess", styled, registry.get("chess").position().play(*MOVES))
    assert with_head == pytest.approx(ours, abs=NEAR)


@pytest.mark.parametrize("trained", [False, True], ids=["small", "trained"])
def test_lc0_loads_the_export(tmp_path: Path, trained: bool) -> None:
    """Of the residual layout; that of the bundled network is the core's alone."""
    lc0 = program("KIBITZ_LC0")
    file = Path(program("KIBITZ_TOWER")) if trained else network(tmp_path, "chess", False)
    target = tmp_path / "net.pb.gz"
    export_network(file, target)
    theirs = lc0_priors(lc0, target)
    position = registry.get("chess").position().play(*MOVES)
    ours = priors("chess", file, position)
    assert set(theirs) == set(ours)
    for move, share in ours.items():
        assert theirs[move] == pytest.approx(share, abs=NEAR), move
