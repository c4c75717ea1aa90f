"""int8: which ranges the layers of a network need, found by watching it judge positions.

With int8 only convolutions inside the tower run in it: the heads decide the answer and the first one feeds
everything after it. With int8-all every large convolution does, which is faster and a little less exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadRequest
from kibitz.nets.graph import Range
from kibitz.nets.layer_range import LayerRange
from kibitz.nets.session import open_session, usable_cores
from kibitz.nets.tune import has_vnni

if TYPE_CHECKING:
    from kibitz.nets.family import Shape
    from kibitz.nets.runtime import Network

Array = npt.NDArray[np.float32]

#: Hears how many of how many positions are done.
Progress = Callable[[int, int], None]

#: Positions judged at once while layers are watched: what all layers hold is much.
_BATCH = 1
#: Games that are played side by side, and the share of their positions that is taken.
_GAMES, _TAKEN = 8, 0.1
#: In Go a policy holds for some moves: one for so many points of the board is drawn from one look, at most so
#: many. A quarter of the positions looked at is taken then.
_POINTS_A_MOVE, _MOST_MOVES, _MOST_TAKEN = 40, 8, 0.25


def _no_progress(done: int, total: int) -> None:
    pass


def calibrate(
    network: Network,
    planes: Array,
    globals_: Array | None = None,
    *,
    progress: Progress = _no_progress,
) -> dict[str, Range]:
    """The range of every layer that may run in int8, from what it holds while `planes` are judged.

    >>> ranges = calibrate(network, planes, globals)
    """
    if planes.ndim != 4 or not len(planes):
        raise BadRequest("calibration needs planes of at least one position")
    shape = network.shape(planes.shape[2], planes.shape[3])
    graph = network.graph(shape)
    watched = graph.watch_outputs()
    names = list(dict.fromkeys(watched.values()))
    session = open_session(graph, threads=network.threads)
    layers = {name: LayerRange() for name in names}
    batches = range(0, len(planes), _BATCH)

    def judge(start: int) -> list[Array]:
        part = slice(start, start + _BATCH)
        inputs = network.inputs_of(session, planes[part], None if globals_ is None else globals_[part])
        return session.run(names, inputs)

    cores = usable_cores()
    with ThreadPoolExecutor(cores) as pool:
        # What all layers hold is much: only as many batches are kept as there are cores.
        for first in range(0, len(batches), cores):
            for results in pool.map(judge, batches[first : first + cores]):
                for layer, values in zip(layers.values(), results, strict=True):
                    layer.add(values.reshape(-1))
            progress(min(len(planes), (first + cores) * _BATCH), len(planes))
    ranges = {name: layer.best() for name, layer in layers.items()}
    return {name: ranges[output] for name, output in watched.items()}


def best_rounding(
    network: Network,
    runtime: str,
    ranges: Mapping[str, Range],
    planes: Array,
    globals_: Array | None = None,
) -> bool:
    """Whether the runtime should round what int8 layers put out, or only what goes in.

    ONNX Runtime has to, the core has not. OpenVINO is more exact without, but has been seen to go wrong by
    far on a network: so both ways are tried.
    """
    if runtime in ("native", "onnxruntime"):
        return runtime == "onnxruntime"
    shape = network.shape(planes.shape[2], planes.shape[3])
    some = slice(0, 64)
    inputs = planes[some], None if globals_ is None else globals_[some]
    exact = network(*inputs)
    errors = []
    for rounded in (False, True):
        graph = network.graph(shape, ranges, round_outputs=rounded, weight_bits=weight_bits(runtime))
        session = open_session(graph, runtime)
        policy, _ = session.run(("policy", "outcome"), network.inputs_of(session, *inputs))
        errors.append(divergence(exact[0], policy))
    return errors[1] < errors[0]


def weight_bits(runtime: str) -> int:
    """How many bits the weights of an int8 graph get; none for the core, which rounds them after transforming
    them. Without VNNI the sums of two products of eight bits would overflow."""
    if runtime == "native":
        return 0
    return 8 if has_vnni() else 7


def divergence(exact: Array, other: Array) -> float:
    """The mean Kullback-Leibler divergence between policies given as logits."""
    a, b = (logits.astype(np.float64) - logits.max(axis=1, keepdims=True) for logits in (exact, other))
    a, b = (logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)) for logits in (a, b))
    return float((np.exp(a) * (a - b)).sum(axis=1).mean())


class Player(Protocol):
    """A game that can be played by a network: what `collect` needs to know of it."""

    def features(self) -> tuple[Array, Array]:
        """Planes and global inputs of the position."""

    def policy_places(self) -> list[int]:
        """Where the policy has each legal move; empty when the game is over."""

    def play(self, number: int) -> None:
        """Plays the legal move with this number."""


_AnyPlayer = TypeVar("_AnyPlayer", bound=Player)


def collect(
    network: Network,
    games: Iterator[Player],
    count: int,
    *,
    seed: int = 1,
    progress: Progress = _no_progress,
) -> tuple[Array, Array]:
    """Planes and global inputs of `count` positions from games the network plays against itself.

    Moves are drawn from its policy. Eight games run side by side and one position in ten is taken, so that
    the positions are spread over the games. In Go, where a policy holds for some moves, several are drawn
    from one.
    """
    return _collected(network, games, lambda game: game.features(), count, seed, progress)


def _collected(
    network: Network,
    games: Iterator[_AnyPlayer],
    asked: Callable[[_AnyPlayer], tuple[Array, Array]],
    count: int,
    seed: int,
    progress: Progress,
) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    planes: list[Array] = []
    inputs: list[Array] = []
    running = [next(games) for _ in range(_GAMES)]
    cores, moves = usable_cores(), 1
    with ThreadPoolExecutor(cores) as pool:
        while len(planes) < count:
            looks = [asked(game) for game in running]
            if network.game == "go":
                points = looks[0][0][0].size
                moves = max(1, min(_MOST_MOVES, points // _POINTS_A_MOVE))
            shares = (np.array_split(np.stack(part), cores) for part in zip(*looks, strict=True))
            policy = np.concatenate([answer[0] for answer in pool.map(network, *shares)])
            for number, game in enumerate(running):
                if random.random() < min(_TAKEN * moves, _MOST_TAKEN) and len(planes) < count:
                    features = game.features()
                    planes.append(features[0])
                    inputs.append(features[1])
                if not all(_play(game, policy[number], random) for _ in range(moves)):
                    running[number] = next(games)
            progress(len(planes), count)
    return np.stack(planes), np.stack(inputs)


def _play(game: Player, policy: Array, random: np.random.Generator) -> bool:
    """Plays a move drawn from the policy; False where the game is over."""
    places = game.policy_places()
    if not places:
        return False
    logits = policy[places].astype(np.float64)
    chances = np.exp(logits - logits.max())
    game.play(int(random.choice(len(places), p=chances / chances.sum())))
    return True


class StatePlayer:
    """A position of the compiled core as a player of such games, left after `plies` moves.

    The state has the methods of native/bind/sample_binding.h: `encode()` and `policy_index(move)`. It is
    written as the network that draws the moves wants it, `features` those of `other`, the same position.
    """

    def __init__(self, state: Any, plies: int, other: Any = None) -> None:
        self.state = state
        self.other = other
        self.left = plies

    def asked(self) -> tuple[Array, Array]:
        planes, numbers = self.state.encode()
        return planes, numbers

    def features(self) -> tuple[Array, Array]:
        planes, numbers = (self.state if self.other is None else self.other).encode()
        return planes, numbers

    def policy_places(self) -> list[int]:
        if not self.left or self.state.is_over:
            return []
        return [self.state.policy_index(move) for move in self.state.legal_moves()]

    def play(self, number: int) -> None:
        move = self.state.legal_moves()[number]
        self.state = self.state.play(move)
        if self.other is not None:
            self.other = self.other.play(move)
        self.left -= 1


def self_play(
    start: Callable[[Shape], Any],
    progress: Progress = _no_progress,
    player: Callable[[], Network | None] = lambda: None,
) -> Callable[[Network, Shape], tuple[Array, Array]]:
    """The calibration `load` wants, from games that start with the state `start` gives for a board size.

    The network plays them itself, or `player` gives one that is faster to ask.

    >>> games = self_play(lambda shape: kibitz.chess.Position().state)
    >>> network = kibitz.nets.load("maia-1900.pb.gz", precision="int8", calibration=games)
    """

    def calibration(network: Network, shape: Shape) -> tuple[Array, Array]:
        plies = max(100, 2 * shape.rows * shape.columns // 3)
        asked = player() or network

        def games() -> Iterator[StatePlayer]:
            while True:
                state = start(shape)
                other = None if asked is network else network.definition.written(state)
                yield StatePlayer(asked.definition.written(state), plies, other)

        return _collected(asked, games(), StatePlayer.asked, positions_for(shape), 1, progress)

    return calibration


def positions_for(shape: Shape) -> int:
    """How many positions calibrate a board well: about 8,000 points in all."""
    return max(24, min(64, 8_000 // (shape.rows * shape.columns)))
