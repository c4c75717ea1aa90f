"""int8: which ranges the layers of a network need, found by watching it judge positions.

With int8 only convolutions inside the tower run in it: the heads decide the answer and the first one feeds
everything after it. With int8-all every large convolution does, which is faster and a little less exact.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadRequest
from kibitz.nets.graph import Range
from kibitz.nets.session import open_session, usable_cores
from kibitz.nets.tune import has_vnni

if TYPE_CHECKING:
    from kibitz.nets.family import Shape
    from kibitz.nets.runtime import Network

Array = npt.NDArray[np.float32]

#: Hears how many of how many positions are done.
Progress = Callable[[int, int], None]

_BATCH = 8
#: Games that are played side by side, the share of their positions that is taken, and how many seconds all
#: looks of the network at them may take before it is asked for several moves at once.
_GAMES, _TAKEN, _PLAY_SECONDS = 16, 0.1, 30.0
_MOST_MOVES = 4
#: Values kept of each layer; the ends of the range are always among them.
_SAMPLES = 1 << 17
#: Shares of the whole range that are tried as the range of int8; what lies outside is cut off.
_SHARES = tuple(np.linspace(0.3, 1.0, 36).tolist())


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
    graph.watch_outputs()
    names = list(graph.watched)
    session = open_session(graph, threads=network.threads)
    random = np.random.default_rng(1)
    lows = dict.fromkeys(names, 0.0)
    highs = dict.fromkeys(names, 0.0)
    samples: dict[str, list[Array]] = {name: [] for name in names}
    batches = range(0, len(planes), _BATCH)
    share = _SAMPLES // len(batches) + 1

    def judge(start: int) -> list[Array]:
        part = slice(start, start + _BATCH)
        inputs = network.inputs_of(session, planes[part], None if globals_ is None else globals_[part])
        return session.run(names, inputs)

    cores = usable_cores()
    with ThreadPoolExecutor(cores) as pool:
        # What all layers hold is much: only as many batches are kept as there are cores.
        for first in range(0, len(batches), cores):
            for results in pool.map(judge, batches[first : first + cores]):
                for name, values in zip(names, results, strict=True):
                    flat = values.reshape(-1)
                    lows[name] = min(lows[name], float(flat.min()))
                    highs[name] = max(highs[name], float(flat.max()))
                    samples[name].append(flat[random.integers(0, len(flat), min(share, len(flat)))])
            progress(min(len(planes), (first + cores) * _BATCH), len(planes))
    return {name: _best_range(np.concatenate(samples[name]), lows[name], highs[name]) for name in names}


def _best_range(values: Array, low: float, high: float) -> Range:
    """The part of the range whose 256 steps err least: fine steps against values cut off."""
    best, least = (low, high), np.inf
    values = values.astype(np.float64)
    for share in _SHARES:
        step = share * (high - low) / 255
        if step <= 0:
            return low, high
        zero = np.rint(-share * low / step)
        rounded = (np.clip(np.rint(values / step) + zero, 0, 255) - zero) * step
        error = float(np.square(rounded - values).mean())
        if error < least:
            best, least = (share * low, share * high), error
    return best


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


def collect(
    network: Network,
    games: Iterator[Player],
    count: int,
    *,
    seed: int = 1,
    progress: Progress = _no_progress,
) -> tuple[Array, Array]:
    """Planes and global inputs of `count` positions from games the network plays against itself.

    Moves are drawn from its policy. Sixteen games run side by side and one position in ten is taken, so that
    the positions are spread over the games. A network that takes long is asked less often: in Go, where a
    policy holds for a few moves, up to four of them are drawn from one.
    """
    random = np.random.default_rng(seed)
    planes: list[Array] = []
    inputs: list[Array] = []
    running: list[Player] = [next(games) for _ in range(_GAMES)]
    cores, moves, looks = usable_cores(), 1, 0
    with ThreadPoolExecutor(cores) as pool:
        while len(planes) < count:
            features = [game.features() for game in running]
            shares = (np.array_split(np.stack(part), cores) for part in zip(*features, strict=True))
            begun = time.perf_counter()
            policy = np.concatenate([answer[0] for answer in pool.map(network, *shares)])
            looks += 1
            if looks == 2 and network.game == "go":  # the first one also built the network
                whole = (time.perf_counter() - begun) * count / (_GAMES * _TAKEN)
                moves = min(_MOST_MOVES, max(1, math.ceil(whole / _PLAY_SECONDS)))
            for number, game in enumerate(running):
                if random.random() < _TAKEN * moves and len(planes) < count:
                    planes.append(features[number][0])
                    inputs.append(features[number][1])
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

    The state has the methods of native/bind/sample_binding.h: `encode()` and `policy_index(move)`.
    """

    def __init__(self, state: Any, plies: int) -> None:
        self.state = state
        self.left = plies

    def features(self) -> tuple[Array, Array]:
        planes, numbers = self.state.encode()
        return planes, numbers

    def policy_places(self) -> list[int]:
        if not self.left or self.state.is_over:
            return []
        return [self.state.policy_index(move) for move in self.state.legal_moves()]

    def play(self, number: int) -> None:
        self.state = self.state.play(self.state.legal_moves()[number])
        self.left -= 1


def self_play(
    start: Callable[[Shape], Any], progress: Progress = _no_progress
) -> Callable[[Network, Shape], tuple[Array, Array]]:
    """The calibration `load` wants, from games that start with the state `start` gives for a board size.

    >>> games = self_play(lambda shape: kibitz.chess.Position().state)
    >>> network = kibitz.nets.load("maia-1900.pb.gz", precision="int8", calibration=games)
    """

    def calibration(network: Network, shape: Shape) -> tuple[Array, Array]:
        plies = max(100, 2 * shape.rows * shape.columns // 3)
        written = network.definition.written
        games = (StatePlayer(written(start(shape)), plies) for _ in itertools.count())
        return collect(network, games, positions_for(shape), progress=progress)

    return calibration


def positions_for(shape: Shape) -> int:
    """How many positions calibrate a board well: about 50,000 points in all."""
    return max(64, min(512, 50_000 // (shape.rows * shape.columns)))
