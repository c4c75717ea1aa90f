"""Dataclasses as JSON and back, without loss. Keys are camelCase, as KataGo has them.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Limit(JsonForm):
...     most_visits: int = 1
>>> Limit(5).to_json()
'{"mostVisits": 5}'
>>> Limit.from_json('{"mostVisits": 7}')
Limit(most_visits=7)

What comes from outside is checked against the fields' types; an error names the field and what was expected.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import json
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, TypeVar

from kibitz.errors import BadRequest

#: Letters of JSON text that are read, entries of a list or a table.
MOST_LETTERS = 64 * 2**20
MOST_ENTRIES = 200_000

T = TypeVar("T", bound="JsonForm")

#: JSON has no words for these.
_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class JsonForm:
    """A dataclass that has a JSON form. The class variables say how its fields are written."""

    #: Fields left out where they hold nothing: None, or an empty text, list or table.
    json_optional: ClassVar[frozenset[str]] = frozenset()
    #: Keys of earlier versions: written beside the new ones, and read where those are missing.
    json_former: ClassVar[Mapping[str, str]] = {}
    #: Leave out every field that has its default.
    json_sparse: ClassVar[bool] = False
    #: Tables whose keys are names of ours, not moves or options, and so are camelCase too.
    json_named: ClassVar[frozenset[str]] = frozenset()
    #: Refuse fields that are not known. A reader of reports takes them for a newer version's.
    json_strict: ClassVar[bool] = True
    #: How fields are read that are no plain data.
    json_readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        data = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.name in self.json_optional and (
                value is None or value is False or value in ((), "", {})
            ):
                continue
            if self.json_sparse and value == _default(field):
                continue
            plain = encode(value)
            if field.name in self.json_named and isinstance(plain, dict):
                plain = {camel(name): item for name, item in plain.items()}
            data[camel(field.name)] = plain
            if field.name in self.json_former:
                data[self.json_former[field.name]] = plain
        return data

    @classmethod
    def from_dict(cls: type[T], data: Mapping[str, Any]) -> T:
        """What `to_dict` described."""
        return cls(**decode_fields(cls, data))

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls: type[T], text: str | bytes) -> T:
        return cls.from_dict(load(text))


@functools.lru_cache(4096)
def camel(name: str) -> str:
    """`line_length` is `lineLength`."""
    head, *tail = name.split("_")
    return head + "".join(word.title() for word in tail)


def camel_keys(data: Any) -> Any:
    """Plain data whose keys are all names of ours, with those in camelCase."""
    if isinstance(data, Mapping):
        return {camel(str(key)): camel_keys(item) for key, item in data.items()}
    return [camel_keys(item) for item in data] if isinstance(data, (list, tuple)) else data


def load(text: str | bytes) -> Any:
    """JSON text as plain data; BadRequest says what is wrong with it."""
    if len(text) > MOST_LETTERS:
        raise BadRequest(f"the JSON text is longer than {MOST_LETTERS} letters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"not JSON: {error}") from None


_PLAIN = frozenset({str, int, bool})


def encode(value: Any) -> Any:
    """Plain data for what a field holds."""
    if value is None or type(value) in _PLAIN or (type(value) is float and math.isfinite(value)):
        return value  # most of a report
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return next(name for name, number in _NUMBERS.items() if value == number or value != value)
    return value


def decode_fields(cls: type[JsonForm], data: Any, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """The arguments that make a `cls` of plain data, but for the fields to `skip`."""
    if not isinstance(data, Mapping):
        raise BadRequest(f"{cls.__name__} is a table of fields, got {_kind(data)}")
    names = {camel(field.name): field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    if cls.json_strict:
        for key in data:
            if key not in names and key not in cls.json_former.values():
                near = difflib.get_close_matches(str(key), names, 1)
                hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(names)}"
                raise BadRequest(f"{cls.__name__} has no field {str(key)[:40]!r}; {hint}")
    values = {}
    for key, field in names.items():
        if field.name in skip:
            continue
        if key not in data:
            key = cls.json_former.get(field.name, key)
        if key in data:
            values[field.name] = _read(cls, field.name, key, data[key])
        elif not _has_default(field):
            raise BadRequest(f"{cls.__name__} needs the field {key}")
    return values


def _read(cls: type[JsonForm], name: str, key: str, value: Any) -> Any:
    if name in cls.json_readers:
        return cls.json_readers[name](value)
    if name in cls.json_named and isinstance(value, Mapping):
        value = {_snake(str(word)): item for word, item in value.items()}
    kinds: dict[str, Any] = _hints(cls)  # type: ignore[arg-type]
    return _decode(kinds[name], value, key)


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _decode(kind: Any, value: Any, where: str) -> Any:
    """A value of the type that a field says it has."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(inner, value, where)
    if origin is tuple:
        _check(isinstance(value, (list, tuple)) and len(value) <= MOST_ENTRIES, "a list", value, where)
        return tuple(_decode(inner[0], item, f"{where}[{n}]") for n, item in enumerate(value))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        _check(isinstance(value, Mapping) and len(value) <= MOST_ENTRIES, "a table", value, where)
        return {str(key): _decode(inner[1], item, f"{where}.{str(key)[:40]}") for key, item in value.items()}
    if kind is Any:
        _check(value is None or isinstance(value, (bool, int, float, str)), "text or a number", value, where)
        return value
    if isinstance(kind, type) and issubclass(kind, JsonForm):
        _check(isinstance(value, Mapping), "a table of fields", value, where)
        return kind.from_dict(value)
    if kind is float:
        if isinstance(value, str) and value in _NUMBERS:
            return _NUMBERS[value]
        _check(isinstance(value, (int, float)) and not isinstance(value, bool), "a number", value, where)
        return value
    expected = {int: "a whole number", str: "text", bool: "true or false", types.NoneType: "null"}[kind]
    _check(type(value) is kind, expected, value, where)
    return value


def _decode_union(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and types.NoneType in kinds:
        return None
    problems = []
    for kind in kinds:
        if kind is types.NoneType:
            continue
        try:
            return _decode(kind, value, where)
        except BadRequest as error:
            problems.append(error)
    # The last is the most telling: a table of fields stands behind plain text in every union here.
    raise problems[-1]


def _check(holds: bool, expected: str, value: Any, where: str) -> None:
    if not holds:
        raise BadRequest(f"{where} must be {expected}, got {_kind(value)}")


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return repr(value)[:40]


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return _default(field) is not dataclasses.MISSING
