"""The core names no game: built with noughts and crosses alone (native/tests/games/noughts), it searches it.

Adding a game in C++ takes its folder and one line of a registry. The whole module is built without the other
games, so that nothing of the core can need one of them.
"""

from __future__ import annotations

import functools
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent

#: In one process, which builds the module once.
pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module with noughts and crosses as its only game."""
    build = tmp_path_factory.mktemp("noughts")
    programs = Path(sys.executable).parent
    configure = [
        *(programs / "cmake", "-S", ROOT, "-B", build, "-G", "Ninja"),
        f"-DCMAKE_MAKE_PROGRAM={programs / 'ninja'}",
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DKIBITZ_GAME=tests/games/noughts",
        "-DKIBITZ_LEVELS=baseline",
        "-DCMAKE_BUILD_TYPE=Debug",
    ]
    for command in (configure, [programs / "cmake", "--build", build, "--target", "_core_baseline"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    (file,) = build.glob("_core_baseline*")
    spec = importlib.util.spec_from_file_location("_core_baseline", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def minimax(stones: str) -> float:
    """The value for X, from the rules in words."""
    lines = ["012", "345", "678", "036", "147", "258", "048", "246"]
    for side, value in (("X", 1.0), ("O", 0.0)):
        if any(all(stones[int(i)] == side for i in line) for line in lines):
            return value
    if "." not in stones:
        return 0.5
    mover = "X" if stones.count(".") % 2 else "O"
    values = [minimax(stones[:i] + mover + stones[i + 1 :]) for i in range(9) if stones[i] == "."]
    return max(values) if mover == "X" else min(values)


def search(core: Any, position: Any, plan: Any, network: Any = None, **options: str) -> Any:
    chosen = core.Options()
    for name, value in options.items():
        chosen.set(name, value)
    tree = core.NoughtsSearch(position, chosen, network)
    core.admit(plan, chosen, position)
    tree.start(plan, simulations=2000)
    assert tree.wait(60.0)
    return tree.report()


def test_the_module_has_this_game_alone(core: Any) -> None:
    searches = {name for name in vars(core) if name.endswith(("Search", "Selfplay", "AlphaBeta"))}
    assert searches == {"NoughtsSearch", "NoughtsSelfplay"}


def test_all_positions_are_reached(core: Any) -> None:
    plies = [{core.Noughts()}]
    while plies[-1]:
        plies.append({position.play(move) for position in plies[-1] for move in position.legal_moves()})
    assert [len(ply) for ply in plies] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78, 0]
    ended = [position for ply in plies for position in ply if position.is_over]
    assert len(ended) == 958
    assert all(position.result() == minimax(position.to_text()) for position in ended)


@pytest.mark.parametrize("rule", ["ucb1", "puct", "gumbel"])
def test_the_search_plays_as_minimax(core: Any, rule: str) -> None:
    for stones in (".........", "X........", "XO.......", "X...O..X.", "XX.OO....", "X.O.X...O"):
        position = core.Noughts.from_text(stones)
        report = search(core, position, core.Plan(), rule=rule)
        best = position.play(report.moves[0].move)
        assert minimax(best.to_text()) == minimax(stones), stones


def test_steering_is_obeyed(core: Any) -> None:
    plan = core.Plan()
    plan.avoid(0, [4])
    plan.include(1, 50)
    report = search(core, core.Noughts(), plan)
    visits = {info.move: info.visits for info in report.moves}
    assert visits.get(4, 0) == 0
    assert visits[1] >= 50


def test_a_network_of_python_is_called(core: Any) -> None:
    batches = []

    def network(planes: Any, numbers: Any) -> tuple[Any, Any]:
        batches.append(planes.shape)
        policy = np.zeros((len(planes), 9), np.float32)
        policy[:, 8] = 3.0
        return policy, np.full((len(planes), 4), [0.25, 0.5, 0.25, 0.0], np.float32)

    report = search(core, core.Noughts(), core.Plan(), network, rule="puct", evaluator="network")
    assert {shape[1:] for shape in batches} == {(2, 3, 3)}
    priors = {info.move: info.prior for info in report.moves}
    assert priors[8] == pytest.approx(np.exp(3) / (8 + np.exp(3)), rel=1e-4)
