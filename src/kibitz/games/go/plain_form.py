"""Positions of Go as plain data: with size, rules and komi, so that a reader need not parse the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.errors import BadPosition
from kibitz.games.go import rules as rule_sets
from kibitz.games.plain_form import PlainForm


class GoForm(PlainForm):
    fields = (*PlainForm.fields, "size", "rules", "komi")

    def write(self, position: Any) -> dict[str, Any]:
        start = position.start
        facts = {"size": list(position.size), "rules": start.rules, "komi": start.komi}
        return {**super().write(position), **facts}

    def start(self, kind: Any, data: Mapping[str, Any]) -> Any:
        """`start` says everything; without it the empty board of `size`, `rules` and `komi`."""
        size, rules, komi = data.get("size"), data.get("rules"), data.get("komi")
        if isinstance(size, (list, tuple)):
            size = tuple(size)
        elif size is not None:
            size = (size, size)
        if size is not None and (len(size) != 2 or not all(type(side) is int for side in size)):
            raise BadPosition(f"size must be a number, or columns and rows, got {data['size']!r}")
        if rules is not None and not isinstance(rules, str):
            raise BadPosition(f"rules must be a name or fields as text, got {rules!r}")
        if data.get("start") is None:
            return kind(size, rules=rules or "chinese", komi=komi)
        start = super().start(kind, data)
        said = {"size": size, "rules": rules and rule_sets.to_text(rules), "komi": komi}
        for name, value in said.items():
            if value is not None and value != getattr(start, name):
                raise BadPosition(f"{name} is {value}, but start says {getattr(start, name)}")
        return start
