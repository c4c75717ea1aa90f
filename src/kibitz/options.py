"""Search options as Python sees them. The native core owns the table (native/search/options.h); names,
limits and defaults are read from it, so an option is written down once.

>>> native_options({"c": 0.7}).c
0.7
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Protocol, TypeVar

from kibitz import _native
from kibitz.errors import BadOption

__all__ = ["fill", "native_options", "table"]


@cache
def table() -> dict[str, _native.OptionInfo]:
    """Every option by name, in the order of the documentation."""
    return {row.name: row for row in _native.option_table()}


def native_options(values: Mapping[str, Any]) -> _native.Options:
    """Checked values for the native search; an unknown name or a wrong value raises BadOption."""
    return fill(_native.Options(), table(), values)


Filled = TypeVar("Filled", bound="Settable")


class Settable(Protocol):
    """Options of the native core: a table's rows as attributes."""

    def set(self, name: str, text: str) -> None: ...


def fill(options: Filled, rows: Mapping[str, _native.OptionInfo], values: Mapping[str, Any]) -> Filled:
    """The `options` that `rows` describe, with `values` set; an unknown name or a wrong value raises
    BadOption."""
    for name, value in values.items():
        if name not in rows:
            near = get_close_matches(name, rows, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(rows)}"
            raise BadOption(f"unknown option {name!r}{hint}")
        try:
            options.set(name, str(value).lower() if isinstance(value, bool) else str(value))
        except ValueError as error:
            raise BadOption(str(error)) from None
    return options
