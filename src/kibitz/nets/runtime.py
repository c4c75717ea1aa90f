"""A network as the search and the protocols use it: positions in, policy and outcome out.

>>> network = kibitz.nets.load("b6c96.bin.gz")
>>> policy, outcomes = network(planes, globals)          # the search's call; any board size
>>> evaluation = network.evaluate(planes, globals)       # everything the network says
>>> lead, ownership = evaluation["lead"], evaluation.ownership
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.errors import BadOption, BadRequest
from kibitz.nets import cache
from kibitz.nets.background import Tuner
from kibitz.nets.families import open_network
from kibitz.nets.family import Definition, Shape
from kibitz.nets.graph import Graph, Range
from kibitz.nets.quantize import best_rounding, calibrate, weight_bits
from kibitz.nets.searching import SearchNetwork
from kibitz.nets.session import RUNTIMES, NativeSession, Session, first_able, installed_runtimes, open_session
from kibitz.nets.tune import Tuning, kept, tuned, untuned, versions

__all__ = ["PRECISIONS", "Calibration", "Evaluation", "Network", "Shape", "load"]

Array = npt.NDArray[np.float32]

#: int8 leaves the first and the head convolutions in fp32; int8-all does not.
PRECISIONS = ("fp32", "int8", "int8-all")
#: Part of every cache key: a new number when graphs are built or calibrated in another way.
_FORM = 7


@dataclass(frozen=True)
class Evaluation:
    """Everything the network says about n positions, for the side to move.

    `outcomes` has the columns win, draw (in Go: no result), loss, score; `details` has a column for each name
    of `names`; `ownership` goes from -1 (the opponent's) to 1, None for networks without that head.
    """

    policy: Array
    outcomes: Array
    details: Array
    names: tuple[str, ...]
    ownership: Array | None

    def __getitem__(self, name: str) -> Array:
        """A column of the details by its name, such as `lead`."""
        return self.details[:, self.names.index(name)]


#: Gives planes and global inputs of positions as the engine plays them, for a board size; see `collect`.
Calibration = Callable[["Network", Shape], tuple[Array, Array]]


def load(
    path: str | Path,
    *,
    game: str | None = None,
    precision: str = "fp32",
    runtime: str = "auto",
    threads: int = 1,
    streams: int = 1,
    calibration: Calibration | None = None,
) -> Network:
    """Reads a network file of any family; `BadNetwork` says in one line why it cannot be used, also because
    it is not for the `game`.

    `runtime` is native (the core), onnxruntime, openvino, or auto: what `tune` found to be the fastest here,
    else the core, or for what that cannot run another one that is installed. int8 needs
    `calibration`: a function that is given the network in fp32 and a board size, and gives positions of games
    it played; it is called once for a board size and machine, the result is kept in the cache.
    """
    return Network(
        open_network(path, game),
        precision=precision,
        runtime=runtime,
        threads=threads,
        streams=streams,
        calibration=calibration,
    )


class Network:
    """One network; sessions for the board sizes it meets are made when they are needed and kept.

    Threads: every method may be called from several threads at once.
    """

    def __init__(
        self,
        definition: Definition,
        *,
        precision: str = "fp32",
        runtime: str = "auto",
        threads: int = 1,
        streams: int = 1,
        calibration: Calibration | None = None,
    ) -> None:
        if precision not in PRECISIONS:
            raise BadOption(f"unknown precision {precision!r}; expected one of {', '.join(PRECISIONS)}")
        if runtime not in ("auto", *RUNTIMES):
            raise BadOption(f"unknown runtime {runtime!r}; expected auto, {' or '.join(RUNTIMES)}")
        self.definition = definition
        self.precision = precision
        #: What was asked for; `runtime` becomes the faster one once that is known.
        self.wanted = self.runtime = runtime
        self.threads = threads
        self.streams = streams
        self.calibration = calibration
        #: How far `network(...)` and `evaluate` go from the plain policy (0) to the optimistic one (1) where
        #: there are two and nothing else is said. A search says it for each position.
        self.optimism = 1.0
        #: How a search uses it, once that is known or `tune_later` was asked.
        self.tuning: Tuning | None = None
        #: How many searches have begun with it.
        self.uses = 0
        self._users = 0
        self._used_until = time.monotonic()
        self._use_lock = threading.Lock()
        self._tuners: dict[Shape, Tuner] = {}
        self._calibrated: dict[Shape, tuple[Mapping[str, Range], Mapping[str, bool]]] = {}
        self._sessions: dict[tuple[int, int], Session] = {}
        self._stems: dict[tuple[int, int], _native.SparseStem] = {}
        self._lock = threading.Lock()

    # -- what it is ----------------------------------------------------------------------------------------

    @property
    def family(self) -> str:
        return self.definition.family

    @property
    def game(self) -> str:
        return self.definition.game

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def path(self) -> Path:
        return self.definition.path

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex."""
        return self.definition.digest

    @property
    def version(self) -> int | None:
        """The version of the file format; Lc0 files have none."""
        return self.definition.version

    @property
    def model(self) -> Any:
        """What the family's reader made of the file."""
        return self.definition.model

    @property
    def details(self) -> tuple[str, ...]:
        """The names of the details an `Evaluation` has."""
        return self.definition.details

    def __repr__(self) -> str:
        return f"<Network {self.name} ({self.family}, {self.precision}, {self.runtime})>"

    def shape(self, rows: int | None = None, columns: int | None = None) -> Shape:
        """The sizes of inputs and outputs; the family's usual board when no size is given."""
        return self.definition.shape(rows, columns)

    # -- running it ----------------------------------------------------------------------------------------

    def graph(self, shape: Shape, ranges: Mapping[str, Range] | None = None, **quantization: Any) -> Graph:
        return self.definition.graph(shape, ranges, **quantization)

    def session(self, rows: int | None = None, columns: int | None = None) -> Session:
        """The session of a board size, made at the first call."""
        shape = self.shape(rows, columns)
        return self._session(shape.rows, shape.columns)

    def _session(self, rows: int, columns: int) -> Session:
        found = self._sessions.get((rows, columns))
        if found is None:
            with self._lock:
                found = self._sessions.get((rows, columns))
                if found is None:
                    shape = self.shape(rows, columns)
                    found = self.open(shape, self.runtime, self.threads, self.streams)
                    self.runtime = found.runtime
                    self._sessions[rows, columns] = found
        return found

    def open(self, shape: Shape, runtime: str, threads: int = 1, streams: int = 1) -> Session:
        """A new session that is not kept; `session` keeps one."""
        if runtime == "auto":
            return first_able(lambda name: self.open(shape, name, threads, streams))
        if self.precision == "fp32":
            graph = self.graph(shape, stem=self._stems_apart(runtime))
        else:
            graph = self._int8_graph(shape, runtime)
        return open_session(graph, runtime, threads, streams)

    def _stems_apart(self, runtime: str) -> bool:
        """A board's planes are mostly zeros: the first convolution is done better outside the graph, but by a
        runtime that knows."""
        return runtime != "native" and self.definition.first is not None

    def _stem(self, rows: int, columns: int) -> _native.SparseStem:
        found = self._stems.get((rows, columns))
        if found is None:
            assert self.definition.first is not None
            weights = np.ascontiguousarray(self.definition.first, np.float32)
            found = self._stems[rows, columns] = _native.SparseStem(weights, rows, columns)
        return found

    def tune(
        self,
        rows: int | None = None,
        columns: int | None = None,
        *,
        progress: Callable[[Tuning], None] | None = None,
    ) -> Tuning:
        """Finds the fastest runtime, threads and batch for a board size, and uses them from now on.

        Call the network from `streams` threads at once, with `batch` positions each.
        """
        best = tuned(self, self.shape(rows, columns), progress=progress)
        self._use(best)
        return best

    def tune_later(
        self,
        rows: int | None = None,
        columns: int | None = None,
        found: Callable[[Tuning], None] = lambda tuning: None,
    ) -> Tuning:
        """How to use the network now, at once: as was measured on this machine before, else by default. Then
        it is measured while no search runs, used from the next search on and handed to `found`."""
        shape = self.shape(rows, columns)
        known = kept(self, shape)
        if known is not None:
            self._use(known)
            return known
        ready = self.precision == "fp32" or self._is_calibrated(shape)
        if self.tuning is None:
            if ready:  # what cannot be run says so now
                self.session(shape.rows, shape.columns)
            self.tuning = untuned("native" if self.runtime == "auto" else self.runtime)

        def use(best: Tuning) -> None:
            self._use(best)
            found(best)

        # Calibration takes too long for a pause between searches.
        if ready and shape not in self._tuners:
            self._tuners[shape] = Tuner(self, shape, use)
            self._tuners[shape].start()
        return self.tuning

    def _use(self, best: Tuning) -> None:
        with self._lock:
            # The core's sessions are the same for any number of threads.
            same = self.runtime == best.runtime == "native"
            self.runtime, self.threads, self.streams = best.runtime, best.threads, best.streams
            self.tuning = best
            if not same:
                self._sessions.clear()

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """While a search runs: nothing is measured meanwhile."""
        with self._use_lock:
            self.uses += 1
            self._users += 1
        try:
            yield
        finally:
            with self._use_lock:
                self._users -= 1
                self._used_until = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        with self._use_lock:
            return 0.0 if self._users else time.monotonic() - self._used_until

    # -- int8 ----------------------------------------------------------------------------------------------

    def reference(self) -> Network:
        """The same network in fp32, beside this one."""
        return Network(self.definition, runtime=self.runtime, threads=self.threads)

    def calibrate(self, planes: Array, globals_: Array | None = None) -> dict[str, Range]:
        """Finds the ranges int8 needs from positions of one board size, and keeps them in the cache."""
        shape = self.shape(*planes.shape[2:])
        reference = self.reference()
        ranges = calibrate(reference, planes, globals_)
        rounded = {
            runtime: best_rounding(reference, runtime, ranges, planes, globals_)
            for runtime in installed_runtimes()
        }
        kept = {"ranges": ranges, "rounded": rounded}
        cache.write(self._ranges_name(shape), json.dumps(kept).encode())
        self._calibrated[shape] = (ranges, rounded)
        return ranges

    def _ranges_name(self, shape: Shape) -> str:
        return "int8/" + cache.key_of(_FORM, self.digest, shape, versions(), "ranges") + ".json"

    def _int8_graph(self, shape: Shape, runtime: str) -> Graph:
        ranges, rounded = self._calibration_of(shape)
        edges = self.precision == "int8-all"
        return self.graph(
            shape,
            ranges,
            edges=edges,
            round_outputs=rounded[runtime],
            weight_bits=weight_bits(runtime),
            stem=not edges and self._stems_apart(runtime),
        )

    def _is_calibrated(self, shape: Shape) -> bool:
        data = None if shape in self._calibrated else cache.read(self._ranges_name(shape))
        if data is not None:
            both = json.loads(data)
            ranges = {name: (low, high) for name, (low, high) in both["ranges"].items()}
            self._calibrated[shape] = (ranges, both["rounded"])
        return shape in self._calibrated

    def _calibration_of(self, shape: Shape) -> tuple[Mapping[str, Range], Mapping[str, bool]]:
        """Ranges of the layers, and which runtimes want the outputs rounded too."""
        if not self._is_calibrated(shape):
            if self.calibration is None:
                size = f"{shape.rows}x{shape.columns}"
                raise BadRequest(
                    f"{self.name} is not calibrated for int8 on {size}; use fp32 or calibrate it first"
                )
            self.calibrate(*self.calibration(self.reference(), shape))
        return self._calibrated[shape]

    # -- asking it -----------------------------------------------------------------------------------------

    def __call__(self, planes: Array, globals_: Array | None = None) -> tuple[Array, Array]:
        """(policy logits [n, P], outcomes [n, 4] = win, draw, loss, score), for the side to move."""
        session = self._session(planes.shape[2], planes.shape[3])
        policy, outcomes = session.run(("policy", "outcome"), self.inputs_of(session, planes, globals_))
        return policy, outcomes

    def for_search(self) -> SearchNetwork:
        """The network as `Engine` gives it to a search."""
        return SearchNetwork(self)

    def direct(self, rows: int, columns: int, details: Sequence[int] = ()) -> _native.DirectNetwork | None:
        """What a search of the core calls without a way through Python, if the network runs in the core;
        `details` are the columns it gives beside the outcome."""
        session = self._session(rows, columns)
        return session.direct(details) if isinstance(session, NativeSession) else None

    def evaluate(
        self, planes: Array, globals_: Array | None = None, optimism: float | Array | None = None
    ) -> Evaluation:
        """Policy, outcomes, details and ownership. `optimism` is a number or one for each position."""
        session = self._session(planes.shape[2], planes.shape[3])
        owners = "ownership" in self.definition.heads
        names = ["policy", "outcome", "details", *(["ownership"] if owners else [])]
        results = session.run(names, self.inputs_of(session, planes, globals_, optimism))
        ownership = results[3] if owners else None
        return Evaluation(results[0], results[1], results[2], self.details, ownership)

    def inputs_of(
        self,
        session: Session,
        planes: Array,
        globals_: Array | None = None,
        optimism: float | Array | None = None,
    ) -> dict[str, Array]:
        """The inputs a session of this network wants, by name."""
        if "stem" in session.inputs:
            inputs = {"stem": self._stem(*planes.shape[2:])(np.ascontiguousarray(planes, np.float32))}
        else:
            inputs = {"planes": planes}
        if "globals" in session.inputs:
            if globals_ is None:
                raise BadRequest(f"{self.name} needs the global inputs too")
            inputs["globals"] = globals_
        if "optimism" in session.inputs:
            value = self.optimism if optimism is None else optimism
            column = np.broadcast_to(np.asarray(value, np.float32).reshape(-1, 1), (len(planes), 1))
            inputs["optimism"] = np.ascontiguousarray(column)
        return inputs
