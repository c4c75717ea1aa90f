"""The search with Lc0's constants, against the formulas of Lc0 written out plainly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

import kibitz
from kibitz.games.chess import Position

Array = np.ndarray

CPUCT, BASE, FACTOR, FPU, TEMPERATURE = 1.745, 38739.0, 3.894, 0.33, 1.359


def network(planes: Array, _: Array) -> tuple[Array, Array]:
    """A network whose opinions are noise that depends on the position alone."""
    policies, outcomes = [], []
    for position in planes:
        seed = int(
            np.abs(position[:13] * np.arange(1, 65).reshape(8, 8)).sum() * 7919 + position[0, 3].sum() * 31
        )
        noise = np.random.default_rng(
            seed + int((position[:12].reshape(12, 64) @ np.arange(64)).dot(np.arange(12)[::-1]))
        )
        policies.append(noise.normal(0, 1.2, 1858))
        shares = noise.dirichlet([3, 3, 3])
        outcomes.append([shares[0], shares[1], shares[2], 0.0])
    return np.array(policies, np.float32), np.array(outcomes, np.float32)


@dataclass
class Node:
    position: Position
    prior: float = 1.0
    visits: int = 0
    total: float = 0.0  # of the values for the side to move here, in [-1, 1]
    children: dict[str, Node] = field(default_factory=dict)

    def q(self) -> float:
        return self.total / self.visits

    def expand(self) -> float:
        policy, outcome = network(self.position.state.encode()[0][None], np.zeros((1, 0)))
        state = self.position.state
        moves = state.legal_moves()
        logits = np.array([policy[0, state.policy_index(move)] for move in moves], np.float64) / TEMPERATURE
        priors = np.exp(logits - logits.max())
        priors /= priors.sum()
        for move, prior in zip(moves, priors, strict=True):
            text = state.move_text(move)
            self.children[text] = Node(self.position.play(text), float(prior))
        return float(outcome[0, 0] - outcome[0, 2])

    def choose(self) -> Node:
        cpuct = CPUCT + FACTOR * math.log((self.visits + BASE) / BASE)
        explore = cpuct * math.sqrt(max(self.visits - 1, 1))
        tried = sum(child.prior for child in self.children.values() if child.visits)
        first_play = self.q() - FPU * math.sqrt(tried)

        def score(child: Node) -> float:
            q = -child.q() if child.visits else first_play
            return q + explore * child.prior / (1 + child.visits)

        return max(self.children.values(), key=score)


def plain_search(position: Position, visits: int) -> dict[str, int]:
    root = Node(position)
    for _ in range(visits):
        path = [root]
        while path[-1].children:
            path.append(path[-1].choose())
        value = path[-1].expand()
        for node in reversed(path):
            node.visits += 1
            node.total += value
            value = -value
    return {move: child.visits for move, child in root.children.items()}


@pytest.mark.parametrize("moves", [(), ("e2e4", "c7c5", "g1f3")])
def test_visits_go_where_lc0s_formulas_send_them(moves: tuple[str, ...]) -> None:
    position = Position().play(*moves)
    expected = plain_search(position, 150)
    with kibitz.Engine("chess", "lc0", network=network, threads=1, batch=1) as engine:
        report = engine.analyze(position, visits=150)
    visits_of = {info.move: info.visits for info in report.moves}
    assert visits_of == {move: visits for move, visits in expected.items() if visits}
    assert sum(visits_of.values()) == 149


def test_first_values_are_the_networks() -> None:
    position = Position()
    with kibitz.Engine("chess", "lc0", network=network, threads=1, batch=1) as engine:
        report = engine.analyze(position, visits=80)
    for info in report.moves:
        _, outcome = network(position.play(info.move).state.encode()[0][None], np.zeros((1, 0)))
        assert info.first_value == pytest.approx(1 - outcome[0, 0] - outcome[0, 1] / 2, abs=1e-5)


def test_going_round_in_circles_is_a_draw() -> None:
    """A network that loves to shuffle its knights and never sees a draw: only the repetition is one."""
    state = Position().state
    shuffle = [state.policy_index(state.parse_move(move)) for move in ("g1f3",)]
    shuffle += [Position("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1").state.policy_index(21 | 6 << 6)]

    def shuffler(planes: Array, _: Array) -> tuple[Array, Array]:
        policy = np.zeros((len(planes), 1858), np.float32)
        policy[:, shuffle] = 12
        return policy, np.tile(np.array([[0.5, 0.0, 0.5, 0.0]], np.float32), (len(planes), 1))

    draws = {}
    for on in (False, True):
        with kibitz.Engine("chess", "lc0", network=shuffler, two_fold_draws=on) as engine:
            report = engine.analyze(Position(), visits=8)
            draws[on] = report.root.draw
        assert report.moves[0].line[:4] == ("g1f3", "g8f6", "f3g1", "f6g8")
        assert report.root.proven is None
    assert draws[False] == 0
    assert draws[True] > 0.3


def test_many_threads_and_batches_finish() -> None:
    with kibitz.Engine("chess", "lc0", network=network, threads=2, batch=8) as engine:
        report = engine.analyze(Position(), visits=300)
    assert report.root.visits >= 300
    assert sum(info.visits for info in report.moves) == report.root.visits - 1
