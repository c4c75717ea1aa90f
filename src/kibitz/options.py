"""Search options as Python sees them. The native core owns the table (native/search/options.h); names,
limits, defaults, the cost of a change and other programs' names are read from it, so an option is written
down once.

>>> native_options({"c": 0.7}).c
0.7
>>> native_options({"draw_score": 0.5}).cost_of_change(native_options({})) is Cost.VALUES
True
>>> [(row.name, peer.name) for row, peer in peer_options("lc0")][:2]
[('cpuct', 'CPuct'), ('cpuct_base', 'CPuctBase')]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Protocol, TypeVar

from kibitz import _native
from kibitz._native import Cost
from kibitz.errors import BadOption

#: Visits for each position that may be judged at the same time, so that searches stay as good.
_VISITS_A_LEAF = 64


def search_width(visits: int | None, streams: int, batch: int, threads: int | None = None) -> dict[str, int]:
    """Threads and batch of a search of so many visits (None: many) with a network that is asked fastest from
    `streams` threads with `batch` positions each. Short searches take fewer, to lose no accuracy.

    >>> search_width(256, 2, 8)
    {'threads': 2, 'batch': 2}
    """
    room = max(1, (visits or 2**50) // _VISITS_A_LEAF)
    threads = threads or min(streams, room)
    return {"threads": threads, "batch": max(1, min(batch, room // threads))}


@cache
def table() -> dict[str, _native.OptionInfo]:
    """Every option by name, in the order of the documentation."""
    return {row.name: row for row in _native.option_table()}


@cache
def peer_options(program: str) -> tuple[tuple[_native.OptionInfo, _native.PeerOption], ...]:
    """The options that a program ("katago" or "lc0") has a name for, each with that name. One name may stand
    for several options, and one option may have several names."""
    return tuple((row, peer) for row in table().values() for peer in row.peers if peer.program == program)


def native_options(values: Mapping[str, Any]) -> _native.Options:
    """Checked values for the native search; an unknown name or a wrong value raises BadOption."""
    return fill(_native.Options(), table(), values)


@dataclass(frozen=True)
class OwnOptions:
    """Options of one game beside those of the search, in a native table of their own: what a plan is made
    with."""

    #: Every row, and an object that holds values of them.
    rows: Callable[[], Sequence[_native.OptionInfo]]
    make: Callable[[], Any]

    def table(self) -> dict[str, _native.OptionInfo]:
        return {row.name: row for row in self.rows()}

    def native(self, values: Mapping[str, Any]) -> Any:
        """The game's own among `values`, checked; the others are somebody else's."""
        rows = self.table()
        return fill(self.make(), rows, {name: value for name, value in values.items() if name in rows})


class _Joined:
    """Options of several tables as one object."""

    def __init__(self, parts: Sequence[tuple[Mapping[str, _native.OptionInfo], Any]]) -> None:
        self._parts = parts

    def set(self, name: str, text: str) -> None:
        next(options for rows, options in self._parts if name in rows).set(name, text)

    def cost_of_change(self, after: _Joined) -> Cost:
        pairs = zip(self._parts, after._parts, strict=True)
        costs: list[Cost] = [mine.cost_of_change(theirs) for (_, mine), (_, theirs) in pairs]
        return max(costs)

    def __getattr__(self, name: str) -> Any:
        for rows, options in self.__dict__.get("_parts", ()):
            if name in rows:
                return getattr(options, name)
        raise AttributeError(name)


def joined(*tables: OwnOptions) -> OwnOptions:
    """The options of several tables as those of one game."""
    return OwnOptions(
        lambda: [row for table in tables for row in table.rows()],
        lambda: _Joined([(table.table(), table.make()) for table in tables]),
    )


#: Of the alpha-beta family, for every game that has it.
ALPHA_BETA = OwnOptions(_native.alpha_beta_option_table, _native.AlphaBetaOptions)


Filled = TypeVar("Filled", bound="Settable")


class Settable(Protocol):
    """Options of the native core: a table's rows as attributes."""

    def set(self, name: str, text: str) -> None: ...


def fill(options: Filled, rows: Mapping[str, _native.OptionInfo], values: Mapping[str, Any]) -> Filled:
    """The `options` that `rows` describe, with `values` set; an unknown name or a wrong value raises
    BadOption."""
    for name, value in values.items():
        if _native.current_option_name(name) not in rows:
            near = get_close_matches(name, rows, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(rows)}"
            raise BadOption(f"unknown option {name!r}{hint}")
        try:
            options.set(name, str(value).lower() if isinstance(value, bool) else str(value))
        except ValueError as error:
            raise BadOption(str(error)) from None
    return options
