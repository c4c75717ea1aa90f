"""Configurations as TOML: files read within limits, tables as dataclasses, every field checked and named."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any, TypeVar

from kibitz.errors import BadOption
from kibitz.files.limits import MOST_CONFIG, read_file

T = TypeVar("T")


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables of a file; BadOption names it when it is none."""
    name = os.fspath(path)
    try:
        tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ImportError:
        raise BadOption("a configuration needs Python 3.11 or the package tomli") from None
    try:
        tables: dict[str, Any] = tomllib.loads(read_file(path, MOST_CONFIG).decode())
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, a number of too many digits
        raise BadOption(f"{name}: no TOML ({error})") from None
    except OSError as error:
        raise BadOption(f"{name}: {error.strerror or error}") from None
    _check_integers(tables, name, "")
    return tables


def _check_integers(value: Any, file: str, field: str) -> None:
    """TOML's integers have 64 bits; longer ones cannot even be shown."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            _check_integers(item, file, f"{field}.{key}" if field else key)
    elif isinstance(value, list):
        for item in value:
            _check_integers(item, file, field)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise BadOption(f"{file}: {field} is a number of more than 64 bits")


def table_of(kind: type[T], name: str, values: Any) -> T:
    """A table as a dataclass; `name` is empty for the fields above all tables. BadOption names the field that
    is unknown or wrong. Fields that are dataclasses or free mappings are taken as they are."""
    where = f" in [{name}]" if name else ""
    if not isinstance(values, Mapping):
        raise BadOption(f"[{name}] must be a table")
    known = {item.name: item for item in fields(kind)}  # type: ignore[arg-type]
    for key, value in values.items():
        if key not in known:
            raise BadOption(f"unknown field {key!r}{where}; expected one of {', '.join(known)}")
        if not _fits(str(known[key].type), value):
            raise BadOption(f"{key!r}{where} must be a {known[key].type}, got {value!r}")
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in values.items()})


def tables_of(whole: T, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Every table as the dataclass that the field of `whole` with its name is; absent ones have defaults."""
    kinds = {item.name: type(getattr(whole, item.name)) for item in fields(whole)}  # type: ignore[arg-type]
    for name in tables:
        if name not in kinds:
            expected = ", ".join(f"[{kind}]" for kind in kinds)
            raise BadOption(f"unknown table [{name}]; expected one of {expected}")
    return {name: table_of(kind, name, tables.get(name, {})) for name, kind in kinds.items()}


def _fits(expected: str, value: Any) -> bool:
    if expected == "bool":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if expected == "tuple[str, ...]":
        return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
    if expected == "Mapping[str, float]":
        return isinstance(value, Mapping) and all(isinstance(item, (int, float)) for item in value.values())
    kinds: dict[str, type | tuple[type, ...]] = {"str": str, "int": int, "float": (int, float)}
    return isinstance(value, kinds.get(expected, object))
