"""Games of self-play that the core plays, many at once: leaves of different games share a network's batches,
and no Python runs between the moves (native/search/selfplay.h).

Threads: `play` blocks until its game is over, and is to be called from as many threads as games are to be
played at once. `close` may be called from any.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kibitz import _native
from kibitz.arena.referee import seed_of
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.bundled import NONE
from kibitz.options import native_options
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.openings import Line, draw_line
from kibitz.training.settings import SelfplaySettings

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = ["CorePlayer", "PackedPositions", "TaughtPositions"]


class TaughtPositions(NamedTuple):
    """The positions of a game that teach something, a row for each; targets are the side to move's."""

    sides: npt.NDArray[np.int32]
    planes: Floats
    globals: Floats
    #: Row i has the policy's entries from starts[i] to starts[i + 1].
    starts: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    shares: Floats
    #: (win, draw, loss) of the game; all zero where it was broken off.
    values: Floats
    #: Margin and owners at the end; None where there are none, also in games that were given up.
    scores: Floats | None
    owners: Floats | None
    #: What the search said of the position, from 0 to 1.
    root_values: Floats
    plies: npt.NDArray[np.int32]


class PackedPositions(NamedTuple):
    """The same on its way between processes: planes of zeros and ones as bits, owners as bytes."""

    others: TaughtPositions
    shape: tuple[int, ...]
    binary: npt.NDArray[np.bool_]
    bits: npt.NDArray[np.uint8]
    rest: Floats
    owners: npt.NDArray[np.int8] | None

    @classmethod
    def of(cls, positions: TaughtPositions) -> PackedPositions:
        planes, owners = positions.planes, positions.owners
        flat = planes.reshape(planes.shape[0], planes.shape[1], -1)
        binary = ((flat == 0) | (flat == 1)).all(axis=(0, 2))
        small = None
        if owners is not None and np.array_equal(owners.astype(np.int8), owners):
            small, owners = owners.astype(np.int8), None
        others = positions._replace(planes=planes[:0], owners=owners)
        bits = np.packbits(flat[:, binary].astype(bool), axis=2)
        return cls(others, planes.shape, binary, bits, flat[:, ~binary], small)

    def unpacked(self) -> TaughtPositions:
        """Equal to what was packed, to the last bit."""
        count, planes, rows, columns = self.shape
        flat = np.empty((count, planes, rows * columns), np.float32)
        flat[:, self.binary] = np.unpackbits(self.bits, axis=2, count=rows * columns)
        flat[:, ~self.binary] = self.rest
        owners = self.others.owners if self.owners is None else self.owners.astype(np.float32)
        return self.others._replace(planes=flat.reshape(self.shape), owners=owners)


#: Memory of a game's tree; few visits need little.
_MEMORY_MB = 256


class CorePlayer:
    """Plays the games of a run, any of them, in any order: game 7 is always the same game."""

    def __init__(
        self,
        settings: SelfplaySettings,
        network: Any = None,
        lines: tuple[Line, ...] = (),
        *,
        at_once: int = 1,
        threads: int = 1,
        samples: bool = False,
        style_planes: bool = False,
    ) -> None:
        self._settings = settings
        self._style_planes = style_planes
        #: How the network wants positions to be written.
        self._shown = getattr(network, "shown", lambda position: position.state)
        self._lines = lines
        self._samples = samples
        self._info = info = registry.get(settings.game)
        # A network learns from the whole game, so it is shown the whole game.
        options: dict[str, Any] = {"threads": 1, "batch": 1, "memory_mb": _MEMORY_MB, "history": "full"}
        # The engine knows which options a preset and a network stand for, and refuses what is wrong.
        used = NONE if network is None else network
        engine = Engine(settings.game, settings.preset, network=used, **{**options, **settings.options})
        names = {} if info.own_options is None else info.own_options.table()
        rules = _native.SelfplayRules()
        rules.options = native_options(
            {name: value for name, value in engine.options.items() if name not in names}
        )
        rules.set_budget(settings.budget.visits, settings.budget.simulations)
        for name in (
            "fast_visits", "full_share", "temperature", "temperature_plies", "plies",
            "resign", "resign_plies", "play_out",
        ):  # fmt: skip
            setattr(rules, name, getattr(settings, name))
        self._start = info.position(settings.position or None)
        assert info.selfplay is not None, "the settings say so"
        first = self._shown(self._start)
        info.search(first, rules.options, network)  # loads what the game's searches need
        self._native = info.selfplay(first, rules, network, at_once=at_once, threads=threads)

    def play(self, number: int) -> PlayedGame:
        settings = self._settings
        line = draw_line(settings, self._lines, random.Random(f"selfplay {settings.seed} {number}"))
        start = self._start
        if line is not None and line.start is not None:
            start = self._info.position(line.start)
        position, opening = start, []
        for move in line.moves if line else ():
            opening.append(position.parse_move(move))
            position = position.play(move)
        record = self._native.play(number, self._shown(start), opening, seed_of(settings.seed, number))
        given = (line is not None and line.start is not None) or bool(settings.position)
        return self._told(record, line, start.notation if given else None)

    @property
    def batches(self) -> tuple[int, int]:
        """Batches that were evaluated, and the positions in them."""
        return self._native.batches, self._native.leaves

    def close(self) -> None:
        self._native.close()

    def _told(self, record: Any, line: Line | None, start: str | None) -> PlayedGame:
        state = record.start
        moves: list[str] = []
        searches: list[SearchedMove | None] = []
        sides: list[int] = []
        taught = self._settings.options.get("rule") == "gumbel"
        for move, (full, value, entries) in zip(record.moves, record.searches, strict=True):
            if entries:
                texts = [state.move_text(entry[0]) for entry in entries]
                searched = [(text, entry) for text, entry in zip(texts, entries, strict=True) if entry[1]]
                policy = {text: round(entry[3], 6) for text, entry in zip(texts, entries, strict=True)}
                searches.append(
                    SearchedMove(
                        {text: entry[1] for text, entry in searched},
                        {text: round(entry[2], 4) for text, entry in searched},
                        round(value, 4),
                        policy if taught else None,
                        full,
                    )
                )
            else:
                searches.append(None)
            sides.append(state.to_move)
            moves.append(state.move_text(move))
            state = state.play(move)
        positions = None
        if self._samples:
            written = None
            if self._style_planes:
                written = record.start.written_as("classical", list(_native.STYLE_PLANES))
            arrays = record.samples(written)
            positions = TaughtPositions(np.array(sides, np.int32)[arrays[-1]], *arrays)
        return PlayedGame(
            record.id,
            self._settings.game,
            start,
            tuple(moves),
            tuple(searches),
            None if record.result < 0 else record.result,
            line.name if line else "",
            line.eco if line else "",
            None if record.resigned < 0 else record.resigned,
            None if record.resigned < 0 else record.resigned_ply,
            record.resigned >= 0 and record.played_out,
            positions,
        )
