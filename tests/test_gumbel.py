"""Gumbel selection against a reference of its own, written from the paper: the same visits, the same improved
policy. And what holds for every rule: guaranteed visits, avoid, allow, votes, audit."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.engine import Engine

VISITS, SCALE = 50.0, 1.0


def network(planes: Any, numbers: Any) -> tuple[Any, Any]:
    """Numbers that look random and depend on the position alone."""
    flat = planes.reshape(len(planes), -1).astype(np.float64)
    weights = np.random.default_rng(5).normal(size=(flat.shape[1], 68))
    answers = flat @ weights
    policy = np.sin(answers[:, :65]) * 2.0
    odds = np.exp(np.sin(answers[:, 65:68]))
    outcome = odds / odds.sum(axis=1, keepdims=True)
    outcomes = np.concatenate([outcome, np.zeros((len(planes), 1))], axis=1)
    return policy.astype(np.float32), np.ascontiguousarray(outcomes, np.float32)


@dataclass
class Node:
    """The reference's tree; values are the mover's own."""

    state: Any
    prior: float = 0.0
    own: float = 0.5
    visits: int = 0
    total: float = 0.0  # for the first side
    children: dict[int, Node] = field(default_factory=dict)

    def q(self, mover: int) -> float:
        mean = self.total / self.visits
        return mean if mover == 0 else 1.0 - mean


def evaluate(node: Node) -> float:
    """Expands a leaf; its value for the first side."""
    state = node.state
    if state.is_over:
        return float(state.result())
    planes, numbers = state.encode()
    policy, outcome = network(planes[None], numbers[None])
    moves = state.legal_moves()
    logits = np.array([policy[0, state.policy_index(move)] for move in moves], np.float64)
    priors = np.exp(logits - logits.max())
    priors /= priors.sum()
    order = sorted(range(len(moves)), key=lambda i: -priors[i])
    node.children = {moves[i]: Node(state.play(moves[i]), float(priors[i])) for i in order}
    value = float(outcome[0, 0] + 0.5 * outcome[0, 1])
    node.own = value
    return value if state.to_move == 0 else 1.0 - value


def improved(node: Node) -> tuple[dict[int, float], float, float]:
    """The softmax of log priors and scaled completed values; the scale; the value of untried moves."""
    mover = node.state.to_move
    tried = {move: kid for move, kid in node.children.items() if kid.visits}
    n = sum(kid.visits for kid in tried.values())
    mixed = node.own
    if n:
        weight = sum(kid.prior for kid in tried.values())
        mean = sum(kid.prior * kid.q(mover) for kid in tried.values()) / weight
        mixed = (node.own + n * mean) / (1 + n)
    scale = (VISITS + max((kid.visits for kid in tried.values()), default=0)) * SCALE
    logits = {
        move: math.log(kid.prior) + scale * (kid.q(mover) if kid.visits else mixed)
        for move, kid in node.children.items()
    }
    most = max(logits.values())
    weights = {move: math.exp(logit - most) for move, logit in logits.items()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}, scale, mixed


def halving(moves: int, simulations: int) -> list[int]:
    """The visits that the move chosen at each simulation has had before."""
    if moves <= 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(moves))
    sequence: list[int] = []
    visits = [0] * moves
    left = moves
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            sequence += visits[:left]
            visits = [count + 1 if i < left else count for i, count in enumerate(visits)]
        left = max(2, left // 2)
    return sequence[:simulations]


def search(state: Any, simulations: int, considered: int) -> Node:
    root = Node(state)
    root.total, root.visits = evaluate(root), 1
    order = halving(min(considered, len(root.children)), simulations)
    for wanted in order:
        _, scale, mixed = improved(root)
        mover = state.to_move

        def root_score(
            item: tuple[int, Node], scale: float = scale, mixed: float = mixed, mover: int = mover
        ) -> float:
            kid = item[1]
            return math.log(kid.prior) + scale * (kid.q(mover) if kid.visits else mixed)

        level = [item for item in root.children.items() if item[1].visits == wanted]
        node = max(level, key=root_score)[1]
        path = [root, node]
        while node.children:
            policy, _, _ = improved(node)
            n = sum(kid.visits for kid in node.children.values())
            move = max(node.children, key=lambda m: policy[m] - node.children[m].visits / (1 + n))
            node = node.children[move]
            path.append(node)
        value = evaluate(node)
        for each in path:
            each.visits += 1
            each.total += value
    return root


def engine(**options: Any) -> Engine:
    fixed = {"rule": "gumbel", "gumbel_noise": 0.0, "proofs": False, "solve_root": 0, "solve_leaves": 0}
    return Engine("othello", "uct", network=network, evaluator="network", **{**fixed, **options})


def positions() -> list[kibitz.othello.Position]:
    early = kibitz.othello.Position().play("d3", "c5", "d6")
    late = early
    while len(late.moves) < 50 and not late.is_over:
        late = late.play(late.legal_moves[len(late.moves) % len(late.legal_moves)])
    return [early, late]


@pytest.mark.parametrize(("visits", "considered"), [(2, 16), (9, 4), (17, 16), (64, 16), (100, 3)])
def test_same_as_the_reference(visits: int, considered: int) -> None:
    for position in positions():
        report = engine(gumbel_moves=considered).analyze(position, visits=visits)
        root = search(position.state, visits - 1, considered)
        tried = {move: kid.visits for move, kid in root.children.items() if kid.visits}
        text = position.state.move_text
        assert {info.move: info.visits for info in report.moves} == {text(m): n for m, n in tried.items()}
        policy, _, _ = improved(root)
        told = {info.move: info.improved for info in report.moves}
        for move in tried:
            assert told[text(move)] == pytest.approx(policy[move], abs=1e-4)
        assert report.root.value == pytest.approx(root.q(position.state.to_move), abs=1e-5)


def test_best_move_has_the_most_visits_and_the_best_sum() -> None:
    for position in positions():
        report = engine().analyze(position, visits=33)
        root = search(position.state, 32, 16)
        most = max(kid.visits for kid in root.children.values())
        policy, _, _ = improved(root)
        best = max((m for m, kid in root.children.items() if kid.visits == most), key=policy.__getitem__)
        assert report.best == position.state.move_text(best)


def test_noise_draws_moves_by_their_priors() -> None:
    """With one simulation, the move with the largest sum of log prior and Gumbel noise is a draw from the
    priors."""
    position = positions()[0]
    priors = engine().analyze(position, visits=2).policy
    drawn: Counter[str] = Counter()
    player = engine(gumbel_noise=1.0)
    for seed in range(600):
        player.new_game(seed)
        drawn[player.analyze(position, visits=2).best] += 1
    for move, prior in priors.items():
        assert drawn[move] / 600 == pytest.approx(prior, abs=4 * math.sqrt(prior * (1 - prior) / 600) + 1e-9)


def test_steering_holds() -> None:
    position = positions()[0]
    plain = engine().analyze(position, visits=40)
    worst = min(plain.moves, key=lambda info: info.value).move
    included = engine().analyze(position, visits=40, include=[worst], min_visits=12)
    asked = next(info for info in included.moves if info.move == worst)
    assert asked.visits >= 12
    assert asked.guaranteed == 12
    assert included.steering.honoured
    # Guaranteed visits are not the search's own: sequential halving goes the same way without them.
    own = {info.move: info.visits - info.guaranteed for info in included.moves}
    assert sum(own.values()) == sum(info.visits for info in plain.moves)
    assert included.best == plain.best
    avoided = engine().analyze(position, visits=40, avoid=[plain.best])
    assert plain.best not in {info.move for info in avoided.moves}
    allowed = [plain.moves[1].move, worst]
    only = engine().analyze(position, visits=40, allow=allowed)
    assert {info.move for info in only.moves if info.visits} == set(allowed)
    assert only.best in allowed


def test_weights_count_as_priors() -> None:
    position = positions()[0]
    plain = engine().analyze(position, visits=2)
    move = min(plain.policy, key=plain.policy.__getitem__)
    assert plain.best != move
    heavy = engine().analyze(position, visits=2, weights={move: 1e3})
    assert heavy.best == move


def test_no_limit_of_visits_follows_the_improved_policy() -> None:
    """Without a number of visits to plan for, the root is chosen at as any other node."""
    position = positions()[0]
    report = engine().analyze(position, seconds=0.2)
    assert report.root.visits > 16
    assert report.moves[0].visits == max(info.visits for info in report.moves)


def test_playouts_threads_and_batches() -> None:
    position = positions()[0]
    report = kibitz.analyze(position, preset="uct", options={"rule": "gumbel", "threads": 3}, visits=300)
    assert report.root.visits >= 300
    batched = engine(batch=4).analyze(position, visits=60)
    assert batched.root.visits == 60
    assert batched.best in {info.move for info in batched.moves if info.visits > 4}
